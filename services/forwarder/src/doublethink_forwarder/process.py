"""The forwarder's listeners, from start to stop."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Final

import uvicorn
from doublethink_rpc import StartRefused, log
from doublethink_rpc.health import Health
from doublethink_rpc.metrics import MetricsListener
from prometheus_client import CollectorRegistry
from starlette.types import ASGIApp

from .config import Config, is_near
from .service import Forwarder
from .upstream import Upstream

HEALTH_NAME: Final = "doublethink.forwarder"
_GRACE_S: Final = 5
_MAX_CONNECTIONS: Final = 64


async def serve(config: Config) -> None:
    """Serve until a signal ends it. Raises StartRefused."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    if not is_near(config.model.address):
        # The memo goes to whoever has that address: said at each start, as long as it is so.
        log().warning("promise_void_model_is_remote")
    async with AsyncExitStack() as stack:
        upstream = Upstream(config.model, config.limits)
        stack.push_async_callback(upstream.close)
        health = Health(config.listen.health, (HEALTH_NAME,))
        await health.start()
        stack.push_async_callback(health.stop)
        registry = CollectorRegistry()
        forwarder = Forwarder(config, upstream, registry)
        if config.listen.metrics is not None:
            listener = MetricsListener(config.listen.metrics, registry)
            await listener.start()
            stack.push_async_callback(listener.stop)
        server = listening_server(forwarder.application())
        bound = bind(config.listen.socket, group=config.listen.socket_group)
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        await _either(serving, server.taking_requests)
        if serving.done():
            raise StartRefused("the listener ended at its start")
        await health.serving()
        log().info("server_started", services=1)
        await _either(serving, ended)
        await health.stopping()
        server.should_exit = True
        await serving
    log().info("server_stopped")


async def _either(serving: asyncio.Task[None], event: asyncio.Event) -> None:
    waiting = asyncio.create_task(event.wait())
    await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


def bind(path: Path, *, group: bool = False) -> socket.socket:
    """A unix socket at a path, in the place of one that was left behind. Raises StartRefused.

    group: the group of this process may connect, too.
    """
    bound = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        bound.bind(str(path))
        if group:
            path.chmod(0o660)
    except OSError:
        bound.close()
        raise StartRefused(
            "listen.socket cannot be bound: its directory must be there and writable"
        ) from None
    return bound


class ListeningServer(uvicorn.Server):
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


def listening_server(app: ASGIApp) -> ListeningServer:
    """A server for an application, to be given a socket."""
    config = uvicorn.Config(
        app,
        # Its own logs would hold paths and texts of exceptions.
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http="h11",
        loop="asyncio",
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return ListeningServer(config)
