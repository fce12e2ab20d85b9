"""The one call that adds rows: `ledger.append` in SQL, its arguments and its answers."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import os
import socket
from collections.abc import Sequence
from typing import Final, NamedTuple

import psycopg
from doublethink_ledger import RowFormatError, first_prev, row_hash
from psycopg.rows import args_row

from doublethink_gate.ledger.errors import (
    LedgerError,
    LedgerMismatch,
    LostRace,
    NotWritten,
    RowConflict,
    RowRefused,
    SessionAlreadyOpen,
    SessionClosed,
    SessionNotOpen,
)
from doublethink_gate.ledger.rows import AppendedRow, PreparedRow

MAX_BATCH_ROWS: Final = 256

_APPEND: Final = (
    "SELECT item, status, seq, n, at_us, prev, hash FROM ledger.append("
    "%b::uuid[], %b::uuid[], %b::bytea[], %b::bigint[], %b::integer[], %b::bytea[], %b::bytea[])"
)

# A statement that is cut off by a timer leaves the commit unknown for nothing: the writer has bounds of its
# own.
_OPTIONS: Final = " ".join(
    f"-c {name}={value}"
    for name, value in {
        "default_transaction_isolation": "read\\ committed",
        "default_transaction_read_only": "off",
        "synchronous_commit": "on",
        "statement_timeout": "0",
        "lock_timeout": "0",
        "idle_session_timeout": "0",
        "application_name": "doublethink-append",
    }.items()
)

_REFUSALS: Final[dict[str, type[NotWritten]]] = {
    "conflict": RowConflict,
    "lost_race": LostRace,
    "closed": SessionClosed,
    "not_open": SessionNotOpen,
    "already_open": SessionAlreadyOpen,
    "invalid": RowRefused,
}

NOT_DURABLE: Final = frozenset({"DT001", "DT002"})
"""SQLSTATEs of the append function for a server or session that it does not write under."""

Connection = psycopg.AsyncConnection[tuple[object, ...]]


class Answer(NamedTuple):
    """What the function said about one item. A tuple: as a frozen class it costs a row more than its decoding."""

    item: int
    status: str
    seq: int | None
    n: int | None
    at_us: int | None
    prev: bytes | None
    hash: bytes | None


async def connect(dsn: str, timeout_s: float) -> Connection:
    """Open a connection for appending and nothing else. Raises psycopg.Error, TimeoutError."""
    async with asyncio.timeout(timeout_s):
        return await psycopg.AsyncConnection.connect(
            dsn,
            autocommit=True,
            options=_OPTIONS,
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            # Prepared at first use: the statement is always the same.
            prepare_threshold=0,
        )


async def append(connection: Connection, batch: Sequence[PreparedRow]) -> list[Answer]:
    """Run one batch; the rows answered as appended are durable when this returns. Raises psycopg.Error."""
    payloads = [row.payload for row in batch]
    async with connection.cursor(row_factory=args_row(Answer), binary=True) as cursor:
        await cursor.execute(
            _APPEND,
            (
                [row.session for row in batch],
                [row.id for row in batch],
                [row.body for row in batch],
                [-1 if row.expect_n is None else row.expect_n for row in batch],
                [payload.key_version if payload else 0 for payload in payloads],
                [payload.iv if payload else b"" for payload in payloads],
                [payload.ciphertext if payload else b"" for payload in payloads],
            ),
        )
        return await cursor.fetchall()


def judge(row: PreparedRow, answer: Answer) -> AppendedRow | LedgerError:
    """Return the appended row, or the error that its caller gets.

    The hash is computed here from the bytes that this process holds: an answer that does not fit them is
    LedgerMismatch, whatever the database says.
    """
    if answer.status in _REFUSALS:
        return _REFUSALS[answer.status](f"row {row.id}: {answer.status}")
    seq, n, at_us, prev, hash = answer.seq, answer.n, answer.at_us, answer.prev, answer.hash
    known = answer.status in ("appended", "duplicate")
    if not known or seq is None or n is None or at_us is None or prev is None or hash is None:
        return LedgerMismatch(f"row {row.id}: the database gave an unknown answer")
    body_sha256 = hashlib.sha256(row.body).digest()
    session, id = row.session.bytes, row.id.bytes
    try:
        computed = row_hash(session=session, n=n, at_us=at_us, id=id, prev=prev, body_sha256=body_sha256)
    except RowFormatError:
        return LedgerMismatch(f"row {row.id}: the database's values have no row's form")
    begins = (n == 0) is hmac.compare_digest(prev, first_prev(session))
    if seq < 0 or not begins or not hmac.compare_digest(computed, hash):
        return LedgerMismatch(f"row {row.id}: the database's values do not hash to its hash")
    return AppendedRow(row.session, row.id, seq, n, at_us, prev, body_sha256, hash, row.body)


def cut(connection: Connection) -> None:
    """Break a connection off without cancelling its statement, which may still commit."""
    # A second descriptor of the same socket: libpq closes its own when it notices.
    with (
        contextlib.suppress(OSError, psycopg.OperationalError),
        socket.socket(fileno=os.dup(connection.pgconn.socket)) as duplicate,
    ):
        duplicate.shutdown(socket.SHUT_RDWR)
