"""One question's way through the gate: search, pages, facts, completion, ledger, close."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import AsyncIterator

import pytest
from doublethink.figures.v1 import figures_pb2
from doublethink.gate.v1 import page_pb2, session_pb2
from doublethink_gate.ids import IdType, to_bytes
from doublethink_ledger import Row, check_chain
from sim.database import GateDatabase
from sim.gate import LINDQVIST, NORDWIND, GateFiles, gate_running, pack_of, short_folder
from sim.source import SimPage, SimSource
from sim.web import SeenRequest, SimAnswer, serving
from sim.world import ANNUAL, NEWS, World, fact_on, refused, world_of

pytestmark = pytest.mark.postgres


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages."""
    async with world_of(gate_database.dsn()) as made:
        yield made


async def test_a_question_goes_all_the_way(world: World) -> None:
    """Search, fetch, record, read back and close; each step leaves a row, and the chain verifies."""
    client = world.client
    session = await client.open(pack_of(NORDWIND, LINDQVIST))
    found = await client.search(session, "Halvorsen Pumps revenue fiscal 2024")
    assert [(c.source_class, c.results) for c in found.counts] == [
        (figures_pb2.SOURCE_CLASS_REGULATOR, 1),
        (figures_pb2.SOURCE_CLASS_OTHER, 1),
    ]
    query, first, second = await client.fetch(session, found.query_id)
    assert query.query.text == "Halvorsen Pumps revenue fiscal 2024"
    page = first.page
    assert page.url == ANNUAL.url
    assert page.text.splitlines()[0] == "Halvorsen Pumps annual report"
    assert hashlib.sha256(page.text.encode()).digest() == page.text_sha256
    assert hashlib.sha256(ANNUAL.html.encode()).digest() == page.raw_sha256
    assert second.page.url == NEWS.url
    assert page.result_title == "Halvorsen Pumps annual report"
    # The name that the search source has for it goes with its results alone, and is no part of what is stored.
    stored = page_pb2.Page()
    stored.CopyFrom(page)
    stored.ClearField("result_title")
    assert await client.page(session, page.page_id) == stored
    fact = fact_on(page, found.query_id)
    fact_id = await client.record(session, fact)
    assert [(f.fact_id, f.fact) for f in await client.facts(session, fact_id)] == [(fact_id, fact)]
    assert await client.end(session) == 9
    rows = await client.rows(session)
    head = check_chain(
        Row(
            r.seq,
            to_bytes(IdType.SESSION, session.id),
            r.n,
            r.id,
            r.at_us,
            r.prev,
            hashlib.sha256(r.body).digest(),
            r.hash,
            r.body,
        )
        for r in rows
    )
    assert head.closed
    bodies = await client.bodies(session)
    assert [body["kind"] for body in bodies][-2:] == ["fact", "session.close"]
    assert sorted(str(body["kind"]) for body in bodies[1:7]) == ["attempt"] * 3 + ["outcome"] * 3
    ids = [str(uuid.UUID(bytes=row.id)) for row in rows]
    for n, body in enumerate(bodies):
        if "of" in body:
            assert ids.index(str(body["of"])) < n


async def test_rows_name_gate_and_policy_and_hold_no_text(world: World) -> None:
    """Each row has both digests; neither query nor address nor page stands in any of them."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps revenue")
    _, first, _ = await client.fetch(session, found.query_id)
    await client.record(session, fact_on(first.page, found.query_id))
    for row, body in zip(await client.rows(session), await client.bodies(session), strict=True):
        assert len(str(body["gate"])) == 64
        assert body["policy"] == session.policy_digest.hex()
        for text in (b"Halvorsen", b"42,916", b"sec.gov", b"Revenue"):
            assert text not in row.body


async def test_what_left_can_be_opened_by_the_owner(world: World) -> None:
    """The payload of an attempt is the request as the source saw it; the key header is not part of it."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    await client.search(session, "centrifugal pumps market size")
    rows = await client.rows(session)
    payload = await client.payload(session, rows[1].id)
    head, _, body = payload.partition(b"\n\n")
    assert body == world.web.seen[0].body
    assert json.loads(body)["query"] == "centrifugal pumps market size"
    assert b"tvly-source-key" not in payload
    assert "tvly-source-key" in str(world.web.seen[0].header("authorization"))
    for name, value in [line.split(": ", 1) for line in head.decode().splitlines()[1:]]:
        assert world.web.seen[0].header(name) == value
    await client.end(session)
    assert await client.payload(session, rows[1].id) == payload


