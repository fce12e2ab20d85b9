"""Session keys in the database: made once, shared by gates, wrapped again at a rotation."""

from __future__ import annotations

import uuid

import psycopg
import pytest
from doublethink_gate.ledger import KeyRing, PayloadErased, PayloadError
from doublethink_ledger import Kind
from sim.database import GateDatabase
from sim.ledger import DEADLINE_S, attempt, gate

pytestmark = pytest.mark.postgres

K1, K2 = bytes(range(32)), bytes(range(1, 33))
BOTH = KeyRing({"k1": K1, "k2": K2}, "k2")


async def test_gates_share_a_sessions_key(gate_database: GateDatabase) -> None:
    """A payload that one gate wrote opens in another, and both write under the same key."""
    async with gate(gate_database.dsn()) as one, gate(gate_database.dsn()) as two:
        session = await one.open()
        rows = [
            await g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
            for g in (one, two)
        ]
        for g in (one, two):
            assert [(await g.reader.open_payload(row.row)).payload for row in rows] == [b"q", b"q"]


async def test_a_key_is_made_once(gate_database: GateDatabase) -> None:
    """Making a session's key again, as a retried opening does, gives the first one."""
    session = uuid.uuid4()
    async with gate(gate_database.dsn()) as one, gate(gate_database.dsn(), keys=BOTH) as two:
        await one.keys.create(session)
        row = await one.writer.prepare(await one.open(session), Kind.ATTEMPT, attempt("block"), b"q")
        # The second gate wraps with another version, and still takes the key that is there.
        await two.keys.create(session)
        written = await one.writer.append_prepared(row, deadline_s=DEADLINE_S)
        assert (await two.reader.open_payload(written.row)).payload == b"q"
    with psycopg.connect(gate_database.dsn()) as connection:
        assert connection.execute("SELECT kek FROM ledger.session_key").fetchall() == [("k1",)]


async def test_a_wrapped_key_opens_only_for_its_session(gate_database: GateDatabase) -> None:
    """A wrapped key that somebody put under another session does not open there."""
    thief = uuid.uuid4()
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
            connection.execute(
                "INSERT INTO ledger.session_key SELECT %s, key_version, kek, iv, wrapped"
                " FROM ledger.session_key WHERE session = %s",
                (thief, session),
            )
        with pytest.raises(PayloadError):
            await g.keys.load(thief)


async def test_a_key_in_memory_can_be_forgotten(gate_database: GateDatabase) -> None:
    """A forgotten key is read again; one that was deleted meanwhile is gone, like one that never was."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        g.keys.forget(session)
        await g.keys.load(session)
        with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
            connection.execute("DELETE FROM ledger.session_key")
        await g.keys.load(session)
        g.keys.forget(session)
        for absent in (session, uuid.uuid4()):
            with pytest.raises(PayloadErased):
                await g.keys.load(absent)
