"""Behind an identity provider a team sees, stops, decides, exports and deletes its own, over every route there is."""

from __future__ import annotations

import asyncio
import hashlib
import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from doublethink.gate.v1 import approval_pb2 as approval
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console.http.health import PeerHealth
from doublethink_console.http.routes import Api
from doublethink_console.identity.people import person_id
from doublethink_console.metrics import Metrics
from doublethink_console.service import load_entrance
from sim.database import PostgresForTests
from sim.desk import CASE, QUESTION, Desk, desk
from sim.identity import ISSUER, Provider
from sim.logs import caught_log, records
from sim.minds import SimPlanner, SimWorld, minted

pytestmark = pytest.mark.postgres

HOLD = minted("hld")
HELD = {"approve": True, "commitment": "00" * 32}
ORIGIN = {"origin": "http://localhost"}

# What is sent to each route that names something, so that its owner gets more than a refusal of the form.
BODIES: dict[tuple[str, str], Any] = {
    ("GET", "/api/cases/{case}"): None,
    ("GET", "/api/runs/{run}"): None,
    ("GET", "/api/runs/{run}/events"): None,
    ("GET", "/api/sessions/{session}/answer"): None,
    ("GET", "/api/sessions/{session}/ledger"): None,
    ("GET", "/api/sessions/{session}/trace"): None,
    ("GET", "/api/sessions/{session}/rows/{n}/why"): None,
    ("GET", "/api/sessions/{session}/holds"): None,
    ("GET", "/runs/{run}"): None,
    ("GET", "/runs/{run}/answer"): None,
    ("GET", "/sessions/{session}/rows/{n}"): None,
    ("POST", "/api/sessions/{session}/bundle"): {"wait_s": 0},
    ("POST", "/api/sessions/{session}/recording"): {},
    ("POST", "/api/sessions/{session}/holds/{hold}"): HELD,
    ("POST", "/api/runs/{run}/cancel"): {},
    ("DELETE", "/api/cases/{case}"): None,
}
# Routes that name nothing: what they list is looked through.
LISTS = (
    ("GET", "/api/cases"), ("GET", "/api/sessions"), ("GET", "/api/status"), ("GET", "/"),
    ("POST", "/api/cases"), ("POST", "/api/runs"),
)  # fmt: skip
FOR_READERS_OF_THE_LOG = (("GET", "/api/ledger"), ("GET", "/api/ledger/tail"))
NO_ONES = (("POST", "/api/login"), ("POST", "/api/logout"), ("GET", "/login"), ("GET", "/static/{name}"))


@dataclass
class Two:
    """A console of two teams. Team a has asked, and its search waits for a person."""

    desk: Desk
    provider: Provider
    case: str
    run: str
    session: str

    def client(self, *groups: str, subject: str = "person-1") -> httpx.AsyncClient:
        """A client of somebody in the groups."""
        return httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(uds=self.desk.config.listen.http.removeprefix("unix:")),
            base_url="http://localhost",
            headers={"authorization": f"Bearer {self.provider.token(*groups, subject=subject)}", **ORIGIN},
            timeout=30.0,
            trust_env=False,
        )

    def path(self, template: str) -> str:
        """A route's path with the ids of team a's things."""
        return (
            template.replace("{case}", self.case).replace("{run}", self.run).replace("{session}", self.session)
            .replace("{hold}", HOLD).replace("{n}", "1")
        )  # fmt: skip


async def held(client: httpx.AsyncClient, run: str) -> str:
    """The session of a run, once its search waits."""
    for _ in range(400):
        session = (await client.get(f"/api/runs/{run}")).json()["session"]
        if session and (await client.get(f"/api/sessions/{session}/holds")).json()["holds"]:
            return str(session)
        await asyncio.sleep(0.05)
    raise AssertionError("nothing was held")


@pytest.fixture
async def two(postgres: PostgresForTests) -> AsyncIterator[Two]:
    """Team a's run, in the middle."""
    world, provider = SimWorld(), Provider()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        world.holds[HOLD] = approval.Hold(
            hold_id=HOLD, n=1, expires_us=1_800_000_000_000_000, commitment=bytes(32), query="zorq pumps",
            rules=["secret.code.short"],
        )  # fmt: skip
        yield research.ResearchEvent(index=0, held=research.Held(figure=0, hold_id=HOLD))
        await world.decision.wait()
        yield research.ResearchEvent(index=1, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world, provider=provider) as on:
        made = Two(on, provider, "", "", "")
        async with made.client("deals-a") as mine:
            made.case = (await mine.post("/api/cases", json=CASE)).json()["id"]
            body = {"case_id": made.case, "question": QUESTION, "approval_s": 60}
            made.run = (await mine.post("/api/runs", json=body)).json()["id"]
            made.session = await held(mine, made.run)
        yield made


