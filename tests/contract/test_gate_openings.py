"""A gate that stops while it opens a session leaves nothing open, in the ledger or beside it."""

from __future__ import annotations

import asyncio
import uuid

import psycopg
import pytest
from doublethink_gate.egress.rows import Rows
from doublethink_gate.errors import LedgerUnavailable
from doublethink_gate.sessions.store import SessionStore
from sim.clock import SimClock
from sim.database import GateDatabase
from sim.gate import NORDWIND, gate_running, pack_of
from sim.world import outside, refused

pytestmark = pytest.mark.postgres

LIMITS: dict[str, int | float] = {"expiry_every_s": 1, "sessions_per_tenant": 1}


def sessions(database: GateDatabase) -> list[tuple[object, ...]]:
    """State of every session, and whether it still has a pack."""
    with psycopg.connect(database.admin_dsn()) as connection:
        return connection.execute("SELECT state, pack_wrapped IS NOT NULL FROM gate.session").fetchall()


def chains(database: GateDatabase) -> list[list[object]]:
    """The kinds of the rows of every session in the ledger."""
    with psycopg.connect(database.admin_dsn()) as connection:
        rows = connection.execute(
            "SELECT array_agg(convert_from(body, 'UTF8')::json->>'kind' ORDER BY n)"
            " FROM ledger.entry GROUP BY session"
        ).fetchall()
    return [row[0] for row in rows]


def stop_before_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a gate stop after the opening row."""

    async def stopped(self: SessionStore, session: str) -> None:
        raise LedgerUnavailable

    monkeypatch.setattr(SessionStore, "opened", stopped)


def stop_before_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a gate stop before the opening row."""

    async def stopped(self: Rows, session: uuid.UUID, *arguments: object, **more: object) -> None:
        raise LedgerUnavailable

    monkeypatch.setattr(Rows, "write", stopped)


@pytest.mark.parametrize(
    ("stop", "before", "after"),
    [
        (stop_before_row, [], []),
        (stop_before_open, [["session.open"]], [["session.open", "session.close"]]),
    ],
)
async def test_what_was_never_quite_opened_is_closed(
    gate_database: GateDatabase,
    monkeypatch: pytest.MonkeyPatch,
    stop: object,
    before: list[list[str]],
    after: list[list[str]],
) -> None:
    """A minute later its chain is closed if it has one, its pack is gone, and its place is free again."""
    assert callable(stop)
    clock = SimClock()
    async with outside(gate_database.dsn(), limits=LIMITS) as world:
        with monkeypatch.context() as stopping:
            stop(stopping)
            async with gate_running(world.files, clock=clock) as client:
                assert await refused(client.open(pack_of(NORDWIND))) == "ERROR_CODE_LEDGER_UNAVAILABLE"
        assert sessions(gate_database) == [("opening", True)]
        assert chains(gate_database) == before
        async with gate_running(world.files, clock=clock) as client:
            assert await refused(client.open(pack_of(NORDWIND))) == "ERROR_CODE_OVERLOADED"
            assert sessions(gate_database) == [("opening", True)]
            clock.forward(61)
            closed = False
            while not closed:
                closed = await asyncio.to_thread(sessions, gate_database) == [("closed", False)]
            assert chains(gate_database) == after
            await client.open(pack_of(NORDWIND))


async def test_what_was_given_up_does_not_open_after_all(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gate that comes back too late finds its session closed, and hands out nothing."""
    clock = SimClock()
    opened = SessionStore.opened

    async def late(self: SessionStore, session: str) -> None:
        clock.forward(61)
        await self.close(session, "closed", clock())
        await opened(self, session)

    monkeypatch.setattr(SessionStore, "opened", late)
    async with outside(gate_database.dsn()) as world, gate_running(world.files, clock=clock) as client:
        assert await refused(client.open(pack_of(NORDWIND))) == "ERROR_CODE_LEDGER_UNAVAILABLE"
        assert sessions(gate_database) == [("closed", False)]


async def test_a_tenant_without_room_leaves_no_row(gate_database: GateDatabase) -> None:
    """A session that is refused for their number was never in the ledger."""
    async with outside(gate_database.dsn(), limits=LIMITS) as world, gate_running(world.files) as client:
        await client.open(pack_of(NORDWIND))
        assert await refused(client.open(pack_of(NORDWIND))) == "ERROR_CODE_OVERLOADED"
    assert chains(gate_database) == [["session.open"]]
