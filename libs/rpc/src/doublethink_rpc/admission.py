"""How many calls run at once and how many may wait: bounded, and first come first served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from doublethink.errors.v1.errors_pb2 import ErrorCode

from .errors import RpcError, StartRefused
from .metrics import Metrics


class Admission:
    """Admits `most` calls at a time and lets `queue` more wait; the next is refused."""

    def __init__(self, most: int, queue: int, metrics: Metrics) -> None:
        if most < 1 or queue < 0:
            raise StartRefused("max_concurrent is at least 1, and queue at least 0")
        self._slots = asyncio.Semaphore(most)
        self._queue = queue
        self._waiting = 0
        self._metrics = metrics

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Holds a slot. Raises RpcError (OVERLOADED) at once if the queue is full."""
        if self._slots.locked():
            await self._wait()
        else:
            await self._slots.acquire()
        self._metrics.active.inc()
        try:
            yield
        finally:
            self._metrics.active.dec()
            self._slots.release()

    async def _wait(self) -> None:
        if self._waiting >= self._queue:
            raise RpcError(ErrorCode.ERROR_CODE_OVERLOADED)
        self._waiting += 1
        self._metrics.waiting.inc()
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
            self._metrics.waiting.dec()
