"""An address is fetched once in a session, and every query that finds it has a page of its own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import psycopg
import pytest
from doublethink.gate.v1 import page_pb2
from sim.database import GateDatabase
from sim.gate import NORDWIND, gate_running, pack_of
from sim.source import SimPage
from sim.web import SeenRequest, SimAnswer
from sim.world import ANNUAL, NEWS, World, fact_on, refused, world_of

pytestmark = pytest.mark.postgres


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages."""
    async with world_of(gate_database.dsn()) as made:
        yield made


def fetches(world: World) -> int:
    """How many pages the source was asked for."""
    return sum(request.target == "/extract" for request in world.web.seen)


def bare(page: page_pb2.Page) -> page_pb2.Page:
    """A page without its id and its result's title, which are each query's own."""
    copy = page_pb2.Page()
    copy.CopyFrom(page)
    copy.page_id = ""
    copy.result_title = ""
    return copy


async def test_another_query_gets_the_stored_page_as_its_own(world: World) -> None:
    """No request, no row, no budget; another id, the same bytes, and the first fetch's time and hashes."""
    client = world.client
    session = await client.open(pack_of(NORDWIND), pages=2)
    one = await client.search(session, "Halvorsen Pumps revenue")
    first = [message.page for message in (await client.fetch(session, one.query_id))[1:]]
    other = await client.search(session, "centrifugal pumps")
    rows = len(await client.rows(session))
    second = [message.page for message in (await client.fetch(session, other.query_id))[1:]]
    assert [bare(page) for page in second] == [bare(page) for page in first]
    assert not {page.page_id for page in first} & {page.page_id for page in second}
    assert fetches(world) == 2
    assert len(await client.rows(session)) == rows
    again = [message.page for message in (await client.fetch(session, other.query_id))[1:]]
    assert again == second
    stored = await client.page(session, second[0].page_id)
    assert not stored.result_title
    assert bare(stored) == bare(second[0])


async def test_a_shared_page_is_as_good_as_a_fetched_one(world: World, gate_database: GateDatabase) -> None:
    """Facts and completions take it for its own query; the fact's row names what was fetched; bytes are
    stored once.
    """
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    one = await client.search(session, "Halvorsen Pumps revenue")
    (_, fetched, _) = await client.fetch(session, one.query_id)
    other = await client.search(session, "centrifugal pumps")
    query, shared, _ = await client.fetch(session, other.query_id)
    fact = fact_on(shared.page, other.query_id)
    fact_id = await client.record(session, fact)
    assert (await client.facts(session, fact_id))[0].fact == fact
    bodies = await client.bodies(session)
    outcome = next(body for body in bodies if body.get("page") == fetched.page.page_id)
    assert bodies[-1]["page"] == outcome["page"]
    assert await client.complete(query.query.reader_capability, other.query_id, [shared.page.page_id])
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        stored = connection.execute("SELECT count(*), count(raw), count(text) FROM gate.page").fetchone()
    assert stored == (4, 2, 2)


async def test_spellings_of_one_address_share_a_page(gate_database: GateDatabase) -> None:
    """Two results whose addresses differ in their tracking only are one request."""
    tracked = SimPage(f"{ANNUAL.url}?utm_source=mail", "The same, tracked", ANNUAL.html)
    async with world_of(gate_database.dsn(), ANNUAL, tracked) as world:
        session = await world.client.open(pack_of(NORDWIND))
        found = await world.client.search(session, "Halvorsen Pumps")
        _, first, second = await world.client.fetch(session, found.query_id)
        assert bare(first.page) == bare(second.page)
        assert second.page.result_title == "The same, tracked"
        assert first.page.page_id != second.page.page_id
        assert fetches(world) == 1


