"""Reads a whole log and names everything that is wrong with it, up to a bound.

Every row is checked by itself (hash, body), in its session (n, prev, kind, time) and in the log (seq, time); the tree
over the rows is compared with every root that was signed for one of its sizes, in the database and in the places. A
row that was changed and given a matching hash does not show by itself: the next row of its session or the next signed
root tells it.

A log that was opened by a recovery is held against the checkpoints since then. Those of the log before have to be
signed; what they say of the rows is what the recovery gave up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublethink_ledger import ChainHead, CompactRange
from doublethink_ledger.merkle import HASH_BYTES

from doublethink_sealer.claims import IN_TABLE, Claim, Claims
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
    """Read every row and hold it against the claims of one log. Raises DatabaseAway."""
    scan = _Scan(claims.of(origin))
    scan.findings += claims.forged[:MOST_FINDINGS]
    scan.compare_forks()
    after = 0
    while rows := await store.rows(after, batch):
        await scan.take(store, rows)
        after = rows[-1].seq + 1
    scan.compare_end()
    if (counted := await store.count(after)) != scan.rows:
        scan.add(Finding(Reason.DUPLICATE, f"there are {counted} rows, and {scan.rows} of them in order"))
    if (twice := await store.duplicate_id()) is not None:
        scan.add(Finding(Reason.DUPLICATE, f"row {twice} has the id of another row", twice, twice))
    return Report(scan.rows, scan.compared, tuple(scan.findings[:MOST_FINDINGS]))


class _Scan:
    def __init__(self, claims: list[Claim]) -> None:
        self.rows = 0
        self.compared = 0
        self.findings: list[Finding] = []
        self._claims = claims
        self._next = 0
        self._tree = CompactRange()
        self._heads = Heads(_HEADS)
        self._at_us = 0
        self._seq = 0
        # The largest size whose root was right.
        self._good = 0
        # Until a row is missing or a root is wrong: after that every root is.
        self._comparable = True

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless there are enough."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)

    async def take(self, store: LogStore, rows: Sequence[StoredRow]) -> None:
        """Check a batch; go on behind what is wrong."""
        heads = await self._known(store, rows)
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
        while self._next < len(self._claims) and self._claims[self._next].size <= self._tree.size:
            claim = self._claims[self._next]
            self._next += 1
            if not self._comparable:
                continue
            self.compared += 1
            if self._tree.root() == claim.checkpoint.root:
                self._good = claim.size
                continue
            self._comparable = False
            self.add(self._mismatch(claim))

    def _mismatch(self, claim: Claim) -> Finding:
        first, last = self._good, claim.size - 1
        if claim.where != IN_TABLE and claim.size > self._largest(in_table=True):
            words = (
                f"the database was set back to at most {self._largest(in_table=True)} rows and written on: rows "
                f"{first} to {last} are not those that {claim.where} has a checkpoint for"
            )
            return Finding(Reason.FORKED, words, first, last)
        words = (
            f"rows {first} to {last} are not those that were sealed: changed together with their hashes, put in "
            f"another order, or others in their place (the checkpoint of size {claim.size} in {claim.where})"
        )
        return Finding(Reason.REWRITTEN, words, first, last)

    def compare_forks(self) -> None:
        """Two signed roots for one size: the key signed two logs."""
        roots: dict[int, Claim] = {}
        for claim in self._claims:
            other = roots.setdefault(claim.size, claim)
            if other.checkpoint != claim.checkpoint:
                words = f"{other.where} and {claim.where} have different checkpoints of size {claim.size}"
                self.add(Finding(Reason.FORKED, words))

    def compare_end(self) -> None:
        """Hold the number of rows against the largest sizes that were signed."""
        self._compare()
        table, published = self._largest(in_table=True), self._largest(in_table=False)
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

    def _largest(self, *, in_table: bool) -> int:
        return max((c.size for c in self._claims if (c.where == IN_TABLE) is in_table), default=0)