def routes_of(on: Desk) -> set[tuple[str, str]]:
    """Every method and path that the console has."""
    entrance = load_entrance(on.config, Metrics())
    api = Api(on.config, entrance, on.console.tools, on.console.engine, PeerHealth(on.config))
    return {
        (method, route.path) for route in api.routes() for method in (route.methods or ()) if method != "HEAD"
    }


async def test_every_route_is_judged_here(two: Two) -> None:
    """A new route must say on which side of the wall it stands."""
    assert routes_of(two.desk) == {*BODIES, *LISTS, *FOR_READERS_OF_THE_LOG, *NO_ONES}


async def test_another_team_finds_nothing_over_any_route(two: Two) -> None:
    """404, as for what is not there, and the run goes on; the owner gets an answer from each."""
    async with two.client("deals-b", "approvers", subject="person-2") as other, two.client("deals-a") as mine:
        for (method, template), body in BODIES.items():
            path = two.path(template)
            theirs = await other.request(method, path, json=body)
            assert theirs.status_code == 404, (method, template)
            assert QUESTION not in theirs.text
            assert "zorq" not in theirs.text
        assert HOLD in two.desk.world.holds
        assert two.desk.world.decided == []
        assert (await mine.get(f"/api/runs/{two.run}")).json()["status"] == "running"
        for (method, template), body in BODIES.items():
            if method == "GET" and not template.endswith(("/why", "/{n}", "/events")):
                assert (await mine.request(method, two.path(template), json=body)).status_code == 200, (
                    template
                )


async def test_what_is_anothers_answers_as_what_is_nowhere(two: Two) -> None:
    """Status and words are the same over every route, so that no id can be tried out."""
    nowhere = Two(two.desk, two.provider, str(uuid.uuid4()), str(uuid.uuid4()), minted("ses"))
    async with two.client("deals-b", "approvers", subject="person-2") as other:
        for (method, template), body in BODIES.items():
            theirs = await other.request(method, two.path(template), json=body)
            none = await other.request(method, nowhere.path(template), json=body)
            assert (theirs.status_code, theirs.text) == (none.status_code, none.text), (method, template)


async def test_a_list_does_not_go_on_behind_another_teams_run(two: Two) -> None:
    """Else it would tell that the run is there, and between which of one's own it was asked."""
    async with two.client("deals-b", subject="person-2") as other, two.client("deals-a") as mine:
        case = (await other.post("/api/cases", json=CASE)).json()["id"]
        asked = (await other.post("/api/runs", json={"case_id": case, "question": QUESTION})).json()["id"]
        # A run of team a that is newer than the one of team b.
        body = {"case_id": two.case, "question": QUESTION}
        newer = (await mine.post("/api/runs", json=body)).json()["id"]
        for anothers in (newer, str(uuid.uuid4())):
            listed = (await other.get(f"/api/sessions?before={anothers}")).json()
            assert listed == {"sessions": [], "next": None}
        # The control: behind a run of one's own it goes on.
        last = (await other.post("/api/runs", json={"case_id": case, "question": QUESTION})).json()["id"]
        behind = (await other.get(f"/api/sessions?before={last}")).json()["sessions"]
        assert [each["run"] for each in behind] == [asked]


async def test_another_team_lists_nothing_and_adds_nothing_to_it(two: Two) -> None:
    """Neither in lists and pages, nor by asking about the case or naming the team."""
    async with two.client("deals-b", subject="person-2") as other, two.client("deals-a") as mine:
        for path in ("/api/cases", "/api/sessions", f"/api/sessions?case={two.case}", "/", "/api/status"):
            answer = await other.get(path)
            assert answer.status_code == 200
            for known in (two.case, two.run, two.session, "Nordwind", "Halvorsen"):
                assert known not in answer.text, path
        listed = (await other.get(f"/api/sessions?before={two.run}")).json()
        assert listed == {"sessions": [], "next": None}
        body = {"case_id": two.case, "question": QUESTION}
        assert (await other.post("/api/runs", json=body)).status_code == 404
        assert (await other.post("/api/cases", json={**CASE, "team": "a"})).status_code == 400
        assert (await mine.get("/api/cases")).json()["cases"][0]["team"] == "a"


