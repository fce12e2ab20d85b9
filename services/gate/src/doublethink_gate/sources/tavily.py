"""Tavily's search and extract over HTTP, and the local stand-in that speaks the same format.

Wire facts, from Tavily's published API description: POST /search and POST /extract with a JSON object and
`Authorization: Bearer`; a search answers with `query` and `results`, each with `title`, `url`, `content` and
`score`; an extraction answers with `results` (`url`, `raw_content`) and `failed_results` (`url`, `error`);
errors are `{"detail": {"error": ...}}` with 400, 401, 403, 429 (rate), 432 (plan limit), 433 (pay-as-you-go
limit), 500. With `include_usage`, an answer has `usage.credits`; an extraction's may be 0, since five are one credit.

The stand-in takes `"format": "html"` besides, and then gives the page's own bytes: `raw_base64` and
`content_type`. Tavily itself gives Markdown made from the page.
"""

import base64
import binascii
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from .classes import classify
from .errors import (
    BadShape,
    PageUnavailable,
    PlanExhausted,
    RateLimited,
    RequestRefused,
    ServerError,
    Unauthorized,
)
from .exchange import Bounds, exchange, open_client
from .key import ApiKey, read_key
from .model import FetchedPage, Prepare, PreparedRequest, RawResponse, SourceAnswer, SourceResult

MAX_RESULTS = 20
_MAX_URL_BYTES = 2048
_MAX_TITLE = 500
_MAX_SNIPPET = 4000
_MAX_CREDITS = 1_000_000
_MARKDOWN = "text/markdown; charset=utf-8"


@dataclass(frozen=True, slots=True)
class TavilyConfig:
    """Where the source is and what it can do.

    `raw_pages` asks for the page's own bytes, which only the stand-in has. `socket` is a unix socket to
    connect to in place of the host in `base_url`. `depth` is Tavily's `search_depth` and `extract_depth`.
    """

    base_url: str = "https://api.tavily.com"
    raw_pages: bool = False
    key_file: Path | None = None
    socket: Path | None = None
    depth: str = "basic"
    bounds: Bounds = field(default_factory=Bounds)


