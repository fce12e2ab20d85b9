"""The console put together: store, engine, API and listeners."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import psycopg
from doublethink_rpc import failpoint, log
from doublethink_rpc.health import Health
from doublethink_rpc.metrics import MetricsListener
from doublethink_settings import read_secret
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from .config import Config, access_of
from .errors import EngineFailed, MigrationError, Refused, StartFailed
from .failpoints import Point
from .http.access import load_doorkeeper
from .http.bearer import load_token_entrance
from .http.entrance import Entrance, who
from .http.guard import FAULT_WORDS, Guard, is_for_a_browser
from .http.health import PeerHealth
from .http.listener import HttpListener
from .http.routes import Api
from .log.reading import Log
from .metrics import Metrics
from .pages.rendering import page
from .peers import Peers
from .runs.conduct import Tools
from .runs.engine import Engine, new_instance
from .runs.forgetting import Forgetting
from .runs.hub import Hub
from .sealing import Sealer, load_sealer
from .store.cases import Cases, Pool
from .store.events import Events
from .store.ledger_rows import LedgerRows
from .store.migrate import migrate
from .store.queue import RunQueue, with_schema
from .store.runs import Runs
from .store.sessions import Sessions

HEALTH_NAME: Final = "doublethink.console"
_POOL_S: Final = 10.0


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

    Raises SettingsError for files that cannot be used, StartRefused for failpoints that are not ours,
    StartFailed where database or schema do not serve.
    """
    failpoint.arm(Point, config.failpoints)
    sealer = load_sealer(config.keys.directory)
    metrics = Metrics()
    entrance = load_entrance(config, metrics)
    dsn = read_secret(config.database.dsn_file, "database.dsn_file")
    try:
        applied = await asyncio.to_thread(migrate, dsn)
    except MigrationError as error:
        raise StartFailed(str(error)) from None
    except psycopg.Error:
        raise StartFailed("the database does not answer: check database.dsn_file and the server") from None
    log().info("schema_ready", applied=applied)
    pool: Pool = AsyncConnectionPool(
        with_schema(dsn), min_size=1, max_size=config.database.pool, timeout=_POOL_S, open=False
    )
    try:
        await pool.open(wait=True, timeout=_POOL_S)
    except PoolTimeout:
        raise StartFailed("the database does not take connections") from None
    peers = Peers(config)
    try:
        console = _assemble(config, entrance, metrics, sealer, pool, peers, dsn)
        await console.engine.start()
        try:
            yield console
        finally:
            await console.engine.stop()
    finally:
        await peers.close()
        await pool.close()


def load_entrance(config: Config, metrics: Metrics) -> Entrance:
    """The one way in that a configuration has. Raises SettingsError."""
    access = access_of(config)
    if config.oidc is not None:
        return load_token_entrance(access, config.oidc, metrics, metrics.token_refused)
    token_file = config.access.token_file
    assert token_file is not None  # noqa: S101 - the configuration has one of the two
    return load_doorkeeper(access, token_file, config.runs.own_team)


def _assemble(
    config: Config,
    entrance: Entrance,
    metrics: Metrics,
    sealer: Sealer,
    pool: Pool,
    peers: Peers,
    dsn: str,
) -> Console:
    instance = new_instance()
    queue = RunQueue(pool, instance, own_only=config.runs.hold_interrupted)
    rows, source = LedgerRows(pool, sealer), Log(peers)
    tools = Tools(
        cases=Cases(pool, sealer),
        runs=Runs(pool, sealer, instance, queue),
        sessions=Sessions(pool),
        queue=queue,
        events=Events(pool, instance),
        rows=rows,
        log=source,
        forgetting=Forgetting(source, rows),
        peers=peers,
        hub=Hub(),
        limits=config.runs,
        planner_model=config.planner_model,
    )
    engine = Engine(dsn, instance, tools)
    api = Api(config, entrance, tools, engine, PeerHealth(config))
    routes = Starlette(routes=api.routes(), exception_handlers=_ANSWERS)
    return Console(Guard(metrics.counting(routes), entrance), engine, tools, metrics)


async def _not_here(request: Request, error: Exception) -> Response:
    """What the router refuses by itself: an unknown path or another method."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    return await _refused(request, Refused(status, "There is nothing here."))


async def _refused(request: Request, error: Exception) -> Response:
    """What a route declines, in its words."""
    if not isinstance(error, Refused):
        raise error
    if is_for_a_browser(request.scope):
        return page("refused.html", status=error.status, person=who(request), words=error.words)
    return JSONResponse({"error": error.words}, status_code=error.status)


async def _failed(request: Request, error: Exception) -> Response:
    """A fault. The guard logs its type."""
    return JSONResponse({"error": FAULT_WORDS}, status_code=500)


_ANSWERS: Final = {HTTPException: _not_here, Refused: _refused, Exception: _failed}


async def serve(config: Config) -> None:
    """Serve until a signal ends it. Raises SettingsError, StartFailed, or EngineFailed."""
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with AsyncExitStack() as stack:
        console = await stack.enter_async_context(running_console(config))
        health = Health(config.listen.health, (HEALTH_NAME,))
        await health.start()
        stack.push_async_callback(health.stop)
        if config.listen.metrics is not None:
            listener = MetricsListener(config.listen.metrics, console.metrics.registry)
            await listener.start()
            stack.push_async_callback(listener.stop)
        http = HttpListener(config.listen.http, console.app)
        await http.start()
        stack.push_async_callback(http.stop)
        await health.serving()
        log().info("server_started", services=1)
        await _either(ended, console.engine.failed)
        await health.stopping()
        # Who watches a stream would keep the listener open.
        console.tools.hub.stop()
    log().info("server_stopped")
    if console.engine.failed.is_set():
        raise EngineFailed("the engine cannot go on: its log event says why; start the console again")


async def _either(*events: asyncio.Event) -> None:
    waiting = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
