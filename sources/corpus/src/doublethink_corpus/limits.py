"""Limits that the stand-in can be told to have, to see what its caller does at them."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from .wire import Fault


@dataclass(slots=True)
class Allowance:
    """At most `a_minute` requests a minute (else 429) and `in_all` in all (else 432); None is no limit."""

    a_minute: int | None = None
    in_all: int | None = None
    clock: Callable[[], float] = time.monotonic
    _recent: deque[float] = field(default_factory=deque)
    _used: int = 0

    def take(self) -> None:
        """Count one request. Raises `Fault`."""
        if self.in_all is not None and self._used >= self.in_all:
            raise Fault(432, "This request exceeds the usage limit of the plan.")
        now = self.clock()
        while self._recent and self._recent[0] <= now - 60:
            self._recent.popleft()
        if self.a_minute is not None and len(self._recent) >= self.a_minute:
            oldest = self._recent[0] if self._recent else now
            raise Fault(429, "Too many requests.", retry_after=max(1, round(oldest + 60 - now)))
        self._recent.append(now)
        self._used += 1