async def test_a_blocked_query_leaves_a_row_and_nothing_else(world: World) -> None:
    """A confirmed secret ends in BLOCKED, the source sees nothing, and the row's payload is not given out."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    assert await refused(client.search(session, "who advises on Nordwind")) == "ERROR_CODE_BLOCKED"
    assert world.web.seen == []
    rows, bodies = await client.rows(session), await client.bodies(session)
    assert bodies[1]["verdict"] == "block"
    assert bodies[1]["rules"]
    assert await refused(client.payload(session, rows[1].id)) == "ERROR_CODE_ID_REFUSED"
    for other in (rows[0].id, bytes(16)):
        assert await refused(client.payload(session, other)) == "ERROR_CODE_ID_REFUSED"


async def test_a_stored_page_is_not_fetched_again(world: World) -> None:
    """Within one session a result is fetched once; the second stream gives the same pages."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps")
    first = await client.fetch(session, found.query_id)
    seen = len(world.web.seen)
    second = await client.fetch(session, found.query_id)
    assert [m.page for m in first[1:]] == [m.page for m in second[1:]]
    assert len(world.web.seen) == seen


async def test_pages_can_be_asked_for_by_class(world: World) -> None:
    """A source class narrows the results, in rank order."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps")
    messages = await client.fetch(session, found.query_id, 1, source_class=figures_pb2.SOURCE_CLASS_OTHER)
    assert [m.page.url for m in messages[1:]] == [NEWS.url]


async def test_a_page_that_cannot_be_had_is_a_message_of_its_own(world: World) -> None:
    """One page fails, twice; the next one still comes, and the ledger has an outcome for each request."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps")
    world.source.hook = lambda request: SimAnswer(500) if ANNUAL.url.encode() in request.body else None
    _, failed, page = await client.fetch(session, found.query_id)
    assert (failed.failed.outcome, failed.failed.rank) == (page_pb2.PAGE_OUTCOME_FETCH_FAILED, 1)
    assert page.page.url == NEWS.url
    outcomes = [body for body in await client.bodies(session) if body["kind"] == "outcome"]
    assert sorted((str(o["status"]), str(o.get("error"))) for o in outcomes) == [
        ("failed", "server_error"),
        ("failed", "server_error"),
        ("sent", "None"),
        ("sent", "None"),
    ]


@pytest.mark.parametrize(
    ("answer", "code", "word"),
    [
        (SimAnswer(429), "ERROR_CODE_SOURCE_RATE_LIMITED", "rate_limited"),
        (SimAnswer(401), "ERROR_CODE_PROVIDER_REFUSED", "unauthorized"),
        (SimAnswer(432), "ERROR_CODE_PROVIDER_REFUSED", "plan_exhausted"),
        (SimAnswer(400), "ERROR_CODE_SOURCE_UNAVAILABLE", "request_refused"),
        (SimAnswer(200, b"<html>", "text/html"), "ERROR_CODE_SOURCE_UNAVAILABLE", "bad_shape"),
        (SimAnswer(302), "ERROR_CODE_SOURCE_UNAVAILABLE", "bad_shape"),
        (SimAnswer(drop=True), "ERROR_CODE_SOURCE_UNAVAILABLE", "unreachable"),
    ],
)
async def test_a_source_that_fails_has_its_outcome(
    world: World, answer: SimAnswer, code: str, word: str
) -> None:
    """A failed search is a typed error and a row; it is never an empty answer."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    world.source.hook = lambda request: answer
    assert await refused(client.search(session, "Halvorsen Pumps")) == code
    assert (await client.bodies(session))[-1]["error"] == word


async def test_the_model_gets_template_query_and_pages(world: World) -> None:
    """A completion goes by ids; the model sees the query and the page, and no tools; its key is in no row."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps revenue")
    query, first, second = await client.fetch(session, found.query_id)
    reader = query.query.reader_capability
    world.model.text = '{"claims":[]}'
    answer = await client.complete(reader, found.query_id, [first.page.page_id, second.page.page_id])
    assert answer == '{"claims":[]}'
    seen = world.model_web.seen[0]
    assert seen.header("authorization") == "Bearer sk-model-key-of-the-simulator"
    assert seen.header("anthropic-version") == "2026-10-21"
    asked = json.loads(seen.body)
    assert set(asked) == {"model", "max_tokens", "system", "output_config", "messages"}
    blocks = [block["text"] for block in asked["messages"][0]["content"]]
    assert blocks == [
        "Query: Halvorsen Pumps revenue",
        "Page 1:",
        first.page.text,
        "Page 2:",
        second.page.text,
    ]
    attempt = (await client.bodies(session))[-2]
    assert attempt["method"] == "complete"
    assert str(attempt["template"]).startswith("extract_claims/")


