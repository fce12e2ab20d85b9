"""An HTTP/1.1 server on loopback that keeps every request: the outside world, as the gate meets it.

Each attack is a function from a request to an answer, so that a test of one is a few lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import h11


@dataclass(frozen=True)
class SeenRequest:
    """A request as it arrived."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the one header of this name, or None."""
        values = [value for key, value in self.headers if key == name.lower()]
        assert len(values) <= 1, f"{name} came {len(values)} times"
        return values[0] if values else None


@dataclass(frozen=True)
class SimAnswer:
    """What the outside world says. `drop` closes the connection without an answer, `silent` never answers."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    drop: bool = False
    silent: bool = False
    headers: tuple[tuple[str, str], ...] = ()


Handler = Callable[[SeenRequest], Awaitable[SimAnswer]]


class SimWeb:
    """Serves a handler on a loopback port and remembers every request."""

    def __init__(self, handler: Handler, tls: ssl.SSLContext | None = None) -> None:
        self._handler = handler
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.seen: list[SeenRequest] = []

    @property
    def url(self) -> str:
        """The base URL, by address: http://127.0.0.1:PORT."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    def everything_seen(self) -> bytes:
        """All bytes that arrived in targets, header values and bodies, joined."""
        parts = []
        for request in self.seen:
            parts.append(request.target.encode())
            parts.extend(value.encode() for _, value in request.headers)
            parts.append(request.body)
        return b"\n".join(parts)

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)

    async def stop(self) -> None:
        """Close the port and every connection."""
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the gate, or the end of the test, went away
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER)
        while True:
            head: h11.Request | None = None
            body = b""
            while True:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    connection.receive_data(await reader.read(65536))
                elif isinstance(event, h11.Request):
                    head = event
                elif isinstance(event, h11.Data):
                    body += bytes(event.data)
                elif isinstance(event, h11.EndOfMessage):
                    break
                else:  # ConnectionClosed
                    return
            assert head is not None
            request = SeenRequest(
                head.method.decode(),
                head.target.decode(),
                tuple((name.decode().lower(), value.decode("latin-1")) for name, value in head.headers),
                body,
            )
            self.seen.append(request)
            answer = await self._handler(request)
            if answer.drop:
                return
            if answer.silent:
                await asyncio.sleep(3600)
            response = h11.Response(
                status_code=answer.status,
                headers=[
                    ("content-type", answer.content_type),
                    ("content-length", str(len(answer.body))),
                    *answer.headers,
                ],
            )
            writer.write(connection.send(response) or b"")
            writer.write(connection.send(h11.Data(data=answer.body)) or b"")
            writer.write(connection.send(h11.EndOfMessage()) or b"")
            await writer.drain()
            if connection.our_state is h11.MUST_CLOSE:
                return
            connection.start_next_cycle()


@contextlib.asynccontextmanager
async def serving(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[SimWeb]:
    """Serve a handler while the block runs."""
    web = SimWeb(handler, tls)
    await web.start()
    try:
        yield web
    finally:
        await web.stop()
