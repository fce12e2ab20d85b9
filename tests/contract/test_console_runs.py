"""The console's runs: real PostgreSQL, real connections, stand-in peers."""

from __future__ import annotations

import asyncio
import io
import json
import uuid
from collections.abc import AsyncIterator

import psycopg
import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console.config import load_config
from doublethink_console.errors import EngineFailed
from doublethink_console.identity.people import EVERY_TEAM
from doublethink_console.sealing import Place as SealPlace
from doublethink_console.service import serve
from doublethink_rpc import RpcError
from psycopg import sql
from sim.database import PostgresForTests
from sim.desk import MEMO, QUESTION, console_database, desk, running_desk, write_config
from sim.logs import caught_log, records
from sim.minds import (
    Place,
    SimPlanner,
    SimWorld,
    gate_services,
    minted,
    planner_services,
    serving,
    short_folder,
    validator_services,
)

pytestmark = pytest.mark.postgres

SECRET_WORDS = ("Nordwind", "Bramblewick", "58.75", "Halvorsen", "net sales", "Net sales 7")
FACT = minted("fct")
QUERY = minted("qry")


def _events(*, status: research.PlanStatus = research.PLAN_STATUS_ANSWERED) -> list[research.ResearchEvent]:
    found = status == research.PLAN_STATUS_ANSWERED
    return [
        research.ResearchEvent(index=0, planned=research.Planned(figures=1)),
        research.ResearchEvent(index=1, searched=research.Searched(figure=0, query_id=QUERY, results=3)),
        research.ResearchEvent(
            index=2,
            examined=research.Examined(
                figure=0,
                query_id=QUERY,
                verdict=figures.VERDICT_FOUND if found else figures.VERDICT_NOT_FOUND,
                fact_id=FACT if found else "",
            ),
        ),
        research.ResearchEvent(index=3, plan=research.Plan(status=status, fact_ids=[FACT] if found else [])),
    ]


def playing(events: list[research.ResearchEvent]) -> SimPlanner:
    """A planner that plays events from after the history."""

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        for event in events[len(request.history) :]:
            yield event

    return SimPlanner(script)


async def test_a_question_is_answered_with_quotes_and_steps(postgres: PostgresForTests) -> None:
    """From the question to the answer in the documented form, every step in words."""
    planner = playing(_events())
    async with desk(postgres, planner) as on:
        run = await on.start(await on.case())
        events = await on.events(run)
        assert [event["kind"] for event in events] == [
            "opened", "planned", "searched", "examined", "plan", "composing", "ended",
        ]  # fmt: skip
        assert [event["sse_id"] for event in events] == [str(event["position"]) for event in events]
        assert all(event["text"] and event["session"] for event in events)
        answer = await on.run(run)
        assert set(answer) >= {"session", "question", "status", "answer", "back_ends", "counts", "seconds"}
        assert answer["status"] == "answered"
        assert answer["question"] == QUESTION
        (figure,) = answer["answer"]["figures"]
        assert figure["value"] == "7000000"
        assert figure["unit"] == "USD"
        assert figure["offset"] == 12
        assert figure["page_sha256"] == "01" * 32
        assert figure["fact_id"] == FACT
        asked = planner.requests[0]
        assert asked.memo.startswith(MEMO)
        assert list(asked.public_terms) == ["Halvorsen Pumps"]
        assert on.world.opened[0].tenant == "local"
        assert on.world.sessions[0].closed


@pytest.mark.parametrize(
    ("status", "shown"),
    [(research.PLAN_STATUS_NOT_FOUND, "not_found"), (research.PLAN_STATUS_REFUSED, "refused")],
)
async def test_a_plan_without_an_answer_ends_in_its_status(
    postgres: PostgresForTests, status: research.PlanStatus, shown: str
) -> None:
    """Nothing is composed, and the answer has no figure."""
    async with desk(postgres, playing(_events(status=status))) as on:
        run = await on.start(await on.case())
        await on.events(run)
        answer = await on.run(run)
        assert answer["status"] == shown
        assert answer["answer"]["figures"] == []
        assert answer["answer"]["text"] == answer["reason"]
        assert not on.world.composed


