"""A composed answer as JSON: numbers as decimal text, units by name, quotes with their places."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import record_pb2 as record
from doublethink.validator.v1 import composition_pb2 as composition

_FIRST_CURRENCY: Final = figures.MEASURE_USD


def answer_json(composed: composition.ComposeResponse) -> dict[str, Any]:
    """The `answer` object of a run."""
    return {
        "text": composed.text,
        "figures": [_figure(figure) for figure in composed.figures],
        "derived": [_derived(derived) for derived in composed.derived],
        "conflicts": [
            {"figures": [_figure(rival.figure) for rival in group]}
            for _, group in groupby(composed.rivals, key=lambda rival: rival.group)
        ],
    }


def no_answer(words: str, answer: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The `answer` object of a run that proved nothing; of what was composed for it, the conflicts alone."""
    return {"text": words, "figures": [], "derived": [], "conflicts": (answer or {}).get("conflicts", [])}


def decimal_text(value: figures.Decimal) -> str:
    """The value in plain digits: mantissa 42916 and exponent 6 are "42916000000"."""
    text = format(Decimal(value.mantissa).scaleb(value.exponent), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def unit_name(unit: figures.Unit) -> str:
    """ "USD", "percent", "USD_per_share"; "$" for a dollar whose country the page does not say."""
    name = _measure(unit.measure)
    return f"{name}_per_{_measure(unit.per)}" if unit.per else name


def _measure(measure: int) -> str:
    if measure == figures.MEASURE_UNKNOWN_DOLLAR:
        return "$"
    name = figures.Measure.Name(figures.Measure.ValueType(measure)).removeprefix("MEASURE_")
    return name if measure >= _FIRST_CURRENCY else name.lower()


def _figure(figure: composition.AnswerFigure) -> dict[str, Any]:
    quotes = [
        {
            "role": record.SpanRole.Name(quote.role).removeprefix("SPAN_ROLE_").lower(),
            "text": quote.text,
            "start": quote.start,
            "end": quote.end,
        }
        for quote in figure.quotes
    ]
    own = next((quote for quote in quotes if quote["role"] == "figure"), quotes[0] if quotes else None)
    return {
        "value": decimal_text(figure.value),
        "unit": unit_name(figure.unit),
        "period": figure.period,
        "quote": own["text"] if own else "",
        "url": figure.url,
        "page_sha256": figure.page_sha256.hex(),
        "offset": own["start"] if own else 0,
        "fact_id": figure.fact_id,
        "quotes": quotes,
        "label": figure.label,
        "page_title": figure.page_title,
        "raw_sha256": figure.raw_sha256.hex(),
        "fetched_at_us": figure.fetched_at_us,
        "flags": [figures.Flag.Name(flag).removeprefix("FLAG_").lower() for flag in figure.flags],
        "shown": figure.shown,
        "direction": figures.Direction.Name(figure.direction).removeprefix("DIRECTION_").lower(),
    }


def _derived(derived: composition.DerivedFigure) -> dict[str, Any]:
    return {
        "operation": figures.OperationKind.Name(derived.kind).removeprefix("OPERATION_KIND_").lower(),
        "operands": list(derived.operand_fact_ids),
        "value": decimal_text(derived.value),
        "unit": unit_name(derived.unit),
        "formula": derived.formula,
        "shown": derived.shown,
    }
