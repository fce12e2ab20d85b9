"""The console put together: store, engine, API and listeners."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
import uvicorn
from doublethink_rpc import log
from doublethink_rpc.health import Health
from doublethink_rpc.metrics import MetricsListener
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from .config import Config
from .errors import ConfigError, MigrationError, StartFailed
from .http.access import Doorkeeper, load_doorkeeper
from .http.guard import Guard
from .http.health import PeerHealth
from .http.routes import Api
from .metrics import Metrics
from .peers import Peers
from .runs.conduct import Tools
from .runs.engine import Engine, new_instance
from .runs.hub import Hub
from .sealing import Sealer, load_sealer
from .store.cases import Cases, Pool
from .store.events import Events
from .store.ledger_rows import LedgerRows
from .store.migrate import migrate
from .store.runs import Runs

HEALTH_NAME: Final = "doublethink.console"
_MAX_DSN_BYTES: Final = 4096
_POOL_S: Final = 10.0
_GRACE_S: Final = 5


@dataclass(frozen=True, slots=True)
class Console:
    """A console whose engine runs, and its ASGI application."""

    app: ASGIApp
    engine: Engine
    tools: Tools
    metrics: Metrics


@asynccontextmanager
async def running_console(config: Config) -> AsyncIterator[Console]:
    """Migrate, connect and start the engine; stop it at the end.

    Raises ConfigError for files that cannot be used, StartFailed where database or schema do not serve.
    """
    sealer, doorkeeper, dsn = (
        load_sealer(config.keys),
        load_doorkeeper(config.access),
        read_dsn(config.dsn_file),
    )
    try:
        applied = await asyncio.to_thread(migrate, dsn)
    except MigrationError as error:
        raise StartFailed(str(error)) from None
    except psycopg.Error:
        raise StartFailed("the database does not answer: check database.dsn_file and the server") from None
    log().info("schema_ready", applied=applied)
    pool: Pool = AsyncConnectionPool(dsn, min_size=1, max_size=config.pool, timeout=_POOL_S, open=False)
    try:
        await pool.open(wait=True, timeout=_POOL_S)
    except PoolTimeout:
        raise StartFailed("the database does not take connections") from None
    peers = Peers(config)
    try:
        console = _assemble(config, doorkeeper, sealer, pool, peers, dsn)
        await console.engine.start()
        try:
            yield console
        finally:
            await console.engine.stop()
    finally:
        await peers.close()
        await pool.close()


def _assemble(
    config: Config, doorkeeper: Doorkeeper, sealer: Sealer, pool: Pool, peers: Peers, dsn: str
) -> Console:
    instance = new_instance()
    metrics = Metrics()
    tools = Tools(
        cases=Cases(pool, sealer),
        runs=Runs(pool, sealer, instance),
        events=Events(pool, instance),
        rows=LedgerRows(pool, sealer),
        peers=peers,
        hub=Hub(),
        limits=config.runs,
    )
    engine = Engine(dsn, instance, tools)
    api = Api(config, doorkeeper, tools, engine, PeerHealth(config))
    routes = Starlette(routes=api.routes(), exception_handlers={HTTPException: _not_here})
    return Console(Guard(metrics.counting(routes), doorkeeper), engine, tools, metrics)


async def _not_here(request: Request, error: Exception) -> Response:
    """What the router refuses by itself: an unknown path or another method."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"error": "There is nothing here."}, status_code=status)


async def serve(config: Config) -> None:
    """Serve until a signal ends it. Raises ConfigError or StartFailed."""
    async with running_console(config) as console:
        health = Health(config.health, (HEALTH_NAME,))
        listener = MetricsListener(config.metrics, console.metrics.registry) if config.metrics else None
        await health.start()
        if listener is not None:
            await listener.start()
        server = _Server(_uvicorn_config(console.app), health)
        server.ends_on_signal(console.tools.hub)
        try:
            await server.serve(sockets=[_bound_socket(config.http)])
        finally:
            await health.stopping()
            if listener is not None:
                await listener.stop()
            await health.stop()
            log().info("server_stopped")


def _bound_socket(address: str) -> socket.socket:
    """A bound socket. Raises StartFailed."""
    try:
        if address.startswith("unix:"):
            path = Path(address.removeprefix("unix:"))
            path.unlink(missing_ok=True)
            bound = socket.socket(socket.AF_UNIX)
            bound.bind(str(path))
            path.chmod(0o600)
            return bound
        host, _, port = address.rpartition(":")
        host = host.strip("[]")
        bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, int(port)))
    except OSError as error:
        raise StartFailed(f"listen.http cannot be bound: {error.strerror}") from None
    return bound


class _Server(uvicorn.Server):
    """A server that a signal ends in order: uvicorn's own way kills the process before it is cleaned up."""

    def __init__(self, config: uvicorn.Config, health: Health) -> None:
        super().__init__(config)
        self._health = health

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Take connections, then say so."""
        await super().startup(sockets)
        await self._health.serving()
        log().info("server_started", services=1)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone; `ends_on_signal` has them."""
        yield

    def ends_on_signal(self, hub: Hub) -> None:
        """End on SIGTERM and SIGINT, and let those who watch a stream go."""

        def end() -> None:
            self.should_exit = True
            hub.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, end)


def _uvicorn_config(app: ASGIApp) -> uvicorn.Config:
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
        http="h11",
        loop="asyncio",
        limit_concurrency=256,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_S,
        h11_max_incomplete_event_size=16_384,
    )


def read_dsn(path: Path) -> str:
    """The connection string in a file. Raises ConfigError."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"database.dsn_file: cannot read {path}: {error.strerror}") from None
    text = raw[:_MAX_DSN_BYTES].decode("utf-8", errors="replace").strip()
    if not text or "\n" in text:
        raise ConfigError(f"database.dsn_file: {path} does not hold one connection string")
    return text
