"""One hop: the checked addresses are dialled and no others, one request, one bounded answer.

TLS is verified against the name and not the address; Host and SNI are the name's. Nothing is taken from the
environment, no connection outlives its hop, and a redirect is an answer like any other. Header lines are bounded by the
library (h11: 100 KiB at once), answers without an end by the deadline.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

import httpcore

from .addresses import Address
from .decoding import ACCEPTED, Body
from .errors import FetchFailed
from .guard import Target
from .rules import Bounds, StandIn

_HEADERS: Final = (
    ("accept", "text/html, application/xhtml+xml, text/plain;q=0.9, application/pdf;q=0.9"),
    ("accept-encoding", ACCEPTED),
    ("user-agent", "doublethink"),
    ("connection", "close"),
)
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_DIALLED: Final = 4
"""Addresses that are tried before a host counts as unreachable."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a target is asked: method, header lines in their order, all of them, and body."""

    method: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


def page_ask(target: Target) -> Ask:
    """What a page is asked for with: nothing that tells one reader from another."""
    return Ask("GET", (("host", target.authority), *_HEADERS))


@dataclass(frozen=True, slots=True)
class Answer:
    """A hop's answer. location is None where it is no redirect; cut: the body went on past a bound. retry_after: the
    header as it came.
    """

    status: int
    content_type: str
    body: bytes
    cut: bool
    location: str | None
    wire_bytes: int
    retry_after: str = ""


class Transport(Protocol):
    """Sends one request for a target to one of its addresses. Raises FetchFailed."""

    async def send(self, ask: Ask, target: Target, addresses: Sequence[Address], bounds: Bounds) -> Answer:
        """The answer."""
        ...


class DirectTransport:
    """Dials by itself. tls: the context that decides which certificates are believed. stand_ins: names that are dialled
    at a port of the operator's.
    """

    def __init__(self, tls: ssl.SSLContext, stand_ins: Mapping[str, StandIn] = MappingProxyType({})) -> None:
        self._tls = tls
        self._stand_ins = stand_ins

    async def send(self, ask: Ask, target: Target, addresses: Sequence[Address], bounds: Bounds) -> Answer:
        """The answer. Raises FetchFailed."""
        placed = self._stand_ins.get(target.host)
        dialer = _Dialer(target, addresses, target.port if placed is None else placed.port)
        connect, read = bounds.connect_s, bounds.read_s
        timeout = {"connect": connect, "read": read, "write": read, "pool": connect}
        try:
            async with (
                asyncio.timeout(bounds.total_s),
                httpcore.AsyncConnectionPool(
                    ssl_context=self._tls,
                    max_connections=1,
                    max_keepalive_connections=0,
                    network_backend=dialer,
                ) as pool,
                pool.stream(
                    ask.method.encode(),
                    httpcore.URL(
                        scheme=target.scheme.encode(),
                        host=target.host.encode(),
                        port=target.port,
                        target=target.path.encode(),
                    ),
                    headers=[(name.encode(), value.encode()) for name, value in ask.headers],
                    content=ask.body or None,
                    extensions={"timeout": timeout},
                ) as response,
            ):
                return await _answer(response, bounds)
        except (httpcore.TimeoutException, TimeoutError):
            raise FetchFailed("timed_out", "the host did not answer in time") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError) as error:
            raise FetchFailed("unreachable", f"no answer could be read ({type(error).__name__})") from None


async def _answer(response: httpcore.Response, bounds: Bounds) -> Answer:
    headers = {name.lower(): value.decode("latin-1") for name, value in reversed(response.headers)}
    location = headers.get(b"location") if response.status in _REDIRECTS else None
    content_type, retry_after = headers.get(b"content-type", ""), headers.get(b"retry-after", "")
    if location is not None:
        # Its body is for people without a browser: it is not read.
        return Answer(response.status, content_type, b"", False, location, 0)
    body = Body(headers.get(b"content-encoding", ""), bounds.wire_bytes, bounds.decoded_bytes)
    async for piece in response.aiter_stream():
        if not body.add(piece):
            break
    return Answer(response.status, content_type, body.whole(), body.cut, None, body.wire, retry_after)


class _Dialer(httpcore.AsyncNetworkBackend):
    """Connects to the addresses that were checked, at one port, whatever it is asked for; refuses another name."""

    def __init__(self, target: Target, addresses: Sequence[Address], port: int) -> None:
        self._target, self._addresses, self._port = target, addresses, port
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Dial one checked address after the other. Raises httpcore.ConnectError."""
        if (host, port) != (self._target.host, self._target.port):
            raise httpcore.ConnectError("another host than the one that was judged")
        failed: Exception = httpcore.ConnectError("no address")
        for address in self._addresses[:_DIALLED]:
            try:
                return await self._backend.connect_tcp(str(address), self._port, timeout=timeout)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Never: raises httpcore.ConnectError."""
        raise httpcore.ConnectError("no sockets of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait; used between retries, of which there are none."""
        await asyncio.sleep(seconds)
