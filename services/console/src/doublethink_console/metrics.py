"""Counters of the console. Labels come from closed sets: methods, classes of status, reasons for a refusal."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublethink_console.identity.tokens import Reason


class Metrics:
    """The registry and what is in it. The last three count where people are those of an identity provider."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "console_requests", "Answered requests", ("method", "status_class"), registry=self.registry
        )
        self._tokens = Counter(
            "console_tokens_refused", "Tokens that were not taken", ("reason",), registry=self.registry
        )
        self._keys = Gauge(
            "console_identity_keys", "Keys of the identity provider that are in use", registry=self.registry
        )
        self._stale = Gauge(
            "console_identity_keys_stale",
            "1 while the newest file of keys cannot be taken and older keys are in use",
            registry=self.registry,
        )

    def token_refused(self, reason: Reason) -> None:
        """Count a token that was not taken."""
        self._tokens.labels(reason.name.lower()).inc()

    def keys_read(self, usable: int, *, stale: bool) -> None:
        """Note how the file of keys is."""
        self._keys.set(usable)
        self._stale.set(stale)

    def counting(self, app: ASGIApp) -> ASGIApp:
        """The application, its answers counted. The method was judged before."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            async def count(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self._requests.labels(scope["method"], f"{message['status'] // 100}xx").inc()
                await send(message)

            await app(scope, receive, count)

        return counted