async def test_the_same_case_of_another_team_is_another_case(two: Two) -> None:
    """That a team works on a case cannot be found out by giving it."""
    async with two.client("deals-b", subject="person-2") as other, two.client("deals-a") as mine:
        theirs = await other.post("/api/cases", json=CASE)
        assert theirs.status_code == 201
        assert theirs.json()["id"] != two.case
        again = await mine.post("/api/cases", json=CASE)
        assert (again.status_code, again.json()["id"]) == (200, two.case)


async def test_the_log_of_all_sessions_is_for_its_readers(two: Two) -> None:
    """A member of a team gets its own sessions; a reader of the log the rows of all, and no text and no step."""
    async with (
        two.client("deals-a") as mine,
        two.client("deals-b", "auditors", subject="person-3") as auditor,
    ):
        for _, path in FOR_READERS_OF_THE_LOG:
            assert (await mine.get(path)).status_code == 403
        assert (await auditor.get("/api/ledger?from=0")).status_code == 200
        rows = await auditor.get(f"/api/sessions/{two.session}/ledger?payloads=1")
        assert rows.status_code == 200
        trace = (await auditor.get(f"/api/sessions/{two.session}/trace")).text
        own = (await mine.get(f"/api/sessions/{two.session}/trace")).text
        assert len(trace) < len(own)
        assert (await auditor.get(f"/api/sessions/{two.session}/ledger?follow=1")).status_code == 404
        assert (await auditor.get(f"/api/sessions/{two.session}/answer")).status_code == 404


async def test_who_decided_is_the_subject_and_nobody_else(two: Two) -> None:
    """Without the role nobody decides; with it the ledger gets the pseudonym, never a name that the caller gives."""
    path = f"/api/sessions/{two.session}/holds/{HOLD}"
    async with (
        two.client("deals-a") as member,
        two.client("deals-a", "approvers", subject="boss") as approver,
    ):
        assert (await member.post(path, json=HELD)).status_code == 403
        assert "Let it go" not in (await member.get(f"/runs/{two.run}")).text
        assert "Let it go" in (await approver.get(f"/runs/{two.run}")).text
        assert (await approver.post(path, json={**HELD, "approver": "somebody else"})).status_code == 400
        assert two.desk.world.decided == []
        with caught_log("console") as log:
            assert (await approver.post(path, json=HELD)).status_code == 200
    (decision,) = two.desk.world.decided
    known = person_id(ISSUER, "boss")
    assert decision.approver == known
    # What the gate writes down is the digest of just that (docs/ledger-format.md).
    assert len(hashlib.sha256(f"approver:{known}".encode()).hexdigest()) == 64
    told = next(record for record in records(log) if record["event"] == "hold_decided")
    assert (told["person"], told["approved"], told["session"]) == (known, True, two.session)
    assert "boss" not in log.getvalue()


async def test_a_person_of_two_teams_says_whose_a_case_is(two: Two) -> None:
    """It is never guessed; both teams' cases are seen, and a run is its case's team's."""
    async with two.client("deals-b", "deals-a", subject="person-4") as both:
        refused = await both.post("/api/cases", json={**CASE, "title": "New"})
        assert (refused.status_code, "a, b" in refused.text) == (400, True)
        added = await both.post("/api/cases", json={**CASE, "title": "New", "team": "b"})
        assert added.status_code == 201
        teams = {case["id"]: case["team"] for case in (await both.get("/api/cases")).json()["cases"]}
        assert teams == {two.case: "a", added.json()["id"]: "b"}
        asked = await both.post("/api/runs", json={"case_id": added.json()["id"], "question": QUESTION})
        assert asked.status_code == 202
    async with two.client("deals-b", subject="person-2") as other:
        assert (await other.get(f"/api/runs/{asked.json()['id']}")).status_code == 200


async def test_the_launch_token_and_its_cookie_open_nothing(two: Two) -> None:
    """The file may still lie there: it is not read in this mode, and there is no way to sign in with it."""
    async with two.client("deals-a") as mine:
        assert (await mine.post("/api/login", json={"token": two.desk.token})).status_code == 404
        assert (await mine.post("/api/logout", json={})).status_code == 404
        bare = {"authorization": f"Bearer {two.desk.token}"}
        assert (await mine.get("/api/cases", headers=bare)).status_code == 401
    assert "token" not in json.dumps((await two.desk.client.get("/login")).headers.get("set-cookie", ""))
