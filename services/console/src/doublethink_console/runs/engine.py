"""The run engine: claims runs, conducts some at a time, and cleans up after consoles that died."""

from __future__ import annotations

import asyncio
import secrets
import uuid
from typing import Final

from doublethink_rpc import log
from doublethink_rpc.failpoint import reach
from psycopg import AsyncConnection, Error

from doublethink_console.errors import EngineFailed
from doublethink_console.failpoints import Point
from doublethink_console.identity.people import EVERY_TEAM
from doublethink_console.store.queue import QueueAway
from doublethink_console.store.runs import Claim

from .conduct import Conductor, Tools

_LOOK_S: Final = 2.0
_SWEEP_S: Final = 30.0
_LOCK_S: Final = 10.0


def new_instance() -> int:
    """A random number for this process, of which it holds the advisory lock while it lives."""
    return secrets.randbits(62) + 1


class Engine:
    """`start`, then `stop`. `wake` tells it that a run was queued; `cancel` that somebody wants one ended.

    `failed` is set where it cannot go on: another console may then take its runs over, so the process ends.
    """

    def __init__(self, dsn: str, instance: int, tools: Tools) -> None:
        self._dsn, self._instance, self._tools = dsn, instance, tools
        self._conductor = Conductor(tools)
        self._tasks: dict[uuid.UUID, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()
        self._loops: list[asyncio.Task[None]] = []
        self._lock: AsyncConnection | None = None
        self.failed = asyncio.Event()

    async def start(self) -> None:
        """Take the lock of this instance and begin. Raises psycopg.Error, QueueAway."""
        lock = await AsyncConnection.connect(self._dsn, autocommit=True, connect_timeout=10)
        self._lock = lock
        await lock.execute("SELECT pg_advisory_lock(%s)", (self._instance,))
        await self._tools.queue.open()
        self._loops = [
            asyncio.create_task(self._dispatch(lock)),
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._tools.forgetting.keep_forgetting()),
        ]
        for loop in self._loops:
            loop.add_done_callback(self._loop_ended)

    async def stop(self) -> None:
        """Stop conducting; runs that go on stay as they are and are taken up at the next start."""
        for task in (*self._loops, *self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._loops, *self._tasks.values(), return_exceptions=True)
        try:
            await self._tools.queue.close()
        except (Error, QueueAway) as error:
            log().warning("queue_not_left", error=error)
        if self._lock is not None:
            await self._lock.close()

    async def idle(self) -> None:
        """Return when no run is conducted here."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    def wake(self) -> None:
        """A run was queued."""
        self._woken.set()

    def cancel(self, run: uuid.UUID) -> None:
        """Somebody asked to end a run, and that is written down. Ends it at once if it is conducted here."""
        task = self._tasks.get(run)
        if task is not None:
            task.cancel()
        self._woken.set()

    def _loop_ended(self, loop: asyncio.Task[None]) -> None:
        """No loop ends by itself: one that does takes the process along."""
        if not loop.cancelled():
            log().error("engine_failed", error=loop.exception())
            self.failed.set()

    async def _dispatch(self, lock: AsyncConnection) -> None:
        while True:
            self._woken.clear()
            await _check_lock(lock)
            try:
                await self._bring_back()
                await self._take_up_left()
                # A run that somebody wants ended waits for no turn and no place.
                while await self._begin_cancelled():
                    pass
                while len(self._tasks) < self._tools.limits.concurrent and await self._begin():
                    pass
            except (Error, QueueAway) as error:
                log().error("runs_not_claimed", error=error)
            try:
                await asyncio.wait_for(self._woken.wait(), _LOOK_S)
            except TimeoutError:
                continue

    async def _begin(self) -> bool:
        """Begin with one run, or put one job right; False if there is nothing to do."""
        taken = await self._tools.queue.take()
        if taken is None:
            return False
        await reach(Point.AFTER_TAKE)
        claimed = await self._tools.runs.claim(taken.run, self._tools.limits.attempts)
        if claimed is Claim.ENDED:
            await self._tools.queue.done(taken.run)
        elif claimed is Claim.OURS:
            self._tasks[taken.run] = asyncio.create_task(self._conduct(taken.run))
        # Else another console works on it: the job stays out, and comes back if that one dies.
        return True

    async def _begin_cancelled(self) -> bool:
        key = await self._tools.runs.claim_cancelled(self._tools.limits.attempts)
        if key is None:
            return False
        self._tasks[key] = asyncio.create_task(self._conduct(key))
        return True

    async def _bring_back(self) -> None:
        """Queue again what was handed out to a console that is dead, and what has no job; delete the jobs of runs that
        have ended.
        """
        restored = await self._tools.queue.restore()
        if restored:
            log().warning("runs_queued_again", runs=restored)
        for taken in await self._tools.queue.out():
            if taken.run in self._tasks:
                continue
            found = await self._tools.runs.look(taken.run)
            if found is Claim.OURS:
                await self._tools.queue.give_back(taken)
            elif found is Claim.ENDED:
                await self._tools.queue.done(taken.run)

    async def _take_up_left(self) -> None:
        """Conduct again what is ours and is not conducted: its end could not be written, or was broken off by a cancel.
        No other console may take it while this one lives.
        """
        for key in await self._tools.runs.ours():
            # Asked again, since it may have ended after it was listed; begun it is nowhere but in this loop.
            if key not in self._tasks and await self._tools.runs.look(key) is Claim.TAKEN:
                log().warning("run_taken_up_again")
                self._tasks[key] = asyncio.create_task(self._conduct(key))

    async def _conduct(self, key: uuid.UUID) -> None:
        try:
            await self._conductor.conduct(key)
            if await self._tools.runs.look(key) is Claim.ENDED:
                await reach(Point.BEFORE_DONE)
                await self._tools.queue.done(key)
        except (Error, QueueAway) as error:
            # The next round finds the job of an ended run.
            log().warning("job_not_ended", error=error)
        finally:
            self._tasks.pop(key, None)
            self._woken.set()

    async def _sweep(self) -> None:
        """Close the sessions of ended runs that the gate did not close when they ended."""
        while True:
            try:
                await self._tools.queue.alive()
                for key in await self._tools.runs.unclosed():
                    await self._sweep_one(key)
            except (Error, QueueAway) as error:
                log().error("sessions_not_swept", error=error)
            await asyncio.sleep(_SWEEP_S)

    async def _sweep_one(self, key: uuid.UUID) -> None:
        try:
            run = await self._tools.runs.get(key, EVERY_TEAM)
            if run is not None and key not in self._tasks:
                await self._conductor.close_session(run)
        except Exception as error:  # noqa: BLE001 - a row that cannot be read must not keep the others open
            log().error("session_not_swept", error=error)


async def _check_lock(lock: AsyncConnection) -> None:
    """Raise EngineFailed unless the connection that holds the lock still answers."""
    try:
        async with asyncio.timeout(_LOCK_S):
            await lock.execute("SELECT 1")
    except (Error, TimeoutError) as error:
        log().error("engine_lock_lost", error=error)
        raise EngineFailed("the connection that holds this console's lock is lost") from None