async def test_a_failure_of_a_peer_is_a_failed_run_with_words(postgres: PostgresForTests) -> None:
    """The code becomes words for a person, and the session is closed."""
    failed = [
        research.ResearchEvent(index=0, failed=research.Failed(code=errors.ERROR_CODE_LEDGER_UNAVAILABLE))
    ]
    async with desk(postgres, playing(failed)) as on:
        run = await on.start(await on.case())
        events = await on.events(run)
        assert events[-1]["status"] == "failed"
        answer = await on.run(run)
        assert answer["code"] == "ERROR_CODE_LEDGER_UNAVAILABLE"
        assert "ledger" in answer["reason"]
        assert on.world.sessions[0].closed


@pytest.mark.parametrize("times", [1, 3])
async def test_a_peer_that_the_planner_missed_is_asked_again(postgres: PostgresForTests, times: int) -> None:
    """The run goes on from its last step, twice; where the peer stays away, it fails with words."""
    missed = research.Failed(code=errors.ERROR_CODE_PEER_UNAVAILABLE)
    resumed_at: list[int] = []

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        resumed_at.append(len(request.history))
        if len(resumed_at) > times:
            for event in _events()[len(request.history) :]:
                yield event
            return
        for event in _events()[len(request.history) : 2]:
            yield event
        yield research.ResearchEvent(index=2, failed=missed)

    async with desk(postgres, SimPlanner(script)) as on:
        run = await on.start(await on.case())
        kinds = [event["kind"] for event in await on.events(run)]
        answer = await on.run(run)
        assert kinds.count("searched") == 1
        assert "failed" not in kinds
        if times == 1:
            assert (resumed_at, answer["status"]) == ([0, 2], "answered")
        else:
            assert (resumed_at, answer["status"]) == ([0, 2, 2], "failed")
            assert answer["code"] == "ERROR_CODE_PEER_UNAVAILABLE"


async def test_figures_that_may_not_be_combined_are_no_answer(postgres: PostgresForTests) -> None:
    """A refused operation is not_found with its reason, never half an answer."""
    world = SimWorld(compose_code=errors.ERROR_CODE_OPERATION_REFUSED)
    async with desk(postgres, playing(_events()), world) as on:
        run = await on.start(await on.case())
        await on.events(run)
        answer = await on.run(run)
        assert (answer["status"], answer["code"]) == ("not_found", "ERROR_CODE_OPERATION_REFUSED")


async def test_events_are_resumed_from_the_last_id(postgres: PostgresForTests) -> None:
    """A reader that comes back gets what it has not seen, and only that."""
    async with desk(postgres, playing(_events())) as on:
        run = await on.start(await on.case())
        whole = await on.events(run)
        again = await on.events(run, after="3")
        assert [event["position"] for event in again] == [4, 5, 6]
        assert again == whole[4:]


