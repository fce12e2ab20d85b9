"""Ledger rows, and why an attempt was stopped, as the messages that callers get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from doublethink.gate.v1 import ledger_pb2
from doublethink_ledger import BodyError, Row, decode_body

from doublethink_gate.reasons import Reasons

_VERDICTS: Final = {
    "ask": ledger_pb2.REASON_VERDICT_ASK,
    "rewrite": ledger_pb2.REASON_VERDICT_REWRITE,
    "block": ledger_pb2.REASON_VERDICT_BLOCK,
}
_SIZES: Final = {
    "": ledger_pb2.SIZE_CLASS_UNSPECIFIED,
    "short": ledger_pb2.SIZE_CLASS_SHORT,
    "medium": ledger_pb2.SIZE_CLASS_MEDIUM,
    "long": ledger_pb2.SIZE_CLASS_LONG,
}


def row_message(row: Row) -> ledger_pb2.Row:
    """Return the message of a row that was read with its body."""
    return ledger_pb2.Row(
        seq=row.seq, n=row.n, id=row.id, at_us=row.at_us, prev=row.prev, body=_bytes(row), hash=row.hash
    )


def body_of(row: Row) -> dict[str, object]:
    """Return the body of a row that was read with it. Raises BodyError."""
    return dict(decode_body(_bytes(row)))


def body_if_right(row: Row) -> dict[str, object]:
    """Return the body of a row that was read with it, empty where it is none: somebody changed what is stored.

    Who lists rows hands such a one on as it is. It is for a verifier to say what is wrong with it, and whoever
    changed it must not keep the others from being read.
    """
    try:
        return body_of(row)
    except BodyError:
        return {}


def _bytes(row: Row) -> bytes:
    if row.body is None:
        raise AssertionError("rows are read with their bodies")
    return row.body


def explanation(reasons: Reasons, sent: Sequence[int]) -> ledger_pb2.ExplainAttemptResponse:
    """Return the reasons of an attempt. sent: by call of the check state, the n of its row."""
    return ledger_pb2.ExplainAttemptResponse(
        kept=True,
        checked_bytes=reasons.checked,
        reasons=[
            ledger_pb2.Reason(
                rule=reason.rule,
                family=reason.family,
                verdict=_VERDICTS[reason.verdict],
                start=reason.start,
                end=reason.end,
                chain=reason.chain,
                earlier_n=[sent[call] for call in reason.calls if call < len(sent)],
                size=_SIZES[reason.size],
                elsewhere=reason.elsewhere,
            )
            for reason in reasons.reasons
        ],
    )
