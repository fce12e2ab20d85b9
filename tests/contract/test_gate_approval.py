"""Held queries: shown to the owner alone, let go once, by the very bytes that were shown, after every check again."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator
from pathlib import Path

import doublethink_gate.policy
import pytest
from doublethink.gate.v1 import approval_pb2
from doublethink_gate.sessions.holds import LET_GO_S
from sim.clock import SimClock
from sim.database import GateDatabase
from sim.gate import Opened, SimSecret, gate_running, pack_of
from sim.world import World, outside, refused, world_of

pytestmark = pytest.mark.postgres

STRICT = (Path(doublethink_gate.policy.__file__).parent / "default.yaml").read_text()
ZORQ = SimSecret("code", "Zorq")
QUERY = "zorq pumps"


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages."""
    async with world_of(gate_database.dsn()) as made:
        yield made


async def held(world: World, query: str = QUERY) -> tuple[Opened, approval_pb2.Hold]:
    """A session with one held query."""
    session = await world.client.open(pack_of(ZORQ))
    answer = await world.client.search(session, query)
    (hold,) = await world.client.holds(session)
    assert hold.hold_id == answer.hold_id
    return session, hold


async def test_an_approved_query_leaves_as_it_was_held(world: World) -> None:
    """The owner sees the words, approves, and the same bytes leave; the ledger has held, approval and attempt, each
    naming the one before.
    """
    session, hold = await held(world)
    assert hold.query == QUERY
    assert hold.rules
    assert (await world.client.release(session, hold.hold_id)).hold_id == hold.hold_id
    assert world.web.seen == []
    assert not hold.approved
    await world.client.decide(session, hold)
    assert [each.approved for each in await world.client.holds(session)] == [True]
    answer = await world.client.release(session, hold.hold_id)
    assert answer.query_id
    assert await world.client.holds(session) == []
    assert sum(count.results for count in answer.counts) == 2
    assert len(world.web.seen) == 1
    rows, bodies = await world.client.rows(session), await world.client.bodies(session)
    kinds = [body["kind"] for body in bodies]
    assert kinds == ["session.open", "held", "approval", "attempt", "outcome"]
    assert bodies[2]["verdict"] == "approve"
    assert bytes.fromhex(str(bodies[2]["of"]).replace("-", "")) == rows[1].id
    assert bodies[3]["of"] == bodies[2]["of"]
    assert bodies[3]["verdict"] == "allow"
    assert bodies[3]["rules"] == bodies[1]["rules"]
    assert QUERY.encode() in await world.client.payload(session, rows[3].id)
    assert (await world.client.fetch(session, answer.query_id))[0].query.text == QUERY


async def test_an_approval_serves_once(world: World) -> None:
    """The second request for the same hold is refused, and so is a second decision."""
    session, hold = await held(world)
    await world.client.decide(session, hold)
    assert (await world.client.release(session, hold.hold_id)).query_id
    assert await refused(world.client.release(session, hold.hold_id)) == "ERROR_CODE_HELD"
    assert await refused(world.client.decide(session, hold)) == "ERROR_CODE_ID_REFUSED"
    assert (await world.client.search(session, QUERY)).hold_id != hold.hold_id
    assert len(world.web.seen) == 1


@pytest.mark.parametrize("decisions", [(False,), (True, False)], ids=["rejected", "approved, then rejected"])
async def test_one_rejection_stands(world: World, decisions: tuple[bool, ...]) -> None:
    """What somebody rejects does not leave, whoever approved it before; nobody can approve it after."""
    session, hold = await held(world)
    for approve in decisions:
        await world.client.decide(session, hold, approve=approve)
    assert await refused(world.client.release(session, hold.hold_id)) == "ERROR_CODE_BLOCKED"
    assert await refused(world.client.decide(session, hold)) == "ERROR_CODE_ID_REFUSED"
    assert world.web.seen == []


async def test_a_decision_is_over_the_bytes_that_were_shown(world: World) -> None:
    """A decision that names another commitment is none, and no row is written."""
    session, hold = await held(world)
    call = world.client.decide(session, hold, commitment=bytes(32))
    assert await refused(call) == "ERROR_CODE_ID_REFUSED"
    assert [body["kind"] for body in await world.client.bodies(session)] == ["session.open", "held"]


