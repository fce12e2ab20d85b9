"""A whole fetch: each hop is judged afresh, and recorded before it is made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .addresses import Address
from .errors import FetchFailed
from .guard import Target
from .hops import Hops
from .resolver import Resolver, judged_addresses
from .rules import FetchRules
from .transport import Answer, Transport, page_ask

Before = Callable[[Target, tuple[Address, ...]], Awaitable[None]]
"""Called before each hop is dialled, with what was judged: where the attempt is checked and written down. What it
raises ends the fetch."""

_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain", "application/pdf"})


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
    chain = Hops(rules)
    try:
        async with asyncio.timeout(rules.bounds.total_s):
            while True:
                target = chain.judge(url)
                addresses = await judged_addresses(resolver, target.host, rules)
                await before(target, addresses)
                hops.append(target.url)
                answer = await transport.send(page_ask(target), target, addresses, rules.bounds)
                if answer.location is None:
                    break
                url = chain.onward(target, answer.location)
    except TimeoutError:
        raise FetchFailed("timed_out", f"not done after {rules.bounds.total_s:g} s") from None
    media_type = answer.content_type.partition(";")[0].strip().lower()
    if answer.status == 200 and media_type not in _TYPES:
        raise FetchFailed("content_type", "neither HTML nor plain text nor PDF")
    return Fetched(answer, tuple(hops))
