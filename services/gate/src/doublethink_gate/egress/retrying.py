"""Making a request again: a bounded number of times, after the wait that was asked for, within the call's time.

Each time is a whole pass of check, row, send and outcome: the ledger shows every one, and every one counts
towards the session's budgets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from doublethink_rpc import Call, log

from doublethink_gate.config import Limits
from doublethink_gate.errors import Refusal

_LEAST_S: Final = 2.0
"""A request that has less time than this is not begun again."""

_T = TypeVar("_T")


async def retrying(
    make: Callable[[], Awaitable[_T]],
    call: Call,
    attempts: int,
    limits: Limits,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> _T:
    """Return what `make` gives, calling it at most `attempts` times.

    Between two calls it waits as long as the provider asked for, and at least `limits.retry_wait_s`, doubled
    each time. Where that is over `limits.longest_wait_s` or the caller's time, the refusal stands at once.
    """
    wait_s = limits.retry_wait_s
    for left in range(attempts - 1, -1, -1):
        try:
            return await make()
        except Refusal as refusal:
            if refusal.again_after_s is None or left == 0:
                raise
            pause_s = max(refusal.again_after_s, wait_s)
            if pause_s > limits.longest_wait_s or call.remaining() < pause_s + _LEAST_S:
                raise
            log().info("asking_again", code=refusal.code, seconds=pause_s, left=left)
        await sleep(pause_s)
        wait_s *= 2
    raise AssertionError("the last attempt returns or raises")
