"""A search source that speaks Tavily's wire format and can be told to misbehave."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from sim.web import SeenRequest, SimAnswer


@dataclass(frozen=True)
class SimPage:
    """A page of the simulated web."""

    url: str
    title: str
    html: str
    snippet: str = ""


@dataclass
class SimSource:
    """Answers POST /search with all pages, in order, and POST /extract with those asked for.

    `hook` may answer a request in the source's place, or return None to let it.
    """

    pages: list[SimPage] = field(default_factory=list)
    hook: Callable[[SeenRequest], SimAnswer | None] = lambda request: None

    async def __call__(self, request: SeenRequest) -> SimAnswer:
        """Answer one request."""
        hooked = self.hook(request)
        if hooked is not None:
            return hooked
        if request.method != "POST":
            return SimAnswer(405, b"{}")
        asked = json.loads(request.body)
        if request.target == "/search":
            return SimAnswer(body=self._search(asked))
        if request.target == "/extract":
            return SimAnswer(body=self._extract(asked))
        return SimAnswer(404, b"{}")

    def _search(self, asked: dict[str, object]) -> bytes:
        results = [
            {
                "title": page.title,
                "url": page.url,
                "content": page.snippet or page.title,
                "score": round(0.99 - 0.01 * rank, 2),
                "raw_content": None,
            }
            for rank, page in enumerate(self.pages)
        ]
        limit = asked.get("max_results", 5)
        assert isinstance(limit, int)
        return json.dumps(
            {
                "query": asked["query"],
                "follow_up_questions": None,
                "answer": None,
                "images": [],
                "results": results[:limit],
                "response_time": 0.01,
                "request_id": "00000000-0000-4000-8000-000000000000",
            }
        ).encode()

    def _extract(self, asked: dict[str, object]) -> bytes:
        wanted = asked["urls"]
        urls = [wanted] if isinstance(wanted, str) else list(wanted)  # type: ignore[call-overload]  # JSON
        known = {page.url: page for page in self.pages}
        return json.dumps(
            {
                "results": [_extracted(known[url], asked) for url in urls if url in known],
                "failed_results": [{"url": url, "error": "not found"} for url in urls if url not in known],
                "response_time": 0.01,
                "request_id": "00000000-0000-4000-8000-000000000001",
            }
        ).encode()


def _extracted(page: SimPage, asked: dict[str, object]) -> dict[str, object]:
    """A page as the local stand-in gives it (its own bytes), or as Tavily does (Markdown)."""
    if asked.get("format") == "html":
        raw = base64.b64encode(page.html.encode()).decode()
        return {"url": page.url, "raw_base64": raw, "content_type": "text/html; charset=utf-8"}
    return {"url": page.url, "raw_content": page.html, "images": []}
