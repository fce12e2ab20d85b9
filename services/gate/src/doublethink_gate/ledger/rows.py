"""A row before it is written, and after."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class AppendedRow:
    """A row that is durably in the ledger, with a hash that was computed here as well."""

    session: uuid.UUID
    id: uuid.UUID
    row: Row

    @property
    def seq(self) -> int:
        """Index in the whole log, from 0."""
        return self.row.seq

    @property
    def n(self) -> int:
        """Index in the session, from 0."""
        return self.row.n

    @property
    def at_us(self) -> int:
        """Microseconds since 1970-01-01 UTC."""
        return self.row.at_us

    @property
    def hash(self) -> bytes:
        """The row's 32-byte hash."""
        return self.row.hash
