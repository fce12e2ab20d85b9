"""What a direct fetch may do."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one fetch: seconds to resolve, to connect, between two reads and in all; bytes on the wire and decoded of one
    answer; redirects; addresses that a name may stand for.
    """

    resolve_s: float = 5.0
    connect_s: float = 5.0
    read_s: float = 10.0
    total_s: float = 30.0
    wire_bytes: int = 16 * 1024 * 1024
    decoded_bytes: int = 16 * 1024 * 1024
    redirects: int = 5
    addresses: int = 16


@dataclass(frozen=True, slots=True)
class StandIn:
    """Where a name is dialled that an operator has placed: in place of what a look-up would give, and exempt from the
    table of special ranges.
    """

    address: ipaddress.IPv4Address | ipaddress.IPv6Address
    port: int


@dataclass(frozen=True, slots=True)
class FetchRules:
    """Hosts, schemes and bounds.

    hosts: `example.org` is that host, `*.example.org` each name of one more label, `.example.org` every name below it,
    `*` every public name. nat64: whether an address of the well-known NAT64 prefix is judged by the IPv4 address in it;
    else it is refused. ports: beside 443, and 80 where http is allowed; for tests against servers of their own.
    stand_ins: names that an operator has placed, which are looked up nowhere.
    """

    hosts: tuple[str, ...]
    schemes: tuple[str, ...] = ("https",)
    nat64: bool = False
    ports: tuple[int, ...] = ()
    bounds: Bounds = field(default_factory=Bounds)
    stand_ins: Mapping[str, StandIn] = field(default_factory=lambda: MappingProxyType({}))

    def lists(self, host: str) -> bool:
        """Whether a host's name (lower case, no closing dot) is allowed."""
        return any(_covers(allowed, host) for allowed in self.hosts)

    def names(self, host: str) -> bool:
        """Whether a host is allowed by a name, and not only because every host is."""
        return any(allowed != "*" and _covers(allowed, host) for allowed in self.hosts)


def _covers(allowed: str, host: str) -> bool:
    if allowed.startswith("*."):
        first, _, rest = host.partition(".")
        return bool(first) and rest == allowed[2:]
    return allowed in ("*", host) or (allowed.startswith(".") and host.endswith(allowed))
