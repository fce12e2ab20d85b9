"""Unit tests have no network: whatever opens a connection to an address is stopped, and the test fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

_EVENTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"})
_in_unit_test = False


class NetworkInUnitTest(Exception):
    """A unit test reached for the network."""


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if not _in_unit_test or event not in _EVENTS:
        return
    # The socket comes first where there is one; then the address, a path for a unix socket.
    address = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    if address is not None and not (isinstance(address, (str, bytes)) and event != "socket.getaddrinfo"):
        raise NetworkInUnitTest(event)


# An audit hook cannot be taken back: it looks at a flag. It sees Python's own sockets, not those of C libraries.
sys.addaudithook(_refuse)


@pytest.fixture(autouse=True)
def no_network() -> Iterator[None]:
    """Refuse the network while a unit test runs."""
    global _in_unit_test
    _in_unit_test = True
    yield
    _in_unit_test = False
