"""The console's pages and explanations: who may see them, what stands in them, and that nothing in them runs."""

from __future__ import annotations

import html
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink.planner.v1 import research_pb2 as research
from doublethink_sdk import present
from doublethink_sdk.explaining import explanation
from sim.database import PostgresForTests
from sim.desk import Desk, desk
from sim.minds import SimPlanner, SimWorld

pytestmark = pytest.mark.postgres

ADDRESS = "https://press.example/?a=<script>alert(1)</script>&b=2"
BROWSER = {"accept": "text/html,application/xhtml+xml"}
REASON = ledger.Reason(
    rule="secret.code.base64",
    family="secret",
    verdict=ledger.REASON_VERDICT_BLOCK,
    start=4,
    end=16,
    chain=["base64", "reversed", "letters"],
    earlier_n=[1],
    size=ledger.SIZE_CLASS_LONG,
)


@asynccontextmanager
async def asked(postgres: PostgresForTests) -> AsyncIterator[tuple[Desk, str]]:
    """A desk and a run that fetched a page which prints a secret, and was stopped once (row 3)."""
    world = SimWorld()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        known = world.sessions[-1]
        attempt = {"kind": "attempt", "method": "extract", "rules": [], "verdict": "allow"}
        sent = world.add_row(known, attempt, b"POST\n\n" + json.dumps({"urls": [ADDRESS]}).encode())
        public = {"kind": "outcome", "status": "sent", "http": 200, "rules": ["public.secret.code.exact"]}
        world.add_row(known, public | {"of": str(uuid.UUID(bytes=sent.id))})
        stopped = attempt | {"method": "search", "verdict": "block", "rules": ["secret.code.base64"]}
        row = world.add_row(known, stopped)
        known.reasons[row.id] = ledger.ExplainAttemptResponse(kept=True, checked_bytes=40, reasons=[REASON])
        yield research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world) as on:
        run = await on.start(await on.case(), "What was <b>revenue</b> in fiscal 2024?")
        await on.events(run)
        yield on, run


async def test_an_explanation_is_the_owners(postgres: PostgresForTests) -> None:
    """By row, in words, over the API and in the terminal; other rows, other sessions and odd numbers are not there."""
    async with asked(postgres) as (on, run):
        session = (await on.run(run))["session"]
        response = await on.client.get(f"/api/sessions/{session}/rows/3/why")
        told = response.json()
        (reason,) = told["reasons"]
        (way,) = reason["ways"]
        assert (way["rule"], way["chain"]) == ("secret.code.base64", ["base64", "reversed", "letters"])
        assert way["steps"] == ["base64", "backwards", "letters in a row"]
        assert (reason["span"], told["checked_bytes"]) == ([4, 16], 40)
        assert [(earlier["n"], earlier["method"]) for earlier in reason["earlier"]] == [(1, "extract")]
        lines = "\n".join(explanation(told))
        assert "base64 → backwards → letters in a row" in lines
        assert "bytes 4 to 16 of 40" in lines
        assert "together with row 1" in lines
        foreign = "ses_" + "a" * 26
        for path in (f"{session}/rows/0", f"{session}/rows/99", f"{session}/rows/x", f"{foreign}/rows/3"):
            assert (await on.client.get(f"/api/sessions/{path}/why")).status_code == 404
        on.world.sessions.clear()
        assert (await on.client.get(f"/api/sessions/{session}/rows/3/why")).status_code == 503


async def test_a_notice_reaches_the_run_the_rows_and_the_terminal(postgres: PostgresForTests) -> None:
    """With its address, in the run, in the session's rows and in the stream; without the value anywhere."""
    async with asked(postgres) as (on, run):
        shown = await on.run(run)
        (notice,) = shown["notices"]
        assert notice == {
            "n": 2,
            "rules": ["public.secret.code.exact"],
            "text": "A confirmed code name of the case is already public.",
            "address": ADDRESS,
        }
        path = f"/api/sessions/{shown['session']}/ledger?payloads=1"
        rows = (await on.client.get(path)).json()["rows"]
        assert [row.get("notice") for row in rows[:4]] == [None, None, notice, None]
        followed = [row async for row in on.stream(f"{path}&follow=1")]
        assert [row.get("notice") for row in followed[:4]] == [None, None, notice, None]
        told = [*present.answer(shown), *map(present.row, rows)]
        assert sum("already public. At https://press.example/" in line for line in told) == 2
        assert "Nordwind" not in json.dumps([notice, *rows]) + "".join(told)


