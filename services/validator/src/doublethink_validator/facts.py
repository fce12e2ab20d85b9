"""A proven reading as the record that the gate keeps: spans by byte offset, value, unit, period, flags."""

from typing import Final

from doublethink.gate.v1 import record_pb2
from doublethink_figures import Span

from .errors import NotProven, Reason
from .examination import Proven
from .wire import decimal_out, direction_out, flags_out, period_out, unit_out

MAX_LABEL_BYTES: Final = 400
MAX_SPANS: Final = 4


def to_fact(query_id: str, proven: Proven) -> record_pb2.Fact:
    """The record of a proven reading. Raises `NotProven` for what the contract cannot hold."""
    reading = proven.reading
    fact = record_pb2.Fact(
        query_id=query_id,
        page_id=proven.page.page_id,
        spans=[
            _span(proven, role, span)
            for role, span in (
                (record_pb2.SPAN_ROLE_FIGURE, reading.quote),
                (record_pb2.SPAN_ROLE_PERIOD, reading.period_span),
                (record_pb2.SPAN_ROLE_SCALE, reading.scale_span),
                (record_pb2.SPAN_ROLE_SUBJECT, proven.fit.name.span),
            )
            if span is not None and span.end > span.start
        ],
        value=decimal_out(reading.value),
        unit=unit_out(reading.unit),
        direction=direction_out(reading.direction),
        flags=flags_out(reading.flags),
        label=_label(proven),
    )
    period = period_out(reading.period)
    if period is not None:
        fact.period.CopyFrom(period)
    if len(fact.spans) > MAX_SPANS or fact.spans[0].role != record_pb2.SPAN_ROLE_FIGURE:
        raise NotProven(Reason.QUOTE_ABSENT)
    return fact


def _span(proven: Proven, role: record_pb2.SpanRole, span: Span) -> record_pb2.Span:
    start, end = proven.page.page.octets(span)
    return record_pb2.Span(role=role, start=start, end=end)


def _label(proven: Proven) -> str:
    """What the page calls the figure, cut between characters, and whether no span of the page names the company."""
    unnamed = " (company: as the search result names the page)" if proven.fit.name.span.end == 0 else ""
    most = MAX_LABEL_BYTES - len(unnamed)
    return proven.reading.label.encode()[:most].decode("utf-8", errors="ignore") + unnamed