async def test_the_ledger_is_shown_with_what_left(postgres: PostgresForTests) -> None:
    """Rows of the session, blocked ones marked and without text, also after its end and as a stream."""

    def judge(query: str) -> int:
        return errors.ERROR_CODE_BLOCKED if "Nordwind" in query else 0

    world = SimWorld(judge=judge)

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        known = world.sessions[-1]
        body = {"kind": "attempt", "method": "search", "host": "search.example", "rules": []}
        world.add_row(known, body | {"verdict": "block", "rules": ["secret.code"]})
        sent = b'POST /search\n\n{"query": "Halvorsen net sales"}'
        world.add_row(known, body | {"verdict": "allow"}, sent)
        came = {"kind": "outcome", "status": "sent", "sent": 300, "received": 2000}
        world.add_row(known, came | {"page": minted("pag")})
        for event in _events():
            yield event

    async with desk(postgres, SimPlanner(script), world) as on:
        run = await on.start(await on.case())
        session = (await on.events(run))[-1]["session"]
        plain = (await on.client.get(f"/api/sessions/{session}/ledger")).json()["rows"]
        assert [row["kind"] for row in plain] == [
            "session.open", "attempt", "attempt", "outcome", "session.close",
        ]  # fmt: skip
        assert "payload" not in plain[2]
        rows = (await on.client.get(f"/api/sessions/{session}/ledger?payloads=1")).json()["rows"]
        assert rows[1]["verdict"] == "block"
        assert rows[1]["rules"] == ["secret.code"]
        assert "payload" not in rows[1]
        assert rows[2]["payload"] == "Halvorsen net sales"
        assert rows[2]["destination"] == "search.example"
        streamed = [row async for row in on.stream(f"/api/sessions/{session}/ledger?follow=1&payloads=1")]
        assert [row["hash"] for row in streamed] == [row["hash"] for row in rows]
        assert (await on.run(run))["counts"] == {
            "queries": 1,
            "pages": 1,
            "blocked": 1,
            "model_calls": 0,
            "input_tokens": 0,
            "output_tokens": 0,
            "cache_write_tokens": 0,
            "cache_read_tokens": 0,
            "cost_usd": 0,
            "credits": 0,
            "requests": 1,
            "bytes_sent": 300,
            "bytes_received": 2000,
        }


async def test_the_tail_shows_rows_of_all_sessions_as_they_come(postgres: PostgresForTests) -> None:
    """A row of a run that starts later is streamed."""
    async with desk(postgres, playing(_events())) as on:
        case = await on.case()
        async with on.client.stream("GET", "/api/ledger/tail") as response:
            lines = response.aiter_lines()
            assert await anext(lines) == ": open"
            await on.start(case)
            async for line in lines:
                if line.startswith("data: "):
                    assert json.loads(line.removeprefix("data: "))["kind"] == "session.open"
                    break


async def test_a_run_is_cancelled(postgres: PostgresForTests) -> None:
    """Cancelling ends the run, closes the session and breaks off the planner."""
    started, broken = asyncio.Event(), asyncio.Event()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        yield _events()[0]
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            broken.set()

    async with desk(postgres, SimPlanner(script)) as on:
        run = await on.start(await on.case())
        await started.wait()
        response = await on.client.post(f"/api/runs/{run}/cancel", json={})
        assert response.json() == {"cancelled": True}
        events = await on.events(run)
        assert (events[-1]["kind"], events[-1]["status"]) == ("ended", "failed")
        assert (await on.run(run))["code"] == "ERROR_CODE_CANCELLED"
        await broken.wait()
        assert on.world.sessions[0].closed
        again = await on.client.post(f"/api/runs/{run}/cancel", json={})
        assert again.json() == {"cancelled": False}


async def test_a_cancel_that_comes_after_the_decision_changes_nothing(postgres: PostgresForTests) -> None:
    """The answer is composed and stored, and its session closed: the run ends with it."""
    async with desk(postgres, playing(_events())) as on:
        with psycopg.connect(on.dsn) as holder, psycopg.connect(on.dsn, autocommit=True) as looker:
            # No row can be copied, so that the run waits for the last ones after its session's end.
            holder.execute("LOCK TABLE console.ledger_row")
            run = await on.start(await on.case())
            done = "SELECT FROM console.run WHERE session_id IS NOT NULL AND sealed_capabilities IS NULL"
            while looker.execute(done).fetchone() is None:  # noqa: ASYNC110 - only the table tells
                await asyncio.sleep(0.01)
            response = await on.client.post(f"/api/runs/{run}/cancel", json={})
            assert response.json() == {"cancelled": True}
        await on.events(run)
        assert (await on.run(run))["status"] == "answered"


