"""Our search client and our stand-in, held against the client that Tavily publishes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from doublethink_gate.sources import (
    PageUnavailable,
    PlanExhausted,
    RateLimited,
    RequestRefused,
    SourceError,
    TavilyConfig,
    TavilySource,
    Unauthorized,
)
from sim.source import SimPage, SimSource
from sim.web import serving
from tavily import TavilyClient  # type: ignore[import-untyped]  # it has no types
from tavily.errors import (  # type: ignore[import-untyped]
    BadRequestError,
    ForbiddenError,
    InvalidAPIKeyError,
    UsageLimitExceededError,
)

KEY = "tvly-of-the-simulator"
DEMO = Path(__file__).parents[2] / "demo" / "pages"
QUERY = "Halvorsen Pumps revenue fiscal 2024"


@dataclass
class Both:
    """The published client and ours, at one address."""

    published: TavilyClient
    ours: TavilySource

    async def call(self, method: str, *arguments: Any, **more: Any) -> Any:
        """A call of the published client."""
        call: Callable[..., Any] = getattr(self.published, method)
        return await asyncio.to_thread(lambda: call(*arguments, **more))


@asynccontextmanager
async def both(address: str, folder: Path, key: str = KEY) -> AsyncIterator[Both]:
    """Both clients, with a key."""
    file = folder / "tavily.key"
    file.write_text(key + "\n")
    file.chmod(0o600)
    ours = TavilySource(TavilyConfig(base_url=address, key_file=file))
    with TavilyClient(api_key=key, api_base_url=address) as published:
        yield Both(published, ours)
    await ours.close()


@asynccontextmanager
async def corpus(folder: Path, *options: str) -> AsyncIterator[str]:
    """The stand-in over the demonstration's pages; its address."""
    key = folder / "served.key"
    key.write_text(KEY + "\n")
    key.chmod(0o600)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "doublethink_corpus", "--pages", str(DEMO), "--api-key-file", str(key)),
        *("--request-log", str(folder / "requests.jsonl"), *options),
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        # It says so once it answers.
        line = await asyncio.wait_for(process.stderr.readline(), 120)
        _, found, address = line.decode().partition(" on ")
        assert found
        yield address.strip()
    finally:
        process.terminate()
        await process.wait()


async def test_the_published_client_sends_the_same_requests(tmp_path: Path) -> None:
    """Path, body and key of a search and of an extraction are those of the published client."""
    page = SimPage("https://a.example/", "T", "text")
    async with serving(SimSource([page])) as web, both(web.url, tmp_path) as clients:
        prepared = clients.ours.prepare_search(QUERY, 20)
        await clients.ours.send(prepared, 30)
        await clients.ours.fetch(page.url)
        asked = json.loads(prepared.body)
        await clients.call("search", asked.pop("query"), **asked)
        await clients.call(
            "extract",
            [page.url],
            extract_depth="basic",
            format="markdown",
            include_images=False,
            include_usage=True,
        )
        mine, published = web.seen[:2], web.seen[2:]
    assert [request.target for request in mine] == ["/search", "/extract"]
    for own, theirs in zip(mine, published, strict=True):
        assert (own.method, own.target) == (theirs.method, theirs.target)
        for name in ("authorization", "content-type"):
            assert own.header(name) == theirs.header(name), name
        body = json.loads(theirs.body)
        # The published client's own wait, which the service may shorten its work to.
        body.pop("timeout", None)
        assert json.loads(own.body) == body


async def test_both_clients_read_the_stand_in_alike(tmp_path: Path) -> None:
    """Results, pages, failures and credits are what the published client finds in the same answers."""
    async with corpus(tmp_path) as address, both(address, tmp_path) as clients:
        theirs = await clients.call("search", QUERY, max_results=5, include_usage=True)
        ours = await clients.ours.search(QUERY, 5)
        assert [result.url for result in ours.results] == [result["url"] for result in theirs["results"]]
        assert ours.credits == theirs["usage"]["credits"] == 1
        url = ours.results[0].url
        extracted = await clients.call("extract", [url, "https://nowhere.example/"], format="markdown")
        page = await clients.ours.fetch(url)
        assert page.raw.decode() == extracted["results"][0]["raw_content"]
        assert page.raw.startswith(b"#") or b"| --- |" in page.raw
        assert [failed["url"] for failed in extracted["failed_results"]] == ["https://nowhere.example/"]
        with pytest.raises(PageUnavailable):
            await clients.ours.fetch("https://nowhere.example/")


async def test_five_pages_are_one_credit(tmp_path: Path) -> None:
    """The answer that completes five says so; the others cost nothing, and say that."""
    async with corpus(tmp_path) as address, both(address, tmp_path) as clients:
        url = (await clients.ours.search(QUERY, 1)).results[0].url
        assert [(await clients.ours.fetch(url)).credits for _ in range(6)] == [0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("options", "query", "key", "published", "own"),
    [
        ((), QUERY, "tvly-wrong", InvalidAPIKeyError, Unauthorized),
        ((), "x" * 4001, KEY, BadRequestError, RequestRefused),
        (("--rate-limit", "0"), QUERY, KEY, UsageLimitExceededError, RateLimited),
        (("--plan-limit", "0"), QUERY, KEY, ForbiddenError, PlanExhausted),
    ],
    ids=["key", "request", "rate", "plan"],
)
async def test_both_clients_take_an_error_for_one(
    tmp_path: Path,
    options: tuple[str, ...],
    query: str,
    key: str,
    published: type[Exception],
    own: type[SourceError],
) -> None:
    """Each published kind of error is one of ours; a limit of requests says how long to wait."""
    async with corpus(tmp_path, *options) as address, both(address, tmp_path, key) as clients:
        with pytest.raises(published):
            await clients.call("search", query)
        with pytest.raises(own) as caught:
            await clients.ours.search(query, 5)
        assert key not in str(caught.value)
        if isinstance(caught.value, RateLimited):
            assert caught.value.retry_after is not None
