"""A session recorded by one gate and answered again by another that has nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from doublethink.gate.v1 import recording_pb2
from doublethink_gate.sources.recording import parse
from doublethink_ledger import Kind, decode_body
from sim.database import GateDatabase
from sim.gate import LINDQVIST, NORDWIND, GateClient, Opened, SimSecret, gate_running, pack_of
from sim.source import SimPage
from sim.web import SeenRequest, SimAnswer
from sim.world import ANNUAL, NEWS, World, outside, refused, world_of

pytestmark = pytest.mark.postgres

PACK = pack_of(NORDWIND)
GONE = SimPage("https://gone.example/", "Gone", "")


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over three results, of which one is not to be had."""

    def hook(request: SeenRequest) -> SimAnswer | None:
        return SimAnswer(500, b"{}") if GONE.url.encode() in request.body else None

    async with world_of(gate_database.dsn(), ANNUAL, NEWS, GONE) as made:
        made.source.hook = hook
        yield made


async def asked(client: GateClient, query: str = "Halvorsen Pumps revenue") -> Opened:
    """A session that searched and fetched, and has ended."""
    session = await client.open(PACK)
    answer = await client.search(session, query)
    await client.fetch(session, answer.query_id)
    await client.end(session)
    return session


async def recorded(client: GateClient, session: Opened) -> bytes:
    """The file of a session's recording."""
    given = await client.recording(session, PACK)
    assert isinstance(given, bytes), given
    return given


async def fault(client: GateClient, session: Opened, pack: bytes = PACK) -> tuple[str, set[str]]:
    """Why there is no recording, and what was found."""
    given = await client.recording(session, pack)
    assert isinstance(given, recording_pb2.RecordingRefused)
    return recording_pb2.RecordingFault.Name(given.fault), {finding.rule for finding in given.findings}


async def test_a_recording_holds_what_was_sent_and_what_came(world: World) -> None:
    """Every request that left, byte for byte as the source saw it, but neither header nor key; and every answer."""
    session = await asked(world.client)
    read = parse(await recorded(world.client, session))
    assert (read.session, read.source) == (session.id, "corpus")
    assert sorted(each.request.body.encode() for each in read.exchanges) == sorted(
        request.body for request in world.web.seen
    )
    search, *pages = read.exchanges
    assert search.response is not None
    assert b"Halvorsen" in search.response.body
    bodies = {each.asked: each.response.body for each in pages if each.response is not None}
    assert bodies == {ANNUAL.url: ANNUAL.html.encode(), NEWS.url: NEWS.html.encode()}
    # The gate tried that one again, and each try is a request that left.
    assert {each.failure.error for each in pages if each.failure is not None} == {"server_error"}


async def test_no_key_is_in_a_recording(world: World) -> None:
    """Neither the source's key nor a header that carried it."""
    data = await recorded(world.client, await asked(world.client))
    assert b"tvly-" not in data
    assert b"authorization" not in data.lower()
    assert b"user-agent" not in data.lower()


async def test_every_payload_that_is_given_out_is_in_the_ledger_first(world: World) -> None:
    """One row of kind opening for each request and each search's answer, and no other."""
    session = await asked(world.client)
    await recorded(world.client, session)
    rows = await world.client.bodies(session)
    given = {
        n for n, body in enumerate(rows) if body["kind"] in (Kind.ATTEMPT, Kind.OUTCOME) and "commit" in body
    }
    log = [row for row in await world.client.log(session_id=session.id) if row.session_id != session.id]
    opened = {body["of_n"] for body in (_body(row.row.body) for row in log) if body["kind"] == Kind.OPENING}
    assert opened == given


async def test_another_gate_answers_from_the_file_alone(
    world: World, gate_database: GateDatabase, tmp_path: Path
) -> None:
    """The same counts, pages and failures, with no source to reach; the ledger's first row says replay."""
    session = await asked(world.client)
    file = tmp_path / "recording"
    file.write_bytes(await recorded(world.client, session))
    seen = len(world.web.seen)
    async with (
        outside(gate_database.dsn(), recording=file) as away,
        gate_running(away.files) as client,
    ):
        again = await client.open(PACK)
        answer = await client.search(again, "Halvorsen Pumps revenue")
        assert sum(count.results for count in answer.counts) == 3
        pages = await client.fetch(again, answer.query_id)
        texts = [message.page for message in pages if message.HasField("page")]
        assert [page.url for page in texts] == [ANNUAL.url, NEWS.url]
        assert [message.failed.rank for message in pages if message.HasField("failed")] == [3]
        first, *rows = await client.bodies(again)
        assert first["source"] == "replay"
        hashes = {body.get("response") for body in rows} & {
            body.get("response") for body in await world.client.bodies(session)
        }
        assert len(hashes - {None}) == 3
        assert away.web.seen == []
        # And what it answered can be recorded anew.
        await client.end(again)
        assert parse(await recorded(client, again)).source == "replay"
    assert len(world.web.seen) == seen


