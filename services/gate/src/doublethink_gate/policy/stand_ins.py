"""Hosts that an operator has placed: dialled where the policy says, in place of what their names stand for.

For a closed network, and for tests against servers of one's own. They are part of the policy and so of its digest in
every ledger row, and every start says them.
"""

from __future__ import annotations

import ipaddress
import re
import ssl
from typing import Final

from doublethink_gate.fetching.rules import StandIn
from doublethink_gate.policy.errors import PolicyError
from doublethink_gate.policy.nodes import Section

_PLACE: Final = re.compile(r"([a-z0-9.-]{1,253})=(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})", re.ASCII)
_PEM: Final = re.compile(
    r"\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+", re.ASCII
)


def read_stand_ins(root: Section) -> tuple[tuple[tuple[str, str, int], ...], str]:
    """The section `stand_ins`: name, address and port of each, and the authority that is believed, as PEM.

    Raises PolicyError.
    """
    if not root.has("stand_ins"):
        return (), ""
    section = root.section("stand_ins")
    placed = {}
    for entry in section.texts("hosts"):
        found = _PLACE.fullmatch(entry)
        name, address, port = (
            ("", "", 0) if found is None else (found[1], found[2] or found[3], int(found[4]))
        )
        try:
            ipaddress.ip_address(address)
        except ValueError:
            found = None
        if found is None or not 0 < port < 65_536 or name in placed:
            raise PolicyError(
                "policy.stand_ins.hosts", section.line, 'each once, as "name=address:port", IPv6 in brackets'
            )
        placed[name] = (name, address, port)
    authority = section.text("authority", _PEM, "certificates as PEM") if section.has("authority") else ""
    try:
        if authority:
            ssl.create_default_context(cadata=authority)
    except ssl.SSLError:
        raise PolicyError("policy.stand_ins.authority", section.line, "must be certificates as PEM") from None
    section.nothing_else()
    return tuple(placed.values()), authority


def as_rules(placed: tuple[tuple[str, str, int], ...]) -> dict[str, StandIn]:
    """The form in which fetching has them."""
    return {name: StandIn(ipaddress.ip_address(address), port) for name, address, port in placed}
