"""Destination: is this a place the policy lets anything go to?"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from doublethink_gate.checks.container import Opened
from doublethink_gate.checks.decision import Finding
from doublethink_gate.checks.request import Request, RequestKind
from doublethink_gate.policy import Policy

# A host whose last label is a number is an address in disguise (WHATWG URL, "ends in a number").
_NUMERIC_LAST_LABEL = re.compile(r"(?:^|\.)(?:\d+|0[xX][0-9a-fA-F]*)\.?$")


def check_destination(request: Request, opened: Opened, policy: Policy) -> Iterator[Finding]:
    """Yield a finding if the source, scheme or host is not allowed.

    A query without destination is not judged.
    """
    size = len(request.payload)
    if request.kind is RequestKind.QUERY:
        if request.destination is not None and request.destination not in policy.sources:
            yield Finding("destination.source", "destination", 0, size)
        return
    if request.kind is RequestKind.BODY:
        if request.destination is not None and not policy.allows_provider(request.destination):
            yield Finding("destination.host", "destination", 0, size)
        return
    parts = opened.url
    if parts is None or parts.hostname is None:
        yield Finding("destination.host", "destination", 0, size)
        return
    if parts.scheme not in policy.destinations.schemes:
        yield Finding("destination.scheme", "destination", 0, size)
    if _is_address(parts.hostname):
        yield Finding("destination.address", "destination", 0, size)
    elif not policy.allows_host(parts.hostname):
        yield Finding("destination.host", "destination", 0, size)
    if parts.username is not None or parts.password is not None:
        yield Finding("destination.userinfo", "destination", 0, size)


def is_judged(request: Request) -> bool:
    """Whether there is a destination to judge."""
    return request.kind is RequestKind.URL or request.destination is not None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return bool(_NUMERIC_LAST_LABEL.search(host)) or host == "localhost" or host.endswith(".localhost")
    return True
