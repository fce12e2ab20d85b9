"""The guard that keeps unit tests off the network works."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest


def test_a_connection_to_an_address_is_refused() -> None:
    """Loopback counts as the network too."""
    with socket.socket() as inet, pytest.raises(Exception, match=r"socket\.connect"):
        inet.connect(("127.0.0.1", 9))


def test_a_name_is_not_looked_up() -> None:
    """A lookup would leave the machine before any connection does."""
    with pytest.raises(Exception, match=r"socket\.getaddrinfo"):
        socket.getaddrinfo("example.invalid", 80)


def test_unix_sockets_are_not_the_network(tmp_path: Path) -> None:
    """Processes of one machine may be tested over a path."""
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(path)
        server.listen()
        client.connect(path)
