"""The gate at its edges: held requests, spent budgets, lost races, callers who go away, hostile answers."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import doublethink_gate.policy
import pytest
from doublethink.gate.v1 import ledger_pb2, page_pb2
from doublethink_gate.egress.rows import Rows
from doublethink_gate.ledger import LostRace
from doublethink_ledger import decode_body
from doublethink_rpc import RpcError
from sim.database import GateDatabase
from sim.gate import GATE, NORDWIND, SimSecret, gate_running, pack_of
from sim.source import SimPage, SimSource
from sim.web import SeenRequest, SimAnswer
from sim.world import ANNUAL, World, refused, world_of

pytestmark = pytest.mark.postgres

STRICT = (Path(doublethink_gate.policy.__file__).parent / "default.yaml").read_text()


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages."""
    async with world_of(gate_database.dsn()) as made:
        yield made


async def test_what_a_person_must_see_first_is_held(world: World) -> None:
    """An uncertain finding ends in a hold: its row says so, its payload is not given out, nothing leaves."""
    session = await world.client.open(pack_of(SimSecret("code", "Zorq")))
    answer = await world.client.search(session, "zorq pumps")
    assert answer.hold_id
    assert not answer.query_id
    rows, bodies = await world.client.rows(session), await world.client.bodies(session)
    assert (bodies[1]["kind"], bodies[1]["verdict"]) == ("held", "ask")
    assert await refused(world.client.payload(session, rows[1].id)) == "ERROR_CODE_ID_REFUSED"
    assert world.web.seen == []
    await world.client.search(session, "centrifugal pumps")


async def test_a_mind_that_keeps_trying_does_not_fill_the_ledger(gate_database: GateDatabase) -> None:
    """Refused attempts have rows until the attempt budget is spent; from then on there are none."""
    policy = STRICT.replace("attempts: 400", "attempts: 3")
    async with world_of(gate_database.dsn(), policy=policy) as world:
        session = await world.client.open(pack_of(NORDWIND))
        codes = [await refused(world.client.search(session, f"Nordwind {n}")) for n in range(7)]
        assert codes == ["ERROR_CODE_BLOCKED"] * 3 + ["ERROR_CODE_BUDGET_EXHAUSTED"] * 4
        verdicts = [body["rules"] for body in (await world.client.bodies(session))[1:]]
        assert verdicts[-1] == ["budget.attempts"]
        assert len(verdicts) == 4
        assert world.web.seen == []


async def test_a_completion_costs_its_whole_body(gate_database: GateDatabase) -> None:
    """The budget of bytes counts what went to the model, pages and template included, on every replica."""
    limit = 16_000
    policy = STRICT.replace("bytes: 20000000", f"bytes: {limit}")
    async with world_of(gate_database.dsn(), policy=policy) as world:
        session = await world.client.open(pack_of(NORDWIND))
        found = await world.client.search(session, "Halvorsen Pumps")
        query, first, _ = await world.client.fetch(session, found.query_id)
        reader, page = query.query.reader_capability, first.page.page_id
        codes: list[str] = []
        while not codes:
            try:
                await world.client.complete(reader, found.query_id, [page])
            except RpcError as error:
                codes.append(str(error))
        assert codes == ["ERROR_CODE_BUDGET_EXHAUSTED"]
        sent = [len(request.body) for request in world.model_web.seen]
        assert sum(sent) <= limit < sum(sent) + sent[0]
        async with gate_running(world.files, 1) as other:
            call = other.complete(reader, found.query_id, [page])
            assert await refused(call) == "ERROR_CODE_BUDGET_EXHAUSTED"


async def test_a_changed_policy_has_another_digest(gate_database: GateDatabase) -> None:
    """Two gates with different policies answer with different digests, and write them into their rows."""
    digests = set()
    for policy in (STRICT, STRICT.replace("max_chars: 400", "max_chars: 399")):
        async with world_of(gate_database.dsn(), policy=policy) as world:
            session = await world.client.open(pack_of(NORDWIND))
            assert (await world.client.bodies(session))[0]["policy"] == session.policy_digest.hex()
            digests.add(session.policy_digest)
    assert len(digests) == 2


