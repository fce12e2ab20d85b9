"""What the sealer reads and writes in a database, as an interface: PostgreSQL, or a test's simulator."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from doublethink_ledger import Row


class StoredRow(NamedTuple):
    """A row as it is stored. Nothing of it is checked: widths and ranges may be anything."""

    seq: int
    session: bytes
    n: int
    id: bytes
    at_us: int
    prev: bytes
    body: bytes
    hash: bytes

    def row(self) -> Row:
        """Return the row of the ledger library. Raises RowFormatError for a wrong width or range."""
        body_sha256 = hashlib.sha256(self.body).digest()
        return Row(
            self.seq, self.session, self.n, self.id, self.at_us, self.prev, body_sha256, self.hash, self.body
        )


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """A row of the checkpoint table, unverified.

    at_us: orders the table, microseconds since 1970-01-01 UTC. statement: of the first checkpoint after a recovery.
    """

    origin: str
    size: int
    root: bytes
    note: bytes
    at_us: int
    statement: bytes | None = None


class LogStore(Protocol):
    """A ledger's rows and checkpoints. Every method may raise DatabaseAway."""

    async def rows(self, first: int, limit: int) -> Sequence[StoredRow]:
        """Return up to `limit` rows with seq >= first, by seq."""
        ...

    async def heads(self, sessions: Collection[bytes], before: int) -> Mapping[bytes, StoredRow]:
        """Return of each session its row with the largest n among those with seq < before, where it has one."""
        ...

    async def count(self, before: int) -> int:
        """Return the number of rows with seq < before."""
        ...

    async def duplicate_id(self) -> int | None:
        """Return the seq of a row whose id another row has too, or None."""
        ...

    async def head(self) -> StoredCheckpoint | None:
        """Return the newest checkpoint of the table, of whatever origin."""
        ...

    async def checkpoints(self, after_us: int, limit: int) -> Sequence[StoredCheckpoint]:
        """Return up to `limit` checkpoints with a larger at_us, in that order."""
        ...

    async def checkpoints_of(self, origin: str, first: int, last: int) -> Sequence[StoredCheckpoint]:
        """Return the checkpoints of a log with first <= size <= last, by size."""
        ...

    async def missing_payloads(self, first: int, last: int, limit: int) -> Sequence[int]:
        """Return the seqs, up to `limit`, of rows with first <= seq <= last that commit to a payload which is not
        there and which no redaction names.
        """
        ...

    async def store(self, expected: StoredCheckpoint | None, new: StoredCheckpoint) -> int | None:
        """Store a checkpoint if `expected` is still the head; return its at_us, or None if it is not.

        The at_us of `new` is not used.
        """
        ...
