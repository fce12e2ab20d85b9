"""Gates in processes of their own: killed at each step, and three at once with a secret split over them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import signal
from collections.abc import AsyncIterator

import pytest
from doublethink_gate.failpoints import Point
from sim.database import GateDatabase
from sim.gate import NORDWIND, GateClient, SimSecret, gate_process, pack_of
from sim.world import World, outside, refused

pytestmark = pytest.mark.postgres

# Step -> how often the source was asked, and the rows after the session's first, when the gate dies there.
# The writer's own two steps are passed by the session's opening row before.
_OF_FACTS = {Point.BEFORE_FACT, Point.AFTER_FACT}
STEPS: dict[Point, tuple[int, list[str]]] = {
    Point.AFTER_CHECK: (0, []),
    Point.BEFORE_APPEND: (0, []),
    Point.AFTER_APPEND: (0, ["attempt"]),
    Point.BEFORE_SEND: (0, ["attempt"]),
    Point.AFTER_SEND: (1, ["attempt"]),
    Point.BEFORE_OUTCOME: (1, ["attempt"]),
    Point.AFTER_OUTCOME: (1, ["attempt", "outcome"]),
}


def test_every_step_has_its_case() -> None:
    """A new step of the way out needs a case here."""
    assert set(STEPS) == set(Point) - _OF_FACTS


@pytest.mark.parametrize("point", STEPS)
async def test_a_gate_killed_at_any_step_leaves_a_true_ledger(
    gate_database: GateDatabase, point: Point
) -> None:
    """Nothing was sent without its row; what was sent stands as sent or crashed; another gate goes on."""
    sent, rows = STEPS[point]
    passage = 2 if point in (Point.BEFORE_APPEND, Point.AFTER_APPEND) else 1
    async with outside(gate_database.dsn(), failpoints=True) as world:
        async with gate_process(world.files, 0, f"{point.value}=kill@{passage}") as gate:
            session = await world.client.open(pack_of(NORDWIND))
            assert await refused(world.client.search(session, "Halvorsen Pumps")) in (
                "ERROR_CODE_PEER_UNAVAILABLE",
                "ERROR_CODE_INTERNAL",
            )
            assert await gate.ended() == -signal.SIGKILL
            await world.client.close()
        assert len(world.web.seen) == sent
        client = world.files.client(1)
        async with gate_process(world.files, 1):
            assert [body["kind"] for body in await client.bodies(session)] == ["session.open", *rows]
            await client.search(session, "centrifugal pumps")
            assert len(world.web.seen) == sent + 1
            await client.end(session)
            await client.close()


async def test_the_piece_that_completes_a_secret_never_leaves(gate_database: GateDatabase) -> None:
    """A code name in three pieces over three gate processes: two leave, the completing one does not."""
    secret = SimSecret("code", "Vantorquillbrack")
    pieces = ("vantor pump prices", "quill manufacturers", "brack water supply")
    async with outside(gate_database.dsn()) as world, contextlib.AsyncExitStack() as stack:
        clients = []
        for replica in range(3):
            await stack.enter_async_context(gate_process(world.files, replica))
            clients.append(world.files.client(replica))
            stack.push_async_callback(clients[-1].close)
        for piece in pieces:
            # The control: each piece alone may leave.
            await clients[0].search(await clients[0].open(pack_of(secret)), piece)
        session = await clients[0].open(pack_of(secret))
        for client in clients:
            await client.search(session, "centrifugal pumps")
        before = len(world.web.seen)
        answers = await asyncio.gather(
            *(client.search(session, piece) for client, piece in zip(clients, pieces, strict=True)),
            return_exceptions=True,
        )
        refusals = [str(answer) for answer in answers if isinstance(answer, Exception)]
        assert "ERROR_CODE_BLOCKED" in refusals
        assert set(refusals) == {"ERROR_CODE_BLOCKED"}
        assert len(world.web.seen) == before + 3 - len(refusals)
        bodies = await clients[2].bodies(session)
        assert sum(body.get("verdict") == "block" for body in bodies) == len(refusals)


SPLIT = SimSecret("code", "Vantorquillbrack")
PIECES = {"vantor": "vantor pump prices", "quill": "quill manufacturers", "brack": "brack water supply"}
REPLICAS = 6


@contextlib.asynccontextmanager
async def six_gates(database: GateDatabase) -> AsyncIterator[tuple[World, list[GateClient]]]:
    """Six gate processes over one database, and a client of each."""
    async with outside(database.dsn()) as world, contextlib.AsyncExitStack() as stack:
        clients = []
        for replica in range(REPLICAS):
            await stack.enter_async_context(gate_process(world.files, replica))
            clients.append(world.files.client(replica))
            stack.push_async_callback(clients[-1].close)
        yield world, clients


async def test_a_secret_split_over_six_gates_is_stopped_in_every_order(gate_database: GateDatabase) -> None:
    """Whichever process gets which piece, and in whichever order: all but the last leave, and the last never does."""
    async with six_gates(gate_database) as (world, clients):
        for first, order in itertools.product(range(REPLICAS), itertools.permutations(PIECES)):
            session = await clients[first].open(pack_of(SPLIT))
            before = len(world.web.seen)
            for place, piece in enumerate(order):
                # Neighbours get the pieces, beginning with each process in turn.
                client = clients[(first + place + 1) % REPLICAS]
                if place < len(order) - 1:
                    await client.search(session, PIECES[piece])
                else:
                    assert await refused(client.search(session, PIECES[piece])) == "ERROR_CODE_BLOCKED", order
            assert len(world.web.seen) == before + len(order) - 1
            await clients[first].end(session)


async def test_six_gates_at_once_never_send_all_pieces(gate_database: GateDatabase) -> None:
    """All six send a piece at the same moment, each piece two of them: one piece of the three has not left."""
    async with six_gates(gate_database) as (world, clients):
        for _ in range(4):
            session = await clients[0].open(pack_of(SPLIT))
            before = len(world.web.seen)
            answers = await asyncio.gather(
                *(
                    client.search(session, text)
                    for client, text in zip(clients, [*PIECES.values()] * 2, strict=True)
                ),
                return_exceptions=True,
            )
            refusals = [str(answer) for answer in answers if isinstance(answer, Exception)]
            # One that lost the race for a row too often says so, and has sent nothing either.
            assert set(refusals) <= {"ERROR_CODE_BLOCKED", "ERROR_CODE_CONFLICT"}
            assert "ERROR_CODE_BLOCKED" in refusals
            sent = world.web.seen[before:]
            assert len(sent) == REPLICAS - len(refusals)
            left = {piece for piece in PIECES for request in sent if piece.encode() in request.body}
            assert left < set(PIECES)
            await clients[0].end(session)


async def test_a_gate_stops_cleanly(gate_database: GateDatabase) -> None:
    """SIGTERM ends it with status 0, and nothing but structured records stands on its standard error."""
    async with outside(gate_database.dsn()) as world, gate_process(world.files) as gate:
        await world.client.open(pack_of(NORDWIND))
        await world.client.close()
        assert await gate.stop() == 0
        assert all(line.startswith("{") for line in gate.log)
