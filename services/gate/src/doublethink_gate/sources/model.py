"""What a search source is to the gate.

Building a request is apart from sending it: the gate checks and commits `PreparedRequest.canonical()` and
then sends that same object, so that the bytes checked are the bytes committed are the bytes sent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from .classes import SourceClass


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request as it will go out, without the header that carries the key.

    `headers` are in the order in which they are sent, names in lower case.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def canonical(self) -> bytes:
        """The whole request as bytes: method and URL, a line for each header, an empty line, the body."""
        lines = [f"{self.method} {self.url}", *(f"{name}: {value}" for name, value in self.headers)]
        return "\n".join(lines).encode() + b"\n\n" + self.body


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A response as it came: status, content type, body of bounded size, seconds to wait if it says so.

    location: where a redirect leads. cut: the body went on past the bound. wire: bytes of the body as it was sent,
    where that is another number.
    """

    status: int
    content_type: str
    body: bytes
    retry_after: int | None = None
    location: str | None = None
    cut: bool = False
    wire: int | None = None


@dataclass(frozen=True, slots=True)
class SourceResult:
    """One search result. Title and snippet are the source's words: never shown to the planner."""

    url: str
    title: str
    snippet: str
    source_class: SourceClass


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """A recognised answer to a search; no results means that the source said so.

    `dropped` counts results that could not be fetched later in any case (no http address, or an endless one).
    `raw` is the response's body, `request` the bytes as sent, `credits` what it cost, where the source says so.
    """

    results: tuple[SourceResult, ...]
    dropped: int
    raw: bytes
    status: int
    request: bytes
    credits: int | None = None


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as the source gives it: `raw` are its own bytes, `response` the body that carried them.

    captured_at_us: when it was fetched from the web, where that was not just now; microseconds since 1970-01-01 UTC.
    cut: it went on past the bound.
    """

    raw: bytes
    content_type: str
    final_url: str
    status: int
    response: bytes
    captured_at_us: int | None = None
    credits: int | None = None
    cut: bool = False


Prepare = Callable[[str, int], PreparedRequest]
"""From a query and the most results that are wanted to the request."""


class Source(Protocol):
    """A place that searches and fetches. Every method that reads an answer raises `SourceError`."""

    name: str

    def prepare_search(self, query: str, max_results: int) -> PreparedRequest:
        """The request for one query."""
        ...

    def prepare_fetch(self, url: str) -> PreparedRequest:
        """The request for one page."""
        ...

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """Send exactly `prepared`, and wait for the answer at most `timeout_s` seconds."""
        ...

    def without_recency(self) -> Prepare | None:
        """How a query is prepared without a bound on the age of what is found; None where there is no such bound."""
        ...

    async def answer(self, query: str, prepared: PreparedRequest, response: RawResponse) -> SourceAnswer:
        """The answer in a response to a query, or the error that it is."""
        ...

    def read_page(self, url: str, response: RawResponse) -> FetchedPage:
        """The page in a response, or the error that it is."""
        ...

    async def close(self) -> None:
        """Close its connections."""
        ...
