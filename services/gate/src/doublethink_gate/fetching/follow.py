"""A whole fetch: each hop is judged afresh, and recorded before it is made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from urllib.parse import urljoin

from .addresses import Address
from .errors import FetchFailed, UrlRefused
from .guard import Target, judge_url
from .resolver import Resolver, judged_addresses
from .rules import FetchRules
from .transport import Answer, Transport

Before = Callable[[Target, tuple[Address, ...]], Awaitable[None]]
"""Called before each hop is dialled, with what was judged: where the attempt is checked and written down. What it
raises ends the fetch."""

_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain"})


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page. hops: every URL that was asked, in order; the last one gave the answer. cut: it is not whole."""

    answer: Answer
    hops: tuple[str, ...]


async def follow(
    url: str, rules: FetchRules, resolver: Resolver, transport: Transport, before: Before
) -> Fetched:
    """Fetch a page. Raises UrlRefused, FetchFailed, and what `before` raises."""
    hops: list[str] = []
    try:
        async with asyncio.timeout(rules.bounds.total_s):
            while True:
                target = judge_url(url, _without_downgrade(rules, hops))
                addresses = await judged_addresses(resolver, target.host, rules)
                await before(target, addresses)
                hops.append(target.url)
                answer = await transport.get(target, addresses, rules.bounds)
                if answer.location is None:
                    break
                if len(hops) > rules.bounds.redirects:
                    raise UrlRefused("redirect.count", f"more than {rules.bounds.redirects} redirects")
                url = _next(target, answer.location)
    except TimeoutError:
        raise FetchFailed("timed_out", f"not done after {rules.bounds.total_s:g} s") from None
    media_type = answer.content_type.partition(";")[0].strip().lower()
    if answer.status == 200 and media_type not in _TYPES:
        raise FetchFailed("content_type", "neither HTML nor plain text")
    return Fetched(answer, tuple(hops))


def _without_downgrade(rules: FetchRules, hops: list[str]) -> FetchRules:
    """Once a hop was encrypted, so is every one after it."""
    return replace(rules, schemes=("https",)) if any(hop.startswith("https:") for hop in hops) else rules


def _next(target: Target, location: str) -> str:
    # Before it is joined: the library that joins would drop what does not belong there.
    if not location.isascii() or any(character <= " " or character in "\\\x7f" for character in location):
        raise UrlRefused("redirect.location", "the new address holds what addresses may not hold")
    try:
        return urljoin(target.url, location)
    except ValueError:
        raise UrlRefused("redirect.location", "the new address cannot be read") from None
