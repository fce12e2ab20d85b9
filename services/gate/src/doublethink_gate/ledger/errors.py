"""What can go wrong between the gate and its ledger.

    LedgerError
    ├── NotWritten              the row is certainly not in the ledger
    │   ├── LostRace            another row changed the check state: read it, check again, append again
    │   ├── SessionClosed       the session has its session.close row
    │   ├── SessionNotOpen      the session has no session.open row
    │   ├── SessionAlreadyOpen  the session has its session.open row
    │   ├── RowConflict         the row id belongs to a different row
    │   ├── RowRefused          the row breaks a rule of the append function: a fault of the caller's
    │   ├── QueueFull           too much is waiting: shed load
    │   ├── DeadlinePassed      the time was up before the row was handed to the database
    │   └── LedgerUnavailable   no connection, or the database refuses all rows
    ├── CommitUnknown           the row may be in the ledger: retry the very same row to learn it
    ├── LedgerMismatch          the database's answer is not what the row hashes to: it cannot be trusted
    ├── PayloadError            a payload cannot be opened
    │   └── PayloadErased       it was deleted, or its key was
    ├── RowsMissing             rows that a checkpoint counts are not in the table any more
    └── KeyMissing              the key-encryption key that is needed is not held

Every one of them means: send nothing. Messages hold ids and numbers, never a payload.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from doublethink_gate.ledger.rows import PreparedRow


class LedgerError(Exception):
    """A row was not acknowledged, or a stored one cannot be read."""


class NotWritten(LedgerError):
    """The row is certainly not in the ledger."""


class LostRace(NotWritten):
    """The attempt's checks did not see the last row that changed the check state."""


class SessionClosed(NotWritten):
    """The session is closed; it takes no more rows."""


class SessionNotOpen(NotWritten):
    """The session has no session.open row yet."""


class SessionAlreadyOpen(NotWritten):
    """The session has its session.open row already."""


class RowConflict(NotWritten):
    """The row id belongs to a row with another session or body."""


class RowRefused(NotWritten):
    """The row breaks a rule of the append function; repeating it will not help."""


class QueueFull(NotWritten):
    """As many rows or bytes wait as may wait."""


class DeadlinePassed(NotWritten):
    """The deadline passed while the row was still waiting in this process."""


class LedgerUnavailable(NotWritten):
    """There is no connection, the writer is stopping, or the database refuses every row."""


class CommitUnknown(LedgerError):
    """The row may or may not be in the ledger. `prepared` is the row to retry."""

    def __init__(self, prepared: PreparedRow) -> None:
        super().__init__(f"it is not known whether row {prepared.id} was written")
        self.prepared = prepared


class LedgerMismatch(LedgerError):
    """The database answered with values that the row does not hash to."""


class PayloadError(LedgerError):
    """A stored payload does not decrypt, or is not the one that its row commits to."""


class PayloadErased(PayloadError):
    """The payload or its key was deleted; its row remains."""


class KeyMissing(LedgerError):
    """What is stored needs a version of the key-encryption key that this gate does not hold."""


class RowsMissing(LedgerError):
    """Rows that a checkpoint counts are not in the table any more."""
