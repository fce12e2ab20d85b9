"""The ledger's database as the role `doublethink_sealer` reaches it: SELECT, and one function."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, LiteralString, Self

import psycopg
from doublethink_rpc import StartRefused

from doublethink_sealer.errors import DatabaseAway, SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.log_store import StoredCheckpoint, StoredRow

_CONNECT_SECONDS: Final = 10
# A lost connection is noticed by this, so that no statement waits for ever; a start's long reads are paged.
_OPTIONS: Final = "-c statement_timeout=60000 -c default_transaction_isolation=read\\ committed"
_ENTRY: Final = "SELECT seq, uuid_send(session), n, uuid_send(id), at_us, prev, body, hash FROM ledger.entry "
_HEADS: Final = """
SELECT head.* FROM unnest(%s::uuid[]) AS wanted (session_id) CROSS JOIN LATERAL (
    SELECT seq, uuid_send(session), n, uuid_send(id), at_us, prev, body, hash FROM ledger.entry
    WHERE session = wanted.session_id AND seq < %s ORDER BY n DESC LIMIT 1) AS head
"""
# A body has one encoding, in which these bytes are a key and its value and nothing else. A redaction names row and
# session, and there is an index on the session that it names.
_MISSING: Final = """
SELECT e.seq FROM ledger.entry AS e
WHERE e.seq BETWEEN %s AND %s AND position('"commit":"'::bytea IN e.body) > 0
    AND NOT EXISTS (SELECT FROM ledger.payload AS p WHERE p.id = e.id)
    AND NOT EXISTS (
        SELECT FROM ledger.entry AS r
        WHERE ledger.about(r.body) = ledger.session_name(e.session)
            AND position('"of_session":"ses_'::bytea IN r.body) > 0
            AND position('"kind":"redaction"'::bytea IN r.body) > 0
            AND position(convert_to(format('"of":"%%s"', e.id), 'UTF8') IN r.body) > 0)
ORDER BY e.seq LIMIT %s
"""
_CHECKPOINT: Final = "SELECT origin, size, root, note, at_us, statement FROM ledger.checkpoint "
_FUNCTION: Final = "ledger.store_checkpoint(text, bigint, text, bigint, bytea, bytea, bytea)"

_CANNOT_FOLLOW: Final = "DT004"

Tuple = tuple[Any, ...]


class PostgresStore:
    """One connection, made anew when it was lost. A context manager.

    whole: read everything in one snapshot, for a check of the whole log; nothing can be stored then.
    """

    def __init__(self, dsn: str, *, whole: bool = False) -> None:
        self._dsn = dsn
        self._whole = whole
        self._connection: psycopg.AsyncConnection[Tuple] | None = None

    async def __aenter__(self) -> Self:
        await self._connected()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._drop()

    async def check_schema(self) -> None:
        """Raise StartRefused unless the migrations that sealing needs were applied."""
        found = await self._all("SELECT to_regprocedure(%s) IS NOT NULL", (_FUNCTION,))
        if not found[0][0]:
            raise StartRefused("the database has no checkpoint table yet: run the gate's migrations first")

    async def rows(self, first: int, limit: int) -> Sequence[StoredRow]:
        """See LogStore."""
        query = _ENTRY + "WHERE seq >= %s ORDER BY seq LIMIT %s"
        return [StoredRow._make(row) for row in await self._all(query, (first, limit))]

    async def heads(self, sessions: Collection[bytes], before: int) -> Mapping[bytes, StoredRow]:
        """See LogStore."""
        rows = await self._all(_HEADS, ([uuid.UUID(bytes=one) for one in sessions], before))
        return {row.session: row for row in map(StoredRow._make, rows)}

    async def count(self, before: int) -> int:
        """See LogStore."""
        found = await self._all("SELECT count(*) FROM ledger.entry WHERE seq < %s", (before,))
        return int(found[0][0])

    async def duplicate_id(self) -> int | None:
        """See LogStore."""
        found = await self._all("SELECT max(seq) FROM ledger.entry GROUP BY id HAVING count(*) > 1 LIMIT 1")
        return int(found[0][0]) if found else None

    async def head(self) -> StoredCheckpoint | None:
        """See LogStore."""
        found = await self._all(_CHECKPOINT + "ORDER BY at_us DESC LIMIT 1")
        return StoredCheckpoint(*found[0]) if found else None

    async def checkpoints(self, after_us: int, limit: int) -> Sequence[StoredCheckpoint]:
        """See LogStore."""
        query = _CHECKPOINT + "WHERE at_us > %s ORDER BY at_us LIMIT %s"
        return [StoredCheckpoint(*row) for row in await self._all(query, (after_us, limit))]

    async def checkpoints_of(self, origin: str, first: int, last: int) -> Sequence[StoredCheckpoint]:
        """See LogStore."""
        query = _CHECKPOINT + "WHERE origin = %s AND size BETWEEN %s AND %s ORDER BY size"
        return [StoredCheckpoint(*row) for row in await self._all(query, (origin, first, last))]

    async def missing_payloads(self, first: int, last: int, limit: int) -> Sequence[int]:
        """See LogStore."""
        return [int(row[0]) for row in await self._all(_MISSING, (first, last, limit))]

    async def store(self, expected: StoredCheckpoint | None, new: StoredCheckpoint) -> int | None:
        """See LogStore."""
        known = (None, None) if expected is None else (expected.origin, expected.size)
        try:
            stored = await self._all(
                "SELECT ledger.store_checkpoint(%s, %s, %s, %s, %s, %s, %s)",
                (*known, new.origin, new.size, new.root, new.note, new.statement),
            )
        except psycopg.Error as error:
            if error.sqlstate != _CANNOT_FOLLOW:
                raise
            raise SealingRefused(
                Reason.TAIL_CUT, "rows or checkpoints went away between reading and storing"
            ) from None
        return None if stored[0][0] is None else int(stored[0][0])

    async def _connected(self) -> psycopg.AsyncConnection[Tuple]:
        if self._connection is not None and not self._connection.closed:
            return self._connection
        if self._whole and self._connection is not None:
            raise DatabaseAway("the database broke off: a check of the whole log begins again from the start")
        async with _away():
            made = await psycopg.AsyncConnection.connect(
                self._dsn, autocommit=not self._whole, connect_timeout=_CONNECT_SECONDS, options=_OPTIONS
            )
            if self._whole:
                await made.set_isolation_level(psycopg.IsolationLevel.REPEATABLE_READ)
                await made.set_read_only(True)
                # A count or a sort of a large log takes longer than a page does.
                await made.execute("SET statement_timeout = 0")
        self._connection = made
        return made

    async def _all(self, query: LiteralString, values: Tuple = ()) -> list[Tuple]:
        connection = await self._connected()
        try:
            async with _away(), connection.cursor(binary=True) as cursor:
                await cursor.execute(query, values)
                return await cursor.fetchall()
        except BaseException:
            # Whatever was under way on it is not known: the next statement takes another connection.
            await self._drop()
            raise

    async def _drop(self) -> None:
        if self._connection is not None:
            await self._connection.close()


@contextlib.asynccontextmanager
async def _away() -> AsyncIterator[None]:
    try:
        yield
    except psycopg.OperationalError as error:
        raise DatabaseAway(f"the database does not answer ({type(error).__name__})") from None
