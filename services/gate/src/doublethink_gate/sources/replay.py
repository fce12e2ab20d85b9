"""A source that answers from a recording alone: it dials nothing, and needs no key.

A request is known by what it asks: the query of a search, the address of a page. Where a session asked the same thing
twice, the last answer that could be used counts, or else the last failure. What is not in the recording is
`NotRecorded`, never an empty answer. See `recording` for the file, and `completion.replayed` for a model's answers.
"""

from __future__ import annotations

import json
from typing import Final

import httpx

from doublethink_gate.pages import (
    PageTimedOut,
    PageTooLarge,
    PageUnreadable,
    PdfEncrypted,
    PdfWithoutText,
    UnsupportedCharset,
    UnsupportedContentType,
)

from .errors import (
    AddressRefused,
    BadShape,
    Challenged,
    NotRecorded,
    PageUnavailable,
    PlanExhausted,
    RateLimited,
    RedirectRefused,
    RequestRefused,
    ServerError,
    SourceError,
    TimedOut,
    TooLarge,
    Unauthorized,
    Unreachable,
)
from .model import FetchedPage, Prepare, PreparedRequest, RawResponse, SourceAnswer
from .recording import MAX_BODY_BYTES, RecordedExchange, RecordedFailure, Recording, RecordingError
from .tavily import TavilyConfig, TavilySource

PLACE: Final = "replay://recording"
"""Where requests go: to no place that a network has."""


class ReplaySource:
    """Answers as the recorded session was answered; see `model.Source`."""

    def __init__(self, recording: Recording) -> None:
        """Raises RecordingError for a recorded search whose answer is none."""
        self.name = "replay"
        self.completions = tuple(each for each in recording.exchanges if each.operation == "completion")
        # Reads the recorded answers, in the one wire format of searches; its transport reaches nothing.
        self._reads = TavilySource(TavilyConfig(base_url=PLACE, raw_pages=True), _Nowhere())
        self._known: dict[tuple[str, str], RecordedExchange] = {}
        for exchange in recording.exchanges:
            if exchange.operation == "completion":
                continue
            key = (exchange.operation, exchange.asked)
            if exchange.response is not None or key not in self._known or self._failed(key):
                self._known[key] = exchange
            if exchange.response is not None and exchange.operation == "search":
                self._check(exchange, exchange.asked)

    def prepare_search(self, query: str, max_results: int) -> PreparedRequest:
        """The request for one query: nothing but what is asked."""
        return _prepare("search", {"query": query, "max_results": max_results})

    def without_recency(self) -> Prepare | None:
        """None: a search has no bound on age."""
        return None

    async def answer(self, query: str, prepared: PreparedRequest, response: RawResponse) -> SourceAnswer:
        """See `read_search`."""
        return self.read_search(prepared, response)

    def prepare_fetch(self, url: str) -> PreparedRequest:
        """The request for one page."""
        return _prepare("page", {"urls": [url]})

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """What was recorded for it. Raises NotRecorded, and the failure that was recorded."""
        fields = json.loads(prepared.body)
        searches = "query" in fields
        known = self._known.get(
            ("search", fields["query"]) if searches else ("page", fields["urls"][0]),
        )
        if known is None:
            raise NotRecorded
        if known.failure is not None:
            raise _failure(known.failure)
        return _response(known)

    def read_search(self, prepared: PreparedRequest, response: RawResponse) -> SourceAnswer:
        """The answer in a recorded response. Raises SourceError."""
        return self._reads.read_search(prepared, response)

    def read_page(self, url: str, response: RawResponse) -> FetchedPage:
        """The page of a recorded response, from the address that it came from then. Raises NotRecorded."""
        known = self._known.get(("page", url))
        if known is None or known.response is None or known.response.url is None:
            raise NotRecorded
        return FetchedPage(
            raw=response.body,
            content_type=response.content_type,
            final_url=known.response.url,
            status=response.status,
            response=response.body,
            captured_at_us=known.response.at_us,
        )

    async def search(self, query: str, max_results: int) -> SourceAnswer:
        """Prepare, look up and read in one go."""
        prepared = self.prepare_search(query, max_results)
        return self.read_search(prepared, await self.send(prepared, 0))

    async def fetch(self, url: str) -> FetchedPage:
        """Prepare, look up and read in one go."""
        return self.read_page(url, await self.send(self.prepare_fetch(url), 0))

    async def close(self) -> None:
        """Nothing is open but what reads the answers."""
        await self._reads.close()

    def _failed(self, key: tuple[str, str]) -> bool:
        return self._known[key].response is None

    def _check(self, exchange: RecordedExchange, query: str) -> None:
        try:
            self.read_search(self.prepare_search(query, 1), _response(exchange))
        except SourceError:
            raise RecordingError(
                f"the search of row {exchange.n} has no answer of the published form"
            ) from None


class _Nowhere(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("a recording is not on any network")


def _prepare(operation: str, fields: dict[str, object]) -> PreparedRequest:
    body = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return PreparedRequest("POST", f"{PLACE}/{operation}", (), body)


def _response(exchange: RecordedExchange) -> RawResponse:
    response = exchange.response
    if response is None:
        raise NotRecorded
    return RawResponse(response.status, response.content_type, response.body)


def _failure(failure: RecordedFailure) -> Exception:
    """The error that the ledger's word stands for: the counterpart of `egress.outcomes`."""
    match failure.error:
        case "timed_out":
            return TimedOut()
        case "too_large":
            return TooLarge(MAX_BODY_BYTES)
        case "unauthorized":
            return Unauthorized()
        case "rate_limited":
            return RateLimited(None)
        case "plan_exhausted":
            return PlanExhausted()
        case "request_refused":
            return RequestRefused(failure.http)
        case "server_error":
            return ServerError(failure.http)
        case "page_unavailable":
            return PageUnavailable()
        case "unreachable":
            return Unreachable(sent=False)
        case "page_too_large":
            return PageTooLarge(MAX_BODY_BYTES, MAX_BODY_BYTES)
        case "page_unreadable":
            return PageUnreadable()
        case "page_encrypted":
            return PdfEncrypted()
        case "page_without_text":
            return PdfWithoutText()
        case "page_timed_out":
            return PageTimedOut(0)
        case "page_charset":
            return UnsupportedCharset("")
        case "page_content_type":
            return UnsupportedContentType("")
        case "challenged":
            return Challenged()
        case "address_refused":
            return AddressRefused(failure.error)
        case "redirect_refused":
            return RedirectRefused(failure.error)
        case "not_recorded":
            return NotRecorded()
        case _:
            return BadShape("recorded")
