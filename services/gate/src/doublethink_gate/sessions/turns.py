"""Turns: of those who want the same thing, one goes at a time; the next finds what the one before left."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Hashable


class Turns:
    """A lock a key. A key is forgotten when nobody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, asyncio.Lock] = {}
        self._users: Counter[Hashable] = Counter()

    def __len__(self) -> int:
        """The number of keys that somebody holds or waits for."""
        return len(self._locks)

    async def take(self, key: Hashable) -> None:
        """Wait for the turn; whoever has it must `leave`."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] += 1
        try:
            await lock.acquire()
        except BaseException:
            self._forget(key)
            raise

    def leave(self, key: Hashable) -> None:
        """Let the next one have its turn; not necessarily called by the task that took it."""
        self._locks[key].release()
        self._forget(key)

    def _forget(self, key: Hashable) -> None:
        self._users[key] -= 1
        if not self._users[key]:
            del self._users[key], self._locks[key]
