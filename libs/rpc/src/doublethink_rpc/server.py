"""A server of the platform: contracts in, listeners out."""

from __future__ import annotations

import asyncio
import inspect
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from grpc import aio
from prometheus_client import CollectorRegistry

from . import logs
from .admission import Admission
from .contract import MAX_DEADLINE_MS, MAX_MESSAGE_BYTES, ROLES, MethodContract, read_service
from .ending import LASTING_S, Ending
from .endpoint import Endpoint
from .errors import StartRefused
from .health import Health
from .metrics import Metrics, MetricsListener
from .tls import TlsFiles, Watched, server_credentials

CONNECTION_AGE_S: Final = 20.0
"""How old a connection gets before its callers make a new one; gRPC adds or takes up to a tenth of it.

So a replaced certificate counts, and callers leave a server whose address leads elsewhere by now. While it takes calls
still, none is lost by that. Once it stops, calls on their way to it are cancelled.
"""


@dataclass(frozen=True)
class ServerConfig:
    """How a process serves. Addresses are "unix:/path/to.sock" or "host:port"; `listen` may be several.

    `role` is the process's own and must be its certificate's. `max_concurrent`
    calls run at a time and `queue` more wait. At the end running calls get `stop_s`
    seconds; those that may last longer by their contract get five of them. Callers connect anew after
    `connection_age_s` seconds; calls that run are let finish.
    """

    role: str
    listen: str | Sequence[str]
    tls: TlsFiles
    health_listen: str
    metrics_listen: str | None
    max_concurrent: int = 64
    queue: int = 256
    stop_s: float = 5.0
    connection_age_s: float = CONNECTION_AGE_S


class Server:
    """Serves the given services. Raises StartRefused where a contract or handler is incomplete.

    A handler is an object with a method per RPC: `async def Name(self, request, call)`,
    or an async generator of the same form where responses are streamed. Where
    requests are streamed, `request` is an async iterator of messages.
    """

    def __init__(self, config: ServerConfig, services: Sequence[tuple[ServiceDescriptor, object]]) -> None:
        if config.role not in ROLES:
            raise StartRefused("the server's role is not one of the contracts' roles")
        if not services:
            raise StartRefused("a server without services has nothing to do")
        self._addresses = _addresses(config.listen)
        self._metrics = Metrics()
        admission = Admission(config.max_concurrent, config.queue, self._metrics)
        self._ending = Ending(config.stop_s)
        handlers = [
            _generic(service, handler, admission, self._metrics, self._ending)
            for service, handler in services
        ]
        self._config = config
        self._names = tuple(service.full_name for service, _ in services)
        if len(set(self._names)) != len(self._names):
            raise StartRefused("a service is given twice")
        self._watched = Watched(config.tls, config.role)
        self._handlers = handlers
        self._server: aio.Server | None = None
        self._health: Health | None = None
        self._listener: MetricsListener | None = None
        self.port = 0

    @property
    def registry(self) -> CollectorRegistry:
        """Where a service may register metrics of its own; their labels are closed sets too."""
        return self._metrics.registry

    async def start(self) -> None:
        """Binds every listener, then says SERVING. Raises StartRefused if one cannot be bound."""
        config = self._config
        health = self._health = Health(config.health_listen, self._names)
        if config.metrics_listen is not None:
            self._listener = MetricsListener(config.metrics_listen, self._metrics.registry)
            await self._listener.start()
        await health.start()
        server = self._server = aio.server(options=_options(config))
        server.add_generic_rpc_handlers(tuple(self._handlers))
        try:
            ports = [
                server.add_secure_port(address, server_credentials(self._watched))
                for address in self._addresses
            ]
        except RuntimeError:
            raise StartRefused("the address cannot be bound: it is unix:/path or host:port") from None
        self.port = ports[0]
        await server.start()
        await health.serving()
        logs.log().info("server_started", services=len(self._names))

    async def stop(self, grace: float | None = None) -> None:
        """Takes no new calls, gives running ones `grace` seconds (`stop_s` of the configuration), closes listeners."""
        seconds = self._config.stop_s if grace is None else grace
        if self._health is not None:
            await self._health.stopping()
        if self._server is not None:
            lasting = asyncio.get_running_loop().call_later(min(seconds, LASTING_S), self._ending.end)
            await self._server.stop(seconds)
            lasting.cancel()
        if self._listener is not None:
            await self._listener.stop()
        if self._health is not None:
            await self._health.stop()
        logs.log().info("server_stopped")

    async def wait(self) -> None:
        """Returns when the server has stopped."""
        if self._server is not None:
            await self._server.wait_for_termination()


async def run(server: Server) -> None:
    """Serves until SIGTERM or SIGINT, then stops gracefully."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked.set)
    try:
        await server.start()
        await asked.wait()
    finally:
        await server.stop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def _generic(
    service: ServiceDescriptor, handler: object, admission: Admission, metrics: Metrics, ending: Ending
) -> grpc.GenericRpcHandler:
    methods = {}
    for contract in read_service(service):
        method = getattr(handler, contract.method, None)
        _check_kind(contract, method)
        methods[contract.method] = Endpoint(contract, method, admission, metrics, ending).rpc_handler()
    return grpc.method_handlers_generic_handler(service.full_name, methods)


def _addresses(listen: str | Sequence[str]) -> Sequence[str]:
    """Raises StartRefused where there is none."""
    addresses = (listen,) if isinstance(listen, str) else listen
    if not addresses:
        raise StartRefused("a server needs an address to listen on")
    return addresses


def _check_kind(contract: MethodContract, method: object) -> None:
    if contract.streams_responses:
        right, form = inspect.isasyncgenfunction(method), "an async generator"
    else:
        right, form = inspect.iscoroutinefunction(method), "a coroutine"
    if not right:
        raise StartRefused(f"{contract.descriptor.full_name}: its handler lacks {form} of this name")


def _options(config: ServerConfig) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_metadata_size", 8192),
        ("grpc.absolute_max_metadata_size", 8192),
        ("grpc.max_concurrent_streams", config.max_concurrent + config.queue + 16),
        ("grpc.compression_enabled_algorithms_bitset", 1),  # identity: no bytes that expand
        ("grpc.so_reuseport", 0),
        ("grpc.max_connection_age_ms", round(config.connection_age_s * 1000)),
        ("grpc.max_connection_age_grace_ms", MAX_DEADLINE_MS),
    ]