async def test_what_is_not_in_the_file_is_refused(
    world: World, gate_database: GateDatabase, tmp_path: Path
) -> None:
    """Another query ends with an error of its own and an outcome that says that nothing was sent."""
    file = tmp_path / "recording"
    file.write_bytes(await recorded(world.client, await asked(world.client)))
    async with (
        outside(gate_database.dsn(), recording=file) as away,
        gate_running(away.files) as client,
    ):
        session = await client.open(PACK)
        assert await refused(client.search(session, "Halvorsen Pumps profit")) == "ERROR_CODE_NOT_RECORDED"
        outcome = (await client.bodies(session))[-1]
        assert (outcome["status"], outcome["error"], outcome["sent"]) == ("failed", "not_recorded", 0)


async def test_the_checks_stop_a_replayed_session_as_well(
    world: World, gate_database: GateDatabase, tmp_path: Path
) -> None:
    """A recording is no way around the gate: a secret is blocked before anybody looks into the file."""
    file = tmp_path / "recording"
    file.write_bytes(await recorded(world.client, await asked(world.client)))
    async with (
        outside(gate_database.dsn(), recording=file) as away,
        gate_running(away.files) as client,
    ):
        session = await client.open(PACK)
        assert await refused(client.search(session, "Nordwind")) == "ERROR_CODE_BLOCKED"


@pytest.mark.parametrize(
    "page",
    [
        SimPage("https://blog.example/", "Rumours", "<p>They call it Nordwind.</p>"),
        SimPage("https://blog.example/", "Rumours of Nordwind", "<p>Nothing</p>"),
        SimPage("https://blog.example/", "Rumours", "<p>Nothing</p>", snippet="about NORD-WIND"),
        SimPage("https://blog.example/", "Rumours", "<p>Nothing</p><!-- Nordwind -->"),
        SimPage("https://blog.example/nordwind", "Rumours", "<p>Nothing</p>"),
    ],
)
async def test_a_secret_in_what_came_back_is_not_recorded(gate_database: GateDatabase, page: SimPage) -> None:
    """In a page's text, its title, its snippet, its markup or its address: nothing is given out, and no opening."""
    async with world_of(gate_database.dsn(), ANNUAL, page) as world:
        session = await asked(world.client)
        why, rules = await fault(world.client, session)
        assert why == "RECORDING_FAULT_FINDINGS"
        assert any("secret.code" in rule for rule in rules)
        kinds = {_body(row.row.body)["kind"] for row in await world.client.log(session_id=session.id)}
        assert Kind.OPENING not in kinds


@pytest.mark.parametrize(
    "item", ['"content":"They call it Nordwind","content":"Pumps"', '"content":"Pumps","id":402716593']
)
async def test_what_a_reader_of_json_passes_over_is_looked_at_too(
    gate_database: GateDatabase, item: str
) -> None:
    """A key that is given twice, a number: the bytes are recorded as they came, so that all of them are looked at."""
    body = f'{{"query":"q","results":[{{"title":"Pumps","url":"https://a.example/","score":1,{item}}}]}}'
    async with world_of(gate_database.dsn(), ANNUAL) as world:
        world.source.hook = lambda request: (
            SimAnswer(200, body.encode()) if b"query" in request.body else None
        )
        session = await world.client.open(PACK)
        await world.client.search(session, "Halvorsen Pumps revenue")
        await world.client.end(session)
        why, rules = await fault(world.client, session, pack_of(NORDWIND, SimSecret("id", "402716593")))
    assert why == "RECORDING_FAULT_FINDINGS"
    assert any("secret." in rule for rule in rules)


async def test_a_secret_that_was_none_when_it_was_sent_is_not_recorded(world: World) -> None:
    """Confirmed since: the request that left then holds it, and the checks of today find it."""
    session = await asked(world.client, "Anna Lindqvist pumps")
    why, rules = await fault(world.client, session, pack_of(NORDWIND, LINDQVIST))
    assert why == "RECORDING_FAULT_FINDINGS"
    assert any(rule.startswith("secret.name") for rule in rules)


async def test_what_was_stopped_is_not_recorded(world: World) -> None:
    """A blocked request holds the secret and did not leave: it is in no recording, and keeps none from being made."""
    session = await world.client.open(PACK)
    answer = await world.client.search(session, "Halvorsen Pumps revenue")
    await world.client.fetch(session, answer.query_id)
    assert await refused(world.client.search(session, "Nordwind")) == "ERROR_CODE_BLOCKED"
    await world.client.end(session)
    data = await recorded(world.client, session)
    assert b"Nordwind" not in data
    assert {each.asked for each in parse(data).exchanges} == {
        "Halvorsen Pumps revenue",
        *(page.url for page in (ANNUAL, NEWS, GONE)),
    }


async def test_only_what_is_whole_is_recorded(world: World, gate_database: GateDatabase) -> None:
    """Not while the session is open, not if it asked nothing, not where something was erased or never kept."""
    open_still = await world.client.open(PACK)
    assert (await fault(world.client, open_still))[0] == "RECORDING_FAULT_OPEN"
    await world.client.end(open_still)
    assert (await fault(world.client, open_still))[0] == "RECORDING_FAULT_EMPTY"
    session = await asked(world.client)
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute("UPDATE gate.page SET content_type = NULL WHERE session = %s", (session.id,))
        assert (await fault(world.client, session))[0] == "RECORDING_FAULT_TOO_OLD"
        connection.execute("DELETE FROM gate.page WHERE session = %s", (session.id,))
        assert (await fault(world.client, session))[0] == "RECORDING_FAULT_ERASED"


