"""Named points at which a test can stop, delay or fail the gate, to prove what holds in between.

Inert unless both are true: the configuration says `failpoints = true` (the default is false), and the
environment variable DOUBLETHINK_FAILPOINTS names points. Only tests set either. With the variable set and the
configuration silent, the gate says so loudly and goes on with every point inert.

    DOUBLETHINK_FAILPOINTS="before_send=kill,after_append=sleep:250,after_check=error@3"

A point is followed by one action, and `@N` makes it act on the N-th passage only (else on every one):

    exit        leave at once with status 70, without clean-up
    kill        SIGKILL to this very process
    sleep:MS    wait MS milliseconds, at most 60,000
    error       raise FailpointError
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from doublethink_rpc.logs import log

VARIABLE: Final = "DOUBLETHINK_FAILPOINTS"
EXIT_STATUS: Final = 70
_MAX_SLEEP_MS: Final = 60_000
_RULE: Final = re.compile(r"([a-z_]+)=(exit|kill|error|sleep:(\d{1,5}))(?:@([1-9]\d{0,5}))?", re.ASCII)


class Point(StrEnum):
    """The points, in the order in which an attempt passes them."""

    AFTER_CHECK = "after_check"
    BEFORE_APPEND = "before_append"
    AFTER_APPEND = "after_append"
    BEFORE_SEND = "before_send"
    AFTER_SEND = "after_send"
    BEFORE_OUTCOME = "before_outcome"
    AFTER_OUTCOME = "after_outcome"


class FailpointError(Exception):
    """Raised at a point by the action `error`, or for a variable that does not name points and actions."""


@dataclass(slots=True)
class _Rule:
    action: str
    sleep_ms: int
    only_passage: int | None
    passages: int = 0


_armed: dict[Point, _Rule] = {}


def arm(allowed: bool, environment: Mapping[str, str] | None = None) -> None:
    """Read the environment once, at start. `allowed` is what the configuration says.

    Raises FailpointError when points are allowed and the variable is malformed: a test that misspells a point
    must not pass.
    """
    _armed.clear()
    text = (os.environ if environment is None else environment).get(VARIABLE, "")
    if not text:
        return
    if not allowed:
        log().error("failpoints_ignored")
        return
    for part in text.split(","):
        match = _RULE.fullmatch(part)
        if match is None or match[1] not in list(Point):
            raise FailpointError(f"{VARIABLE}: {part!r} is not a point with an action")
        sleep_ms = int(match[3] or 0)
        if sleep_ms > _MAX_SLEEP_MS:
            raise FailpointError(f"{VARIABLE}: a sleep is at most {_MAX_SLEEP_MS} ms")
        action = "sleep" if match[3] else match[2]
        _armed[Point(match[1])] = _Rule(action, sleep_ms, int(match[4]) if match[4] else None)
    log().error("failpoints_armed", points=len(_armed))


async def reach(point: Point) -> None:
    """Pass a point: nothing happens unless it was armed. Raises FailpointError for the action `error`."""
    rule = _armed.get(point)
    if rule is None:
        return
    rule.passages += 1
    if rule.only_passage not in (None, rule.passages):
        return
    if rule.action == "sleep":
        await asyncio.sleep(rule.sleep_ms / 1000)
    elif rule.action == "error":
        raise FailpointError(f"failpoint {point.value}")
    elif rule.action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        os._exit(EXIT_STATUS)
