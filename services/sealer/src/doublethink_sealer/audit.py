"""Reads a whole log and names everything that is wrong with it, up to a bound.

Every row is checked by itself (hash, body), in its session (n, prev, kind, time) and in the log (seq, time); the tree
over the rows is compared with every root that was signed for one of its sizes, in the database and in the places. A
row that was changed and given a matching hash does not show by itself: the next row of its session or the next signed
root tells it.

A log that was opened by a recovery is held against the checkpoints since then. Those of the log before have to be
signed; what they say of the rows is what the recovery gave up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublethink_ledger import ChainHead, CompactRange
from doublethink_ledger.merkle import HASH_BYTES

from doublethink_sealer.claims import IN_TABLE, Claim, Claims, checkpoint_said, fork, open_stored
from doublethink_sealer.errors import SealingRefused
from doublethink_sealer.findings import Finding, Reason
from doublethink_sealer.log_store import LogStore, StoredRow
from doublethink_sealer.walk import Heads, check_hash, check_seq, follow

MOST_FINDINGS: Final = 20
_HEADS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Report:
    """What was read and what was found. compared: signed roots that a size of the log was held against."""

    rows: int
    compared: int
    findings: tuple[Finding, ...]


async def audit(store: LogStore, origin: str, claims: Claims, batch: int = 1000) -> Report:
    """Read every row and hold it against the claims of one log. In memory are a batch of rows, the table's checkpoints
    for those sizes, and what was published. Raises DatabaseAway.
    """
    scan = _Scan(origin, claims)
    scan.findings += [*claims.forged[:MOST_FINDINGS], *claims.forks[:MOST_FINDINGS]]
    scan.compare_forks()
    after = 0
    while rows := await store.rows(after, batch):
        await scan.take(store, rows)
        if (room := MOST_FINDINGS - len(scan.missing)) > 0:
            scan.missing += map(_missing, await store.missing_payloads(after, rows[-1].seq, room))
        after = rows[-1].seq + 1
    await scan.load(store, 1)
    scan.compare_end()
    if (counted := await store.count(after)) != scan.rows:
        scan.add(Finding(Reason.DUPLICATE, f"there are {counted} rows, and {scan.rows} of them in order"))
    if (twice := await store.duplicate_id()) is not None:
        scan.add(Finding(Reason.DUPLICATE, f"row {twice} has the id of another row", twice, twice))
    # Last: that a payload went takes nothing from the rows, and must not hide what does.
    return Report(scan.rows, scan.compared, (*scan.findings[:MOST_FINDINGS], *scan.missing))


def _missing(seq: int) -> Finding:
    words = f"row {seq} commits to a payload that is gone, and no redaction names it"
    return Finding(Reason.PAYLOAD_MISSING, words, seq, seq)


class _Scan:
    def __init__(self, origin: str, claims: Claims) -> None:
        self.rows = 0
        self.compared = 0
        self.findings: list[Finding] = []
        self.missing: list[Finding] = []
        self._origin = origin
        self._published = claims.of(origin)
        self._table = claims.table
        self._in_table = claims.stored(origin)
        # Of sizes from the tree's on, by size; and how many of the published are among them or before.
        self._due: deque[Claim] = deque()
        self._taken = 0
        self._tree = CompactRange()
        self._heads = Heads(_HEADS)
        self._at_us = 0
        self._seq = 0
        # The largest size whose root was right.
        self._good = 0
        # Until a row is missing or a root is wrong: after that every root is.
        self._comparable = True

    async def load(self, store: LogStore, rows: int) -> None:
        """Read what was signed for the sizes that the next rows bring the tree to, but for the last of them."""
        if not self._comparable:
            return
        first, last = self._tree.size, self._tree.size + rows - 1
        due = [*self._due]
        while self._taken < len(self._published) and self._published[self._taken].size <= last:
            due.append(self._published[self._taken])
            self._taken += 1
        if self._table is not None and first <= self._in_table:
            for stored in await store.checkpoints_of(self._origin, first, last):
                if (said := checkpoint_said(stored)) is not None:
                    due.append(Claim(said, IN_TABLE, stored))
        self._due = deque(sorted(due, key=lambda claim: claim.size))

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless there are enough."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)

    async def take(self, store: LogStore, rows: Sequence[StoredRow]) -> None:
        """Check a batch; go on behind what is wrong."""
        heads = await self._known(store, rows)
        await self.load(store, len(rows))
        for stored in rows:
            self._compare()
            heads[stored.session] = self._judge(stored, heads.get(stored.session))
            self._take_hash(stored.hash)
            self._seq, self._at_us = stored.seq + 1, stored.at_us
            self.rows += 1
        self._heads.keep(rows, heads)

    async def _known(self, store: LogStore, rows: Sequence[StoredRow]) -> dict[bytes, ChainHead]:
        try:
            return await self._heads.of(store, rows, self._seq)
        except SealingRefused:
            # A row that is not whole was named when it was read; its session is taken up at its next row.
            return {}

    def _judge(self, stored: StoredRow, head: ChainHead | None) -> ChainHead:
        try:
            check_seq(stored.seq, self._seq)
        except SealingRefused as refused:
            self.add(refused.finding)
            self._comparable = False
        try:
            check_hash(stored)
            return follow(head, stored, self._at_us)
        except SealingRefused as refused:
            self.add(refused.finding)
        return ChainHead(stored.seq, stored.session, stored.n, stored.at_us, stored.hash, closed=False)

    def _take_hash(self, hash: bytes) -> None:
        if len(hash) == HASH_BYTES:
            self._tree.append(hash)
        else:
            self._comparable = False

    def _compare(self) -> None:
        """Hold the tree against what was signed for its size."""
        while self._due and self._due[0].size <= self._tree.size:
            claim = self._due.popleft()
            if not self._comparable:
                continue
            if self._tree.root() == claim.checkpoint.root:
                self.compared += 1
                self._good = claim.size
            elif self._is_signed(claim):
                self.compared += 1
                self._comparable = False
                self.add(self._mismatch(claim))

    def _is_signed(self, claim: Claim) -> bool:
        """Whether a row of the table that says something wrong is signed. Where not, that was found before."""
        if claim.stored is None or self._table is None:
            return True
        try:
            open_stored(self._table.keys, claim.stored)
        except SealingRefused:
            return False
        return True

    def _mismatch(self, claim: Claim) -> Finding:
        first, last = self._good, claim.size - 1
        if claim.where != IN_TABLE and claim.size > self._in_table:
            words = (
                f"the database was set back to at most {self._in_table} rows and written on: rows "
                f"{first} to {last} are not those that {claim.where} has a checkpoint for"
            )
            return Finding(Reason.FORKED, words, first, last)
        words = (
            f"rows {first} to {last} are not those that were sealed: changed together with their hashes, put in "
            f"another order, or others in their place (the checkpoint of size {claim.size} in {claim.where})"
        )
        return Finding(Reason.REWRITTEN, words, first, last)

    def compare_forks(self) -> None:
        """Hold what was published against itself."""
        roots: dict[int, Claim] = {}
        for claim in self._published:
            other = roots.setdefault(claim.size, claim)
            if other.checkpoint != claim.checkpoint:
                self.add(fork(other, claim))

    def compare_end(self) -> None:
        """Hold the number of rows against the largest sizes that were signed."""
        self._compare()
        table, published = self._in_table, self._published[-1].size if self._published else 0
        largest = max(table, published)
        if self.rows == 0 and largest > 0:
            self.add(
                Finding(Reason.TRUNCATED, f"all of {largest} rows that were sealed are gone", 0, largest - 1)
            )
        elif self._seq < table:
            words = f"the last {table - self._seq} of {table} rows that were sealed are gone"
            self.add(Finding(Reason.TAIL_CUT, words, self._seq, table - 1))
        elif self._seq < published:
            words = (
                f"the database ends at row {self._seq - 1} and its own checkpoints at {table} rows, and {published} "
                "rows were published: an older state was put in its place"
            )
            self.add(Finding(Reason.ROLLED_BACK, words, self._seq, published - 1))
        elif table < published and self._comparable:
            words = (
                f"the rows are those that were published, and the database's own checkpoints end at {table} of "
                f"{published} rows"
            )
            self.add(Finding(Reason.CHECKPOINTS_MISSING, words))