class TavilySource:
    """A source in Tavily's wire format; see `model.Source`. Raises `SettingsError`."""

    def __init__(self, config: TavilyConfig, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.name = "corpus" if config.raw_pages else "tavily"
        self._config = config
        self._base = config.base_url.rstrip("/")
        self._key: ApiKey | None = read_key(config.key_file) if config.key_file else None
        self._client = open_client(config.socket, transport)

    def prepare_search(self, query: str, max_results: int) -> PreparedRequest:
        """POST /search with the query and what bounds the answer; no model's answer, no page text."""
        return self._prepare(
            "search",
            {
                "query": query,
                "search_depth": self._config.depth,
                "topic": "general",
                "max_results": max(1, min(max_results, MAX_RESULTS)),
                "include_answer": False,
                "include_raw_content": False,
                "include_images": False,
                **self._usage(),
            },
        )

    def without_recency(self) -> Prepare | None:
        """None: a search has no bound on age."""
        return None

    async def answer(self, query: str, prepared: PreparedRequest, response: RawResponse) -> SourceAnswer:
        """See `read_search`."""
        return self.read_search(prepared, response)

    def prepare_fetch(self, url: str) -> PreparedRequest:
        """POST /extract for one address."""
        fields = {"urls": [url], "include_images": False}
        if self._config.raw_pages:
            return self._prepare("extract", {**fields, "format": "html"})
        return self._prepare(
            "extract", {**fields, "extract_depth": self._config.depth, "format": "markdown", **self._usage()}
        )

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """Send exactly `prepared`; see `exchange.exchange` for what it raises."""
        credential = ("authorization", self._key.authorization()) if self._key else None
        return await exchange(self._client, prepared, credential, self._config.bounds, timeout_s)

    def read_search(self, prepared: PreparedRequest, response: RawResponse) -> SourceAnswer:
        """The answer in a response to /search. Raises a `SourceError` for anything that is not one."""
        answer = _answer(response)
        if not isinstance(answer.get("query"), str):
            raise BadShape("query")
        results, dropped = [], 0
        for item in _objects(answer, "results"):
            url, title, snippet = (_text(item, name) for name in ("url", "title", "content"))
            score = item.get("score")
            if not isinstance(score, int | float) or isinstance(score, bool):
                raise BadShape("score")
            if not _fetchable(url):
                dropped += 1
                continue
            results.append(SourceResult(url, title[:_MAX_TITLE], snippet[:_MAX_SNIPPET], classify(url)))
        if len(results) > MAX_RESULTS:
            raise BadShape("results")
        return SourceAnswer(
            tuple(results), dropped, response.body, response.status, prepared.canonical(), _credits(answer)
        )

    def read_page(self, url: str, response: RawResponse) -> FetchedPage:
        """The page in a response to /extract for `url`. Raises a `SourceError`."""
        answer = _answer(response)
        results = _objects(answer, "results")
        # The published client takes its absence for an empty list; beside a page it changes nothing.
        failed = _objects(answer, "failed_results") if "failed_results" in answer or not results else []
        if not results:
            if len(failed) == 1 and _text(failed[0], "url") == url:
                raise PageUnavailable(_credits(answer))
            raise BadShape("results")
        if len(results) != 1:
            raise BadShape("results")
        final_url = _text(results[0], "url")
        if not _fetchable(final_url):
            raise BadShape("url")
        if self._config.raw_pages:
            raw, content_type = _raw_bytes(results[0]), _text(results[0], "content_type")
        else:
            raw, content_type = _text(results[0], "raw_content").encode("utf-8", "replace"), _MARKDOWN
            if not raw.strip():
                raise PageUnavailable(_credits(answer))
        return FetchedPage(
            raw, content_type, final_url, response.status, response.body, credits=_credits(answer)
        )

    async def search(self, query: str, max_results: int) -> SourceAnswer:
        """Prepare, send and read in one go."""
        prepared = self.prepare_search(query, max_results)
        return self.read_search(prepared, await self.send(prepared, self._config.bounds.total_s))

    async def fetch(self, url: str) -> FetchedPage:
        """Prepare, send and read in one go."""
        prepared = self.prepare_fetch(url)
        return self.read_page(url, await self.send(prepared, self._config.bounds.total_s))

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()

    def _usage(self) -> dict[str, object]:
        # The stand-in's credits are nobody's.
        return {} if self._config.raw_pages else {"include_usage": True}

    def _prepare(self, path: str, fields: dict[str, object]) -> PreparedRequest:
        url = f"{self._base}/{path}"
        body = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        headers = (
            ("host", urlsplit(url).netloc),
            ("content-type", "application/json"),
            ("accept", "application/json"),
            ("accept-encoding", "identity"),
            ("user-agent", "doublethink"),
            ("content-length", str(len(body))),
        )
        return PreparedRequest("POST", url, headers, body)


def _answer(response: RawResponse) -> dict[str, Any]:
    status = response.status
    if status in (401, 403):
        raise Unauthorized
    if status == 429:
        raise RateLimited(response.retry_after)
    if status in (432, 433):
        raise PlanExhausted
    if 400 <= status < 500:
        raise RequestRefused(status)
    if status >= 500:
        raise ServerError(status)
    if status != 200:
        raise BadShape("status")
    if response.content_type.partition(";")[0].strip().lower() != "application/json":
        raise BadShape("content type")
    try:
        answer = json.loads(response.body)
    except (ValueError, RecursionError):
        raise BadShape("json") from None
    if not isinstance(answer, dict):
        raise BadShape("object")
    return answer


def _objects(answer: dict[str, Any], name: str) -> list[dict[str, Any]]:
    items = answer.get(name)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise BadShape(name)
    return items


def _text(item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str):
        raise BadShape(name)
    return value.encode("utf-8", "replace").decode()


def _credits(answer: dict[str, Any]) -> int | None:
    """What the answer says that it cost, part of a credit as a whole one; None where it does not say."""
    usage = answer.get("usage")
    if usage is None:
        return None
    credits = usage.get("credits") if isinstance(usage, dict) else None
    if isinstance(credits, bool) or not isinstance(credits, int | float) or not 0 <= credits <= _MAX_CREDITS:
        raise BadShape("usage")
    return math.ceil(credits)


def _raw_bytes(item: dict[str, Any]) -> bytes:
    try:
        return base64.b64decode(_text(item, "raw_base64"), validate=True)
    except binascii.Error:
        raise BadShape("raw_base64") from None


def _fetchable(url: str) -> bool:
    if len(url.encode()) > _MAX_URL_BYTES or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
