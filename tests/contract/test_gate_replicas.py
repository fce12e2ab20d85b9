"""Gate replicas share nothing but Postgres: any of them takes any session over, with all it remembers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import psycopg
import pytest
from sim.database import GateDatabase
from sim.gate import NORDWIND, GateClient, SimSecret, gate_running, pack_of
from sim.world import World, fact_on, outside, refused

pytestmark = pytest.mark.postgres

SPLIT = SimSecret("code", "Vantorquill")
FIRST, LAST = "vantor pump prices", "quill manufacturers"


@contextlib.asynccontextmanager
async def replicas(database: GateDatabase, count: int) -> AsyncIterator[tuple[World, list[GateClient]]]:
    """A world with several gates in this process, over one database."""
    async with outside(database.dsn()) as world, contextlib.AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(gate_running(world.files, replica)) for replica in range(count)
        ]
        yield world, clients


async def test_a_session_is_taken_over(gate_database: GateDatabase) -> None:
    """One replica opens, searches and fetches; when it is gone another records, reads, counts and closes."""
    async with outside(gate_database.dsn()) as world:
        async with gate_running(world.files, 0) as first:
            session = await first.open(pack_of(NORDWIND), queries=2)
            found = await first.search(session, "Halvorsen Pumps revenue")
            _, page, _ = await first.fetch(session, found.query_id)
        async with gate_running(world.files, 1) as second:
            fact = fact_on(page.page, found.query_id)
            fact_id = await second.record(session, fact)
            assert (await second.facts(session, fact_id))[0].fact == fact
            seen = len(world.web.seen)
            assert [m.page for m in (await second.fetch(session, found.query_id))[1:2]] == [page.page]
            assert len(world.web.seen) == seen
            assert await refused(second.search(session, "all about Nordwind")) == "ERROR_CODE_BLOCKED"
            await second.search(session, "centrifugal pumps")
            assert await refused(second.search(session, "pumps")) == "ERROR_CODE_BUDGET_EXHAUSTED"
            assert await second.end(session) == 13


async def test_a_piece_alone_may_leave(gate_database: GateDatabase) -> None:
    """The control of the tests below: in a session of its own, either piece of the secret passes."""
    async with replicas(gate_database, 1) as (world, (client,)):
        for piece in (FIRST, LAST):
            await client.search(await client.open(pack_of(SPLIT)), piece)
        assert len(world.web.seen) == 2


async def test_a_piece_that_another_replica_sent_counts(gate_database: GateDatabase) -> None:
    """A replica that knew the session before learns of the other's row by losing the race, and refuses."""
    async with replicas(gate_database, 2) as (world, (one, two)):
        session = await one.open(pack_of(SPLIT))
        await one.search(session, "centrifugal pumps")
        await two.search(session, FIRST)
        assert await refused(one.search(session, LAST)) == "ERROR_CODE_BLOCKED"
        assert b"quill" not in world.web.everything_seen()
        assert (await one.bodies(session))[-1]["rules"] != []


async def test_two_pieces_at_once_never_both_leave(gate_database: GateDatabase) -> None:
    """Sent to two replicas at the same moment, over many sessions, the second piece is always refused."""
    async with replicas(gate_database, 2) as (world, (one, two)):
        for _ in range(10):
            session = await one.open(pack_of(SPLIT))
            await asyncio.gather(one.search(session, "slurry pumps"), two.search(session, "gear pumps"))
            before = len(world.web.seen)
            answers = await asyncio.gather(
                one.search(session, FIRST), two.search(session, LAST), return_exceptions=True
            )
            assert sorted(str(answer) for answer in answers if isinstance(answer, Exception)) == [
                "ERROR_CODE_BLOCKED"
            ]
            assert len(world.web.seen) == before + 1
            await one.end(session)


