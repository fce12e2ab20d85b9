"""What a handler is told about a call, beside its message."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Call:
    """One call, after every check that needs no domain knowledge has passed.

    `caller` is a role; `capability` is 32 bytes where the method declares a
    session's capability, else None; `attempt_id` is 16 bytes or None.
    """

    caller: str
    capability: bytes | None = field(repr=False)
    attempt_id: bytes | None
    _ends: float = field(repr=False)

    def remaining(self) -> float:
        """Seconds until the deadline, 0 if it has passed."""
        return max(0.0, self._ends - time.monotonic())
