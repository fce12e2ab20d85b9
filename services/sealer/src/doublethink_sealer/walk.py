"""Reads a log forward, checks every row and extends the Merkle tree over it, in bounded memory.

Kept between batches: the tree's at most 63 hashes, the last row's time and hash, and the heads of the sessions, as they
were read. A head is never taken from the database for as long as none had to go: a bundle proves that a session's last
row is in the log, and the rows before it by their links alone, so that signing a row which links to a rewritten one
would vouch for all that was written anew before it. Only past the bound on heads the head of a session that was
written long ago is read again, and is then checked by its own hash and by the new row's link to it; that it is the very
row which was sealed is what reading the whole log again shows, at a start and from time to time.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from doublethink_ledger import (
    BodyError,
    ChainError,
    ChainHead,
    CompactRange,
    Kind,
    LedgerFormatError,
    Part,
    decode_body,
    row_hash,
)
from doublethink_ledger.chain import next_head

from doublethink_sealer.errors import SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.log_store import LogStore, StoredRow

_SESSION_BYTES: Final = 16
_CLOSE: Final = f'"kind":"{Kind.SESSION_CLOSE.value}"'.encode()
"""In the one encoding of a body these bytes stand in a session.close and nowhere else."""

_REASONS: Final[Mapping[Part, Reason]] = {
    Part.HASH: Reason.ROW_EDITED,
    Part.BODY: Reason.ROW_EDITED,
    Part.PREV: Reason.CHAIN_BROKEN,
    Part.KIND: Reason.CHAIN_BROKEN,
    Part.AT_US: Reason.RESEQUENCED,
}


class Heads:
    """The heads of the sessions that were written last, at most `most` of them after each batch. It is told of every
    row of the log from the first on, so that a session which it does not know has no row, unless heads had to go.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, ChainHead] = OrderedDict()
        self._let_go = False

    async def of(self, store: LogStore, rows: Sequence[StoredRow], before: int) -> dict[bytes, ChainHead]:
        """Return the heads before seq `before` of the sessions of these rows. Raises SealingRefused for a row in the
        database that is not whole; DatabaseAway.
        """
        sessions = {row.session for row in rows}
        known = {session: self._kept[session] for session in sessions & self._kept.keys()}
        if not self._let_go:
            return known
        if missing := [one for one in sessions - known.keys() if len(one) == _SESSION_BYTES]:
            known |= {
                session: _head(stored) for session, stored in (await store.heads(missing, before)).items()
            }
        return known

    def keep(self, rows: Sequence[StoredRow], heads: Mapping[bytes, ChainHead]) -> None:
        """Take over the heads of a batch's sessions, and let the oldest go."""
        for session in dict.fromkeys(row.session for row in rows):
            head = heads[session]
            # Of a closed session only that matters; most sessions are, and they are many.
            self._kept[session] = ChainHead(0, session, 0, 0, b"", closed=True) if head.closed else head
            self._kept.move_to_end(session)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
            self._let_go = True


class Walk:
    """Where a reading of the log stands, from its first row on. Not for use by several tasks at once.

    heads: see Heads; 0 for a reading that only compares roots, and checks no row behind them.
    """

    def __init__(self, heads: int = 1_000_000) -> None:
        self.tree = CompactRange()
        self.last_hash: bytes | None = None
        self._at_us = 0
        self._heads = Heads(heads)

    @property
    def size(self) -> int:
        """Number of rows read."""
        return self.tree.size

    async def check(
        self, store: LogStore, rows: Sequence[StoredRow], *, any_body: bool = False
    ) -> list[bytes]:
        """Check the next rows in full, and extend the tree by them; return their hashes.

        any_body: a body of no known form is taken, where all else of its row holds.
        Raises SealingRefused naming the first bad row, and then keeps the state from before all of them;
        DatabaseAway.
        """
        hashes = []
        heads, at_us = await self._heads.of(store, rows, self.size), self._at_us
        for seq, stored in enumerate(rows, self.size):
            check_seq(stored.seq, seq)
            heads[stored.session] = follow(heads.get(stored.session), stored, at_us, any_body=any_body)
            hashes.append(stored.hash)
            at_us = stored.at_us
        self.tree.extend(hashes)
        self._heads.keep(rows, heads)
        if rows:
            self.last_hash, self._at_us = rows[-1].hash, at_us
        return hashes

    def rehash(self, rows: Sequence[StoredRow]) -> None:
        """Take the next rows by their hashes alone: for rows that a signed root binds, which the caller compares.

        Raises SealingRefused for a row whose hash is not that of its fields, or whose seq is not the next; nothing
        is kept of these rows then.
        """
        hashes = []
        heads: dict[bytes, ChainHead] = {}
        for seq, stored in enumerate(rows, self.size):
            check_seq(stored.seq, seq)
            check_hash(stored)
            hashes.append(stored.hash)
            heads[stored.session] = _unread_head(stored)
        self.tree.extend(hashes)
        self._heads.keep(rows, heads)
        if rows:
            self.last_hash, self._at_us = rows[-1].hash, rows[-1].at_us


