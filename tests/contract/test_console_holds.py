"""Searches that wait for a person, over the console's API and its page."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from doublethink.gate.v1 import approval_pb2 as approval
from doublethink.planner.v1 import research_pb2 as research
from sim.database import PostgresForTests
from sim.desk import Desk, desk
from sim.minds import SimPlanner, SimWorld, minted

pytestmark = pytest.mark.postgres

HOLD = minted("hld")
QUERY = "zorq\u200b pumps <b>bold</b>"


@pytest.fixture
async def on(postgres: PostgresForTests) -> AsyncIterator[Desk]:
    """A desk whose planner has a query held, and goes on once it is decided."""
    world = SimWorld()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        if not request.approval_s:
            yield research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_REFUSED))
            return
        world.holds[HOLD] = approval.Hold(
            hold_id=HOLD, n=1, expires_us=1_800_000_000_000_000, commitment=bytes(32), query=QUERY,
            rules=["secret.code.short"],
        )  # fmt: skip
        yield research.ResearchEvent(index=0, planned=research.Planned(figures=1, check=1))
        yield research.ResearchEvent(index=1, held=research.Held(figure=0, hold_id=HOLD))
        await world.decision.wait()
        yield research.ResearchEvent(index=2, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world) as running:
        yield running


async def waiting(on: Desk) -> tuple[str, str]:
    """A run whose query waits, and its session."""
    run = await on.start(await on.case(), approval_s=60)
    async for event in on.stream(f"/api/runs/{run}/events"):
        if event["kind"] == "held":
            assert event["hold"] == HOLD
            assert "waits for a person" in event["text"]
            return run, str(event["session"])
    raise AssertionError("nothing was held")


@pytest.mark.parametrize("approve", [True, False])
async def test_a_person_sees_the_words_and_decides(on: Desk, approve: bool) -> None:
    """The hold is listed with its words, what hides in them as numbers; the decision goes to the gate as it is."""
    run, session = await waiting(on)
    (hold,) = (await on.client.get(f"/api/sessions/{session}/holds")).json()["holds"]
    assert hold["query"] == "zorq‹U+200B› pumps <b>bold</b>"
    assert (hold["rules"], hold["n"], hold["approved"]) == (["secret.code.short"], 1, False)
    body = {"approve": approve, "commitment": hold["commitment"], "approver": "a.person@example.org"}
    answer = await on.client.post(f"/api/sessions/{session}/holds/{HOLD}", json=body)
    assert (answer.status_code, answer.json()) == (200, {"approved": approve})
    (decision,) = on.world.decided
    assert decision.approval == (approval.APPROVAL_APPROVE if approve else approval.APPROVAL_REJECT)
    assert (decision.commitment, decision.approver) == (bytes(32), "a.person@example.org")
    await on.events(run)
    assert (await on.client.get(f"/api/sessions/{session}/holds")).json() == {"holds": []}


async def test_the_page_asks_its_reader(on: Desk) -> None:
    """The run's page shows the words as text and two buttons, and does not load itself anew under a person's hand."""
    run, session = await waiting(on)
    page = (await on.client.get(f"/runs/{run}")).text
    assert "zorq‹U+200B› pumps &lt;b&gt;bold&lt;/b&gt;" in page
    assert f'data-hold="{HOLD}"' in page
    assert 'http-equiv="refresh"' not in page
    body = {"approve": False, "commitment": "00" * 32}
    await on.client.post(f"/api/sessions/{session}/holds/{HOLD}", json=body)
    await on.events(run)
    assert "Waits for you" not in (await on.client.get(f"/runs/{run}")).text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"approve": "yes", "commitment": "00" * 32}, 400),
        ({"approve": True}, 400),
        ({"approve": True, "commitment": "zz"}, 400),
        ({"approve": True, "commitment": "11" * 32}, 409),
        ({"approve": True, "commitment": "00" * 32, "approver": "x" * 201}, 400),
        ({"approve": True, "commitment": "00" * 32, "query": "other"}, 400),
    ],
)
async def test_what_is_no_decision_decides_nothing(on: Desk, body: dict[str, object], status: int) -> None:
    """Each is refused with one line, and the hold still waits."""
    run, session = await waiting(on)
    answer = await on.client.post(f"/api/sessions/{session}/holds/{HOLD}", json=body)
    assert answer.status_code == status
    assert answer.json()["error"]
    assert HOLD in on.world.holds
    await on.client.post(f"/api/runs/{run}/cancel", json={})


async def test_nobody_decides_for_another_console(on: Desk) -> None:
    """A session or a hold that is not there is answered with 404, and nobody without the token is."""
    _, session = await waiting(on)
    for path in (f"{minted('ses')}/holds", "nonsense/holds"):
        assert (await on.client.get(f"/api/sessions/{path}")).status_code == 404
    body = {"approve": True, "commitment": "00" * 32}
    assert (await on.client.post(f"/api/sessions/{session}/holds/none", json=body)).status_code == 404
    bare = {"authorization": ""}
    assert (await on.client.get(f"/api/sessions/{session}/holds", headers=bare)).status_code == 401


async def test_a_run_that_waits_for_nobody_says_so(on: Desk) -> None:
    """Without a wait the planner is told 0, and the run is refused."""
    run = await on.start(await on.case())
    await on.events(run)
    assert (await on.run(run))["status"] == "refused"
    for wrong in (-1, 1501, "60"):
        response = await on.client.post(
            "/api/runs", json={"case_id": "x", "question": "q", "approval_s": wrong}
        )
        assert response.status_code in (400, 404)
