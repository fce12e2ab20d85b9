"""A fact's spans lie in its page and cut no character."""

from __future__ import annotations

import pytest
from doublethink.gate.v1 import record_pb2
from doublethink_gate.errors import Malformed
from doublethink_gate.services.spans import check_spans
from hypothesis import given, settings
from hypothesis import strategies as st

FIGURE = record_pb2.SPAN_ROLE_FIGURE
PERIOD = record_pb2.SPAN_ROLE_PERIOD


def span(start: int, end: int, role: record_pb2.SpanRole = FIGURE) -> record_pb2.Span:
    """A span."""
    return record_pb2.Span(role=role, start=start, end=end)


TEXT = "Umsatz 5 €\nJahr 2024\n".encode()


def test_spans_in_bounds_are_taken() -> None:
    """The figure's span first, then up to three others, the last byte included."""
    check_spans(TEXT, [span(0, 12), span(13, len(TEXT), PERIOD), span(0, 6, PERIOD), span(0, 1, PERIOD)])


@pytest.mark.parametrize(
    "spans",
    [
        [],
        [span(0, 1)] + [span(0, 1, PERIOD)] * 4,
        [span(0, 1, PERIOD)],
        [span(0, 1), span(2, 3)],
        [span(0, 1), span(2, 3, record_pb2.SPAN_ROLE_UNSPECIFIED)],
        [span(3, 3)],
        [span(4, 3)],
        [span(0, len(TEXT) + 1)],
        [span(0, 10)],
        [span(11, 12)],
    ],
)
def test_every_other_set_of_spans_is_refused(spans: list[record_pb2.Span]) -> None:
    """Count, roles, order, bounds and UTF-8 boundaries are each checked."""
    with pytest.raises(Malformed):
        check_spans(TEXT, spans)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30), st.integers(0, 130), st.integers(0, 130))
def test_a_span_is_taken_exactly_if_its_bytes_are_text(text: str, start: int, end: int) -> None:
    """Agrees with decoding the bytes before, within and after the span."""
    encoded = text.encode()
    good = start < end <= len(encoded)
    if good:
        try:
            for piece in (encoded[:start], encoded[start:end], encoded[end:]):
                piece.decode()
        except UnicodeDecodeError:
            good = False
    if good:
        check_spans(encoded, [span(start, end)])
    else:
        with pytest.raises(Malformed):
            check_spans(encoded, [span(start, end)])
