"""Connections that wait for their other end are bounded in time and number.

The port is on loopback, where every user of the machine can connect. uvicorn gives a request all the time
it likes and counts a connection from its first byte on, so that a few hundred half-sent requests would
keep everybody else out.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 10
MAX_WAITING: Final = 128


class BoundedProtocol(H11Protocol):
    """A request arrives whole within `REQUEST_SECONDS`. Of more than `MAX_WAITING` connections that have sent
    no whole request, or none since the last answer, the one that has waited longest is closed.
    """

    # Of all connections of the process, the one that has waited longest first.
    waiting: ClassVar[dict[BoundedProtocol, None]] = {}
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Expect a request."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Expect another request."""
        super().on_response_complete()
        # uvicorn's own, longer time is for a connection on which nothing of the next request has come.
        self._look(expecting=self.timeout_keep_alive_task is None or self.conn.trailing_data[0] != b"")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._forget()

    def _look(self, *, expecting: bool = True) -> None:
        if self.transport.is_closing() or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._forget()
            return
        self.waiting.setdefault(self)
        if expecting and self._timer is None:
            # From the request's first byte on, however often another one comes.
            self._timer = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)
        if len(self.waiting) > MAX_WAITING:
            longest = next(iter(self.waiting))
            del self.waiting[longest]
            longest.transport.abort()

    def _forget(self) -> None:
        self.waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
