"""grpc.health.v1 on a plain listener of its own, so that a probe needs no certificate."""

from __future__ import annotations

from collections.abc import Iterable

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from .errors import StartRefused

_OPTIONS = (
    ("grpc.max_receive_message_length", 1024),
    ("grpc.max_metadata_size", 4096),
    ("grpc.max_concurrent_streams", 16),
    ("grpc.so_reuseport", 0),
    ("grpc.compression_enabled_algorithms_bitset", 1),
)


class Health:
    """The state of a server, for the whole ("") and per service."""

    def __init__(self, listen: str, services: Iterable[str]) -> None:
        self._names = ("", *services)
        self._servicer = health.aio.HealthServicer()
        self._server = aio.server(options=_OPTIONS, maximum_concurrent_rpcs=32)
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, self._server)
        try:
            self.port: int = self._server.add_insecure_port(listen)
        except RuntimeError:
            raise StartRefused("the health address cannot be bound: it is unix:/path or host:port") from None

    async def start(self) -> None:
        """Starts to answer; NOT_SERVING until `serving` is called."""
        await self._set(health_pb2.HealthCheckResponse.NOT_SERVING)
        await self._server.start()

    async def serving(self) -> None:
        """From now on the services are SERVING."""
        await self._set(health_pb2.HealthCheckResponse.SERVING)

    async def stopping(self) -> None:
        """From now on nothing is SERVING, for good."""
        await self._servicer.enter_graceful_shutdown()

    async def stop(self) -> None:
        """Closes the listener."""
        await self._server.stop(None)

    async def _set(self, status: health_pb2.HealthCheckResponse.ServingStatus) -> None:
        for name in self._names:
            await self._servicer.set(name, status)
