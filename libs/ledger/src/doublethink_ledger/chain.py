"""Checks over many rows: one session's chain, and the whole log.

The checks raise and never return a verdict; what they return is where the chain stands.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

from doublethink_ledger.body import decode_body
from doublethink_ledger.errors import BodyError, ChainError, Part
from doublethink_ledger.kinds import Kind
from doublethink_ledger.row import Row, check_row_hash, first_prev


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The last good row of one session: enough to check the next one.

    closed: the row is `session.close`, so that no row may follow. A row whose body was left out cannot
    say what it is; a row after it is then taken as proof that it was no close.
    """

    seq: int
    session: bytes
    n: int
    at_us: int
    hash: bytes
    closed: bool


def check_chain(rows: Iterable[Row]) -> ChainHead:
    """Check the rows of one session, from its first, in order; return its head.

    Raises ChainError naming the first bad row, or ChainError with index 0 when there is no row at all.
    """
    head: ChainHead | None = None
    for index, row in enumerate(rows):
        if head is not None and row.session != head.session:
            raise ChainError(index, row.n, Part.SESSION, "another session's row")
        if head is not None and row.seq <= head.seq:
            raise ChainError(index, row.n, Part.SEQ, "does not come after the row before it")
        head = next_head(head, row, index)
    if head is None:
        raise ChainError(0, 0, Part.N, "there is no row")
    return head


class LogChecker:
    """Checks a whole log row by row, every session's chain at once.

    Holds a head for each session and the 16 bytes of each row's id, which must be unique in the whole log:
    memory grows with the rows.
    """

    def __init__(self) -> None:
        self._heads: dict[bytes, ChainHead] = {}
        self._ids: set[bytes] = set()
        self._size = 0
        self._at_us = 0

    @property
    def size(self) -> int:
        """Number of rows checked so far."""
        return self._size

    def heads(self) -> tuple[ChainHead, ...]:
        """The head of each session, in the order in which the sessions began."""
        return tuple(self._heads.values())

    def add(self, row: Row) -> None:
        """Check the next row of the log. Raises ChainError, and then keeps the state from before it."""
        if row.seq != self._size:
            raise ChainError(self._size, row.n, Part.SEQ, f"is {row.seq}, not {self._size}")
        if row.at_us < self._at_us:
            raise ChainError(self._size, row.n, Part.AT_US, "lies before the row before it in the log")
        if row.id in self._ids:
            raise ChainError(self._size, row.n, Part.ID, "was used by an earlier row")
        self._heads[row.session] = next_head(self._heads.get(row.session), row, self._size)
        self._ids.add(row.id)
        self._size += 1
        self._at_us = row.at_us


def check_log(rows: Iterable[Row]) -> LogChecker:
    """Check a whole log from seq 0, in order; return the checker with its heads. Raises ChainError."""
    checker = LogChecker()
    for row in rows:
        checker.add(row)
    return checker


def next_head(head: ChainHead | None, row: Row, index: int) -> ChainHead:
    """Return the head that `row` makes of its session's `head`; None is a session without rows.

    For who keeps the heads elsewhere than in memory; seq, the session and the ids of other rows are the caller's
    to compare. `index` is the row's place in what is being read, for the error alone. Raises ChainError.
    """
    n, at_us, prev = (0, 0, first_prev(row.session)) if head is None else (head.n + 1, head.at_us, head.hash)
    if head is not None and head.closed:
        raise ChainError(index, row.n, Part.KIND, "follows the row that closed the session")
    if row.n != n:
        raise ChainError(index, row.n, Part.N, f"is {row.n}, not {n}")
    if not hmac.compare_digest(row.prev, prev):
        raise ChainError(index, row.n, Part.PREV, "is not the hash of the row before it")
    check_row_hash(row, index)
    if row.at_us < at_us:
        raise ChainError(index, row.n, Part.AT_US, "lies before the row before it")
    return ChainHead(row.seq, row.session, row.n, row.at_us, row.hash, closed=_closes(row, index))


def _closes(row: Row, index: int) -> bool:
    """Check that the row's kind may stand at its place; return whether it closes the session."""
    if row.body is None:
        return False
    try:
        kind = decode_body(row.body)["kind"]
    except BodyError as error:
        raise ChainError(index, row.n, Part.BODY, str(error)) from error
    if (kind == Kind.SESSION_OPEN) is not (row.n == 0):
        raise ChainError(index, row.n, Part.KIND, "a session begins with one session.open and has no other")
    return kind == Kind.SESSION_CLOSE
