"""The HTTP service: POST /search and POST /extract, and GET /health for whoever started it.

Every other request is written down too, before it is refused: a leak is a leak on any path.
"""

import base64
import hashlib
import hmac
import time
import uuid
from typing import cast
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .index import Hit, Index
from .limits import Allowance
from .markdown import markdown
from .pages import CONTENT_TYPE, MAX_PAGE_BYTES, SavedPage
from .request_log import RequestLog
from .wire import MAX_RESULTS, ExtractRequest, Fault, SearchRequest, parse_extract, parse_search

MAX_BODY_BYTES = 64 * 1024
_PAGES_A_CREDIT = 5
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


class Service:
    """Answers from one index. With a key, only to requests that carry it."""

    def __init__(self, index: Index, log: RequestLog, key: bytes | None, allowance: Allowance) -> None:
        self._index = index
        self._log = log
        self._key = hashlib.sha256(key).digest() if key is not None else None
        self._allowance = allowance
        self._extracted = 0

    def application(self) -> Starlette:
        """The ASGI application."""
        return Starlette(
            routes=[
                Route("/health", self._health, methods=["GET"]),
                Route("/{path:path}", self._answer, methods=_METHODS),
            ]
        )

    async def _health(self, request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def _answer(self, request: Request) -> Response:
        """Read the request, write it down, then answer it; what cannot be answered is written down too."""
        body, wanted, fault = b"", None, None
        try:
            body = await _body(request)
            wanted = _parse(request, body)
        except Fault as found:
            fault = found
        await run_in_threadpool(self._log.write, request.method, _target(request), _asked(wanted), len(body))
        try:
            if fault is not None:
                raise fault
            self._admit(request)
        except Fault as refused:
            return _fault(refused)
        began = time.monotonic()
        if isinstance(wanted, SearchRequest):
            answer = self._search(wanted)
            credits = 2 if wanted.advanced else 1
        else:
            assert isinstance(wanted, ExtractRequest)  # noqa: S101 - without a fault one of the two was parsed
            answer = await run_in_threadpool(self._extract, wanted)
            credits = self._extraction_credits(len(cast("list[object]", answer["results"])), wanted)
        if wanted.usage:
            answer["usage"] = {"credits": credits}
        answer["response_time"] = round(time.monotonic() - began, 3)
        answer["request_id"] = str(uuid.uuid4())
        return JSONResponse(answer)

    def _extraction_credits(self, pages: int, wanted: ExtractRequest) -> int:
        """Five pages that were had are a credit, or two; the answer that completes the five says so."""
        before, self._extracted = self._extracted, self._extracted + pages
        return (self._extracted // _PAGES_A_CREDIT - before // _PAGES_A_CREDIT) * (
            2 if wanted.advanced else 1
        )

    def _search(self, wanted: SearchRequest) -> dict[str, object]:
        return {
            "query": wanted.query,
            "follow_up_questions": None,
            "answer": None,
            "images": [],
            "results": [_result(hit, wanted) for hit in self._hits(wanted)],
        }

    def _extract(self, wanted: ExtractRequest) -> dict[str, object]:
        results, failed, size = [], [], 0
        for url in wanted.urls:
            page = self._index.page(url)
            if page is None:
                failed.append({"url": url, "error": "Failed to fetch url"})
                continue
            size += len(page.text) if wanted.form == "text" else page.file.stat().st_size
            result = _extracted(page, wanted) if size <= MAX_PAGE_BYTES else None
            if result is None:
                failed.append({"url": url, "error": "Failed to read page"})
            else:
                results.append(result)
        return {"results": results, "failed_results": failed}

    def _admit(self, request: Request) -> None:
        if self._key is not None:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            given = hashlib.sha256(token.strip().encode()).digest()
            if scheme.lower() != "bearer" or not hmac.compare_digest(given, self._key):
                raise Fault(401, "Unauthorized: missing or invalid API key.")
        self._allowance.take()

    def _hits(self, wanted: SearchRequest) -> list[Hit]:
        if not wanted.include_domains and not wanted.exclude_domains:
            return self._index.search(wanted.query, wanted.max_results)
        hits = self._index.search(wanted.query, MAX_RESULTS * 20)
        kept = [hit for hit in hits if _allowed(hit.page.url, wanted)]
        return kept[: wanted.max_results]


def _parse(request: Request, body: bytes) -> SearchRequest | ExtractRequest:
    path = request.url.path
    if path not in ("/search", "/extract"):
        raise Fault(404, "Not found.")
    if request.method != "POST":
        raise Fault(405, "Method not allowed.")
    return parse_search(body) if path == "/search" else parse_extract(body)


def _target(request: Request) -> str:
    """Path and query, as asked for."""
    raw = request.scope["raw_path"].decode("ascii", "backslashreplace")
    query = request.scope["query_string"].decode("ascii", "backslashreplace")
    return f"{raw}?{query}" if query else raw


def _asked(wanted: SearchRequest | ExtractRequest | None) -> dict[str, object]:
    if isinstance(wanted, SearchRequest):
        return {"query": wanted.query}
    return {"urls": list(wanted.urls)} if wanted else {}


async def _body(request: Request) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise Fault(400, f"The request is larger than {MAX_BODY_BYTES} bytes.")
        chunks.append(chunk)
    return b"".join(chunks)


def _allowed(url: str, wanted: SearchRequest) -> bool:
    host = urlsplit(url).hostname or ""

    def within(domains: tuple[str, ...]) -> bool:
        return any(host == domain.lower() or host.endswith("." + domain.lower()) for domain in domains)

    return (not wanted.include_domains or within(wanted.include_domains)) and not within(
        wanted.exclude_domains
    )


def _result(hit: Hit, wanted: SearchRequest) -> dict[str, object]:
    return {
        "url": hit.page.url,
        "title": hit.page.title or hit.page.description or hit.page.slug,
        "content": hit.snippet,
        "score": hit.score,
        "raw_content": hit.page.text if wanted.include_raw_content else None,
    }


def _extracted(page: SavedPage, wanted: ExtractRequest) -> dict[str, object] | None:
    """The page, or None if its file is not the one that was indexed."""
    result: dict[str, object] = {"url": page.url, "raw_content": page.text, "images": []}
    if wanted.form == "text":
        return result
    try:
        body = page.file.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(body).hexdigest() != page.sha256:
        return None
    if wanted.form == "markdown":
        result["raw_content"] = markdown(body.decode())
    else:
        result["raw_base64"] = base64.b64encode(body).decode("ascii")
        result["content_type"] = CONTENT_TYPE
    return result


def _fault(fault: Fault) -> JSONResponse:
    headers = {"retry-after": str(fault.retry_after)} if fault.retry_after else None
    return JSONResponse(fault.body(), status_code=fault.status, headers=headers)
