"""Finds what is due, and erases it in bounded batches. Each batch is one transaction of the database's own function:
the payloads go and their redactions are written, or neither. So a run can be ended at any moment and run again.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import psycopg
from doublethink_ledger import BodyError, decode_body

from doublethink_gate.ids import IdType, from_bytes, to_uuid
from doublethink_gate.retention.errors import NothingThere, SessionStillOpen

MAX_BATCH: Final = 250
_NOT_CLOSED: Final = "DT006"

# A row is never older than the one before it, so that the walk by seq ends at the first row that is young enough.
# The time that counts is that of the session's last row, and a session without a closing row is not due at all.
_DUE: Final = """
SELECT e.seq, e.id, e.session, e.n FROM ledger.entry AS e JOIN ledger.payload AS p ON p.id = e.id
CROSS JOIN LATERAL (
    SELECT last.at_us, convert_from(last.body, 'UTF8')::json->>'kind' AS kind
    FROM ledger.entry AS last WHERE last.session = e.session ORDER BY last.n DESC LIMIT 1
) AS final
WHERE e.seq > %(after)s AND e.seq <= %(until)s AND final.kind = 'session.close' AND final.at_us < %(before)s
ORDER BY e.seq LIMIT %(limit)s
"""
_UNTIL: Final = "SELECT at_us FROM ledger.entry WHERE seq = %s"
_OF_SESSION: Final = """
SELECT e.seq, e.id, e.session, e.n FROM ledger.entry AS e JOIN ledger.payload AS p ON p.id = e.id
WHERE e.session = %(session)s AND e.n > %(after)s AND (%(row)s::bigint IS NULL OR e.n = %(row)s)
ORDER BY e.n LIMIT %(limit)s
"""

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Target:
    """A payload that is there, by the row that it belongs to."""

    seq: int
    id: uuid.UUID
    session: str
    n: int


@dataclass(frozen=True, slots=True)
class Digests:
    """SHA-256 of the program that erases and of the policy that it goes by, as every row names them."""

    gate: bytes
    policy: bytes


def due(connection: Connection, before_us: int, batch: int) -> Iterator[list[Target]]:
    """Give, batch by batch, the payloads of sessions that were closed before a time. Raises psycopg.Error.

    before_us: microseconds since 1970-01-01 UTC. Each batch is read when it is asked for.
    """
    after, until = -1, _last_before(connection, before_us)
    while True:
        values = {"after": after, "until": until, "before": before_us, "limit": batch}
        found = _targets(connection, _DUE, values)
        if not found:
            return
        yield found
        after = found[-1].seq


def of_session(connection: Connection, session: str, row: int | None, batch: int) -> Iterator[list[Target]]:
    """Give, batch by batch, the payloads of a session that are still there, or that of one row.

    Raises NothingThere, psycopg.Error.
    """
    key = to_uuid(IdType.SESSION, session)
    _check_there(connection, key, row)
    after = -1
    while True:
        values = {"session": key, "row": row, "after": after, "limit": batch}
        found = _targets(connection, _OF_SESSION, values)
        if not found:
            return
        yield found
        after = found[-1].n


def erase(connection: Connection, targets: Sequence[Target], reason: str, digests: Digests) -> int:
    """Erase the payloads of up to `MAX_BATCH` rows; return how many were still there.

    reason: "retention", "request" or "court". Raises SessionStillOpen, psycopg.Error; then nothing was erased.
    """
    try:
        cursor = connection.execute(
            "SELECT id FROM ledger.erase(%s, %s, %s, %s)",
            ([target.id for target in targets], reason, digests.gate, digests.policy),
        )
    except psycopg.Error as error:
        if error.sqlstate == _NOT_CLOSED:
            raise SessionStillOpen("the session is not closed: close it, then erase") from None
        raise
    return len(cursor.fetchall())


def _check_there(connection: Connection, session: uuid.UUID, row: int | None) -> None:
    cursor = connection.execute(
        "SELECT body FROM ledger.entry WHERE session = %s AND n = %s", (session, row or 0)
    )
    found = cursor.fetchone()
    if found is None:
        raise NothingThere("the ledger has no such session" if row is None else "the session has no such row")
    if row is None:
        return
    try:
        commits = "commit" in decode_body(bytes(found[0]))
    except BodyError as error:
        raise NothingThere("the row's body is none that this version knows") from error
    if not commits:
        raise NothingThere(f"row {row} has no payload")


def _last_before(connection: Connection, before_us: int) -> int:
    """The seq of the last row that is older than a time, or -1."""
    last = connection.execute("SELECT coalesce(max(seq), -1) FROM ledger.entry").fetchone()
    low, high = -1, int(last[0]) if last else -1
    while low < high:
        middle = (low + high + 1) // 2
        row = connection.execute(_UNTIL, (middle,)).fetchone()
        if row is not None and int(row[0]) < before_us:
            low = middle
        else:
            high = middle - 1
    return low


def _targets(connection: Connection, query: str, values: Mapping[str, object]) -> list[Target]:
    rows = connection.execute(query.encode(), values).fetchall()
    return [Target(row[0], row[1], from_bytes(IdType.SESSION, row[2].bytes), row[3]) for row in rows]
