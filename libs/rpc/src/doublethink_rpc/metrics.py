"""Prometheus metrics of a server, scraped from a listener of their own, never pushed.

Labels are service, method, caller's role and error code: all from closed sets.
"""

from __future__ import annotations

import asyncio

from doublethink.errors.v1.errors_pb2 import ErrorCode
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from . import logs
from .contract import MethodContract
from .errors import StartRefused

_LONGEST_REQUEST = 8192
_READ_SECONDS = 5.0
_MOST_CONNECTIONS = 16
_BUCKETS = (0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0, 300.0, 1800.0)


class _RefusedValues(Collector):
    """The count that the logs keep, read when it is scraped."""

    def collect(self) -> list[CounterMetricFamily]:
        name, help_text = "dt_log_values_refused", "Values that were kept out of the logs."
        return [CounterMetricFamily(name, help_text, value=logs.refused_values())]


class Metrics:
    """The registry and the instruments of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("service", "method", "caller", "code")
        self._calls = Counter("dt_rpc_calls", "Calls that ended.", labels, registry=self.registry)
        self._seconds = Histogram(
            "dt_rpc_seconds", "Time from arrival to end.", labels, registry=self.registry, buckets=_BUCKETS
        )
        self.active = Gauge("dt_rpc_active", "Calls that run.", registry=self.registry)
        self.waiting = Gauge("dt_rpc_waiting", "Calls that wait in the queue.", registry=self.registry)
        self.registry.register(_RefusedValues())

    def ended(self, contract: MethodContract, caller: str, code: ErrorCode | None, seconds: float) -> None:
        """Counts a call; `code` is None for success, `caller` a role or "unknown"."""
        name = "OK" if code is None else ErrorCode.Name(code)
        labels = (contract.service, contract.method, caller, name)
        self._calls.labels(*labels).inc()
        self._seconds.labels(*labels).observe(seconds)


class MetricsListener:
    """Answers GET /metrics and nothing else, over a unix socket or TCP."""

    def __init__(self, listen: str, registry: CollectorRegistry) -> None:
        self._listen = listen
        self._registry = registry
        self._server: asyncio.Server | None = None
        self._connections = 0

    async def start(self) -> None:
        """Raises StartRefused if the address cannot be bound."""
        try:
            if self._listen.startswith("unix:"):
                path = self._listen.removeprefix("unix:")
                self._server = await asyncio.start_unix_server(self._answer, path, limit=_LONGEST_REQUEST)
            else:
                host, _, port = self._listen.rpartition(":")
                self._server = await asyncio.start_server(
                    self._answer, host.strip("[]"), int(port), limit=_LONGEST_REQUEST
                )
        except (OSError, ValueError):
            raise StartRefused("the metrics address cannot be bound: it is unix:/path or host:port") from None

    async def stop(self) -> None:
        """Stops listening; connections that are being answered are closed."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections += 1
        try:
            if self._connections <= _MOST_CONNECTIONS:
                async with asyncio.timeout(_READ_SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(self._response(head.split(b"\r\n", 1)[0]))
                    await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever scrapes sees the closed connection
        finally:
            self._connections -= 1
            writer.close()

    def _response(self, request: bytes) -> bytes:
        if request not in (b"GET /metrics HTTP/1.1", b"GET /metrics HTTP/1.0"):
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        body = generate_latest(self._registry)
        head = (
            f"HTTP/1.1 200 OK\r\nContent-Type: {CONTENT_TYPE_PLAIN_0_0_4}\r\n"
            f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
        )
        return head.encode() + body
