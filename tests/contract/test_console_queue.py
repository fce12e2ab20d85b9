"""The queue of runs: fair between teams, one writer a run, and nothing lost with whoever dies."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psycopg
import pytest
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console.errors import MigrationError
from doublethink_console.identity.people import EVERY_TEAM
from doublethink_console.service import Console, running_console
from doublethink_console.store import migrate as migrations
from doublethink_console.store.queue import with_schema
from doublethink_console.store.runs import NewRun, Runs
from sim.database import PostgresForTests
from sim.desk import console_database, running_desk
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

_NOT_FOUND = research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))


class Planner:
    """Answers nothing to every question, in the order in which they come; each waits until it is let go."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = asyncio.Event()
        self.came = asyncio.Event()

    async def script(self, request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        """One question."""
        self.asked.append(request.question)
        self.came.set()
        await self.go.wait()
        yield _NOT_FOUND


@asynccontextmanager
async def peers(
    postgres: PostgresForTests, planner: Planner, world: SimWorld
) -> AsyncIterator[tuple[Place, str]]:
    """Gate, validator and planner, and an empty database of the console's."""
    with short_folder() as folder:
        place = Place(folder)
        async with (
            console_database(postgres) as dsn,
            serving(
                place.server("gate", gate_services(world)),
                place.server("validator", validator_services(world)),
                place.server("planner", planner_services(SimPlanner(planner.script))),
            ),
        ):
            yield place, dsn


async def until(done: Callable[[], bool]) -> None:
    """Wait for something that tells nobody."""
    async with asyncio.timeout(120):
        while not done():  # noqa: ASYNC110 - what others write to a database sets no event
            await asyncio.sleep(0.02)


def jobs(dsn: str) -> list[tuple[str, str]]:
    """Run and status of every job in the queue."""
    with psycopg.connect(with_schema(dsn)) as connection:
        return connection.execute(
            "SELECT lock, status::text FROM console.procrastinate_jobs ORDER BY id"
        ).fetchall()


def ended(dsn: str) -> int:
    """How many runs have ended."""
    with psycopg.connect(with_schema(dsn)) as connection:
        row = connection.execute(
            "SELECT count(*) FROM console.run WHERE state NOT IN ('queued', 'running')"
        ).fetchone()
    assert row is not None
    return int(row[0])


async def added(console: Console, case: str, question: str, team: str = "local") -> uuid.UUID:
    """A run that is asked for without the API, for whichever team."""
    key = await console.tools.runs.add(NewRun(uuid.UUID(case), question, "rules", 4, team, EVERY_TEAM))
    assert key is not None
    console.engine.wake()
    return key


async def test_a_team_with_one_run_does_not_wait_for_the_fifty_of_another(postgres: PostgresForTests) -> None:
    """B's only run comes right after the one that was next when it was asked, and before 48 of A's that came earlier;
    A's own stay in their order.
    """
    planner, world = Planner(), SimWorld()
    async with (
        peers(postgres, planner, world) as (place, dsn),
        running_desk(place, dsn, world, "[runs]\nconcurrent = 1\n") as on,
    ):
        case = await on.case()
        await added(on.console, case, "a0", "alpha")
        await planner.came.wait()
        for number in range(1, 50):
            await added(on.console, case, f"a{number}", "alpha")
        await added(on.console, case, "b0", "beta")
        planner.go.set()
        await until(lambda: len(planner.asked) >= 8)
        assert planner.asked[:8] == ["a0", "a1", "b0", "a2", "a3", "a4", "a5", "a6"]


async def test_teams_take_turns(postgres: PostgresForTests) -> None:
    """Three teams with three runs each, asked team by team, are begun in turn; one that joins later joins the turn."""
    planner, world = Planner(), SimWorld()
    async with (
        peers(postgres, planner, world) as (place, dsn),
        running_desk(place, dsn, world, "[runs]\nconcurrent = 1\n") as on,
    ):
        case = await on.case()
        await added(on.console, case, "first", "other")
        await planner.came.wait()
        for team in "abc":
            for number in range(3):
                await added(on.console, case, f"{team}{number}", team)
        planner.go.set()
        await until(lambda: ended(dsn) == 10)
        assert planner.asked[1:] == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]
        await until(lambda: jobs(dsn) == [])


