"""Nobody keeps the holder of the token out of the console by opening connections and saying nothing."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import pytest
from doublethink_console.http import connections
from doublethink_console.http.listener import HttpListener
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

_HEAD = b"POST /take HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"


async def _take(request: Request) -> Response:
    return JSONResponse({"bytes": len(await request.body())})


async def _stream(_request: Request) -> Response:
    async def pieces() -> AsyncIterator[str]:
        while True:
            yield "piece\n"
            await asyncio.sleep(0.01)

    return StreamingResponse(pieces())


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """The port of the console's listener over two routes of its own, with a short time for a request."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.3)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = int(probe.getsockname()[1])
    routes = [Route("/take", _take, methods=["POST"]), Route("/stream", _stream, methods=["GET"])]
    listener = HttpListener(f"127.0.0.1:{number}", Starlette(routes=routes))
    await listener.start()
    yield number
    await listener.stop()


class Clients:
    """Opens connections and closes them all at the end."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: list[asyncio.StreamWriter] = []

    async def open(self, sent: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which something has been sent."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers.append(writer)
        writer.write(sent)
        return reader, writer

    async def answer(self) -> bytes:
        """The first line of the answer to a whole request."""
        reader, _ = await self.open(_HEAD + b'{"a": 12}')
        return await reader.readline()

    async def close(self) -> None:
        """Close all."""
        for writer in self._writers:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


@pytest.fixture
async def clients(port: int) -> AsyncIterator[Clients]:
    """Clients of the listener."""
    opened = Clients(port)
    yield opened
    await opened.close()


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET /take HT", _HEAD, _HEAD + b'{"a"', _HEAD + b'{"a": 12}' + b"GET /again"],
    ids=["nothing", "half a head", "no body", "half a body", "half of a second request"],
)
async def test_a_request_that_does_not_arrive_is_given_up(clients: Clients, sent: bytes) -> None:
    """Wherever it stops, the connection is closed by the console and not kept for ever."""
    reader, _ = await clients.open(sent)
    async with asyncio.timeout(20):
        await _rest(reader)
    assert connections.BoundedProtocol.waiting == {}


async def test_a_request_that_comes_byte_by_byte_is_given_up(clients: Clients) -> None:
    """The time runs from its first byte on: a byte now and then does not prolong it."""
    reader, writer = await clients.open(b"GET /")
    ended = asyncio.create_task(_rest(reader))
    async with asyncio.timeout(20):
        while not ended.done():
            writer.write(b"a")
            await asyncio.sleep(0.02)


async def test_half_sent_requests_keep_nobody_out(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more of them open than connections are allowed in all, a whole request is answered."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 600)
    for _ in range(300):
        await clients.open(b"GET / HTTP/1.1\r\n")
    assert await clients.answer() == b"HTTP/1.1 200 OK\r\n"


async def test_connections_kept_after_an_answer_keep_nobody_out(clients: Clients) -> None:
    """An answer, a refusal included, earns no place for ever."""
    for _ in range(300):
        reader, _ = await clients.open(b"GET /none HTTP/1.1\r\nHost: h\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 404")
    assert await clients.answer() == b"HTTP/1.1 200 OK\r\n"


async def test_a_stream_of_events_goes_on(clients: Clients) -> None:
    """An answer may take as long as it likes: only requests are timed, and flooding ends no stream."""
    reader, _ = await clients.open(b"GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    for _ in range(200):
        last, _ = await clients.open(b"GET")
    async with asyncio.timeout(20):
        await _rest(last)
    # More than can have been waiting in the buffers since.
    for _ in range(200):
        assert await reader.readline() != b""
