"""Wakes those who follow a session's rows when this process has written one of them.

Another replica's rows wake nobody: a follower also looks from time to time. What it sees is read from the ledger.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from contextlib import contextmanager


class Followers:
    """Who follows which session in this process."""

    def __init__(self) -> None:
        self._waiting: dict[uuid.UUID, set[Follower]] = {}

    @contextmanager
    def following(self, session: uuid.UUID) -> Iterator[Follower]:
        """Inside, the follower is told of each row of the session."""
        follower = Follower()
        self._waiting.setdefault(session, set()).add(follower)
        try:
            yield follower
        finally:
            others = self._waiting[session]
            others.discard(follower)
            if not others:
                del self._waiting[session]

    def tell(self, session: uuid.UUID) -> None:
        """A row of the session is written."""
        for follower in self._waiting.get(session, ()):
            follower.written.set()


class Follower:
    """One who follows. Calls `look` before it reads, so that a row written meanwhile is not missed."""

    def __init__(self) -> None:
        self.written = asyncio.Event()

    def look(self) -> None:
        """Everything written up to now is about to be read."""
        self.written.clear()

    async def wait(self, seconds: float) -> None:
        """Return at the first row since the last look, at the latest after `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self.written.wait()
        except TimeoutError:
            return
