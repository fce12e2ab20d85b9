"""Calls the append function itself, one batch a call on a plain connection, and reads what it wrote."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence

import psycopg
from doublethink_gate.ledger.call import Answer
from doublethink_gate.ledger.payload import SealedPayload
from doublethink_gate.ledger.rows import PreparedRow
from doublethink_ledger import BodyValue, Kind, Row, encode_body
from psycopg.rows import args_row, class_row
from sim.ledger import CLOSE, OPEN, attempt, outcome

SEALED = SealedPayload(1, bytes(12), bytes(64))
"""A payload that nobody opens."""

_COMMITTED: dict[str, BodyValue] = {"commit": "d" * 64, "bytes": 1}
_OF = uuid.UUID(int=7)

OPENS = encode_body({**OPEN, "kind": "session.open"})
CLOSES = encode_body({**CLOSE, "kind": "session.close"})
ALLOWED, REWRITTEN, BLOCKED = (
    encode_body({**attempt(verdict), **_COMMITTED, "kind": "attempt"})
    for verdict in ("allow", "rewrite", "block")
)
SENT = encode_body({**outcome(_OF), "kind": "outcome"})
ANSWERED = encode_body({**outcome(_OF, "d" * 64), "kind": "outcome"})
"""An outcome with a stored response: it changes the check state."""


def row(
    session: uuid.UUID, body: bytes, expect_n: int | None = None, id: uuid.UUID | None = None
) -> PreparedRow:
    """A row with any of the bodies above, and a payload where it commits to one."""
    payload = SEALED if b'"commit"' in body else None
    return PreparedRow(session, id or uuid.UUID(bytes=os.urandom(16)), Kind.ATTEMPT, body, payload, expect_n)


def call(connection: psycopg.Connection, batch: Sequence[PreparedRow]) -> list[Answer]:
    """Run one batch. Raises psycopg.Error."""
    payloads = [one.payload for one in batch]
    with connection.cursor(row_factory=args_row(Answer), binary=True) as cursor:
        cursor.execute(
            "SELECT * FROM ledger.append(%b::uuid[], %b::uuid[], %b::bytea[], %b::bigint[], %b::integer[],"
            " %b::bytea[], %b::bytea[])",
            (
                [one.session for one in batch],
                [one.id for one in batch],
                [one.body for one in batch],
                [-1 if one.expect_n is None else one.expect_n for one in batch],
                [payload.key_version if payload else 0 for payload in payloads],
                [payload.iv if payload else b"" for payload in payloads],
                [payload.ciphertext if payload else b"" for payload in payloads],
            ),
        )
        return cursor.fetchall()


def stored(connection: psycopg.Connection, session: uuid.UUID | None = None) -> list[Row]:
    """All rows by seq, or one session's."""
    with connection.cursor(row_factory=class_row(Row)) as cursor:
        cursor.execute(
            "SELECT seq, uuid_send(session) AS session, n, uuid_send(id) AS id, at_us, prev,"
            " sha256(body) AS body_sha256, hash, body FROM ledger.entry"
            " WHERE %(session)s::uuid IS NULL OR session = %(session)s ORDER BY seq",
            {"session": session},
        )
        return cursor.fetchall()
