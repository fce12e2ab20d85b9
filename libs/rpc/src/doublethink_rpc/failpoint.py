"""Named points at which a test can stop, delay or fail a process, to prove what holds in between.

Every service names its points in an enumeration of its own. All are inert unless two things are true: the
service's configuration says `failpoints = true` (the default is false), and the environment variable
DOUBLETHINK_FAILPOINTS names points. Only tests set either. With the variable set and the configuration
silent, the process says so loudly and goes on with every point inert.

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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from .errors import StartRefused
from .logs import log

VARIABLE: Final = "DOUBLETHINK_FAILPOINTS"
EXIT_STATUS: Final = 70
_MAX_SLEEP_MS: Final = 60_000
_RULE: Final = re.compile(r"([a-z_]+)=(exit|kill|error|sleep:(\d{1,5}))(?:@([1-9]\d{0,5}))?", re.ASCII)


class FailpointError(Exception):
    """Raised at a point by the action `error`."""


@dataclass(slots=True)
class _Rule:
    action: str
    sleep_ms: int
    only_passage: int | None
    passages: int = 0


_armed: dict[str, _Rule] = {}


def arm(points: Iterable[str], allowed: bool, environment: Mapping[str, str] | None = None) -> None:
    """Read the environment once, at start.

    `points` are the service's own; `allowed` is what its configuration says.
    Raises StartRefused when points are allowed and the variable does not name points and actions: a test that
    misspells one must not pass.
    """
    _armed.clear()
    text = (os.environ if environment is None else environment).get(VARIABLE, "")
    if not text:
        return
    if not allowed:
        log().error("failpoints_ignored")
        return
    known = frozenset(points)
    for part in text.split(","):
        match = _RULE.fullmatch(part)
        if match is None or match[1] not in known:
            raise StartRefused(f"{VARIABLE}: {part!r} is not a point of this service with an action")
        sleep_ms = int(match[3] or 0)
        if sleep_ms > _MAX_SLEEP_MS:
            raise StartRefused(f"{VARIABLE}: a sleep is at most {_MAX_SLEEP_MS} ms")
        action = "sleep" if match[3] else match[2]
        _armed[match[1]] = _Rule(action, sleep_ms, int(match[4]) if match[4] else None)
    log().error("failpoints_armed", points=len(_armed))


def inherited() -> dict[str, str]:
    """Return the variable for a child process that has points too: empty unless this process is armed.

    A child counts its own passages.
    """
    return {VARIABLE: os.environ[VARIABLE]} if _armed and VARIABLE in os.environ else {}


async def reach(point: str) -> None:
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
        raise FailpointError(f"failpoint {point}")
    elif rule.action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        os._exit(EXIT_STATUS)
