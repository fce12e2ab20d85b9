"""Which IP addresses may be dialled: an explicit table of those that may not.

The table is ours because a library's "is global" answers another question: it calls multicast, 6to4, NAT64 and some of
the younger assignments global. The ranges are those of the IANA special-purpose address registries (RFC 6890 and its
successors), with what they leave out: multicast, deprecated prefixes, and a cloud's wire server in public space. Of
IPv6 only 2000::/3 is in use at all; everything outside it is refused without being listed.
"""

from __future__ import annotations

import ipaddress
from typing import Final

from .errors import UrlRefused

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
"""The well-known prefix of RFC 6052: the last 32 bits are an IPv4 address."""

_GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")

_SPECIAL_4: Final = tuple(
    (ipaddress.IPv4Network(network), rule)
    for network, rule in (
        ("0.0.0.0/8", "this_network"),  # RFC 791; the unspecified address reaches this machine
        ("10.0.0.0/8", "private"),  # RFC 1918
        ("100.64.0.0/10", "shared"),  # RFC 6598: carriers, and some clouds' metadata
        ("127.0.0.0/8", "loopback"),  # RFC 1122
        ("168.63.129.16/32", "wire_server"),  # Azure's, reachable from every virtual machine there
        ("169.254.0.0/16", "link_local"),  # RFC 3927: the clouds' metadata
        ("172.16.0.0/12", "private"),  # RFC 1918
        ("192.0.0.0/24", "protocol_assignments"),  # RFC 6890
        ("192.0.2.0/24", "documentation"),  # RFC 5737
        ("192.31.196.0/24", "as112"),  # RFC 7535
        ("192.52.193.0/24", "multicast_relay"),  # RFC 7450
        ("192.88.99.0/24", "six_to_four_relay"),  # RFC 7526
        ("192.168.0.0/16", "private"),  # RFC 1918
        ("192.175.48.0/24", "as112"),  # RFC 7534
        ("198.18.0.0/15", "benchmarking"),  # RFC 2544
        ("198.51.100.0/24", "documentation"),  # RFC 5737
        ("203.0.113.0/24", "documentation"),  # RFC 5737
        ("224.0.0.0/4", "multicast"),  # RFC 5771
        ("240.0.0.0/4", "reserved"),  # RFC 1112, with the limited broadcast
    )
)
_SPECIAL_6: Final = tuple(
    (ipaddress.IPv6Network(network), rule)
    for network, rule in (
        # Teredo, ORCHID, benchmarking, drone ids and what will be assigned next (RFC 2928).
        ("2001::/23", "protocol_assignments"),
        ("2001:db8::/32", "documentation"),  # RFC 3849
        ("2002::/16", "six_to_four"),  # RFC 3056: carries an IPv4 address
        ("2620:4f:8000::/48", "as112"),  # RFC 7534
        ("3ffe::/16", "six_bone"),  # RFC 3701: given back
        ("3fff::/20", "documentation"),  # RFC 9637
    )
)


def judge_address(address: Address, *, nat64: bool = False) -> None:
    """Raise UrlRefused unless an address is a public one. A scope id is refused with its address."""
    if isinstance(address, ipaddress.IPv6Address):
        _judge_6(address, nat64=nat64)
        return
    for network, rule in _SPECIAL_4:
        if address in network:
            raise UrlRefused(f"address.{rule}", f"the name stands for an address in {network}")


def _judge_6(address: ipaddress.IPv6Address, *, nat64: bool) -> None:
    if address in NAT64:
        if not nat64:
            raise UrlRefused(
                "address.nat64",
                "the name stands for a NAT64 address of another network",
                "destinations.nat64",
            )
        judge_address(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        return
    if address.scope_id is not None:
        raise UrlRefused("address.scoped", "the address names an interface of this machine")
    if address not in _GLOBAL_UNICAST:
        raise UrlRefused("address.not_global", f"the name stands for an address outside {_GLOBAL_UNICAST}")
    for network, rule in _SPECIAL_6:
        if address in network:
            raise UrlRefused(f"address.{rule}", f"the name stands for an address in {network}")
