"""DuckDuckGo's results for browsers without scripts, and the pages that they lead to, asked of their own servers.

There is no key and no published interface: what is read is a page for people (`pages.results_page`). It is an answer
only where all of it is recognised, and an empty one only where the page says so. A challenge, a refusal, an unknown
layout and silence are errors, each of its own kind; no other source is asked in its place.

The query goes as a form's field in the body of a POST, as the page's own form sends it: so it stands in no address.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import urlencode, urlsplit

from doublethink_gate.fetching import FetchRules
from doublethink_gate.fetching.rules import Bounds
from doublethink_gate.pages import (
    PageError,
    PageExtractor,
    PageTimedOut,
    ResultsChallenge,
    ResultsUnrecognised,
)
from doublethink_gate.pages.results_page import MAX_BYTES

from .classes import classify
from .direct import DirectPages
from .errors import BadShape, Challenged, RateLimited, ServerError, TimedOut, TooLarge
from .model import FetchedPage, Prepare, PreparedRequest, RawResponse, SourceAnswer, SourceResult

ADDRESS: Final = "https://html.duckduckgo.com/html/"
Recency = Literal["any", "day", "week", "month", "year"]
_PERIODS: Final = {"day": "d", "week": "w", "month": "m", "year": "y"}
MAX_RESULTS: Final = 20
_NO_REGION: Final = "wt-wt"
_WAIT_S: Final = 60
"""Before it is asked again where it refused and does not say how long: longer than any call waits."""


@dataclass(frozen=True, slots=True)
class DuckDuckGoConfig:
    """Where it is asked, and how old what it finds may be."""

    address: str = ADDRESS
    recency: Recency = "any"


class DuckDuckGoSource:
    """See `model.Source`."""

    def __init__(self, config: DuckDuckGoConfig, pages: DirectPages, extractor: PageExtractor) -> None:
        self.name = "duckduckgo"
        self.pages = pages
        self._config = config
        self._extractor = extractor
        host = urlsplit(config.address).hostname or ""
        self._rules: FetchRules = replace(
            pages.rules,
            hosts=(host,),
            schemes=("https",),
            bounds=Bounds(wire_bytes=MAX_BYTES, decoded_bytes=MAX_BYTES),
        )

    def prepare_search(self, query: str, max_results: int) -> PreparedRequest:
        """The form with the query; the page decides how many results it has."""
        return self._prepare(query, _PERIODS.get(self._config.recency))

    def without_recency(self) -> Prepare | None:
        """The same form without the bound on age; None where there is none."""
        return (lambda query, _: self._prepare(query, None)) if self._config.recency in _PERIODS else None

    def prepare_fetch(self, url: str) -> PreparedRequest:
        """The request for the first hop to a page."""
        return self.pages.prepare(url)

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """Send exactly `prepared`; a search to its own host and no other. Raises as `DirectPages.send`."""
        if prepared.method == "POST":
            return await self.pages.send(prepared, timeout_s, self._rules)
        return await self.pages.send(prepared, timeout_s)

    async def answer(self, query: str, prepared: PreparedRequest, response: RawResponse) -> SourceAnswer:
        """The results in an answer. Raises a SourceError for anything else."""
        if response.status in (202, 403, 429):
            # With these comes a test for people, or nothing to read.
            raise await self._refusal(query, response)
        if response.status >= 500:
            raise ServerError(response.status)
        if response.status != 200 or response.location is not None:
            raise BadShape("status")
        if response.content_type.partition(";")[0].strip().lower() != "text/html":
            raise BadShape("content type")
        if response.cut:
            raise TooLarge(MAX_BYTES)
        try:
            found = await self._extractor.results(response.body, query)
        except ResultsChallenge:
            raise Challenged from None
        except ResultsUnrecognised as error:
            raise BadShape(error.what) from None
        except PageTimedOut:
            raise TimedOut from None
        except PageError:
            raise BadShape("html") from None
        kept = found.results[:MAX_RESULTS]
        results = [SourceResult(r.url, r.title, r.snippet, classify(r.url)) for r in kept]
        return SourceAnswer(
            tuple(results), found.dropped, response.body, response.status, prepared.canonical()
        )

    def read_page(self, url: str, response: RawResponse) -> FetchedPage:
        """The page in a hop's answer. Raises a SourceError."""
        return self.pages.read_page(url, response)

    async def close(self) -> None:
        """Nothing stays open."""

    async def _refusal(self, query: str, response: RawResponse) -> Challenged | RateLimited:
        try:
            await self._extractor.results(response.body, query)
        except ResultsChallenge:
            return Challenged()
        except PageError:
            pass  # whatever it is instead, it is no answer
        return RateLimited(_WAIT_S if response.retry_after is None else response.retry_after)

    def _prepare(self, query: str, period: str | None) -> PreparedRequest:
        fields = {"q": query, "kl": _NO_REGION} | ({} if period is None else {"df": period})
        body = urlencode(fields).encode()
        headers = (
            ("host", urlsplit(self._config.address).netloc),
            ("content-type", "application/x-www-form-urlencoded"),
            ("accept", "text/html"),
            ("accept-encoding", "gzip, deflate"),
            ("user-agent", "doublethink"),
            ("connection", "close"),
            ("content-length", str(len(body))),
        )
        return PreparedRequest("POST", self._config.address, headers, body)
