"""Stored cases are stored once and deleted whole; runs that a dead console left are told, held, cancelled."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console import interrupted, phrases
from doublethink_console.sealing import Sealer
from doublethink_console.store.migrate import migrate, shipped
from psycopg import sql
from sim.database import PostgresForTests
from sim.desk import CASE, Desk, console_database, desk, running_desk
from sim.minds import (
    Place,
    SimPlanner,
    SimWorld,
    gate_services,
    planner_services,
    serving,
    short_folder,
    validator_services,
)

pytestmark = pytest.mark.postgres

_HOLD = "[runs]\nhold_interrupted = true\n"


def _ending(status: research.PlanStatus) -> SimPlanner:
    """A planner that plans nothing and ends so."""

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        events = [
            research.ResearchEvent(index=0, planned=research.Planned(figures=0)),
            research.ResearchEvent(index=1, plan=research.Plan(status=status)),
        ]
        for event in events[len(request.history) :]:
            yield event

    return SimPlanner(script)


async def test_the_same_case_is_stored_once(postgres: PostgresForTests) -> None:
    """Given again, it keeps its id and its canary; one more word makes it another case."""
    async with desk(postgres, _ending(research.PLAN_STATUS_NOT_FOUND)) as on:
        first = await on.client.post("/api/cases", json=CASE)
        again = await on.client.post("/api/cases", json=CASE)
        other = await on.client.post("/api/cases", json={**CASE, "memo": f"{CASE['memo']} More."})
        assert (first.status_code, again.status_code, other.status_code) == (201, 200, 201)
        assert first.json() == again.json() != other.json()
        listed = (await on.client.get("/api/cases")).json()["cases"]
        assert len(listed) == 2


async def test_the_same_case_at_the_same_time_is_stored_once(postgres: PostgresForTests) -> None:
    """Two requests that race get one id."""
    async with desk(postgres, _ending(research.PLAN_STATUS_NOT_FOUND)) as on:
        answers = await asyncio.gather(*(on.client.post("/api/cases", json=CASE) for _ in range(6)))
        assert len({answer.json()["id"] for answer in answers}) == 1
        assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]


def test_a_mark_is_keyed_and_outlives_a_new_key() -> None:
    """Without the key it cannot be made from a guessed memo; with the old key beside the new it is found again."""
    old, new = b"o" * 32, b"n" * 32
    (before,) = Sealer({"v1": old}, "v1").marks(b"memo")
    assert before not in Sealer({"v1": new}, "v1").marks(b"memo")
    rotated = Sealer({"v1": old, "v2": new}, "v2").marks(b"memo")
    assert rotated[1:] == [before]
    assert rotated[0] != before


async def test_a_deleted_case_leaves_nothing_in_the_store(postgres: PostgresForTests) -> None:
    """No row of any of the console's tables but its migrations, and asked again it is a new case."""
    async with desk(postgres, _ending(research.PLAN_STATUS_NOT_FOUND)) as on:
        case = await on.case()
        await on.events(await on.start(case))
        tables = ("case_file", "run", "run_event", "answer", "ledger_row")
        assert _rows(on.dsn, tables[:3]) != [0, 0, 0]
        assert (await on.client.delete(f"/api/cases/{case}")).status_code == 204
        assert _rows(on.dsn, tables) == [0] * len(tables)
        assert await on.case() != case


def _rows(dsn: str, tables: tuple[str, ...]) -> list[int]:
    counts = []
    with psycopg.connect(dsn) as connection:
        for table in tables:
            row = connection.execute(
                sql.SQL("SELECT count(*) FROM console.{}").format(sql.Identifier(table))
            ).fetchone()
            assert row is not None
            counts.append(int(row[0]))
    return counts


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (research.PLAN_STATUS_NOT_FOUND, phrases.NOT_UNDERSTOOD),
        (research.PLAN_STATUS_REFUSED, phrases.MEMO_WORD),
    ],
)
async def test_what_was_not_searched_at_all_says_why(
    postgres: PostgresForTests, status: research.PlanStatus, words: str
) -> None:
    """Not understood is not "not proven"; a word that only the memo has is named as such, and not repeated."""
    async with desk(postgres, _ending(status)) as on:
        run = await on.start(await on.case())
        assert (await on.events(run))[-1]["text"] == words
        assert (await on.run(run))["reason"] == words


