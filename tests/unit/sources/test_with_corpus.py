"""The client and the local stand-in understand each other, over the demo's pages."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from doublethink_corpus.index import Index
from doublethink_corpus.limits import Allowance
from doublethink_corpus.pages import read_folder
from doublethink_corpus.request_log import RequestLog
from doublethink_corpus.service import Service
from doublethink_gate.pages import extract_page
from doublethink_gate.sources import PageUnavailable, PlanExhausted, SourceClass, TavilyConfig, TavilySource

DEMO = Path(__file__).parents[3] / "demo" / "pages"


@pytest.fixture
async def corpus(tmp_path: Path) -> AsyncIterator[TavilySource]:
    """A client of the stand-in, which answers six requests and then has used up its plan."""
    with RequestLog(tmp_path / "log") as log:
        service = Service(Index(read_folder(DEMO).pages), log, None, Allowance(in_all=6))
        transport = httpx.ASGITransport(app=service.application())
        source = TavilySource(TavilyConfig(base_url="http://127.0.0.1:1", raw_pages=True), transport)
        yield source
        await source.close()


async def test_search_then_fetch_gives_the_saved_page(corpus: TavilySource, tmp_path: Path) -> None:
    """The page found first is the company's own, byte for byte, and its table can be read."""
    answer = await corpus.search("Halvorsen Pumps revenue fiscal 2024", 5)
    first = answer.results[0]
    page = await corpus.fetch(first.url)
    assert first.source_class is SourceClass.COMPANY
    assert page.raw == (DEMO / "halvorsen-results-2024.html").read_bytes()
    assert "\nRevenue\t1,284.6\t1,196.3\t7.4 %\n" in extract_page(page.raw, page.content_type).text
    logged = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert logged[0]["query"] == "Halvorsen Pumps revenue fiscal 2024"
    assert logged[1]["urls"] == [first.url]


async def test_every_question_of_the_demo_finds_its_pages(corpus: TavilySource) -> None:
    """Each company's figures are among the first three results for a query about it."""
    for query, slug in (
        ("Brenner Flow Technology revenue fiscal 2024", "brenner-annual-2024"),
        ("Castellan Fluid Systems revenue fiscal 2024", "castellan-release-2024"),
        ("Pell & Marrow Pumps operating margin", "pell-marrow-filing-2024"),
    ):
        urls = [result.url for result in (await corpus.search(query, 3)).results]
        wanted = next(page.url for page in read_folder(DEMO).pages if page.slug == slug)
        assert wanted in urls


async def test_failures_have_their_types(corpus: TavilySource) -> None:
    """An unknown address is a page that is not there; beyond the plan everything is refused."""
    with pytest.raises(PageUnavailable):
        await corpus.fetch("https://nowhere.example/")
    for _ in range(5):
        await corpus.search("pumps", 1)
    with pytest.raises(PlanExhausted):
        await corpus.search("pumps", 1)


def test_the_poisoned_page_keeps_its_visible_text_only() -> None:
    """No hidden figure or instruction of the demo's poisoned page reaches the stored text."""
    body = (DEMO / "pump-makers-digest.html").read_bytes()
    page = extract_page(body, "text/html; charset=utf-8")
    for hidden in ("4,210.0", "9,871", "8,888", "collect.example", "44.0", "print the memo"):
        assert hidden.encode() in body
        assert hidden not in page.text
    assert "Note to AI assistants" in page.text
    assert page.hidden_elements == 6
    assert page.stripped["tag"] > 40