async def test_a_request_names_no_team(postgres: PostgresForTests) -> None:
    """Whose turn a run takes is not the caller's to say: the key is unknown, and nothing is queued."""
    planner, world = Planner(), SimWorld()
    async with peers(postgres, planner, world) as (place, dsn), running_desk(place, dsn, world) as on:
        case = await on.case()
        answer = await on.client.post(
            "/api/runs", json={"case_id": case, "question": "pumps?", "team": "alpha"}
        )
        assert answer.status_code == 400
        assert "alpha" not in answer.text
        assert jobs(dsn) == []


@pytest.mark.parametrize(
    ("runs", "team"),
    [("", "local"), ('tenant = "firm"', "firm"), ('tenant = "firm"\nteam = "alpha"', "alpha")],
)
async def test_a_run_takes_the_turn_of_the_consoles_own_team(
    postgres: PostgresForTests, runs: str, team: str
) -> None:
    """The configuration names it; without one it is the tenant. Whoever holds the launch token asks for that team."""
    planner, world = Planner(), SimWorld()
    async with (
        peers(postgres, planner, world) as (place, dsn),
        running_desk(place, dsn, world, f"[runs]\n{runs}\n") as on,
    ):
        await on.start(await on.case(), "pumps?")
        with psycopg.connect(with_schema(dsn)) as connection:
            assert connection.execute("SELECT team FROM console.run").fetchall() == [(team,)]
        planner.go.set()
        await until(lambda: ended(dsn) == 1)


async def test_no_more_runs_are_taken_than_may_wait(postgres: PostgresForTests) -> None:
    """One that is over is refused with what to do, and nothing of it is kept; when one has ended the next is taken."""
    planner, world = Planner(), SimWorld()
    async with (
        peers(postgres, planner, world) as (place, dsn),
        running_desk(place, dsn, world, "[runs]\nconcurrent = 1\nwaiting = 2\n") as on,
    ):
        case = await on.case()
        for number in range(2):
            await on.start(case, f"a{number}")
        answer = await on.client.post("/api/runs", json={"case_id": case, "question": "a2"})
        assert answer.status_code == 503
        assert "cancel one" in answer.json()["error"]
        assert len(jobs(dsn)) == 2
        planner.go.set()
        await until(lambda: ended(dsn) == 2)
        await on.start(case, "a3")
        await until(lambda: ended(dsn) == 3)


async def test_two_consoles_race_and_each_run_has_one_writer(postgres: PostgresForTests) -> None:
    """Both look for work at once; every run is asked once, in one session, and ends once."""
    planner, world = Planner(), SimWorld()
    planner.go.set()
    async with peers(postgres, planner, world) as (place, dsn), running_desk(place, dsn, world) as on:
        case = await on.case()
        async with running_console(on.config) as other:
            for number in range(20):
                await added(other, case, f"q{number}")
                on.console.engine.wake()
                other.engine.wake()
            await until(lambda: ended(dsn) == 20 and jobs(dsn) == [])
        assert sorted(planner.asked) == sorted(f"q{number}" for number in range(20))
        assert len(world.sessions) == 20
        with psycopg.connect(with_schema(dsn)) as connection:
            endings = connection.execute(
                "SELECT count(*) FROM console.run_event WHERE kind = 'ended' GROUP BY run_id"
            ).fetchall()
            instances = connection.execute("SELECT DISTINCT instance FROM console.run").fetchall()
        assert endings == [(1,)] * 20
        assert 1 <= len(instances) <= 2


async def test_only_one_of_two_that_claim_the_same_run_gets_it(postgres: PostgresForTests) -> None:
    """A job that is handed out twice makes no second writer, and a run that has ended none at all."""
    planner, world = Planner(), SimWorld()
    holding = "[runs]\nconcurrent = 1\n"
    async with (
        peers(postgres, planner, world) as (place, dsn),
        running_desk(place, dsn, world, holding) as on,
    ):
        case = await on.case()
        await on.start(case, "keeps the first busy")
        await planner.came.wait()
        async with running_console(on.config) as other:
            planner.came.clear()
            await added(other, case, "keeps the second busy")
            other.engine.wake()
            await planner.came.wait()
            run = await added(on.console, case, "raced for")
            claims = await asyncio.gather(
                *(each.tools.runs.claim(run, 3) for each in (on.console, other) * 4)
            )
            assert sorted(claim.name for claim in claims) == ["OURS"] + ["TAKEN"] * 7
            planner.go.set()


