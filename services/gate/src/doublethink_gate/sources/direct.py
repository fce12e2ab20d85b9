"""Pages asked of their own servers, one hop at a time: each is checked, written down and sent by itself.

The guard judges the text of an address before its row is written, here only to give the request its form, and in the
checks for the verdict. A name is looked up when the request is sent: a look-up leaves the machine too, so that it comes
after the row. An address that is refused then ends the attempt without a byte to it.
"""

from __future__ import annotations

import asyncio

from doublethink_gate.fetching import FetchFailed, FetchRules, UrlRefused, judge_url
from doublethink_gate.fetching.hops import Hops
from doublethink_gate.fetching.resolver import Resolver, judged_addresses
from doublethink_gate.fetching.transport import Answer, Ask, Transport, page_ask

from .errors import (
    AddressRefused,
    BadShape,
    PageUnavailable,
    RateLimited,
    RedirectRefused,
    ServerError,
    TimedOut,
    Unreachable,
)
from .model import FetchedPage, PreparedRequest, RawResponse

_MAX_RETRY_AFTER = 3600
_FEW_S = 2
_MAX_URL = 2048
_MAX_CONTENT_TYPE = 1000


class DirectPages:
    """Asks web servers. rules: which of them."""

    def __init__(self, rules: FetchRules, resolver: Resolver, transport: Transport) -> None:
        self.rules = rules
        self._resolver = resolver
        self._transport = transport

    def hops(self) -> Hops:
        """The hops of a new fetch."""
        return Hops(self.rules)

    def prepare(self, url: str, rules: FetchRules | None = None) -> PreparedRequest:
        """The request for one hop. What the guard refuses gets a form too, so that its row says what was refused."""
        try:
            target = judge_url(url, rules or self.rules)
        except UrlRefused:
            return PreparedRequest("GET", url, (), b"")
        ask = page_ask(target)
        return PreparedRequest(ask.method, target.url, ask.headers, b"")

    async def send(
        self, prepared: PreparedRequest, timeout_s: float, rules: FetchRules | None = None
    ) -> RawResponse:
        """Send exactly `prepared` to a public address. Raises AddressRefused, TimedOut, Unreachable, BadShape."""
        rules = rules or self.rules
        try:
            async with asyncio.timeout(timeout_s):
                target = judge_url(prepared.url, rules)
                addresses = await judged_addresses(self._resolver, target.host, rules)
                ask = Ask(prepared.method, prepared.headers, prepared.body)
                answer = await self._transport.send(ask, target, addresses, rules.bounds)
        except UrlRefused as refused:
            if refused.rule in ("dns.timed_out", "dns.failed"):
                raise Unreachable(sent=False) from None
            raise AddressRefused(refused.rule) from None
        except FetchFailed as failed:
            raise _error(failed) from None
        except TimeoutError:
            raise TimedOut from None
        return _response(answer)

    def onward(self, hops: Hops, prepared: PreparedRequest, location: str) -> str:
        """Where a redirect leads, not judged yet. Raises RedirectRefused."""
        try:
            return hops.onward(hops.judge(prepared.url), location)
        except UrlRefused as refused:
            raise RedirectRefused(refused.rule) from None

    def read_page(self, url: str, response: RawResponse) -> FetchedPage:
        """The page in an answer. Raises PageUnavailable, RateLimited, ServerError, BadShape."""
        if response.status == 429:
            raise RateLimited(response.retry_after)
        if response.status >= 500:
            raise ServerError(response.status)
        if response.status != 200:
            raise PageUnavailable
        if len(url) > _MAX_URL:
            raise BadShape("url")
        return FetchedPage(
            response.body, response.content_type, url, response.status, response.body, cut=response.cut
        )


def _error(failed: FetchFailed) -> Exception:
    if failed.kind == "timed_out":
        return TimedOut()
    if failed.kind == "unreachable":
        return Unreachable(sent=True)
    return BadShape("encoding")


def _response(answer: Answer) -> RawResponse:
    wait = answer.retry_after.strip()
    seconds = int(wait) if wait.isascii() and wait.isdigit() and len(wait) <= 9 else None
    return RawResponse(
        status=answer.status,
        content_type=answer.content_type[:_MAX_CONTENT_TYPE],
        body=answer.body,
        retry_after=None if seconds is None else min(max(seconds, _FEW_S), _MAX_RETRY_AFTER),
        location=answer.location,
        cut=answer.cut,
        wire=answer.wire_bytes,
    )
