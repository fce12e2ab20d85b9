"""A ledger row as the message that callers get."""

from __future__ import annotations

from doublethink.gate.v1 import ledger_pb2
from doublethink_ledger import Row, decode_body


def row_message(row: Row) -> ledger_pb2.Row:
    """Return the message of a row that was read with its body."""
    return ledger_pb2.Row(
        seq=row.seq, n=row.n, id=row.id, at_us=row.at_us, prev=row.prev, body=_bytes(row), hash=row.hash
    )


def body_of(row: Row) -> dict[str, object]:
    """Return the body of a row that was read with it. Raises BodyError."""
    return dict(decode_body(_bytes(row)))


def _bytes(row: Row) -> bytes:
    if row.body is None:
        raise AssertionError("rows are read with their bodies")
    return row.body