async def test_a_job_whose_taker_died_before_it_claimed_the_run_comes_back(
    postgres: PostgresForTests,
) -> None:
    """Handed out and never begun: the next round of any console queues it again, and the run is answered."""
    planner, world = Planner(), SimWorld()
    async with peers(postgres, planner, world) as (place, dsn):
        async with running_desk(place, dsn, world, "[runs]\nconcurrent = 1\n") as on:
            case = await on.case()
            await on.start(case, "held")
            await planner.came.wait()
            run = await on.start(case, "lost")
            with psycopg.connect(with_schema(dsn), autocommit=True) as connection:
                # As a console leaves it that was killed between the two.
                connection.execute(
                    "UPDATE console.procrastinate_jobs SET status = 'doing' WHERE lock = %s", (run,)
                )
            planner.go.set()
            await until(lambda: ended(dsn) == 2)
        assert planner.asked == ["held", "lost"]


async def test_a_run_without_a_job_gets_one_and_a_job_without_a_run_goes(postgres: PostgresForTests) -> None:
    """Where the two part company they are put together again."""
    planner, world = Planner(), SimWorld()
    async with (
        peers(postgres, planner, world) as (place, dsn),
        running_desk(place, dsn, world, "[runs]\nconcurrent = 1\n") as on,
    ):
        case = await on.case()
        first = await on.start(case, "first")
        await planner.came.wait()
        second = await on.start(case, "second")
        with psycopg.connect(with_schema(dsn), autocommit=True) as connection:
            connection.execute("DELETE FROM console.procrastinate_jobs WHERE lock = %s", (second,))
            connection.execute(
                "INSERT INTO console.procrastinate_jobs (queue_name, task_name, lock, args)"
                " SELECT 'runs', 'run', id, jsonb_build_object('run', id) FROM (SELECT gen_random_uuid()::text AS id)"
            )
        planner.go.set()
        await until(lambda: ended(dsn) == 2)
        await until(lambda: jobs(dsn) == [])
        assert planner.asked == ["first", "second"]
        assert (await on.run(first))["status"] == "not_found"


async def test_a_queued_run_that_is_cancelled_waits_for_no_turn(postgres: PostgresForTests) -> None:
    """It ends at once, without a session, although every place is taken and others are before it."""
    planner, world = Planner(), SimWorld()
    async with (
        peers(postgres, planner, world) as (place, dsn),
        running_desk(place, dsn, world, "[runs]\nconcurrent = 1\n") as on,
    ):
        case = await on.case()
        await on.start(case, "held")
        await planner.came.wait()
        await on.start(case, "before")
        run = await on.start(case, "cancelled")
        assert (await on.client.post(f"/api/runs/{run}/cancel", json={})).json() == {"cancelled": True}
        events = await on.events(run)
        assert [event["kind"] for event in events] == ["ended"]
        assert (await on.run(run))["code"] == "ERROR_CODE_CANCELLED"
        assert planner.asked == ["held"]
        assert len(world.sessions) == 1
        await until(lambda: run not in {name for name, _ in jobs(dsn)})


@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_run_whose_end_was_not_written_is_ended_by_the_same_console(
    postgres: PostgresForTests, monkeypatch: pytest.MonkeyPatch, cancelled: bool
) -> None:
    """An error of the database, or a person's cancel in the middle of it, leaves no run without an end: what was
    decided before stands, and nothing is asked again.
    """
    planner, world = Planner(), SimWorld()
    planner.go.set()
    tried = asyncio.Event()
    finish = Runs.finish

    async def first_fails(self: Runs, key: uuid.UUID, state: str, code: int) -> None:
        if tried.is_set():
            await finish(self, key, state, code)
            return
        tried.set()
        if cancelled:
            await asyncio.Event().wait()
        raise psycopg.OperationalError("away")

    monkeypatch.setattr(Runs, "finish", first_fails)
    async with peers(postgres, planner, world) as (place, dsn), running_desk(place, dsn, world) as on:
        run = await on.start(await on.case(), "held")
        await tried.wait()
        if cancelled:
            await on.client.post(f"/api/runs/{run}/cancel", json={})
        await until(lambda: ended(dsn) == 1)
        assert (await on.run(run))["status"] == "not_found"
        assert planner.asked == ["held"]
        assert all(session.closed for session in world.sessions)
        await until(lambda: not jobs(dsn))


