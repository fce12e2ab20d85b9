"""Writes that payloads are about to be given out: one row of kind `opening` for each, durable before any of them is.

The rows stand in a maintenance session of their own, which is opened, filled and closed in one call of the append
function and so in one transaction: the session whose payloads are opened may be closed long since, and a gate that
dies leaves no maintenance session open.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Mapping, Sequence
from typing import Final

import psycopg
from doublethink_ledger import BodyValue, Kind, Row, encode_body

from doublethink_gate.ids import IdType, from_bytes
from doublethink_gate.ledger.call import MAX_BATCH_ROWS, append, connect, cut, judge
from doublethink_gate.ledger.errors import LedgerError, LedgerMismatch, LedgerUnavailable
from doublethink_gate.ledger.rows import AppendedRow, PreparedRow

MAX_OPENINGS: Final = MAX_BATCH_ROWS - 2
_NOTHING: Final[dict[str, BodyValue]] = {
    "source": "maintenance",
    "max_queries": 0,
    "max_pages": 0,
    "max_calls": 0,
    "max_bytes": 0,
    "expires_us": 0,
}


class Openings:
    """Records openings on a connection of its own: an export must not hold up what is being sent.

    who: the keys of every body that name the gate and its policy.
    """

    def __init__(self, dsn: str, who: Mapping[str, BodyValue], append_s: float) -> None:
        self._dsn, self._who, self._append_s = dsn, dict(who), append_s

    async def record(self, rows: Sequence[Row]) -> None:
        """Write one opening for each of 1 to `MAX_OPENINGS` rows; return when all are durable and verified.

        Raises LedgerUnavailable or LedgerMismatch, and then nothing may be given out; that some openings stand in
        the ledger all the same is possible.
        """
        if not 1 <= len(rows) <= MAX_OPENINGS:
            raise ValueError("1 to MAX_OPENINGS rows")
        batch = self._batch(rows)
        loop = asyncio.get_running_loop()
        try:
            connection = await connect(self._dsn, self._append_s)
        except (psycopg.Error, OSError, TimeoutError) as error:
            raise LedgerUnavailable("the database does not answer") from error
        # A call is never cancelled: past its time its connection is broken off.
        watchdog = loop.call_later(self._append_s, cut, connection)
        try:
            answers = await append(connection, batch)
        except psycopg.Error as error:
            raise LedgerUnavailable("it is not known whether the openings were written") from error
        finally:
            watchdog.cancel()
            await connection.close()
        if [answer.item for answer in answers] != list(range(len(batch))):
            raise LedgerMismatch("the database did not answer for every opening")
        for prepared, answer in zip(batch, answers, strict=True):
            judged = judge(prepared, answer)
            if not isinstance(judged, AppendedRow):
                raise judged if isinstance(judged, LedgerError) else LedgerMismatch("an unknown answer")

    def _batch(self, rows: Sequence[Row]) -> list[PreparedRow]:
        session = uuid.UUID(bytes=os.urandom(16))
        bodies: list[tuple[Kind, dict[str, BodyValue]]] = [(Kind.SESSION_OPEN, dict(_NOTHING))]
        for row in rows:
            opening: dict[str, BodyValue] = {
                "of": str(uuid.UUID(bytes=row.id)),
                "of_session": from_bytes(IdType.SESSION, row.session),
                "of_n": row.n,
                "purpose": "export",
            }
            bodies.append((Kind.OPENING, opening))
        bodies.append((Kind.SESSION_CLOSE, {"reason": "closed"}))
        return [
            PreparedRow(
                session,
                uuid.UUID(bytes=os.urandom(16)),
                kind,
                encode_body({**self._who, **body, "kind": kind.value}),
                None,
                None,
            )
            for kind, body in bodies
        ]
