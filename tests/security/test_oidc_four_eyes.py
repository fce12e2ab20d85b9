"""Who asked a question does not decide about its held searches: behind an identity provider two people are needed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import psycopg
import pytest
from doublethink.gate.v1 import approval_pb2 as approval
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console.identity.people import person_id
from sim.database import PostgresForTests
from sim.desk import CASE, QUESTION, Desk, desk
from sim.identity import ISSUER, Provider
from sim.minds import SimPlanner, SimWorld, minted

pytestmark = pytest.mark.postgres

HOLD = minted("hld")
ROLES = ("deals-a", "approvers")


def client_of(on: Desk, provider: Provider, subject: str) -> httpx.AsyncClient:
    """Somebody of team a who may decide."""
    return httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(uds=on.config.listen.http.removeprefix("unix:")),
        base_url="http://localhost",
        headers={
            "authorization": f"Bearer {provider.token(*ROLES, subject=subject)}",
            "origin": "http://localhost",
        },
        timeout=30.0,
        trust_env=False,
    )


@asynccontextmanager
async def waiting(
    postgres: PostgresForTests, extra: str = ""
) -> AsyncIterator[tuple[Desk, Provider, str, str]]:
    """A run that the subject `asker` asked, with a search that waits: desk, provider, run and session."""
    world, provider = SimWorld(), Provider()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        world.holds[HOLD] = approval.Hold(
            hold_id=HOLD, n=1, expires_us=1_800_000_000_000_000, commitment=bytes(32), query="zorq pumps",
            rules=["secret.code.short"],
        )  # fmt: skip
        yield research.ResearchEvent(index=0, held=research.Held(figure=0, hold_id=HOLD))
        await world.decision.wait()
        yield research.ResearchEvent(index=1, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world, extra, provider) as on:
        async with client_of(on, provider, "asker") as asker:
            case = (await asker.post("/api/cases", json=CASE)).json()["id"]
            body = {"case_id": case, "question": QUESTION, "approval_s": 60}
            run = (await asker.post("/api/runs", json=body)).json()["id"]
            session = ""
            for _ in range(400):
                session = (await asker.get(f"/api/runs/{run}")).json()["session"] or ""
                if session and (await asker.get(f"/api/sessions/{session}/holds")).json()["holds"]:
                    break
                await asyncio.sleep(0.05)
        assert HOLD in world.holds
        yield on, provider, run, session


def decision(approve: bool) -> dict[str, object]:
    """Over the bytes that were shown."""
    return {"approve": approve, "commitment": "00" * 32}


async def test_nobody_decides_about_a_search_of_their_own(postgres: PostgresForTests) -> None:
    """Neither with a fresh token, nor to refuse it; the page offers no button; a colleague with the role decides."""
    async with waiting(postgres) as (on, provider, run, session):
        path = f"/api/sessions/{session}/holds/{HOLD}"
        async with (
            client_of(on, provider, "asker") as again,
            client_of(on, provider, "colleague") as colleague,
        ):
            for approve in (True, False):
                refused = await again.post(path, json=decision(approve))
                assert refused.status_code == 403
                assert refused.json()["error"].startswith("You asked this question: somebody else decides")
            page = (await again.get(f"/runs/{run}")).text
            assert "Let it go" not in page
            assert "Somebody else of your team" in page
            assert on.world.decided == []
            assert "Let it go" in (await colleague.get(f"/runs/{run}")).text
            assert (await colleague.post(path, json=decision(approve=True))).status_code == 200
        (decided,) = on.world.decided
        assert decided.approver == person_id(ISSUER, "colleague")


async def test_the_asker_is_stored_as_a_pseudonym_alone(postgres: PostgresForTests) -> None:
    """Neither the subject nor the name is in the row."""
    async with waiting(postgres) as (on, _, run, _session):
        with psycopg.connect(on.dsn) as connection:
            row = connection.execute(
                "SELECT asked_by, row_to_json(run)::text FROM console.run WHERE id = %s", (run,)
            ).fetchone()
    assert row is not None
    assert row[0] == person_id(ISSUER, "asker")
    assert "A. Person" not in row[1]
    assert '"asker"' not in row[1]


async def test_where_nobody_knows_who_asked_nobody_decides(postgres: PostgresForTests) -> None:
    """A run from before the asker was stored: anybody could be the one."""
    async with waiting(postgres) as (on, provider, run, session):
        with psycopg.connect(on.dsn) as connection:
            connection.execute("UPDATE console.run SET asked_by = NULL WHERE id = %s", (run,))
        async with client_of(on, provider, "colleague") as colleague:
            path = f"/api/sessions/{session}/holds/{HOLD}"
            refused = await colleague.post(path, json=decision(approve=True))
            assert (refused.status_code, "ask it again" in refused.text) == (403, True)
            assert "Let it go" not in (await colleague.get(f"/runs/{run}")).text
        assert on.world.decided == []


async def test_a_company_may_say_otherwise(postgres: PostgresForTests) -> None:
    """`self_approval = true` lets an approver decide about what he or she asked."""
    async with waiting(postgres, "self_approval = true\n") as (on, provider, run, session):
        async with client_of(on, provider, "asker") as asker:
            assert "Let it go" in (await asker.get(f"/runs/{run}")).text
            path = f"/api/sessions/{session}/holds/{HOLD}"
            assert (await asker.post(path, json=decision(approve=True))).status_code == 200
        assert [each.approver for each in on.world.decided] == [person_id(ISSUER, "asker")]
