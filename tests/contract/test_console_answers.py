"""The answer of a session once more: as JSON, Markdown, one HTML file, and the console's page to print."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator

import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from sim.database import PostgresForTests
from sim.desk import desk
from sim.minds import SimPlanner, SimWorld, minted

pytestmark = pytest.mark.postgres

FACT = minted("fct")
BROWSER = {"accept": "text/html,application/xhtml+xml"}


async def _answering(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
    plan = research.Plan(status=research.PLAN_STATUS_ANSWERED, fact_ids=[FACT])
    yield research.ResearchEvent(index=0, plan=plan)


async def test_an_answer_comes_in_three_forms_and_as_a_page(postgres: PostgresForTests) -> None:
    """The run itself as JSON; figure, quote, link and hash in Markdown and HTML; a page with its own print style."""
    async with desk(postgres, SimPlanner(_answering)) as on:
        run = await on.start(await on.case())
        await on.events(run)
        shown = await on.run(run)
        path = f"/api/sessions/{shown['session']}/answer"
        assert shown["status"] == "answered"
        assert (await on.client.get(path)).json() == shown
        assert (await on.client.get(f"{path}?format=json")).json() == shown
        page = await on.client.get(f"/runs/{run}/answer", headers=BROWSER)
        texts = [
            (await on.client.get(f"{path}?format={form}")).json()["text"] for form in ("markdown", "html")
        ]
        for text in (*texts, page.text):
            for figure in shown["answer"]["figures"]:
                assert figure["quote"] in text
                assert figure["url"] in text
                assert figure["page_sha256"] in text
            assert shown["session"] in text
        assert texts[1].startswith("<!doctype html>")
        assert "<link" not in texts[1]
        assert 'href="/static/answer.css"' in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert " style=" not in page.text
        style = await on.client.get("/static/answer.css")
        assert style.headers["content-type"].startswith("text/css")
        assert "@media print" in style.text
        assert "url(" not in style.text
        assert f'href="/runs/{run}/answer"' in (await on.client.get(f"/runs/{run}")).text


async def test_where_nothing_was_found_the_pages_that_were_read_are_named(postgres: PostgresForTests) -> None:
    """A page that the gate stored is named with its address, one that could not be had is not; what could not be
    checked is said.
    """
    world = SimWorld()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        known = world.sessions[-1]
        attempt = {"kind": "attempt", "method": "extract", "rules": [], "verdict": "allow"}
        for address, got in (
            ("https://a.example/1", {"page": "pag_" + "a" * 26}),
            ("https://b.example/2", {}),
        ):
            sent = world.add_row(known, attempt, b"POST\n\n" + json.dumps({"urls": [address]}).encode())
            outcome = {"kind": "outcome", "status": "sent", "http": 200, "of": str(uuid.UUID(bytes=sent.id))}
            world.add_row(known, outcome | got)
        query = minted("qry")
        yield research.ResearchEvent(index=0, planned=research.Planned(figures=1))
        yield research.ResearchEvent(index=1, searched=research.Searched(figure=0, query_id=query, results=2))
        examined = research.Examined(figure=0, query_id=query, verdict=figures.VERDICT_CANNOT_CHECK)
        yield research.ResearchEvent(index=2, examined=examined)
        yield research.ResearchEvent(index=3, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world) as on:
        run = await on.start(await on.case())
        await on.events(run)
        session = (await on.run(run))["session"]
        answer = (await on.client.get(f"/api/sessions/{session}/answer?format=markdown")).json()
        page = (await on.client.get(f"/runs/{run}/answer")).text
        for text in (answer["text"], page):
            assert "https://a.example/1" in text
            assert "b.example" not in text
            assert "The pages of one query could not be checked" in text


@pytest.mark.parametrize("answered", [False, True])
async def test_figures_that_stand_against_each_other_are_in_every_form(
    postgres: PostgresForTests, answered: bool
) -> None:
    """In JSON, Markdown, the file to print and the console's page, beside an answer as well as where there is none."""
    world = SimWorld(rivals=[(1, 391), (1, 390), (2, 55), (2, 56)])

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        query = minted("qry")
        yield research.ResearchEvent(index=0, planned=research.Planned(figures=1))
        examined = research.Examined(figure=0, query_id=query, verdict=figures.VERDICT_CANNOT_CHECK)
        yield research.ResearchEvent(index=1, examined=examined)
        plan = research.Plan(status=research.PLAN_STATUS_NOT_FOUND)
        if answered:
            plan = research.Plan(status=research.PLAN_STATUS_ANSWERED, fact_ids=[FACT])
        yield research.ResearchEvent(index=2, plan=plan)

    async with desk(postgres, SimPlanner(script), world) as on:
        run = await on.start(await on.case())
        await on.events(run)
        shown = await on.run(run)
        assert shown["status"] == ("answered" if answered else "not_found")
        assert len(shown["answer"]["figures"]) == int(answered)
        conflicts = shown["answer"]["conflicts"]
        assert [[f["value"] for f in each["figures"]] for each in conflicts] == [
            ["391000000", "390000000"],
            ["55000000", "56000000"],
        ]
        path = f"/api/sessions/{shown['session']}/answer"
        texts = [
            (await on.client.get(f"{path}?format={form}")).json()["text"] for form in ("markdown", "html")
        ]
        texts.append((await on.client.get(f"/runs/{run}/answer", headers=BROWSER)).text)
        for text in texts:
            assert text.count("Sources disagree") == 2
            for number in (391, 390, 55, 56):
                assert f"Net sales {number}" in text
            assert text.count("01" * 32) == 4 + int(answered)


async def test_conflicts_that_cannot_be_had_change_no_end(postgres: PostgresForTests) -> None:
    """A run without an answer ends as it would, where the validator does not compose."""
    world = SimWorld(compose_code=errors.ERROR_CODE_PEER_UNAVAILABLE)

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        examined = research.Examined(figure=0, query_id=minted("qry"), verdict=figures.VERDICT_CANNOT_CHECK)
        yield research.ResearchEvent(index=0, examined=examined)
        yield research.ResearchEvent(index=1, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world) as on:
        run = await on.start(await on.case())
        await on.events(run)
        shown = await on.run(run)
        assert shown["status"] == "not_found"
        assert shown["answer"]["conflicts"] == []


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("ses_" + "a" * 26 + "/answer", 404),
        ("nonsense/answer", 404),
        ("ses_" + "a" * 26 + "/answer?format=pdf", 400),
        ("ses_" + "a" * 26 + "/answer?form=json", 400),
        ("ses_" + "a" * 26 + "/answer?format=json&format=html", 400),
    ],
)
async def test_what_is_not_there_or_odd_is_refused(
    postgres: PostgresForTests, path: str, status: int
) -> None:
    """Another session, another form, another parameter."""
    async with desk(postgres, SimPlanner(_answering)) as on:
        assert (await on.client.get(f"/api/sessions/{path}")).status_code == status
        assert (await on.client.get(f"/runs/{uuid.uuid4()}/answer")).status_code == 404
