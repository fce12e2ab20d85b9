"""Whether a fact's spans lie in its page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from doublethink.gate.v1 import record_pb2

from doublethink_gate.errors import Malformed

MAX_SPANS: Final = 4


def check_spans(text: bytes, spans: Sequence[record_pb2.Span]) -> None:
    """Raise Malformed unless the spans are one to four, the figure's first and alone, each within the text.

    `text` is UTF-8; spans are byte offsets, start inclusive, end exclusive, and cut no character.
    """
    if not 1 <= len(spans) <= MAX_SPANS:
        raise Malformed
    roles = [span.role for span in spans]
    if roles[0] != record_pb2.SPAN_ROLE_FIGURE or roles.count(record_pb2.SPAN_ROLE_FIGURE) != 1:
        raise Malformed
    for span in spans:
        if span.role == record_pb2.SPAN_ROLE_UNSPECIFIED:
            raise Malformed
        if not 0 <= span.start < span.end <= len(text):
            raise Malformed
        if not (_is_boundary(text, span.start) and _is_boundary(text, span.end)):
            raise Malformed


def _is_boundary(text: bytes, offset: int) -> bool:
    """A UTF-8 continuation byte is 10xxxxxx (RFC 3629 section 3)."""
    return offset == len(text) or text[offset] & 0xC0 != 0x80
