"""A folder of saved pages, and a client of the service over it without a network."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from doublethink_corpus.index import Index
from doublethink_corpus.limits import Allowance
from doublethink_corpus.pages import read_folder
from doublethink_corpus.request_log import RequestLog
from doublethink_corpus.service import Service

PAGES = {
    "halvorsen": "<title>Halvorsen Pumps results</title><p>Revenue of Halvorsen Pumps was 1,284.6.</p>",
    "brenner": "<title>Brenner report</title><p>Revenue 972,318. Halvorsen is a rival.</p><p hidden>ink</p>",
    "weather": "<title>Weather</title><p>Rain in Bergen.</p>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three pages and a table that describes one of them."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for slug, html in PAGES.items():
        (pages / f"{slug}.html").write_text(html, encoding="utf-8")
    (pages / "pages.tsv").write_text(
        "slug\turl\tdescription\nbrenner\thttps://ir.brenner.example/2024\tannual accounts\n",
        encoding="utf-8",
    )
    return pages


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    """Where requests are written down."""
    return tmp_path / "requests.jsonl"


@pytest.fixture
def logged(log_file: Path) -> Callable[[], list[dict[str, object]]]:
    """Reads the request log."""
    return lambda: [json.loads(line) for line in log_file.read_text().splitlines()]


@pytest.fixture
def log(log_file: Path) -> Iterator[RequestLog]:
    """The open request log."""
    with RequestLog(log_file) as opened:
        yield opened


@pytest.fixture
async def client(folder: Path, log: RequestLog) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service without a key."""
    service = Service(Index(read_folder(folder).pages), log, None, Allowance())
    async with connect(service) as opened:
        yield opened


def connect(service: Service) -> httpx.AsyncClient:
    """A client that calls the application directly."""
    transport = httpx.ASGITransport(app=service.application())
    return httpx.AsyncClient(transport=transport, base_url="http://corpus.test", trust_env=False)


@pytest.fixture
def connected() -> Callable[[Service], httpx.AsyncClient]:
    """`connect`, for tests that make a service of their own."""
    return connect