async def test_a_hold_belongs_to_its_session(world: World) -> None:
    """Another session can neither see a hold nor decide about it nor let it go."""
    session, hold = await held(world)
    other = await world.client.open(pack_of(ZORQ))
    assert await world.client.holds(other) == []
    assert await refused(world.client.decide(other, hold)) == "ERROR_CODE_ID_REFUSED"
    await world.client.decide(session, hold)
    assert await refused(world.client.release(other, hold.hold_id)) == "ERROR_CODE_ID_REFUSED"
    assert world.web.seen == []


async def test_time_ends_a_hold_and_an_approval(gate_database: GateDatabase) -> None:
    """Nobody decides after the policy's time, and an approval that is not used goes stale."""
    # The database dates the rows.
    clock = SimClock(time.time_ns() // 1000)
    async with world_of(gate_database.dsn(), clock=clock) as world:
        session, late = await held(world)
        await world.client.search(session, "zorq valves")
        clock.forward(890)
        _, fresh = await world.client.holds(session)
        await world.client.decide(session, fresh)
        clock.forward(100)
        assert await refused(world.client.decide(session, late)) == "ERROR_CODE_ID_REFUSED"
        assert await refused(world.client.release(session, late.hold_id)) == "ERROR_CODE_HELD"
        clock.forward(LET_GO_S)
        assert await refused(world.client.release(session, fresh.hold_id)) == "ERROR_CODE_HELD"
        assert await world.client.holds(session) == []
        assert world.web.seen == []


async def test_what_is_certain_by_now_stays_here(world: World) -> None:
    """The bytes are checked against the state of the moment: a second deal's secret in them blocks them."""
    session, hold = await held(world, "zorq pumps halvorsen")
    await world.client.decide(session, hold)
    await world.client.open(pack_of(SimSecret("code", "Halvorsen")))
    assert await refused(world.client.release(session, hold.hold_id)) == "ERROR_CODE_BLOCKED"
    last = (await world.client.bodies(session))[-1]
    assert (last["kind"], last["verdict"]) == ("attempt", "block")
    assert world.web.seen == []


async def test_a_new_doubt_is_held_anew(world: World) -> None:
    """An approval settles the doubts that were shown: another one needs a person again."""
    session, hold = await held(world, "zorq pumps blix")
    await world.client.decide(session, hold)
    await world.client.open(pack_of(SimSecret("name", "Blix")))
    again = await world.client.release(session, hold.hold_id)
    assert again.hold_id not in ("", hold.hold_id)
    assert world.web.seen == []


async def test_a_policy_without_approval_refuses(gate_database: GateDatabase) -> None:
    """Where nobody may let a query go, it is refused as before, and its row stands."""
    policy = STRICT.replace("approval:\n  seconds: 900\n", "approval:\n  seconds: 0\n")
    assert policy != STRICT
    async with world_of(gate_database.dsn(), policy=policy) as world:
        session = await world.client.open(pack_of(ZORQ))
        assert await refused(world.client.search(session, QUERY)) == "ERROR_CODE_HELD"
        assert await world.client.holds(session) == []


async def test_it_leaves_once_over_several_gates(gate_database: GateDatabase) -> None:
    """Held at one gate, approved at a second, asked for at all three at once: it leaves from one of them."""
    async with (
        outside(gate_database.dsn()) as world,
        gate_running(world.files, 0) as first,
        gate_running(world.files, 1) as second,
        gate_running(world.files, 2) as third,
    ):
        session = await first.open(pack_of(ZORQ))
        hold_id = (await first.search(session, QUERY)).hold_id
        (hold,) = await second.holds(session)
        assert hold.hold_id == hold_id
        await second.decide(session, hold)
        gates = itertools.islice(itertools.cycle((first, second, third)), 6)
        answers = await asyncio.gather(
            *(gate.release(session, hold_id) for gate in gates), return_exceptions=True
        )
        assert sum(not isinstance(answer, BaseException) for answer in answers) == 1
        assert len(world.web.seen) == 1
