"""A clock that stands still until a test moves it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SimClock:
    """Microseconds since 1970-01-01 UTC."""

    now_us: int = 1_800_000_000_000_000

    def __call__(self) -> int:
        """Return the time."""
        return self.now_us

    def forward(self, seconds: float) -> None:
        """Move the clock."""
        self.now_us += int(seconds * 1_000_000)