async def test_a_race_that_is_always_lost_ends_in_conflict(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After eight more tries the gate gives up, and nothing was sent."""
    tries = []

    async def lose(self: Rows, *arguments: object) -> None:
        tries.append(arguments)
        raise LostRace("another row came first")

    session = await world.client.open(pack_of(NORDWIND))
    monkeypatch.setattr(Rows, "attempt", lose)
    assert await refused(world.client.search(session, "centrifugal pumps")) == "ERROR_CODE_CONFLICT"
    assert len(tries) == 9
    assert world.web.seen == []


async def test_a_caller_who_goes_away_does_not_take_the_outcome_along(world: World) -> None:
    """The planner hangs up while the source answers: the request has left, so its outcome is written."""
    arrived, answer = asyncio.Event(), asyncio.Event()
    served = world.source.__call__

    async def slow(request: SeenRequest) -> SimAnswer:
        arrived.set()
        await answer.wait()
        return await served(request)

    world.web._handler = slow
    session = await world.client.open(pack_of(NORDWIND))
    searching = asyncio.create_task(world.client.search(session, "centrifugal pumps"))
    await arrived.wait()
    following = asyncio.create_task(world.client.rows(session, follow=True))
    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching
    answer.set()
    kinds: list[object] = []
    while "outcome" not in kinds:
        kinds = [body["kind"] for body in await world.client.bodies(session)]
    await world.client.end(session)
    rows = [decode_body(row.body)["kind"] for row in await following]
    assert rows == ["session.open", "attempt", "outcome", "session.close"]


async def test_a_page_from_an_address_that_is_none_is_refused(world: World) -> None:
    """A source that says that a page came from a file ends in a failed fetch."""
    session = await world.client.open(pack_of(NORDWIND))
    found = await world.client.search(session, "Halvorsen Pumps")
    raw = base64.b64encode(ANNUAL.html.encode()).decode()
    result = {"url": "file:///etc/passwd", "raw_base64": raw, "content_type": "text/html"}
    body = json.dumps({"results": [result], "failed_results": []}).encode()
    world.source.hook = lambda request: SimAnswer(200, body) if request.target == "/extract" else None
    messages = await world.client.fetch(session, found.query_id)
    assert [m.failed.outcome for m in messages[1:]] == [page_pb2.PAGE_OUTCOME_FETCH_FAILED] * 2


@pytest.mark.parametrize(
    ("html", "outcome"),
    [
        ("<p>x</p>" + "<b>" * 1_100_000, page_pb2.PAGE_OUTCOME_TOO_LARGE),
        ("\0" * 10, None),
        ("", None),
    ],
)
async def test_hostile_pages_end_in_an_outcome(
    gate_database: GateDatabase, html: str, outcome: page_pb2.PageOutcome | None
) -> None:
    """A page that is too complex, empty or binary is a message and a row, never an error of the gate."""
    async with world_of(gate_database.dsn(), SimPage("https://hostile.example/", "Hostile", html)) as world:
        session = await world.client.open(pack_of(NORDWIND))
        found = await world.client.search(session, "Halvorsen Pumps")
        _, message = await world.client.fetch(session, found.query_id)
        if outcome is None:
            assert message.WhichOneof("item") == "page"
        else:
            assert message.failed.outcome == outcome
        assert (await world.client.bodies(session))[-1]["kind"] == "outcome"


async def test_results_that_are_no_pages_are_no_results(world: World) -> None:
    """Addresses that could not be fetched in any case are dropped from the answer, and the rest is ranked."""
    assert isinstance(world.source, SimSource)
    world.source.pages.insert(0, SimPage("javascript:alert(1)", "Hostile", "x"))
    world.source.pages.insert(0, SimPage("https://x.example/" + "a" * 3000, "Long", "x"))
    session = await world.client.open(pack_of(NORDWIND))
    found = await world.client.search(session, "Halvorsen Pumps")
    assert sum(count.results for count in found.counts) == 2


async def test_a_plain_http_page_is_blocked_by_the_policy(gate_database: GateDatabase) -> None:
    """The address of a page is judged like everything that leaves; a blocked page is a message of its own."""
    pages = (
        SimPage("http://plain.example/", "Plain", "<p>x</p>"),
        SimPage("https://10.0.0.1/", "Inner", "x"),
    )
    async with world_of(gate_database.dsn(), *pages) as world:
        session = await world.client.open(pack_of(NORDWIND))
        found = await world.client.search(session, "Halvorsen Pumps")
        messages = await world.client.fetch(session, found.query_id)
        assert [m.failed.outcome for m in messages[1:]] == [page_pb2.PAGE_OUTCOME_BLOCKED] * 2
        assert all(request.target == "/search" for request in world.web.seen)
        rules = {str(rule) for body in await world.client.bodies(session) for rule in body.get("rules", [])}
        assert rules == {"destination.scheme", "destination.address"}


async def test_so_many_may_follow_and_no_more(gate_database: GateDatabase) -> None:
    """A follower too many is OVERLOADED, listing is not, and a follower that ends makes room."""
    async with world_of(gate_database.dsn(), limits={"followers": 1}) as world:
        session = await world.client.open(pack_of(NORDWIND))
        stream = world.client.peer("console").stream(
            f"{GATE}.LedgerService/ListRows",
            ledger_pb2.ListRowsRequest(after_n=-1, follow=True),
            ledger_pb2.ListRowsResponse,
            capability=session.console,
        )
        assert (await anext(stream)).row.n == 0
        assert await refused(world.client.rows(session, follow=True)) == "ERROR_CODE_OVERLOADED"
        assert len(await world.client.rows(session)) == 1
        await world.client.end(session)
        assert [message.row.n async for message in stream] == [1]
        assert len(await world.client.rows(session, follow=True)) == 2


async def test_a_follower_who_goes_away_makes_room(gate_database: GateDatabase) -> None:
    """A console that hangs up leaves its place to the next one."""
    async with world_of(gate_database.dsn(), limits={"followers": 1}) as world:
        session = await world.client.open(pack_of(NORDWIND))
        request = ledger_pb2.ListRowsRequest(after_n=-1, follow=True)
        method = f"{GATE}.LedgerService/ListRows"
        opened = 0
        while opened < 3:
            stream = world.client.peer("console").stream(
                method, request, ledger_pb2.ListRowsResponse, capability=session.console
            )
            async with contextlib.aclosing(cast("Any", stream)):
                with contextlib.suppress(RpcError):  # the one before is still leaving
                    assert (await anext(stream)).row.n == 0
                    opened += 1
