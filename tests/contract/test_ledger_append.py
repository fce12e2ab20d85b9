"""The append function and the writer against a real server: order, races, retries, refusals."""

from __future__ import annotations

import uuid

import psycopg
import pytest
from doublethink_gate.ledger import (
    LostRace,
    RowConflict,
    RowRefused,
    SessionAlreadyOpen,
    SessionClosed,
    SessionNotOpen,
)
from doublethink_ledger import Kind, check_chain, check_log
from sim.database import GateDatabase
from sim.ledger import CLOSE, DEADLINE_S, OPEN, WHO, attempt, gate, outcome

pytestmark = pytest.mark.postgres


async def test_a_session_from_open_to_close(gate_database: GateDatabase) -> None:
    """Rows come back contiguous, chained and with the payload that was committed to."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        tried = await g.writer.append(
            session, Kind.ATTEMPT, attempt(), b"halvorsen pumps revenue", expect_n=0, deadline_s=DEADLINE_S
        )
        await g.writer.append(session, Kind.OUTCOME, outcome(tried.id), deadline_s=DEADLINE_S)
        await g.writer.append(session, Kind.SESSION_CLOSE, CLOSE, deadline_s=DEADLINE_S)
        rows = await g.reader.session_rows(session)
        head = check_chain(rows)
        assert (head.n, head.seq, head.closed) == (3, 3, True)
        assert rows[1] == tried.row
        assert (await g.reader.open_payload(rows[1])).payload == b"halvorsen pumps revenue"
        assert await g.reader.rows_after(1) == rows[2:]
        assert await g.reader.row(tried.id) == tried.row
        assert await g.reader.row(uuid.uuid4()) is None
