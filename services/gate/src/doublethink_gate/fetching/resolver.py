"""From a name to addresses: once for each hop, and every one of them is judged."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from typing import Protocol

from .addresses import Address, judge_address
from .errors import UrlRefused
from .rules import FetchRules


class Resolver(Protocol):
    """Gives the addresses that a name stands for, in the order in which they should be tried. Raises OSError."""

    async def addresses(self, host: str) -> Sequence[Address]:
        """The addresses of a host."""
        ...


class SystemResolver:
    """The machine's own resolver."""

    async def addresses(self, host: str) -> Sequence[Address]:
        """The addresses of a host. The closing dot keeps the search list of the machine out. Raises OSError."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(f"{host}.", None, type=socket.SOCK_STREAM)
        return tuple(dict.fromkeys(ipaddress.ip_address(entry[4][0]) for entry in found))


async def judged_addresses(resolver: Resolver, host: str, rules: FetchRules) -> tuple[Address, ...]:
    """Return a host's addresses, all of which may be dialled. Raises UrlRefused, also where the name has none: what
    cannot be judged is not dialled.
    """
    placed = rules.stand_ins.get(host)
    if placed is not None:
        return (placed.address,)
    try:
        async with asyncio.timeout(rules.bounds.resolve_s):
            found = tuple(await resolver.addresses(host))
    except TimeoutError:
        raise UrlRefused("dns.timed_out", "the name was not resolved in time") from None
    except (OSError, UnicodeError):
        raise UrlRefused("dns.failed", "the name could not be resolved") from None
    if not 0 < len(found) <= rules.bounds.addresses:
        raise UrlRefused(
            "dns.count", f"the name stands for no address, or more than {rules.bounds.addresses}"
        )
    for address in found:
        judge_address(address, nat64=rules.nat64)
    return found
