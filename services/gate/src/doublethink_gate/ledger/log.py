"""Reads the whole log, of all sessions, in its order. Rows come back as they are stored, and never a payload."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final, LiteralString

import psycopg
from doublethink_ledger import Row
from psycopg_pool import PoolTimeout

from doublethink_gate.ids import IdType, from_bytes
from doublethink_gate.ledger.errors import LedgerUnavailable
from doublethink_gate.ledger.reader import MAX_ROWS, row_of
from doublethink_gate.ledger.session_keys import Pool

# A body has one encoding, in which these bytes are a key and nothing else.
_COLUMNS: Final = (
    "SELECT e.seq, e.session, e.n, e.id, e.at_us, e.prev, e.body, e.hash,"
    ' position(\'"commit":"\'::bytea IN e.body) > 0'
    " AND NOT EXISTS (SELECT FROM ledger.payload AS p WHERE p.id = e.id) AS erased FROM ledger.entry AS e "
)
_ALL: Final = _COLUMNS + "WHERE e.seq > %(after)s ORDER BY e.seq LIMIT %(limit)s"
# Two selects and not one with OR: each has an index of its own.
_OF_SESSION: Final = (
    "SELECT * FROM (("  # noqa: S608  this module's own text
    + _COLUMNS
    + "WHERE e.session = %(session)s AND e.seq > %(after)s"
    " ORDER BY e.n LIMIT %(limit)s) UNION ALL (" + _COLUMNS + "WHERE ledger.about(e.body) = %(name)s"
    ' AND position(\'"of_session":"ses_\'::bytea IN e.body) > 0 AND e.seq > %(after)s'
    " ORDER BY e.seq LIMIT %(limit)s)) AS found ORDER BY seq LIMIT %(limit)s"
)


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row, and whether the payload that it commits to is not there any more."""

    row: Row
    erased: bool


class LogReader:
    """Reads `ledger.entry`. Every method may raise LedgerUnavailable."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def rows(self, after_seq: int = -1, limit: int = MAX_ROWS) -> tuple[LogRow, ...]:
        """Return up to `limit` rows with a larger seq."""
        return await self._rows(_ALL, {"after": after_seq, "limit": min(limit, MAX_ROWS)})

    async def rows_of(
        self, session: uuid.UUID, after_seq: int = -1, limit: int = MAX_ROWS
    ) -> tuple[LogRow, ...]:
        """Return rows of a session, and those of other sessions that name it."""
        return await self._rows(
            _OF_SESSION,
            {
                "session": session,
                "name": from_bytes(IdType.SESSION, session.bytes),
                "after": after_seq,
                "limit": min(limit, MAX_ROWS),
            },
        )

    async def before(self, since_us: int) -> int:
        """Return the seq of the last row that is older than a time, or -1.

        A row is never older than the one before it, so that halving finds it: there is no index on time.
        """
        low, high = -1, await self.last_seq()
        while low < high:
            middle = (low + high + 1) // 2
            if await self._at_us(middle) < since_us:
                low = middle
            else:
                high = middle - 1
        return low

    async def last_seq(self) -> int:
        """Return the seq of the newest row, or -1."""
        return await self._number("SELECT coalesce(max(seq), -1) FROM ledger.entry", ())

    async def _at_us(self, seq: int) -> int:
        return await self._number("SELECT at_us FROM ledger.entry WHERE seq = %s", (seq,))

    async def _number(self, query: LiteralString, values: tuple[object, ...]) -> int:
        try:
            async with self._pool.connection() as connection:
                found = await (await connection.execute(query, values)).fetchone()
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the ledger cannot be read") from error
        if found is None or not isinstance(found[0], int):
            # Only somebody past every grant and trigger can have made a gap.
            raise LedgerUnavailable("the ledger has a gap")
        return found[0]

    async def _rows(self, query: LiteralString, values: dict[str, object]) -> tuple[LogRow, ...]:
        try:
            async with self._pool.connection() as connection:
                found = await (await connection.execute(query, values)).fetchall()
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the ledger cannot be read") from error
        return tuple(LogRow(row_of(*columns[:8]), bool(columns[8])) for columns in found)
