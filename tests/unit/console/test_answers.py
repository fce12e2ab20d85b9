"""Answers as JSON."""

from __future__ import annotations

from typing import Any

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import record_pb2 as record
from doublethink.validator.v1 import composition_pb2 as composition
from doublethink_console.runs.answers import answer_json, decimal_text, unit_name
from doublethink_console.runs.follower import readable
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("mantissa", "exponent", "text"),
    [
        (42916, 6, "42916000000"),
        (415, -1, "41.5"),
        (-1350, -2, "-13.5"),
        (0, 0, "0"),
        (0, -2, "0"),
        (100, -2, "1"),
        (1200, 0, "1200"),
    ],
)
def test_a_number_is_plain_digits(mantissa: int, exponent: int, text: str) -> None:
    """No exponent, no zeros that say nothing."""
    assert decimal_text(figures.Decimal(mantissa=mantissa, exponent=exponent)) == text


@given(st.integers(-999_999_999_999, 999_999_999_999), st.integers(-12, 15))
@settings(max_examples=100, deadline=None)
def test_no_digit_is_lost(mantissa: int, exponent: int) -> None:
    """The text is the exact value."""
    from decimal import Decimal

    text = decimal_text(figures.Decimal(mantissa=mantissa, exponent=exponent))
    assert Decimal(text) == Decimal(mantissa).scaleb(exponent)
    assert "E" not in text


@pytest.mark.parametrize(
    ("measure", "per", "name"),
    [
        (figures.MEASURE_USD, 0, "USD"),
        (figures.MEASURE_USD, figures.MEASURE_SHARE, "USD_per_share"),
        (figures.MEASURE_UNKNOWN_DOLLAR, figures.MEASURE_TONNE, "$_per_tonne"),
        (figures.MEASURE_PERCENTAGE_POINTS, 0, "percentage_points"),
        (figures.MEASURE_COUNT, 0, "count"),
    ],
)
def test_a_unit_has_the_name_of_the_files(measure: Any, per: Any, name: str) -> None:
    """The names that the command line uses."""
    assert unit_name(figures.Unit(measure=measure, per=per)) == name


def test_the_figure_s_own_quote_and_offset_are_shown() -> None:
    """Headings stand beside it, with their own places."""
    fact = "fct_" + "a" * 26
    composed = composition.ComposeResponse(text="x")
    composed.figures.add(
        fact_id=fact,
        value=figures.Decimal(mantissa=5),
        unit=figures.Unit(measure=figures.MEASURE_COUNT),
        quotes=[
            composition.Quote(role=record.SPAN_ROLE_PERIOD, text="2023", start=3, end=7),
            composition.Quote(role=record.SPAN_ROLE_FIGURE, text="Stores 5", start=40, end=48),
        ],
        url="https://a.example/",
        flags=[figures.FLAG_ABOUT],
    )
    composed.derived.add(
        kind=figures.OPERATION_KIND_SUM,
        operand_fact_ids=[fact],
        value=figures.Decimal(mantissa=5),
        unit=figures.Unit(measure=figures.MEASURE_COUNT),
        formula="sum(5)",
        shown="5",
    )
    answer = answer_json(composed)
    (figure,) = answer["figures"]
    assert (figure["quote"], figure["offset"]) == ("Stores 5", 40)
    assert [quote["role"] for quote in figure["quotes"]] == ["period", "figure"]
    assert figure["flags"] == ["about"]
    assert answer["derived"] == [
        {
            "operation": "sum",
            "operands": [fact],
            "value": "5",
            "unit": "count",
            "formula": "sum(5)",
            "shown": "5",
        }
    ]


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (b'POST /search\n\n{"query": "Acme sales", "n": 1}', "Acme sales"),
        (b'POST /extract\n\n{"urls": ["https://a.example/1"]}', "https://a.example/1"),
        (b"GET https://a.example/?b={\nhost: a.example\n\n", "https://a.example/?b={"),
        (
            b"POST https://a.example/\ncontent-type: application/x-www-form-urlencoded\n\nq=Acme+sales%7B&kl=wt-wt",
            "Acme sales{",
        ),
        (b'{"query": ', '{"query": '),
        (b"\xff{[1]}", "\ufffd{[1]}"),
    ],
)
def test_what_left_is_shown_readably(payload: bytes, text: str) -> None:
    """The query or the addresses; anything else as it is."""
    assert readable(payload) == text


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_payload_is_shown(payload: bytes) -> None:
    """No bytes can make the view fail."""
    assert isinstance(readable(payload), str)