async def test_pages_show_the_run_and_why_and_escape_everything(postgres: PostgresForTests) -> None:
    """Question, address and rules come out as text; the stopped row leads to its explanation; no value is there."""
    async with asked(postgres) as (on, run):
        session = (await on.run(run))["session"]
        overview = (await on.client.get("/")).text
        assert f'href="/runs/{run}"' in overview
        shown = (await on.client.get(f"/runs/{run}")).text
        why = (await on.client.get(f"/sessions/{session}/rows/3")).text
        for text in (overview, shown, why):
            assert "<b>" not in text
            assert "<script>" not in text
            assert "Nordwind" not in text
        assert html.escape(ADDRESS) in shown
        assert "Already public" in shown
        assert f'href="/sessions/{session}/rows/3"' in shown
        for words in (
            "base64",
            "backwards",
            "letters in a row",
            "bytes 4 to 16 of 40",
            "row 1 (extract",
            "long",
        ):
            assert words in why
        assert 'x="10.000"' in why
        assert 'width="30.000"' in why


async def test_a_page_may_load_only_its_own_style_and_script(postgres: PostgresForTests) -> None:
    """The policy of a page names nothing else, an answer of the API allows nothing; nothing is stored or framed."""
    async with asked(postgres) as (on, run):
        for path in ("/", f"/runs/{run}", "/login", f"/runs/{uuid.uuid4()}", "/no/such/page"):
            response = await on.client.get(path, headers=BROWSER)
            assert response.headers["content-type"].startswith("text/html")
            policy = response.headers["content-security-policy"].split("; ")
            assert policy[:4] == [
                "default-src 'none'",
                "style-src 'self'",
                "script-src 'self'",
                "connect-src 'self'",
            ]
            assert "form-action 'none'" in policy
            assert response.headers["cache-control"] == "no-store"
            assert " style=" not in response.text
            assert " onclick=" not in response.text
        api = await on.client.get("/api/cases")
        assert api.headers["content-security-policy"].startswith("default-src 'none'; frame-ancestors")
        for name, kind in (("style.css", "text/css"), ("session.js", "text/javascript")):
            response = await on.client.get(f"/static/{name}")
            assert response.headers["content-type"].startswith(kind)
        assert (await on.client.get("/static/../config.py")).status_code == 404
        assert (await on.client.get("/static/rendering.py")).status_code == 404


async def test_without_the_token_a_browser_is_led_to_the_login(postgres: PostgresForTests) -> None:
    """Pages and the API are closed; the login page, its style and its script are open, and a cookie opens the rest."""
    async with asked(postgres) as (on, run):
        transport = httpx.AsyncHTTPTransport(uds=on.config.listen.http.removeprefix("unix:"))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", trust_env=False
        ) as browser:
            session = (await on.run(run))["session"]
            for path in ("/", f"/runs/{run}", f"/sessions/{session}/rows/3"):
                response = await browser.get(path, headers=BROWSER)
                assert (response.status_code, response.headers["location"]) == (303, "/login")
                assert (await browser.get(path)).status_code == 401
            for path in ("/api/cases", f"/api/sessions/{session}/rows/3/why"):
                assert (await browser.get(path, headers=BROWSER)).status_code == 401
            for path in ("/login", "/static/style.css", "/static/session.js"):
                assert (await browser.get(path)).status_code == 200
            answer = await browser.post("/api/login", json={"token": on.token})
            assert answer.status_code == 200
            assert (await browser.get(f"/runs/{run}", headers=BROWSER)).status_code == 200
            missing = await browser.get(f"/runs/{uuid.uuid4()}", headers=BROWSER)
            assert missing.status_code == 404
            assert "There is no such run." in missing.text


async def test_the_gate_refusing_is_said_in_words(postgres: PostgresForTests) -> None:
    """An explanation that the gate does not give is no empty page."""
    async with asked(postgres) as (on, run):
        session = (await on.run(run))["session"]
        on.world.sessions[-1].console = bytes(32)
        response = await on.client.get(f"/sessions/{session}/rows/3", headers=BROWSER)
        assert response.status_code == 503
        assert "does not explain it" in response.text