async def test_a_run_that_stops_every_console_is_given_up(postgres: PostgresForTests) -> None:
    """Taken up as often as the limit says, then ended with words; the run behind it was never kept from its turn."""
    planner, world = Planner(), SimWorld()
    more = "[runs]\nconcurrent = 1\nattempts = 2\n"
    async with peers(postgres, planner, world) as (place, dsn):
        async with running_desk(place, dsn, world, more) as on:
            case = await on.case()
            poison = await on.start(case, "poison")
            await planner.came.wait()
            behind = await on.start(case, "behind")
        planner.came.clear()
        async with running_desk(place, dsn, world, more) as on:
            await planner.came.wait()
        planner.go.set()
        async with running_desk(place, dsn, world, more) as on:
            await until(lambda: ended(dsn) == 2)
            assert (await on.run(poison))["code"] == "ERROR_CODE_CONFLICT"
            assert (await on.run(behind))["status"] == "not_found"
        assert planner.asked == ["poison", "poison", "behind"]
        assert jobs(dsn) == []
        assert all(session.closed for session in world.sessions)


async def test_a_console_that_holds_takes_only_what_it_was_asked(postgres: PostgresForTests) -> None:
    """What was asked before its start waits for another start; what it is asked itself it does."""
    planner, world = Planner(), SimWorld()
    async with peers(postgres, planner, world) as (place, dsn):
        async with running_desk(place, dsn, world, "[runs]\nconcurrent = 1\n") as on:
            case = await on.case()
            await on.start(case, "held")
            await planner.came.wait()
            await on.start(case, "waiting")
        planner.go.set()
        async with running_desk(place, dsn, world, "[runs]\nhold_interrupted = true\n") as on:
            own = await on.start(case, "own")
            await on.events(own)
            assert planner.asked == ["held", "own"]
            assert ended(dsn) == 1
        async with running_desk(place, dsn, world):
            await until(lambda: ended(dsn) == 3)
        assert sorted(planner.asked) == ["held", "held", "own", "waiting"]


async def test_a_job_says_nothing_but_which_run(postgres: PostgresForTests) -> None:
    """The queue's tables hold ids, and neither question nor team."""
    planner, world = Planner(), SimWorld()
    async with peers(postgres, planner, world) as (place, dsn), running_desk(place, dsn, world) as on:
        run = str(await added(on.console, await on.case(), "Halvorsen net sales", "alpha"))
        await planner.came.wait()
        with psycopg.connect(with_schema(dsn)) as connection:
            row = connection.execute("SELECT to_jsonb(job) FROM console.procrastinate_jobs AS job").fetchone()
        assert row is not None
        assert row[0]["args"] == {"run": run}
        assert "Halvorsen" not in str(row[0])
        assert "alpha" not in str(row[0])
        planner.go.set()


async def test_the_librarys_own_migrations_are_applied_once_and_in_order(
    postgres: PostgresForTests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer library adds its files; one that changed an applied file, or an older one, stops the start."""
    async with console_database(postgres) as dsn:
        files = migrations.queue_files()
        assert [name for name, _ in files] == sorted(name for name, _ in files)
        monkeypatch.setattr(migrations, "queue_files", lambda: files[:-1])
        migrations.migrate(dsn)
        monkeypatch.setattr(migrations, "queue_files", lambda: files)
        migrations.migrate(dsn)
        migrations.migrate(dsn)
        with psycopg.connect(with_schema(dsn)) as connection:
            known: dict[str, bytes] = dict(
                connection.execute("SELECT name, sha256 FROM console.queue_migration").fetchall()
            )
        assert known == {name: hashlib.sha256(text.encode()).digest() for name, text in files}
        monkeypatch.setattr(migrations, "queue_files", lambda: files[:-1])
        with pytest.raises(MigrationError, match="newer version"):
            migrations.migrate(dsn)
        changed = (*files[:-1], (files[-1][0], files[-1][1] + "\n-- "))
        monkeypatch.setattr(migrations, "queue_files", lambda: changed)
        with pytest.raises(MigrationError, match="has changed"):
            migrations.migrate(dsn)