async def test_a_run_goes_on_after_the_console_was_stopped(postgres: PostgresForTests) -> None:
    """The next console takes the run up in the same session, from the events that were written."""
    held = asyncio.Event()
    reached = asyncio.Event()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        for event in _events()[len(request.history) :]:
            if event.index == 2 and not held.is_set():
                reached.set()
                await held.wait()
            yield event

    planner, world = SimPlanner(script), SimWorld()
    with short_folder() as folder:
        place = Place(folder)
        peers = serving(
            place.server("gate", gate_services(world)),
            place.server("validator", validator_services(world)),
            place.server("planner", planner_services(planner)),
        )
        async with console_database(postgres) as dsn, peers:
            async with running_desk(place, dsn, world) as first:
                run = await first.start(await first.case())
                await reached.wait()
            held.set()
            async with running_desk(place, dsn, world) as second:
                events = await second.events(run)
                assert [event["kind"] for event in events] == [
                    "opened", "planned", "searched", "resumed", "examined", "plan", "composing", "ended",
                ]  # fmt: skip
                assert (await second.run(run))["status"] == "answered"
    assert len(world.sessions) == 1
    assert [len(request.history) for request in planner.requests] == [0, 2]


async def test_a_run_that_was_interrupted_too_often_fails(postgres: PostgresForTests) -> None:
    """A run is taken up a bounded number of times."""
    async with desk(postgres, playing(_events()), extra="[runs]\nattempts = 1\n") as on:
        case = await on.case()
        run = await on.start(case)
        await on.events(run)
        with psycopg.connect(on.dsn, autocommit=True) as connection:
            # As if a console had died over it, and another before.
            connection.execute("DELETE FROM console.run_event WHERE run_id = %s AND kind = 'ended'", (run,))
            connection.execute(
                "UPDATE console.run SET state = 'running', decided = NULL, attempts = 1, instance = 1"
                " WHERE id = %s",
                (run,),
            )
        on.console.engine.wake()
        await on.events(run)
        assert (await on.run(run))["code"] == "ERROR_CODE_CONFLICT"


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        (research.PLAN_STATUS_ANSWERED, "answered"),
        (research.PLAN_STATUS_NOT_FOUND, "not_found"),
        (research.PLAN_STATUS_REFUSED, "refused"),
    ],
)
async def test_a_run_that_was_stopped_after_its_session_was_closed_ends_as_was_decided(
    postgres: PostgresForTests, status: research.PlanStatus, shown: str
) -> None:
    """The console ends while it waits for the last rows of a closed session: the next one asks nobody again."""
    planner, world = playing(_events(status=status)), SimWorld()
    with short_folder() as folder:
        place = Place(folder)
        peers = serving(
            place.server("gate", gate_services(world)),
            place.server("validator", validator_services(world)),
            place.server("planner", planner_services(planner)),
        )
        async with console_database(postgres) as dsn, peers:
            async with running_desk(place, dsn, world) as first:
                with psycopg.connect(dsn) as holder, psycopg.connect(dsn, autocommit=True) as looker:
                    # No row can be copied, so that the run waits for the last ones after its session's end.
                    holder.execute("LOCK TABLE console.ledger_row")
                    run = await first.start(await first.case())
                    done = (
                        "SELECT FROM console.run WHERE session_id IS NOT NULL AND sealed_capabilities IS NULL"
                    )
                    while looker.execute(done).fetchone() is None:  # noqa: ASYNC110 - only the table tells
                        await asyncio.sleep(0.01)
                    await first.console.engine.stop()
            async with running_desk(place, dsn, world) as second:
                await second.events(run)
                assert (await second.run(run))["status"] == shown
    assert len(world.sessions) == 1
    assert len(planner.requests) == 1


async def test_only_the_claimant_writes_to_a_run(postgres: PostgresForTests) -> None:
    """A console whose run was taken over cannot write to it any more."""
    from doublethink_console.errors import ClaimLost

    started, go = asyncio.Event(), asyncio.Event()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        yield _events()[0]
        started.set()
        await go.wait()
        yield _events()[1]

    async with desk(postgres, SimPlanner(script)) as on:
        run = await on.start(await on.case())
        await started.wait()
        with psycopg.connect(on.dsn, autocommit=True) as connection:
            connection.execute("UPDATE console.run SET instance = 42 WHERE id = %s", (run,))
            # The lock of the pretended console, so that nobody takes the run back.
            connection.execute("SELECT pg_advisory_lock(42)")
            with pytest.raises(ClaimLost):
                await on.console.tools.events.append(uuid.UUID(run), "planned")
            go.set()
            await on.console.engine.idle()
            assert not on.world.sessions[0].closed
            (state,) = connection.execute(
                "SELECT state FROM console.run WHERE id = %s", (run,)
            ).fetchone() or ("",)
            assert state == "running"