async def test_a_model_that_breaks_its_promise_is_refused(world: World) -> None:
    """A cut answer is MODEL_ANSWER_REFUSED, a refused request MODEL_UNAVAILABLE; both have their outcome."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps revenue")
    query, first, _ = await client.fetch(session, found.query_id)
    reader = query.query.reader_capability
    world.model.stop_reason = "max_tokens"
    call = client.complete(reader, found.query_id, [first.page.page_id])
    assert await refused(call) == "ERROR_CODE_MODEL_ANSWER_REFUSED"
    world.model.status = 400
    call = client.complete(reader, found.query_id, [first.page.page_id])
    assert await refused(call) == "ERROR_CODE_MODEL_UNAVAILABLE"
    assert [b["error"] for b in await client.bodies(session) if "error" in b] == [
        "model_cut", "model_request_refused",
    ]  # fmt: skip


async def test_facts_with_spans_out_of_place_are_refused(world: World) -> None:
    """A span beyond the page, within a character, or without a value leaves no row."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps revenue")
    _, first, _ = await client.fetch(session, found.query_id)
    rows = len(await client.rows(session))
    beyond = fact_on(first.page, found.query_id)
    beyond.spans[0].end = len(first.page.text.encode()) + 1
    bare = fact_on(first.page, found.query_id)
    bare.ClearField("value")
    for fact in (beyond, bare):
        assert await refused(client.record(session, fact)) == "ERROR_CODE_MALFORMED"
    assert len(await client.rows(session)) == rows


async def test_a_closed_session_does_nothing_more(world: World) -> None:
    """After closing, every capability but the owner's look at the ledger is void."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps")
    await client.end(session)
    assert await refused(client.search(session, "more")) == "ERROR_CODE_CAPABILITY_REFUSED"
    assert await refused(client.fetch(session, found.query_id)) == "ERROR_CODE_CAPABILITY_REFUSED"
    assert await refused(client.end(session)) == "ERROR_CODE_SESSION_CLOSED"
    assert len(await client.rows(session, follow=True)) == 4


async def test_budgets_narrow_and_end(world: World) -> None:
    """A session's own budget is kept, and what it refuses is a row with the budget's rule."""
    client = world.client
    session = await client.open(pack_of(NORDWIND), queries=1, pages=1)
    found = await client.search(session, "Halvorsen Pumps")
    assert await refused(client.search(session, "pumps")) == "ERROR_CODE_BUDGET_EXHAUSTED"
    _, first, second = await client.fetch(session, found.query_id)
    assert first.page.url == ANNUAL.url
    assert second.failed.outcome == page_pb2.PAGE_OUTCOME_BUDGET_EXHAUSTED
    rules = [body["rules"] for body in await client.bodies(session) if body.get("verdict") == "block"]
    assert rules == [["budget.query"], ["budget.url"]]
    assert len(world.web.seen) == 2


async def test_a_budget_that_does_not_suffice_goes_to_the_first_ranks(gate_database: GateDatabase) -> None:
    """However many are fetched at once, attempts stand in rank order, and the last ranks get nothing."""
    pages = [SimPage(f"https://site{n}.example/", f"Site {n}", f"<p>{n}</p>") for n in range(8)]
    async with world_of(gate_database.dsn(), *pages, limits={"pages_at_once": 8}) as world:
        session = await world.client.open(pack_of(NORDWIND), pages=5)
        found = await world.client.search(session, "Halvorsen Pumps")
        messages = (await world.client.fetch(session, found.query_id))[1:]
        assert [m.WhichOneof("item") for m in messages] == ["page"] * 5 + ["failed"] * 3
        assert [m.failed.rank for m in messages[5:]] == [6, 7, 8]
        payloads = [
            (await world.client.payload(session, row.id)).decode()
            for row, body in zip(
                await world.client.rows(session), await world.client.bodies(session), strict=True
            )
            if body.get("verdict") == "allow" and body["method"] == "extract"
        ]
        assert [page.url in payload for page, payload in zip(pages[:5], payloads, strict=True)] == [True] * 5


async def test_a_tenant_has_so_many_sessions_and_no_more(gate_database: GateDatabase) -> None:
    """The cap holds per tenant, and a closed session makes room."""
    with short_folder() as folder:
        async with serving(SimSource([])) as web:
            files = GateFiles(folder, gate_database.dsn(), web.url, limits={"sessions_per_tenant": 2})
            async with gate_running(files) as client:
                pack = pack_of(NORDWIND)
                first = await client.open(pack)
                await client.open(pack)
                assert await refused(client.open(pack)) == "ERROR_CODE_OVERLOADED"
                await client.open(pack, tenant="other")
                await client.end(first)
                await client.open(pack)


@pytest.mark.parametrize("tenant", ["", "Acme", "a b", "-a", "a" * 41])
async def test_a_tenant_is_a_plain_name(world: World, tenant: str) -> None:
    """Anything else is MALFORMED."""
    assert await refused(world.client.open(pack_of(NORDWIND), tenant=tenant)) == "ERROR_CODE_MALFORMED"


async def test_the_first_row_names_the_planners_model(world: World) -> None:
    """Name and digest as the console gives them; without a model neither key is there."""
    client = world.client
    model = session_pb2.PlannerModel(name="qwen3:8b", digest=bytes(range(32)))
    session = await client.open(pack_of(NORDWIND), model=model)
    (first,) = await client.bodies(session)
    assert (first["planner_model"], first["planner_digest"]) == ("qwen3:8b", bytes(range(32)).hex())
    (plain,) = await client.bodies(await client.open(pack_of(NORDWIND)))
    assert not {"planner_model", "planner_digest"} & set(plain)


@pytest.mark.parametrize("name", ["", "a b", "Projekt\nNordwind", "-x", "é:1b"])
async def test_a_models_name_has_a_form(world: World, name: str) -> None:
    """It is no place for a text."""
    model = session_pb2.PlannerModel(name=name)
    assert await refused(world.client.open(pack_of(NORDWIND), model=model)) == "ERROR_CODE_MALFORMED"


async def test_a_pack_that_is_none_is_malformed(world: World) -> None:
    """Bytes that are no pack open no session and leave no row."""
    pack = pack_of(NORDWIND)
    for data in (b"x", pack[:-1], pack + b"x"):
        assert await refused(world.client.open(data)) == "ERROR_CODE_MALFORMED"


async def test_a_session_has_so_many_facts_and_no_more(gate_database: GateDatabase) -> None:
    """A validator in wrong hands cannot fill the ledger: beyond its bound a fact leaves no row."""
    async with world_of(gate_database.dsn(), ANNUAL, limits={"facts_per_session": 2}) as world:
        session = await world.client.open(pack_of(NORDWIND))
        found = await world.client.search(session, "Halvorsen Pumps revenue")
        _, first = await world.client.fetch(session, found.query_id)
        for _ in range(2):
            await world.client.record(session, fact_on(first.page, found.query_id))
        rows = len(await world.client.rows(session))
        again = world.client.record(session, fact_on(first.page, found.query_id))
        assert await refused(again) == "ERROR_CODE_BUDGET_EXHAUSTED"
        assert len(await world.client.rows(session)) == rows


@pytest.mark.parametrize("status", [429, 500])
async def test_a_source_that_fails_for_a_moment_is_asked_again(world: World, status: int) -> None:
    """Both attempts have their row and outcome; the query is the second one's."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    world.source.hook = lambda request: SimAnswer(status) if len(world.web.seen) == 1 else None
    found = await client.search(session, "Halvorsen Pumps")
    assert sum(count.results for count in found.counts) == 2
    bodies = await client.bodies(session)
    attempts = [body for body in bodies if body["kind"] == "attempt"]
    assert [body["query"] == found.query_id for body in attempts] == [False, True]
    assert [body["status"] for body in bodies if body["kind"] == "outcome"][-1] == "sent"
    assert len(world.web.seen) == 2
    assert world.web.seen[0].body == world.web.seen[1].body


