"""Which running calls a server does not wait for when it stops."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

LASTING_S: Final = 5.0
"""What a call gets at the end that may last longer than the server waits: no wait is sure to be enough for it."""


class Ending:
    """The calls of one server that may outlast its end. `stop_s` is how long the server waits for its calls."""

    def __init__(self, stop_s: float) -> None:
        self._stop_s = stop_s
        self._lasting: set[asyncio.Timeout] = set()
        self.begun = False

    @contextmanager
    def among(self, deadline_s: float, bound: asyncio.Timeout) -> Iterator[None]:
        """A call runs inside, bounded by `bound`; `deadline_s` is the longest that its contract allows."""
        if deadline_s <= self._stop_s:
            yield
            return
        self._lasting.add(bound)
        try:
            yield
        finally:
            self._lasting.discard(bound)

    def end(self) -> None:
        """Time is up for every call that may outlast the server."""
        self.begun = True
        now = asyncio.get_running_loop().time()
        for bound in self._lasting:
            if not bound.expired():
                bound.reschedule(now)