async def test_calls_at_once_fetch_an_address_once(world: World) -> None:
    """Four calls for two queries at the same moment: each address is asked for once, each query has its
    own page, and the calls of one query get the same ones.
    """
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    queries = [(await client.search(session, text)).query_id for text in ("pump makers", "pump prices")]
    answers = await asyncio.gather(*(client.fetch(session, query) for query in queries * 2))
    ids = [[message.page.page_id for message in answer[1:]] for answer in answers]
    assert ids[0] == ids[2]
    assert ids[1] == ids[3]
    assert len({*ids[0], *ids[1]}) == 4
    assert fetches(world) == 2


async def test_who_waits_tries_for_itself_where_nothing_was_stored(world: World) -> None:
    """A first request that fails is not the second call's answer: that one makes its own."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    query = (await client.search(session, "pump makers")).query_id
    failed: list[SeenRequest] = []

    def once(request: SeenRequest) -> SimAnswer | None:
        if ANNUAL.url.encode() not in request.body or failed:
            return None
        failed.append(request)
        return SimAnswer(400)

    world.source.hook = once
    answers = await asyncio.gather(*(client.fetch(session, query, 1) for _ in range(2)))
    assert sorted(answer[1].WhichOneof("item") for answer in answers) == ["failed", "page"]


async def test_a_caller_who_goes_away_leaves_its_page_to_the_next(world: World) -> None:
    """A request that is under way is waited for and not made again, though its caller is gone."""
    arrived, answer = asyncio.Event(), asyncio.Event()
    served = world.source.__call__

    async def slow(request: SeenRequest) -> SimAnswer:
        if NEWS.url.encode() in request.body:
            arrived.set()
            await answer.wait()
        return await served(request)

    client = world.client
    session = await client.open(pack_of(NORDWIND))
    query = (await client.search(session, "pump makers")).query_id
    world.web._handler = slow
    leaving = asyncio.create_task(client.fetch(session, query))
    await arrived.wait()
    leaving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await leaving
    staying = asyncio.create_task(client.fetch(session, query))
    answer.set()
    assert [message.page.url for message in (await staying)[1:]] == [ANNUAL.url, NEWS.url]
    assert fetches(world) == 2


async def test_another_replica_finds_the_page(world: World) -> None:
    """What one replica fetched for one query, another gives to another query without a request."""
    session = await world.client.open(pack_of(NORDWIND))
    one = await world.client.search(session, "pump makers")
    first = (await world.client.fetch(session, one.query_id, 1))[1].page
    async with gate_running(world.files, 1) as other:
        found = await other.search(session, "pump prices")
        second = (await other.fetch(session, found.query_id, 1))[1].page
        assert bare(second) == bare(first)
        assert fetches(world) == 1


async def test_a_secret_on_a_page_is_noticed_at_its_outcome(gate_database: GateDatabase) -> None:
    """The page comes all the same; its outcome names the rule, the count goes up, and no other row does."""
    told = SimPage("https://press.example/", "Press", "<p>Project Nordwind is about to be announced.</p>")
    async with world_of(gate_database.dsn(), told, NEWS) as world:
        session = await world.client.open(pack_of(NORDWIND))
        found = await world.client.search(session, "pump makers")
        messages = await world.client.fetch(session, found.query_id)
        assert "Nordwind" in messages[1].page.text
        bodies = await world.client.bodies(session)
        noticed = [body for body in bodies if body["kind"] == "outcome" and "rules" in body]
        assert [body["page"] for body in noticed] == [messages[1].page.page_id]
        assert "public.secret.code.exact" in noticed[0]["rules"]
        assert all(rule.startswith("public.secret.code.") for rule in noticed[0]["rules"])
        assert await counted(world, 'gate_findings_total{family="public"}') == 1
        assert await refused(world.client.search(session, "Nordwind")) == "ERROR_CODE_BLOCKED"


async def counted(world: World, name: str) -> int:
    """A number on the gate's page of metrics."""
    reader, writer = await asyncio.open_unix_connection(world.files.folder / "metrics0.sock")
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n")
    page = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    (line,) = [line for line in page.splitlines() if line.startswith(name + " ")]
    return int(float(line.split()[-1]))
