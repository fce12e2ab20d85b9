"""Copies the newest checkpoint to one place, and keeps trying while the place is away.

One note waits at a time, the newest: a checkpoint covers all rows before it, so that a place which was away for an hour
lacks nothing after the next one. Sealing never waits for a place; how far it is behind is measured and, past a bound,
said in the log.

Before a place is given anything, and again after it was away, what lies there is compared with the log: a place that
has more than the database shows that the database was set back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from doublethink_ledger import Checkpoint
from doublethink_rpc import failpoint, log

from doublethink_sealer.claims import open_published
from doublethink_sealer.errors import DatabaseAway, PlaceAway, PlaceConflict, SealingRefused
from doublethink_sealer.failpoints import Point
from doublethink_sealer.findings import Reason
from doublethink_sealer.keys import Keys
from doublethink_sealer.log_store import StoredCheckpoint
from doublethink_sealer.metrics import Metrics
from doublethink_sealer.places import Place
from doublethink_sealer.resume import empty_place
from doublethink_sealer.sealing import Monotonic

LONGEST_PAUSE_S: Final = 30.0
_FIRST_PAUSE_S: Final = 0.5

CheckAgainst = Callable[[Checkpoint], Awaitable[None]]
"""Compares a published checkpoint with the log. Raises SealingRefused, DatabaseAway."""


class Publisher:
    """The way to one place.

    number: the place's, for the log. may_be_empty: what a person decided at the start.
    """

    def __init__(
        self,
        place: Place,
        number: int,
        keys: Keys,
        origin: str,
        check_against: CheckAgainst,
        metrics: Metrics,
        now: Monotonic,
        *,
        may_be_empty: bool,
        every_s: float = 1.0,
        late_after_s: float = 60.0,
    ) -> None:
        self._place = place
        self._number = number
        self._keys = keys
        self._origin = origin
        self._check_against = check_against
        self._metrics = metrics
        self._now = now
        self._may_be_empty = may_be_empty
        self._every_s = every_s
        self._late_after_s = late_after_s
        self._newest: StoredCheckpoint | None = None
        self._done = -1
        self._met = False
        self._behind_since: float | None = None
        self._said_late = False
        self._offered = asyncio.Event()
        self.complete = asyncio.Event()
        metrics.watch_lag(place.name, self.lag)

    def met(self, newest: Checkpoint | None) -> None:
        """Take over what the start found in this place and has compared with the log."""
        self._met = True
        self._done = -1 if newest is None else newest.size

    def offer(self, head: StoredCheckpoint) -> None:
        """Have this checkpoint published, in place of any that still waits."""
        self._newest = head
        if self._settle():
            return
        self.complete.clear()
        if self._behind_since is None:
            self._behind_since = self._now()
        self._offered.set()

    def _settle(self) -> bool:
        """Whether the place has the newest checkpoint; if so, nothing waits any more."""
        if self._newest is None or self._newest.size > self._done:
            return False
        self._offered.clear()
        self._behind_since = None
        self.complete.set()
        return True

    def lag(self) -> float:
        """Seconds since the place had every checkpoint that was stored, 0 if it has."""
        return 0.0 if self._behind_since is None else max(0.0, self._now() - self._behind_since)

    async def run(self) -> None:
        """Publish until cancelled. Raises SealingRefused."""
        pause = _FIRST_PAUSE_S
        while True:
            await self._offered.wait()
            if await self.publish():
                pause = _FIRST_PAUSE_S
                await asyncio.sleep(self._every_s)
            else:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)

    async def publish(self) -> bool:
        """Publish the newest checkpoint now; return whether the place took it. Raises SealingRefused."""
        try:
            if not self._met:
                await self._meet()
            if self._newest is not None and not self._settle():
                await self._put(self._newest)
        except (PlaceAway, DatabaseAway) as error:
            self._met = False
            self._metrics.publications.labels(self._place.name, "away").inc()
            self._say_late(error)
            return False
        return True

    async def _put(self, head: StoredCheckpoint) -> None:
        await failpoint.reach(Point.BEFORE_PUBLISH)
        try:
            await self._place.put(self._origin, head.size, head.note)
        except PlaceConflict as conflict:
            self._judge(conflict.existing, head)
        await failpoint.reach(Point.AFTER_PUBLISH)
        self._metrics.publications.labels(self._place.name, "done").inc()
        self._done = head.size
        self._settle()
        if self._said_late:
            log().info("publication_caught_up", place=self._number, size=head.size)
            self._said_late = False

    def _judge(self, existing: bytes, head: StoredCheckpoint) -> None:
        """Another note of this size may differ in who signed it, while keys follow one another, and in nothing else."""
        found = open_published(self._keys, self._place.name, existing, self._origin)
        if (found.size, found.root) != (head.size, head.root):
            raise SealingRefused(
                Reason.FORKED,
                f"{self._place.name} has another checkpoint of size {head.size} than the database",
            )

    async def _meet(self) -> None:
        note = await self._place.newest(self._origin)
        if note is None:
            if self._done >= 0 or not self._may_be_empty:
                raise empty_place(self._place.name)
            self._met = True
            return
        found = open_published(self._keys, self._place.name, note, self._origin)
        if found.size < self._done:
            raise SealingRefused(
                Reason.PLACE_EMPTY,
                f"{self._place.name} had a checkpoint of size {self._done} and now ends at {found.size}",
            )
        await self._check_against(found)
        self.met(found)

    def _say_late(self, error: PlaceAway | DatabaseAway) -> None:
        if self.lag() >= self._late_after_s and not self._said_late:
            log().error("publication_late", place=self._number, seconds=int(self.lag()), error=error)
            self._said_late = True
