"""The list of sessions: the newest first, in bounded pieces, with what each ledger comes to and without questions."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

import click
import httpx
import pytest
from doublethink.planner.v1 import research_pb2 as research
from doublethink_sdk import present
from sim.database import PostgresForTests
from sim.desk import CASE, Desk, desk
from sim.minds import SimPlanner, SimWorld

pytestmark = pytest.mark.postgres

SECRET_QUESTION = "What would Bramblewick pay for Halvorsen Pumps?"


@pytest.fixture
async def on(postgres: PostgresForTests) -> AsyncIterator[Desk]:
    """A desk whose planner has one request stopped and one held where the question says so, and finds nothing."""
    world = SimWorld()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        known = world.sessions[-1]
        attempt = {"kind": "attempt", "method": "search", "rules": []}
        if "stopped" in request.question:
            world.add_row(known, attempt | {"verdict": "block", "rules": ["secret.code"]})
            world.add_row(known, attempt | {"kind": "held", "verdict": "ask"})
            let_go = world.add_row(known, attempt | {"kind": "held", "verdict": "ask"})
            named = str(uuid.UUID(bytes=let_go.id))
            world.add_row(known, {"kind": "approval", "of": named, "verdict": "approve"})
            world.add_row(known, attempt | {"verdict": "allow", "of": named}, b'POST\n\n{"query":"valves"}')
            world.add_row(known, attempt | {"verdict": "allow"}, b'POST\n\n{"query":"pumps"}')
        yield research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world) as running:
        yield running


async def asked(on: Desk, *questions: str) -> list[str]:
    """The ids of finished runs, in the order of their questions."""
    case = await on.case()
    runs = []
    for question in questions:
        runs.append(await on.start(case, question))
        await on.events(runs[-1])
    return runs


async def listed(on: Desk, **parameters: object) -> httpx.Response:
    """The list's answer."""
    return await on.client.get("/api/sessions", params={key: str(value) for key, value in parameters.items()})


async def test_each_run_is_listed_with_its_session_and_its_ledger(on: Desk) -> None:
    """The newest first; rows and stopped attempts are those of the run's own view, without what a person let go; no
    question is in it.
    """
    first, second = await asked(on, SECRET_QUESTION, "one is stopped")
    answer = await listed(on)
    newest, oldest = answer.json()["sessions"]
    assert (newest["run"], oldest["run"]) == (second, first)
    view = await on.run(second)
    assert newest["session"] == view["session"]
    assert (newest["status"], newest["planner"], newest["case_title"]) == (
        "not_found",
        "rules",
        CASE["title"],
    )
    assert (newest["stopped"], oldest["stopped"]) == (view["counts"]["blocked"], 0) == (2, 0)
    rows = (await on.client.get(f"/api/sessions/{newest['session']}/ledger")).json()["rows"]
    assert newest["rows"] == len(rows) == oldest["rows"] + 6
    assert newest["asked_at"] < newest["ended_at"]
    assert "Bramblewick" not in answer.text
    assert answer.json()["next"] is None


async def test_a_long_list_comes_in_pieces(on: Desk) -> None:
    """`next` goes on behind the last one shown, and the pieces together are the whole list, each run once."""
    runs = await asked(on, *(f"q{number}" for number in range(5)))
    found: list[str] = []
    behind: dict[str, str] = {}
    for most in (2, 2, 1):
        piece = (await listed(on, limit=2, **behind)).json()
        assert len(piece["sessions"]) == most
        found += [each["run"] for each in piece["sessions"]]
        behind = {"before": piece["next"]}
    assert found == runs[::-1]
    assert behind == {"before": None}


async def test_runs_are_picked_out_by_case_and_by_status(on: Desk) -> None:
    """Another case has none, another state neither."""
    await asked(on, "q")
    case = await on.case()
    other = str((await on.client.post("/api/cases", json={**CASE, "title": "Other"})).json()["id"])
    assert len((await listed(on, case=case, status="not_found")).json()["sessions"]) == 1
    assert (await listed(on, case=other)).json()["sessions"] == []
    assert (await listed(on, status="answered")).json()["sessions"] == []


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ({"limit": 0}, 400),
        ({"limit": 501}, 400),
        ({"limit": "many"}, 400),
        ({"status": "lost"}, 400),
        ({"question": "x"}, 400),
        ({"before": "x"}, 404),
        ({"case": "x"}, 404),
    ],
)
async def test_a_wrong_parameter_is_refused(on: Desk, parameters: dict[str, object], status: int) -> None:
    """With what is known, and without the value."""
    answer = await listed(on, **parameters)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}


async def test_the_list_is_for_the_holder_of_the_token(on: Desk) -> None:
    """Nobody else learns of a session."""
    answer = await on.client.get("/api/sessions", headers={"authorization": "Bearer " + "0" * 64})
    assert answer.status_code == 401


async def test_a_line_says_how_to_go_on(on: Desk) -> None:
    """Session, run and case can be copied from it; a title cannot command a terminal."""
    (run,) = await asked(on, "one is stopped")
    (entry,) = (await listed(on)).json()["sessions"]
    line = click.unstyle(present.session(entry | {"case_title": "\x1b[31mred" + "x" * 100}))
    for part in (entry["session"], entry["case_id"], run, "not_found", "2 stopped", "‹U+001B›", "…"):
        assert part in line
    assert "-  " in present.session(entry | {"session": None})