async def test_a_session_with_too_many_requests_is_not_recorded(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is told before anything is looked through."""
    monkeypatch.setattr("doublethink_gate.services.recorded.MAX_EXCHANGES", 2)
    assert (await fault(world.client, await asked(world.client)))[0] == "RECORDING_FAULT_TOO_LARGE"


QUERY = "Halvorsen Pumps revenue"


async def read_by_model(client: GateClient) -> tuple[Opened, list[str]]:
    """A session whose pages a model has read, each by itself, and has ended; and what the model said."""
    session = await client.open(PACK)
    found = await client.search(session, QUERY)
    query, *pages = await client.fetch(session, found.query_id)
    said = [
        await client.complete(query.query.reader_capability, found.query_id, [message.page.page_id])
        for message in pages
        if message.HasField("page")
    ]
    await client.end(session)
    return session, said


async def test_a_models_answers_are_recorded_and_answer_again(
    world: World, gate_database: GateDatabase, tmp_path: Path
) -> None:
    """Byte for byte as they were asked and said, without header and key; another gate answers from them alone, pays
    nothing, and is asked nothing that it has not got.
    """
    world.model.text = '{"claims":[ ]}'
    session, said = await read_by_model(world.client)
    assert said == [world.model.text] * 2
    data = await recorded(world.client, session)
    completions = [each for each in parse(data).exchanges if each.operation == "completion"]
    assert [each.request.body.encode() for each in completions] == [
        request.body for request in world.model_web.seen
    ]
    assert b"sk-model-key" not in data
    assert b"authorization" not in data.lower()
    file = tmp_path / "recording"
    file.write_bytes(data)
    asked = len(world.model_web.seen)
    async with (
        outside(gate_database.dsn(), recording=file, model=False, model_kind="replay") as away,
        gate_running(away.files) as client,
    ):
        again, repeated = await read_by_model(client)
        assert repeated == said
        bodies = await client.bodies(again)
        rows = [body for body in bodies if body.get("method") == "complete"]
        assert [row["model"] for row in rows] == ["claude-sonnet-5-5"] * 2
        assert not [row["host"] for row in rows if "host" in row]
        costs = [(body["input_tokens"], body["cost_micros"]) for body in bodies if "input_tokens" in body]
        assert costs == [(1, 0)] * 2
        # And it can be recorded anew.
        assert (
            sum(each.operation == "completion" for each in parse(await recorded(client, again)).exchanges)
            == 2
        )
        session = await client.open(PACK)
        found = await client.search(session, QUERY)
        query, first, second, *_ = await client.fetch(session, found.query_id)
        both = client.complete(
            query.query.reader_capability, found.query_id, [first.page.page_id, second.page.page_id]
        )
        assert await refused(both) == "ERROR_CODE_NOT_RECORDED"
        assert (await client.bodies(session))[-1]["sent"] == 0
    assert len(world.model_web.seen) == asked


async def test_a_models_failure_is_recorded_and_fails_again(
    world: World, gate_database: GateDatabase, tmp_path: Path
) -> None:
    """A refusal stays one: the replay does not answer what the model would not."""
    world.model.stop_reason = "refusal"

    async def declined(client: GateClient) -> Opened:
        session = await client.open(PACK)
        found = await client.search(session, QUERY)
        query, first, *_ = await client.fetch(session, found.query_id)
        asking = client.complete(query.query.reader_capability, found.query_id, [first.page.page_id])
        assert await refused(asking) == "ERROR_CODE_MODEL_ANSWER_REFUSED"
        await client.end(session)
        return session

    file = tmp_path / "recording"
    file.write_bytes(await recorded(world.client, await declined(world.client)))
    async with (
        outside(gate_database.dsn(), recording=file, model=False, model_kind="replay") as away,
        gate_running(away.files) as client,
    ):
        again = await declined(client)
        assert (await client.bodies(again))[-2]["error"] == "model_declined"


@pytest.mark.parametrize(
    "quote", ["They call it Nordwind", "They call it \\u004eordwind", "They call it N\\u006frd-wind"]
)
async def test_a_secret_in_a_models_answer_is_not_recorded(world: World, quote: str) -> None:
    """Also where the answer writes it with escapes."""
    claim = (
        f'{{"page":1,"quote":"{quote}","heading_quotes":[],"value":"1","scale":"","unit":"$","period":"",'
        '"direction":"none","flags":[]}'
    )
    world.model.text = f'{{"claims":[{claim}]}}'
    session, _ = await read_by_model(world.client)
    why, rules = await fault(world.client, session)
    assert why == "RECORDING_FAULT_FINDINGS"
    assert any("secret.code" in rule for rule in rules)


def _body(raw: bytes) -> dict[str, object]:
    return dict(decode_body(raw))
