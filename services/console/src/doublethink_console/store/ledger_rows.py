"""Copies of the gate's ledger rows, kept to be shown also after the session has ended."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from doublethink.gate.v1 import ledger_pb2 as ledger

from doublethink_console.sealing import Place, Sealer

from .cases import Pool
from .spending import spending

_SENT: Final = frozenset({"allow", "rewrite"})
_STOPPED: Final = frozenset({"block", "ask"})
_SELECT: Final = (
    "SELECT session_id, n, arrival, seq, id, at_us, prev, body, hash, sealed_payload FROM console.ledger_row"
)


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One row. `payload` is the text that left, where it was fetched."""

    session_id: str
    n: int
    arrival: int
    seq: int
    id: bytes
    at_us: int
    prev: bytes
    body: Mapping[str, Any]
    hash: bytes
    payload: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Counts:
    """What left and what was stopped in one session, and what it cost."""

    queries: int
    pages: int
    blocked: int
    spent: Mapping[str, Any]


class LedgerRows:
    """The table of copies."""

    def __init__(self, pool: Pool, sealer: Sealer) -> None:
        self._pool, self._sealer = pool, sealer

    async def add(self, run: uuid.UUID, session_id: str, row: ledger.Row, payload: str | None) -> None:
        """Keep a row; one that is there already stays as it is."""
        sealed = None if payload is None else self._sealer.seal(payload.encode(), _place(row.id))
        async with self._pool.connection() as connection:
            await connection.execute(
                "INSERT INTO console.ledger_row (session_id, n, run_id, seq, id, at_us, prev, body, hash,"
                " sealed_payload)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (session_id, n) DO NOTHING",
                (session_id, row.n, run, row.seq, row.id, row.at_us, row.prev, row.body, row.hash, sealed),
            )

    async def last_n(self, session_id: str) -> int:
        """The n of the newest row kept, or -1."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT coalesce(max(n), -1) FROM console.ledger_row WHERE session_id = %s", (session_id,)
            )
            row = await cursor.fetchone()
        return int(row[0]) if row else -1

    async def of_session(self, session_id: str, after_n: int = -1) -> list[LedgerRow]:
        """The rows of a session behind `after_n`, in order. Raises SealBroken."""
        return await self._rows(
            _SELECT + " WHERE session_id = %s AND n > %s ORDER BY n LIMIT 10000", session_id, after_n
        )

    async def texts(self, session_id: str) -> dict[int, str]:
        """By n, the texts of a session that were allowed to leave, as they were copied then. Raises SealBroken."""
        rows = await self.of_session(session_id)
        return {row.n: row.payload for row in rows if row.payload is not None}

    async def forget(self, ids: Sequence[bytes], next_seq: int) -> int:
        """Delete the texts of rows whose payloads were erased, and note how far the log was read for that.

        Returns how many there were.
        """
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "UPDATE console.ledger_row SET sealed_payload = NULL"
                " WHERE id = ANY(%s) AND sealed_payload IS NOT NULL",
                (list(ids),),
            )
            await connection.execute(
                "INSERT INTO console.log_read (purpose, next_seq) VALUES ('erasures', %s)"
                " ON CONFLICT (purpose) DO UPDATE SET next_seq = excluded.next_seq",
                (next_seq,),
            )
            return cursor.rowcount

    async def read_to(self) -> int:
        """The seq from which the log is to be read for erasures."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT coalesce(max(next_seq), 0) FROM console.log_read WHERE purpose = 'erasures'"
            )
            row = await cursor.fetchone()
        return int(row[0]) if row else 0

    async def counts(self, session_id: str) -> Counts:
        """What the rows of a session say in numbers."""
        rows = await self.of_session(session_id)
        attempts = [row.body for row in rows if row.body.get("kind") in ("attempt", "held")]
        # A held request that a person let go left after all, as the attempt that names it.
        let_go = sum(body.get("verdict") in _SENT and "of" in body for body in attempts)
        return Counts(
            queries=sum(body.get("method") == "search" and body.get("verdict") in _SENT for body in attempts),
            pages=sum("page" in row.body for row in rows if row.body.get("kind") == "outcome"),
            blocked=sum(body.get("verdict") in _STOPPED for body in attempts) - let_go,
            spent=spending(row.body for row in rows),
        )

    async def _rows(self, statement: str, *values: object) -> list[LedgerRow]:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(statement.encode(), values)
            rows = await cursor.fetchall()
        return [self._read(row) for row in rows]

    def _read(self, row: tuple[Any, ...]) -> LedgerRow:
        payload = None if row[9] is None else self._sealer.open(row[9], _place(row[4])).decode()
        return LedgerRow(
            row[0], row[1], row[2], row[3], row[4], row[5], row[6], json.loads(row[7]), row[8], payload
        )


def _place(row_id: bytes) -> Place:
    return Place("ledger_row.payload", row_id)
