"""A row before it is written, and after."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import NamedTuple

from doublethink_ledger import Kind, Row

from doublethink_gate.ledger.payload import SealedPayload


@dataclass(frozen=True, slots=True)
class PreparedRow:
    """A row as it will be written, and as it is retried: the same id, the same bytes.

    expect_n: the n of the last row that changed the check state, as the checks saw it; only attempts have
    one.
    """

    session: uuid.UUID
    id: uuid.UUID
    kind: Kind
    body: bytes
    payload: SealedPayload | None
    expect_n: int | None

    @property
    def size(self) -> int:
        """Bytes that the row takes in a batch, nearly."""
        return len(self.body) + (len(self.payload.ciphertext) if self.payload else 0) + 64


class AppendedRow(NamedTuple):
    """A row that is durably in the ledger, with a hash that was computed here as well. A tuple: one is made for every
    row that a gate writes.

    seq, n: index in the whole log and in the session, from 0. at_us: microseconds since 1970-01-01 UTC.
    prev, hash, body_sha256: 32 bytes. body: the exact bytes that were written.
    """

    session: uuid.UUID
    id: uuid.UUID
    seq: int
    n: int
    at_us: int
    prev: bytes
    body_sha256: bytes
    hash: bytes
    body: bytes

    @property
    def row(self) -> Row:
        """The row as the ledger's library has it. Made when asked for: few who append do."""
        return Row(
            self.seq,
            self.session.bytes,
            self.n,
            self.id.bytes,
            self.at_us,
            self.prev,
            self.body_sha256,
            self.hash,
            self.body,
        )