@asynccontextmanager
async def _left_run(postgres: PostgresForTests, extra: str) -> AsyncIterator[tuple[str, Desk, SimPlanner]]:
    """A run that its first console left under way, a second console with `extra`, and what was planned."""
    reached = asyncio.Event()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        if not reached.is_set():
            reached.set()
            await asyncio.Event().wait()
        yield research.ResearchEvent(index=0, planned=research.Planned(figures=0))
        yield research.ResearchEvent(index=1, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

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
            async with running_desk(place, dsn, world, extra) as second:
                yield run, second, planner


async def test_a_held_run_waits_while_new_ones_go_on(postgres: PostgresForTests) -> None:
    """A console that holds them takes up no run from before its start; cancelled, such a run ends."""
    async with _left_run(postgres, _HOLD) as (run, on, planner):
        new = await on.start(await on.case())
        await on.events(new)
        assert (await on.run(new))["status"] == "not_found"
        assert (await on.run(run))["status"] == "running"
        assert len(planner.requests) == 2
        assert (await on.client.post(f"/api/runs/{run}/cancel", json={})).json() == {"cancelled": True}
        assert (await on.events(run))[-1]["kind"] == "ended"
        assert (await on.run(run))["code"] == "ERROR_CODE_CANCELLED"
        assert len(planner.requests) == 2, "nothing was planned for it any more"


async def test_interrupted_runs_are_listed_and_cancelled_before_a_start(
    postgres: PostgresForTests, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The launcher's command names each run, once; with --cancel the next console ends it without a step."""
    async with _left_run(postgres, _HOLD) as (run, on, planner):
        dsn_file = tmp_path / "dsn"
        dsn_file.write_text(on.dsn)
        dsn_file.chmod(0o600)
        arguments = ["--dsn-file", str(dsn_file)]
        assert await asyncio.to_thread(interrupted.main, arguments) == 0
        assert json.loads(capsys.readouterr().out)["run"] == run
        assert await asyncio.to_thread(interrupted.main, [*arguments, "--cancel"]) == 0
        assert json.loads(capsys.readouterr().out)["run"] == run
        on.console.engine.wake()
        assert (await on.events(run))[-1]["kind"] == "ended"
        assert (await on.run(run))["code"] == "ERROR_CODE_CANCELLED"
        assert len(planner.requests) == 1
        assert await asyncio.to_thread(interrupted.main, arguments) == 0
        assert capsys.readouterr().out == ""


async def test_before_the_first_start_no_run_is_interrupted(postgres: PostgresForTests) -> None:
    """A database without the console's tables has none."""
    async with console_database(postgres) as dsn:
        assert await asyncio.to_thread(interrupted.interrupted, dsn, cancel=True) == []


async def test_cases_from_before_belong_to_whoever_asked_last(postgres: PostgresForTests) -> None:
    """The schema's step that gives cases a team: that of the newest run, and the default where nobody has asked."""
    async with console_database(postgres) as dsn:
        migrate(dsn)
        asked, silent = uuid.uuid4(), uuid.uuid4()
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("DROP INDEX console.run_by_team")
            connection.execute("ALTER TABLE console.case_file DROP COLUMN team")
            for case in (asked, silent):
                connection.execute("INSERT INTO console.case_file (id, sealed) VALUES (%s, '')", (case,))
            for age, team in ((2, "first"), (1, "last"), (3, "before")):
                connection.execute(
                    "INSERT INTO console.run (id, case_id, planner, max_queries, sealed_question, team, created_at)"
                    " VALUES (%s, %s, 'rules', 1, '', %s, now() - make_interval(days => %s))",
                    (uuid.uuid4(), asked, team, age),
                )
            step = next(each for each in shipped() if each.number == 7)
            connection.execute(step.sql.encode())
            found: dict[uuid.UUID, str] = dict(
                connection.execute("SELECT id, team FROM console.case_file").fetchall()
            )
    assert found == {asked: "last", silent: "local"}