async def test_capabilities_are_kept_only_while_the_session_is_open(postgres: PostgresForTests) -> None:
    """They are sealed while the run goes on and gone when it has ended."""
    started, go = asyncio.Event(), asyncio.Event()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        started.set()
        await go.wait()
        for event in _events():
            yield event

    async with desk(postgres, SimPlanner(script)) as on:
        run = await on.start(await on.case())
        await started.wait()
        known = on.world.sessions[0]
        query = "SELECT sealed_capabilities FROM console.run WHERE id = %s"
        with psycopg.connect(on.dsn, autocommit=True) as connection:
            (sealed,) = connection.execute(query, (run,)).fetchone() or (None,)
            assert sealed is not None
            assert not any(secret in sealed for secret in (known.console, known.planner, known.validator))
            go.set()
            await on.events(run)
            assert connection.execute(query, (run,)).fetchone() == (None,)


async def test_a_session_that_could_not_be_closed_is_closed_later(postgres: PostgresForTests) -> None:
    """The capability is kept until the gate has answered."""
    async with desk(postgres, playing(_events())) as on:
        run = uuid.UUID(await on.start(await on.case()))
        await on.events(str(run))
        loaded = await on.console.tools.runs.get(run, EVERY_TEAM)
        assert loaded is not None
        assert loaded.capabilities is None
        assert await on.console.tools.runs.unclosed() == []


async def test_a_case_with_a_run_going_on_is_not_deleted(postgres: PostgresForTests) -> None:
    """Deleting waits for the run's end and then takes its answer and its copies along."""
    started, go = asyncio.Event(), asyncio.Event()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        started.set()
        await go.wait()
        for event in _events():
            yield event

    async with desk(postgres, SimPlanner(script)) as on:
        case = await on.case()
        run = await on.start(case)
        await started.wait()
        assert (await on.client.delete(f"/api/cases/{case}")).status_code == 409
        go.set()
        await on.events(run)
        assert (await on.client.delete(f"/api/cases/{case}")).status_code == 204
        with psycopg.connect(on.dsn, autocommit=True) as connection:
            for table in ("case_file", "run", "run_event", "answer", "ledger_row"):
                assert connection.execute(_count(table)).fetchone() == (0,)


async def test_nothing_secret_lies_in_the_database(postgres: PostgresForTests) -> None:
    """All text of a case is sealed; a planted control shows that the scan would find it."""
    async with desk(postgres, playing(_events())) as on:
        run = await on.start(await on.case())
        await on.events(run)
        assert (await on.run(run))["status"] == "answered"
        with psycopg.connect(on.dsn, autocommit=True) as connection:
            connection.execute("CREATE TABLE console.control AS SELECT 'Nordwind' AS planted")
            found = _scan(
                connection, ("Nordwind", "Bramblewick", "58.75", "Halvorsen", "net sales", "Net sales 7")
            )
        assert found == {"control"}


def _count(table: str) -> sql.Composed:
    return sql.SQL("SELECT count(*) FROM console.{}").format(sql.Identifier(table))


def _all(table: str) -> sql.Composed:
    return sql.SQL("SELECT * FROM console.{}").format(sql.Identifier(table))


def _scan(connection: psycopg.Connection, words: tuple[str, ...]) -> set[str]:
    """The tables of the schema in which one of the words stands, as text or as bytes."""
    tables = connection.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'console'"
    ).fetchall()
    found = set()
    for (table,) in tables:
        for row in connection.execute(_all(str(table))).fetchall():
            for value in row:
                raw = value if isinstance(value, bytes) else str(value).encode()
                if any(word.encode() in raw for word in words):
                    found.add(str(table))
    return found


