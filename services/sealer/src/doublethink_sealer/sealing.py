"""Seals new rows: reads, checks, signs, stores.

Of two sealers on one log the database takes one's checkpoint and tells the other, which then reads the stored one,
holds it against its own tree, and goes on from there. Nothing is published but what was stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublethink_ledger import Checkpoint, CompactRange
from doublethink_rpc import failpoint, log

from doublethink_sealer.claims import open_stored
from doublethink_sealer.errors import SealingRefused
from doublethink_sealer.failpoints import Point
from doublethink_sealer.findings import Reason
from doublethink_sealer.keys import Keys
from doublethink_sealer.log_store import LogStore, StoredCheckpoint
from doublethink_sealer.metrics import Metrics
from doublethink_sealer.resume import Resumed

MOST_ROWS: Final = 100_000
"""Rows under one new checkpoint, at most: what is read and not yet stored is kept, 32 bytes a row."""

Monotonic = Callable[[], float]
"""Returns seconds that never go back."""


class Sealer:
    """The sealing of one log. `seal` is called by one task at a time; every stored head goes to `offer`."""

    def __init__(
        self,
        store: LogStore,
        keys: Keys,
        origin: str,
        resumed: Resumed,
        metrics: Metrics,
        offer: Callable[[StoredCheckpoint], None],
        now: Monotonic,
        *,
        batch: int = 1000,
    ) -> None:
        self._store = store
        self._keys = keys
        self._origin = origin
        self._walk = resumed.walk
        self._metrics = metrics
        self._offer = offer
        self._now = now
        self._batch = batch
        self.head = resumed.head
        # The tree at the head, and the hashes of the rows that were read since.
        self._sealed: CompactRange = self._walk.tree.copy()
        self._pending: list[bytes] = []
        self._all_sealed_at = now()
        metrics.watch_unsealed(lambda: max(0.0, now() - self._all_sealed_at))
        metrics.size.set(self._sealed.size)

    async def seal(self) -> None:
        """Seal what is new. Raises SealingRefused, DatabaseAway."""
        began = self._now()
        complete = await self._read(MOST_ROWS)
        await failpoint.reach(Point.AFTER_READ)
        # An empty log is sealed too, at its first start: from then on it cannot lose its beginning unseen.
        if self._pending or self.head is None:
            await self._store_checkpoint()
        if complete and not self._pending:
            self._all_sealed_at = began

    async def _read(self, most: int) -> bool:
        """Check new rows, at most `most`; return whether there were no more."""
        await self._check_last()
        while len(self._pending) < most:
            rows = await self._store.rows(self._walk.size, self._batch)
            if rows:
                self._pending += await self._walk.check(self._store, rows)
                self._metrics.rows.inc(len(rows))
            if len(rows) < self._batch:
                return True
        return False

    async def _check_last(self) -> None:
        """The row that was read last is still there: a log that lost its tail shows at once, not at the next start."""
        size = self._walk.size
        if size == 0:
            return
        rows = await self._store.rows(size - 1, 1)
        if not rows:
            raise SealingRefused(
                Reason.TAIL_CUT,
                f"row {size - 1} was there and is gone: the log lost its end",
                size - 1,
                size - 1,
            )
        if rows[0].seq != size - 1 or rows[0].hash != self._walk.last_hash:
            raise SealingRefused(
                Reason.REWRITTEN, f"row {size - 1} is another one than was read before", size - 1, size - 1
            )

    async def _store_checkpoint(self) -> None:
        checkpoint = Checkpoint(self._origin, self._walk.size, self._walk.tree.root())
        note = self._keys.sign(checkpoint.encode())
        await failpoint.reach(Point.AFTER_SIGN)
        new = StoredCheckpoint(self._origin, checkpoint.size, checkpoint.root, note, 0)
        at_us = await self._store.store(self.head, new)
        await failpoint.reach(Point.AFTER_STORE)
        if at_us is None:
            self._metrics.checkpoints.labels("lost").inc()
            await self._catch_up()
            return
        self._metrics.checkpoints.labels("stored").inc()
        self._go_on_from(StoredCheckpoint(new.origin, new.size, new.root, note, at_us))

    async def _catch_up(self) -> None:
        """Go on from the checkpoint that another sealer stored. Raises SealingRefused if it is of another log."""
        head = await self._store.head()
        old = -1 if self.head is None else self.head.size
        if head is None or head.size < old:
            raise SealingRefused(
                Reason.ROLLED_BACK, f"the database's checkpoints ended at size {old} and now end before it"
            )
        if head.origin != self._origin:
            raise SealingRefused(Reason.OTHER_ORIGIN, f"the log goes on as {head.origin!r}: stop this sealer")
        checkpoint = open_stored(self._keys, head)
        while self._walk.size < head.size:
            if await self._read(head.size - self._sealed.size) and self._walk.size < head.size:
                raise SealingRefused(
                    Reason.TAIL_CUT, f"there is a checkpoint of size {head.size}, and {self._walk.size} rows"
                )
        tree = self._sealed.copy()
        tree.extend(self._pending[: head.size - tree.size])
        if tree.root() != checkpoint.root:
            raise SealingRefused(
                Reason.FORKED, f"the stored checkpoint of size {head.size} is not of the rows that are there"
            )
        log().info("checkpoint_of_another", size=head.size)
        self._go_on_from(head)

    def _go_on_from(self, head: StoredCheckpoint) -> None:
        taken = head.size - self._sealed.size
        self._sealed.extend(self._pending[:taken])
        del self._pending[:taken]
        self.head = head
        self._metrics.size.set(head.size)
        self._offer(head)
