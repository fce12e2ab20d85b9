"""What a session brought in: queries, results, pages and facts, in Postgres.

Every statement names the session beside the id, so that an id of another session finds nothing.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from doublethink_gate.errors import IdRefused
from doublethink_gate.sessions.pool import Pool, connection


@dataclass(frozen=True, slots=True)
class Query:
    """An approved query. row_id, n: the ledger row of its attempt."""

    id: str
    row_id: uuid.UUID
    n: int


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a query, at its rank from 1. source_class: "regulator", "company", ..."""

    id: str
    rank: int
    source_class: str
    url: str
    title: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Page:
    """A stored page. row_id: the ledger's outcome row. text: page-text/1 in UTF-8. Times in microseconds.

    fetched: the id of the page as it was fetched, which the outcome row names; another one than `id` where
    this page shares the bytes of one that an earlier query of the session brought in.
    """

    id: str
    query: str
    result: str
    row_id: uuid.UUID
    url: str
    title: str
    source_class: str
    fetched_at_us: int
    raw_sha256: bytes
    text: bytes
    text_sha256: bytes
    extractor: str
    hidden_elements: int
    hidden_characters: int
    cut: bool
    fetched: str


@dataclass(frozen=True, slots=True)
class RawPage:
    """A fetched page as it came. url: where it came from. content_type: None on pages of an earlier version."""

    url: str
    raw: bytes = field(repr=False)
    content_type: str | None
    text: str = field(repr=False)
    fetched_at_us: int


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact as the validator wrote it: its serialised message."""

    id: str
    body: bytes


class MaterialStore:
    """The tables `gate.query`, `gate.result`, `gate.page`, `gate.fact`. Every method raises
    LedgerUnavailable.

    A page is stored before its outcome row, and is there only once that row is: what a gate stored and did
    not come to write down is no material.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def insert_query(
        self, session: str, query: Query, created_us: int, results: Sequence[Result]
    ) -> None:
        """Store an approved query with its results, in one statement."""
        async with connection(self._pool) as lent:
            await lent.execute(
                "WITH stored AS (INSERT INTO gate.query (session, id, row_id, n, created_us)"
                " VALUES (%(session)s, %(id)s, %(row_id)s, %(n)s, %(created_us)s))"
                " INSERT INTO gate.result (session, id, query, rank, source_class, url, title, snippet)"
                " SELECT %(session)s, r.id, %(id)s, r.rank, r.source_class, r.url, r.title, r.snippet"
                " FROM unnest(%(ids)s::text[], %(ranks)s::int[], %(classes)s::text[], %(urls)s::text[],"
                " %(titles)s::text[], %(snippets)s::bytea[])"
                " AS r (id, rank, source_class, url, title, snippet)",
                {
                    "session": session,
                    "id": query.id,
                    "row_id": query.row_id,
                    "n": query.n,
                    "created_us": created_us,
                    "ids": [result.id for result in results],
                    "ranks": [result.rank for result in results],
                    "classes": [result.source_class for result in results],
                    "urls": [result.url for result in results],
                    "titles": [result.title for result in results],
                    "snippets": [result.snippet.encode() for result in results],
                },
            )

    async def query(self, session: str, id: str) -> Query:
        """Return a query of this session. Raises IdRefused."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT id, row_id, n FROM gate.query WHERE session = %s AND id = %s", (session, id)
            )
            row = await cursor.fetchone()
        if row is None:
            raise IdRefused
        return Query(*row)

    async def results(self, session: str, query: str) -> tuple[Result, ...]:
        """Return the results of a query of this session, in rank order."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT id, rank, source_class, url, title, convert_from(snippet, 'UTF8') FROM gate.result"
                " WHERE session = %s AND query = %s ORDER BY rank",
                (session, query),
            )
            return tuple(Result(*row) for row in await cursor.fetchall())

    async def results_of_row(self, session: str, row_id: uuid.UUID) -> tuple[Result, ...]:
        """Return the results of the query that a ledger row sent, in rank order."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT r.id, r.rank, r.source_class, r.url, r.title, convert_from(r.snippet, 'UTF8')"
                " FROM gate.result AS r JOIN gate.query AS q ON q.id = r.query"
                " WHERE q.session = %s AND q.row_id = %s ORDER BY r.rank",
                (session, row_id),
            )
            return tuple(Result(*row) for row in await cursor.fetchall())

    async def insert_page(
        self, session: str, page: Page, raw: bytes, address: str, content_type: str
    ) -> None:
        """Store a page that was fetched from `address`, in its one spelling; `content_type` as the source gave it."""
        async with connection(self._pool) as lent:
            await lent.execute(
                "INSERT INTO gate.page (session, id, result, row_id, url, title, fetched_at_us, raw,"
                " raw_sha256, text, text_sha256, extractor, hidden_elements, hidden_characters, cut,"
                " address, content_type)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
                (
                    session,
                    page.id,
                    page.result,
                    page.row_id,
                    page.url,
                    page.title,
                    page.fetched_at_us,
                    raw,
                    page.raw_sha256,
                    page.text,
                    page.text_sha256,
                    page.extractor,
                    page.hidden_elements,
                    page.hidden_characters,
                    page.cut,
                    address,
                    content_type,
                ),
            )

    async def raw_page(self, session: str, id: str) -> RawPage | None:
        """Return a fetched page of this session as it came; None for one that is not there any more."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT url, raw, content_type, convert_from(text, 'UTF8'), fetched_at_us FROM gate.page"
                " WHERE session = %s AND id = %s AND same_as IS NULL",
                (session, id),
            )
            row = await cursor.fetchone()
        return None if row is None else RawPage(row[0], bytes(row[1]), row[2], row[3], row[4])

    async def page(self, session: str, id: str) -> Page:
        """Return a page of this session. Raises IdRefused."""
        pages = await self._pages("p.session = %s AND p.id = %s", (session, id))
        if not pages:
            raise IdRefused
        return pages[0]

    async def stored_pages(self, session: str, wanted: Mapping[str, str]) -> dict[str, Page]:
        """Return what this session has for results, given with their addresses: a result's own page, or else
        the page of another result that was fetched from the same address first.
        """
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT DISTINCT ON (w.result) w.result, p.id"
                " FROM unnest(%(results)s::text[], %(addresses)s::text[]) AS w (result, address)"
                " JOIN gate.page AS p ON p.session = %(session)s"
                " AND (p.result = w.result OR (p.address = w.address AND p.same_as IS NULL))"
                " WHERE EXISTS (SELECT FROM ledger.entry AS e WHERE e.id = p.row_id)"
                " ORDER BY w.result, p.result = w.result DESC, p.fetched_at_us, p.id",
                {"session": session, "results": list(wanted), "addresses": list(wanted.values())},
            )
            found = {str(row[0]): str(row[1]) for row in await cursor.fetchall()}
        if not found:
            return {}
        pages = await self._pages("p.session = %s AND p.id = ANY(%s)", (session, list(found.values())))
        by_id = {page.id: page for page in pages}
        return {result: by_id[id] for result, id in found.items()}

    async def share_page(self, session: str, id: str, fetched: str, result: str) -> Page:
        """Give another result of this session the page `fetched`, under the id `id` or the one that it has
        there already; return the result's page.
        """
        async with connection(self._pool) as lent:
            await lent.execute(
                "INSERT INTO gate.page (session, id, result, row_id, url, title, fetched_at_us, raw_sha256,"
                " text_sha256, extractor, hidden_elements, hidden_characters, cut, address, same_as)"
                " SELECT session, %s, %s, row_id, url, title, fetched_at_us, raw_sha256, text_sha256,"
                " extractor, hidden_elements, hidden_characters, cut, address, id FROM gate.page"
                " WHERE session = %s AND id = %s AND same_as IS NULL"
                " ON CONFLICT (result) WHERE same_as IS NOT NULL DO NOTHING",
                (id, result, session, fetched),
            )
        return (await self._pages("p.session = %s AND p.result = %s", (session, result)))[0]

    async def insert_fact(
        self, session: str, id: str, query: str, page: str, body: bytes, created_us: int, row_id: uuid.UUID
    ) -> None:
        """Store a fact."""
        async with connection(self._pool) as lent:
            await lent.execute(
                "INSERT INTO gate.fact (session, id, query, page, row_id, body, created_us)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s)",
                (session, id, query, page, row_id, body, created_us),
            )

    async def count_facts(self, session: str) -> int:
        """Return how many facts a session has."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute("SELECT count(*) FROM gate.fact WHERE session = %s", (session,))
            row = await cursor.fetchone()
        return int(row[0]) if row is not None else 0

    async def facts(self, session: str, ids: Sequence[str]) -> tuple[StoredFact, ...]:
        """Return facts of this session, in the order asked for. Raises IdRefused if one is not of it."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT id, body FROM gate.fact WHERE session = %s AND id = ANY(%s)", (session, list(ids))
            )
            found = {str(row[0]): StoredFact(str(row[0]), bytes(row[1])) for row in await cursor.fetchall()}
        if any(id not in found for id in ids):
            raise IdRefused
        return tuple(found[id] for id in ids)

    async def all_facts(self, session: str) -> tuple[StoredFact, ...]:
        """Return the facts of this session as they were recorded; `facts_per_session` bounds their number."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT id, body FROM gate.fact WHERE session = %s ORDER BY created_us, id", (session,)
            )
            return tuple(StoredFact(str(row[0]), bytes(row[1])) for row in await cursor.fetchall())

    async def _pages(self, where: str, values: tuple[object, ...]) -> list[Page]:
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT p.id, r.query, p.result, p.row_id, p.url, p.title, r.source_class, p.fetched_at_us,"  # noqa: S608  `where` is this module's own text
                " p.raw_sha256, coalesce(p.text, o.text), p.text_sha256, p.extractor, p.hidden_elements,"
                " p.hidden_characters, p.cut, coalesce(p.same_as, p.id) FROM gate.page AS p"
                " JOIN gate.result AS r ON r.id = p.result"
                " LEFT JOIN gate.page AS o ON o.session = p.session AND o.id = p.same_as"
                " WHERE EXISTS (SELECT FROM ledger.entry AS e WHERE e.id = p.row_id)"
                f" AND {where} ORDER BY p.fetched_at_us, p.id",
                values,
            )
            return [Page(*row) for row in await cursor.fetchall()]
