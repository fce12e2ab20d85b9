"""Counters of the console. Labels come from closed sets: methods and classes of status."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Metrics:
    """The registry and its one counter."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "console_requests", "Answered requests", ("method", "status_class"), registry=self.registry
        )

    def counting(self, app: ASGIApp) -> ASGIApp:
        """The application, its answers counted. The method was judged before."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            async def count(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self._requests.labels(scope["method"], f"{message['status'] // 100}xx").inc()
                await send(message)

            await app(scope, receive, count)

        return counted