async def test_a_planner_that_breaks_off_is_asked_again(postgres: PostgresForTests) -> None:
    """A stream that ends without a last event is taken up again from what is written."""

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        if not request.history:
            yield _events()[0]
            raise RpcError(errors.ERROR_CODE_OVERLOADED)
        for event in _events()[len(request.history) :]:
            yield event

    planner = SimPlanner(script)
    async with desk(postgres, planner) as on:
        run = await on.start(await on.case())
        await on.events(run)
        assert (await on.run(run))["status"] == "answered"
        assert [len(request.history) for request in planner.requests] == [0, 1]


async def test_a_lost_lock_ends_the_engine(postgres: PostgresForTests) -> None:
    """Without its lock another console may take the runs over: this one says so and stops."""
    with caught_log("console") as written:
        async with desk(postgres, playing(_events())) as on:
            with psycopg.connect(on.dsn, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                )
            on.console.engine.wake()
            await asyncio.wait_for(on.console.engine.failed.wait(), 60)
        events = [record["event"] for record in records(written)]
    assert "engine_lock_lost" in events
    assert "engine_failed" in events


async def test_a_console_whose_engine_failed_ends(postgres: PostgresForTests) -> None:
    """The process does not stay up without conducting: it stops in order and says why."""
    with short_folder() as folder:
        place = Place(folder)
        async with console_database(postgres) as dsn:
            file, _ = write_config(place, dsn)
            with caught_log("console") as written:
                serving_console = asyncio.create_task(serve(load_config(file)))
                async with asyncio.timeout(60):
                    await _logged(written, "server_started")
                    with psycopg.connect(dsn, autocommit=True) as connection:
                        connection.execute(
                            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND"
                            " database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                        )
                    with pytest.raises(EngineFailed):
                        await serving_console
            assert records(written)[-1]["event"] == "server_stopped"


async def test_a_run_that_cannot_be_read_keeps_no_session_open(postgres: PostgresForTests) -> None:
    """One broken row is logged by type; the sessions of the other ended runs are closed all the same."""
    world = SimWorld()
    with short_folder() as folder:
        place = Place(folder)
        async with (
            console_database(postgres) as dsn,
            serving(
                place.server("gate", gate_services(world)),
                place.server("validator", validator_services(world)),
                place.server("planner", planner_services(playing(_events()))),
            ),
        ):
            async with running_desk(place, dsn, world) as on:
                case = await on.case()
                broken, whole = [await on.start(case) for _ in range(2)]
                for run in (broken, whole):
                    await on.events(run)
                await on.console.engine.idle()
                sealer = on.console.tools.runs._sealer
                plain = b"c" * 32 * 3
                for run in (broken, whole):
                    # The broken one's capabilities are sealed for another row.
                    key = uuid.UUID(whole if run == whole else case)
                    sealed = sealer.seal(plain, SealPlace("run.capabilities", key.bytes))
                    with psycopg.connect(dsn, autocommit=True) as connection:
                        connection.execute(
                            "UPDATE console.run SET sealed_capabilities = %s, created_at = clock_timestamp()"
                            " WHERE id = %s",
                            (sealed, run),
                        )
            with caught_log("console") as written:
                async with running_desk(place, dsn, world) as on:
                    await _until_closed(dsn, whole)
                    async with asyncio.timeout(60):
                        await _logged(written, "session_not_swept")
                    assert not on.console.engine.failed.is_set()
            swept = [record for record in records(written) if record["event"] == "session_not_swept"]
            assert [record["error"] for record in swept] == ["doublethink_console.errors.SealBroken"]


async def _logged(written: io.StringIO, event: str) -> None:
    while event not in written.getvalue():  # noqa: ASYNC110 - a text that is written to sets no event
        await asyncio.sleep(0.05)


async def _until_closed(dsn: str, run: str) -> None:
    async with asyncio.timeout(60):
        while True:
            with psycopg.connect(dsn, autocommit=True) as connection:
                row = connection.execute(
                    "SELECT sealed_capabilities IS NULL FROM console.run WHERE id = %s", (run,)
                ).fetchone()
            if row == (True,):
                return
            await asyncio.sleep(0.05)