async def test_many_searches_at_once_keep_one_chain(gate_database: GateDatabase) -> None:
    """Twelve searches of one session over two replicas: each has its row, its outcome and its budget."""
    async with replicas(gate_database, 2) as (world, clients):
        session = await clients[0].open(pack_of(NORDWIND), queries=10)
        answers = await asyncio.gather(
            *(clients[number % 2].search(session, f"pumps number {number}") for number in range(12)),
            return_exceptions=True,
        )
        refusals = [str(answer) for answer in answers if isinstance(answer, Exception)]
        assert set(refusals) <= {"ERROR_CODE_BUDGET_EXHAUSTED", "ERROR_CODE_CONFLICT"}
        assert len(world.web.seen) == 12 - len(refusals) <= 10
        bodies = await clients[0].bodies(session)
        sent = [body for body in bodies if body.get("verdict") == "allow"]
        outcomes = [body for body in bodies if body["kind"] == "outcome"]
        assert len(sent) == len(outcomes) == len(world.web.seen)


async def test_a_secret_of_another_session_of_the_tenant_is_found(gate_database: GateDatabase) -> None:
    """One deal's secret cannot leave under another's name of the same tenant, whichever replica holds it."""
    async with replicas(gate_database, 2) as (world, (one, two)):
        other = await one.open(pack_of(NORDWIND))
        session = await two.open(pack_of(SPLIT))
        stranger = await two.open(pack_of(SPLIT), tenant="other")
        assert await refused(two.search(session, "news about Nordwind")) == "ERROR_CODE_BLOCKED"
        await two.search(stranger, "news about Nordwind")
        await one.end(other)
        await two.search(session, "news about Nordwind")
        assert len(world.web.seen) == 2


async def test_a_session_whose_past_cannot_be_read_sends_no_more(gate_database: GateDatabase) -> None:
    """Where a payload was erased a new replica cannot know what left, and lets nothing more out."""
    async with outside(gate_database.dsn()) as world:
        async with gate_running(world.files, 0) as first:
            session = await first.open(pack_of(NORDWIND))
            await first.search(session, "Halvorsen Pumps")
        with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
            connection.execute("DELETE FROM ledger.payload")
        async with gate_running(world.files, 1) as second:
            rows = await second.rows(session)
            assert await refused(second.payload(session, rows[1].id)) == "ERROR_CODE_ID_REFUSED"
            assert await refused(second.search(session, "pumps")) == "ERROR_CODE_LEDGER_UNAVAILABLE"
            assert len(world.web.seen) == 1


async def test_public_text_lets_a_memo_word_go_on_any_replica(gate_database: GateDatabase) -> None:
    """A rare memo word waits until two domains have shown it; what one replica saw counts for the other."""
    memo = "The target is Brackwater Hydraulics."
    async with replicas(gate_database, 2) as (world, (one, two)):
        session = await one.open(pack_of(NORDWIND, memo=memo))
        assert await refused(two.search(session, "Brackwater annual report")) == "ERROR_CODE_BLOCKED"
        world.source.pages = [
            type(page)(page.url, "Brackwater in the news", page.html, page.snippet)
            for page in world.source.pages
        ]
        await one.search(session, "pump companies")
        await two.search(session, "Brackwater annual report")
        assert len(world.web.seen) == 2


async def test_a_session_that_ended_elsewhere_is_forgotten(gate_database: GateDatabase) -> None:
    """A replica drops the pack and the state of a session that another one closed."""
    async with (
        outside(gate_database.dsn(), limits={"expiry_every_s": 1}) as world,
        gate_running(world.files, 0) as one,
        gate_running(world.files, 1) as two,
    ):
        session = await one.open(pack_of(NORDWIND))
        await two.search(session, "centrifugal pumps")
        live = await live_sessions(world, 1)
        assert live == 1
        await one.end(session)
        while live:
            live = await live_sessions(world, 1)
        assert len(await two.rows(session)) == 4


async def live_sessions(world: World, replica: int) -> int:
    """How many sessions a replica says that it has in memory."""
    reader, writer = await asyncio.open_unix_connection(world.files.folder / f"metrics{replica}.sock")
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n")
    page = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    (line,) = [line for line in page.splitlines() if line.startswith("gate_live_sessions ")]
    return int(float(line.split()[1]))
