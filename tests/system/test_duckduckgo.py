"""A question through every real process, searched at a stand-in of DuckDuckGo, with pages asked of their own hosts."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import psycopg
import pytest
from doublethink_casefile import Case
from doublethink_gate.policy import load_policy
from doublethink_sdk import preflight
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.providers import WebSource
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.postgres.layout import GATE_DATABASE
from doublethink_sdk.present import answer
from sim.duckduckgo import (
    ADDRESS,
    HTML,
    SEARCH_HOST,
    Hit,
    SimDuckDuckGo,
    challenge_page,
    redirect,
    standing_in,
)
from sim.web import SimAnswer, SimWeb

DEMO = Path(__file__).parents[2] / "demo"
QUESTION = "What was the revenue of Halvorsen Pumps in fiscal 2024?"
MOVED = "https://investors.halvorsen-pumps.example/fiscal-2024"


@dataclass
class StandIn:
    """What answers, what it saw, and the policy that leads a gate there."""

    answers: SimDuckDuckGo
    web: SimWeb
    policy: Path


@pytest.fixture
def stand_in(tmp_path: Path) -> Iterator[StandIn]:
    """DuckDuckGo and the demonstration's pages on hosts of their own, served from a thread."""
    with (DEMO / "pages" / "pages.tsv").open(encoding="utf-8", newline="") as lines:
        listed = list(csv.DictReader(lines, delimiter="\t"))
    pages = {
        row["url"]: SimAnswer(200, (DEMO / "pages" / f"{row['slug']}.html").read_bytes(), HTML)
        for row in listed
    }
    hits = [Hit(row["url"], row["description"], row["description"]) for row in listed]
    # The first page has moved: its host sends on to where it is.
    hits[0] = Hit(MOVED, hits[0].title, hits[0].snippet)
    pages[MOVED] = redirect(listed[0]["url"], 301)
    answers = SimDuckDuckGo(dict(pages), hits)
    hosts = sorted({urlsplit(url).hostname or "" for url in pages})
    ready: Future[tuple[SimWeb, str]] = Future()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with standing_in(answers, tmp_path, *hosts) as made:
            ready.set_result(made)
            await over.wait()

    thread = Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    web, text = ready.result(timeout=60)
    policy = tmp_path / "policy.yaml"
    policy.write_text(text)
    yield StandIn(answers, web, policy)
    loop.call_soon_threadsafe(over.set)
    thread.join(timeout=30)
    loop.close()


def test_a_question_is_answered_from_the_web_without_a_key(
    tmp_path: Path, stand_in: StandIn, demo_case: Case, capfd: pytest.CaptureFixture[str]
) -> None:
    """The answer's number comes over a redirect; every request that arrived has a row; a challenge ends a run as such.

    The hosts that are not the web's own are said at the start and stand in the digest of every row.
    """
    preflight.policy(stand_in.policy)
    assert f"stand-in: {SEARCH_HOST} is dialled at 127.0.0.1" in capfd.readouterr().err
    said: list[str] = []
    source = WebSource("duckduckgo", ADDRESS, None)
    options = StackOptions(data=tmp_path / "data", pages=None, source=source, policy=stand_in.policy)
    with Stack(options, say=said.append) as stack, stack.client() as client:
        case = client.add_case(self_contained(demo_case))
        run = ask(client, Question(case, QUESTION, "rules"), said.append)
        rows = client.ledger(run["session"])
        seen = list(stand_in.web.seen)
        stand_in.answers.answer = lambda query, fields: SimAnswer(202, challenge_page(query), HTML)
        refused = ask(client, Question(case, QUESTION, "rules"), said.append)
        refused_rows = client.ledger(refused["session"])
        with psycopg.connect(stack.administrator_dsn(GATE_DATABASE)) as database:
            bodies = [
                json.loads(body) for (body,) in database.execute("SELECT body FROM ledger.entry").fetchall()
            ]
            digests = {body["policy"] for body in bodies}
    assert f"source duckduckgo at {ADDRESS}, without a key; pages are asked of their own servers" in said
    assert run["status"] == "answered"
    assert run["back_ends"]["source"] == "duckduckgo"
    (figure,) = run["answer"]["figures"]
    assert figure["value"] == "1284600000"
    assert figure["url"] == "https://investors.halvorsen-pumps.example/results/fiscal-2024"
    attempts = [row for row in rows if row["kind"] == "attempt"]
    outcomes = [row for row in rows if row["kind"] == "outcome"]
    assert len(attempts) == len(outcomes) == len(seen) == run["counts"]["requests"]
    assert 301 in [row.get("http") for row in outcomes]
    counts = run["counts"]
    assert counts["bytes_sent"] > 0
    assert counts["bytes_received"] > 10_000
    assert "requests, " in "".join(answer(run))
    digest = load_policy(stand_in.policy).digest.hex()
    assert digest != load_policy(None).digest.hex()
    assert digests == {digest}
    assert refused["status"] == "failed"
    assert refused["code"] == "ERROR_CODE_SOURCE_UNAVAILABLE"
    assert [row["error"] for row in refused_rows if "error" in row] == ["challenged"]
