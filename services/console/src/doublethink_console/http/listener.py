"""The HTTP listener: uvicorn on a socket that is bound here, started and stopped as all listeners are."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from doublethink_console.errors import StartFailed

from .connections import BoundedProtocol

_GRACE_S: Final = 5
_MAX_CONNECTIONS: Final = 256
_MAX_HEAD_BYTES: Final = 16_384


class HttpListener:
    """Serves an application at "unix:PATH" or "HOST:PORT"."""

    def __init__(self, address: str, app: ASGIApp) -> None:
        self._address = address
        self._server = _Server(_config(app))
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Bind, and return when requests are taken. Raises StartFailed."""
        bound = _bind(self._address)
        self._serving = asyncio.create_task(self._server.serve(sockets=[bound]))
        waiting = asyncio.create_task(self._server.taking_requests.wait())
        await asyncio.wait({self._serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._serving.done():
            raise StartFailed("the HTTP listener ended at its start")

    async def stop(self) -> None:
        """Take no new requests, give running ones five seconds."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers, which would end the process before it is cleaned up."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.taking_requests = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.taking_requests.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        # Its own logs would hold paths and texts of exceptions.
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http=BoundedProtocol,
        loop="asyncio",
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_S,
        h11_max_incomplete_event_size=_MAX_HEAD_BYTES,
    )


def _bind(address: str) -> socket.socket:
    """A bound socket. Raises StartFailed."""
    if address.startswith("unix:"):
        family, target = socket.AF_UNIX, address.removeprefix("unix:")
    else:
        host, _, port = address.rpartition(":")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family)
    try:
        if family == socket.AF_UNIX:
            Path(target).unlink(missing_ok=True)
            bound.bind(target)
            Path(target).chmod(0o600)
        else:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host.strip("[]"), int(port)))
    except OSError as error:
        bound.close()
        raise StartFailed(f"listen.http cannot be bound: {error.strerror}") from None
    return bound