async def test_a_key_that_is_refused_ends_the_fetching_of_pages(world: World) -> None:
    """It is no page's fault: the call ends with the provider's code, not with pages left out."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps")
    world.source.hook = lambda request: SimAnswer(401)
    assert await refused(client.fetch(session, found.query_id)) == "ERROR_CODE_PROVIDER_REFUSED"


async def test_credits_stand_in_the_outcome(gate_database: GateDatabase) -> None:
    """Of searches and of pages, of pages that the source has not got too; nothing is made up where none is said."""

    def paid(request: SeenRequest) -> SimAnswer:
        asked = json.loads(request.body)
        assert asked["include_usage"] is True
        if request.target == "/search":
            found = {"title": "T", "url": NEWS.url, "content": "C", "score": 0.9}
            told = {"query": asked["query"], "results": [found], "usage": {"credits": 1}}
        else:
            failed = [{"url": asked["urls"][0], "error": "not found"}]
            told = {"results": [], "failed_results": failed, "usage": {"credits": 0}}
        return SimAnswer(body=json.dumps(told).encode())

    async with world_of(gate_database.dsn(), source_kind="tavily") as world:
        world.source.hook = paid
        session = await world.client.open(pack_of(NORDWIND))
        found = await world.client.search(session, "Halvorsen Pumps")
        await world.client.fetch(session, found.query_id)
        outcomes = [body for body in await world.client.bodies(session) if body["kind"] == "outcome"]
        assert [(body["credits"], body.get("error")) for body in outcomes] == [
            (1, None),
            (0, "page_unavailable"),
        ]
