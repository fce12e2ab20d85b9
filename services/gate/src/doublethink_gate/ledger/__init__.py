"""The gate's side of the ledger: rows are written durably before anything is sent, and read back.

    async with LedgerWriter(dsn, session_keys) as writer:
        row = await writer.append(session, Kind.ATTEMPT, body, payload, expect_n=seen, deadline_s=10)

Whatever append raises means one thing for the caller: do not send.
"""

from doublethink_gate.ledger.errors import (
    CommitUnknown,
    DeadlinePassed,
    KeyMissing,
    LedgerError,
    LedgerMismatch,
    LedgerUnavailable,
    LostRace,
    NotWritten,
    PayloadErased,
    PayloadError,
    QueueFull,
    RowConflict,
    RowRefused,
    RowsMissing,
    SessionAlreadyOpen,
    SessionClosed,
    SessionNotOpen,
)
from doublethink_gate.ledger.keys import KeyRing, Wrapped
from doublethink_gate.ledger.log import LogReader, LogRow
from doublethink_gate.ledger.openings import Openings
from doublethink_gate.ledger.payload import SealedPayload
from doublethink_gate.ledger.prover import Prover
from doublethink_gate.ledger.reader import LedgerReader
from doublethink_gate.ledger.rows import AppendedRow, PreparedRow
from doublethink_gate.ledger.session_keys import SessionKeys
from doublethink_gate.ledger.writer import LedgerWriter, WriterLimits

__all__ = [
    "AppendedRow",
    "CommitUnknown",
    "DeadlinePassed",
    "KeyMissing",
    "KeyRing",
    "LedgerError",
    "LedgerMismatch",
    "LedgerReader",
    "LedgerUnavailable",
    "LedgerWriter",
    "LogReader",
    "LogRow",
    "LostRace",
    "NotWritten",
    "Openings",
    "PayloadErased",
    "PayloadError",
    "PreparedRow",
    "Prover",
    "QueueFull",
    "RowConflict",
    "RowRefused",
    "RowsMissing",
    "SealedPayload",
    "SessionAlreadyOpen",
    "SessionClosed",
    "SessionKeys",
    "SessionNotOpen",
    "Wrapped",
    "WriterLimits",
]