async def rehash_to(store: LogStore, walk: Walk, size: int, batch: int) -> None:
    """Take rows by their hashes until the walk has `size` of them, or there are no more.

    Raises SealingRefused, DatabaseAway.
    """
    while walk.size < size:
        rows = await store.rows(walk.size, min(batch, size - walk.size))
        if not rows:
            return
        walk.rehash(rows)


def follow(head: ChainHead | None, stored: StoredRow, at_us: int, *, any_body: bool = False) -> ChainHead:
    """Return the head that a row makes of its session's. at_us: the time of the row before it in the log.
    any_body: see Walk.check.

    Raises SealingRefused.
    """
    seq = stored.seq
    if stored.at_us < at_us:
        raise SealingRefused(
            Reason.RESEQUENCED, f"row {seq} has an earlier time than the row before it", seq, seq
        )
    try:
        return next_head(head, stored.row(), seq)
    except ChainError as error:
        if any_body and error.part is Part.BODY:
            # The body comes last: number, link, hash and time were right.
            return _unread_head(stored)
        words = f"row {seq} (row {error.n} of its session): {error.part}: {error.why}"
        raise SealingRefused(_reason(error, head), words, seq, seq) from error
    except LedgerFormatError as error:
        raise SealingRefused(Reason.ROW_EDITED, f"row {seq}: {error}", seq, seq) from error


def check_hash(stored: StoredRow) -> None:
    """Raise SealingRefused unless the row's hash is that of its fields."""
    seq = stored.seq
    try:
        computed = row_hash(
            session=stored.session,
            n=stored.n,
            at_us=stored.at_us,
            id=stored.id,
            prev=stored.prev,
            body_sha256=hashlib.sha256(stored.body).digest(),
        )
    except LedgerFormatError as error:
        raise SealingRefused(Reason.ROW_EDITED, f"row {seq}: {error}", seq, seq) from error
    if not hmac.compare_digest(computed, stored.hash):
        raise SealingRefused(Reason.ROW_EDITED, f"row {seq} does not have the hash of its fields", seq, seq)


def check_seq(found: int, wanted: int) -> None:
    """Raise SealingRefused unless a row's seq is the one that comes next."""
    if found > wanted:
        last = found - 1
        which = f"row {wanted} is" if last == wanted else f"rows {wanted} to {last} are"
        raise SealingRefused(Reason.ROW_MISSING, f"{which} not there", wanted, last)
    if found < wanted:
        raise SealingRefused(Reason.DUPLICATE, f"there are two rows {found}", found, found)


def _unread_head(stored: StoredRow) -> ChainHead:
    return ChainHead(
        stored.seq, stored.session, stored.n, stored.at_us, stored.hash, closed=_CLOSE in stored.body
    )


def _head(stored: StoredRow) -> ChainHead:
    check_hash(stored)
    try:
        closed = decode_body(stored.body)["kind"] == Kind.SESSION_CLOSE
    except BodyError as error:
        raise SealingRefused(
            Reason.ROW_EDITED, f"row {stored.seq}: {error}", stored.seq, stored.seq
        ) from error
    return ChainHead(stored.seq, stored.session, stored.n, stored.at_us, stored.hash, closed)


def _reason(error: ChainError, head: ChainHead | None) -> Reason:
    if error.part is Part.N:
        # A number that is skipped is a row that went; one that came before is another order.
        wanted = 0 if head is None else head.n + 1
        return Reason.ROW_MISSING if error.n > wanted else Reason.RESEQUENCED
    return _REASONS.get(error.part, Reason.CHAIN_BROKEN)
