"""What holds for every text."""

import re
from decimal import Decimal

from doublethink_figures import (
    Context,
    all_dates,
    all_readings,
    bind,
    clauses,
    direction,
    find_figures,
    find_periods,
    heading_scale,
    modality,
)
from doublethink_figures.units import COUNT
from hypothesis import given, settings
from hypothesis import strategies as st

FRAGMENTS = [
    *"$€(3)%mk–−×±./,':;—…ßİ¹½٤⁹万-ep",
    "US$", "4.2", "1,234", "1.234", "12", "1,234)", " billion", "bn", " to ", "and", "about ", "fell ",
    "minus ", "2023", "bps", "x", "(2)", "[3]", "000", "two", "million", "half", " point ", "a ", "EUR",
    "cents", "10-K", "CR", "shares", "Mrd.", "hundred", "dozen",
]  # fmt: skip
PHRASES = [
    "in 2024",
    "Q3 FY25",
    "quarter ended June 30, 2024",
    "up to ",
    " per share",
    "rose from ",
    "\t",
    "\n",
    " ",
    "\u2007",
]
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*FRAGMENTS, *PHRASES]), max_size=14).map("".join),
    st.lists(st.sampled_from([*FRAGMENTS, *PHRASES]), max_size=14).map(" ".join),
)
ENGLISH = Context(decimal_convention="en")


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_nothing_fails_and_spans_are_inside(text: str) -> None:
    """Every function takes every text; spans lie in it, in order, without overlap."""
    figures = find_figures(text)
    end = 0
    for figure in figures:
        assert end <= figure.span.start <= figure.number_span.start
        assert figure.number_span.end <= figure.span.end <= len(text)
        end = figure.span.end
    periods = find_periods(text)
    assert all(mention.span.end <= len(text) for mention in periods)
    for figure in figures:
        bind(text, figure, periods)
        modality(text, figure.span)
        direction(text, figure.span)
    assert all(reading.span.end <= len(text) for reading in all_readings(text))
    assert all(reading.span.end <= len(text) for reading in all_dates(text))
    assert all(span.end <= len(text) for span in clauses(text))
    heading_scale(text)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_a_figures_own_words_give_its_value_again(text: str) -> None:
    """What a figure's span covers, read alone, is the same figure."""
    for figure in find_figures(text, context=ENGLISH):
        counted_like_a_year = (
            re.fullmatch("[12][0-9]{3}", figure.number_span.of(text)) and figure.unit == COUNT
        )
        if figure.ambiguous or counted_like_a_year:  # the noun that makes it a count is not in the span
            continue
        context = Context(decimal_convention="en", table_cell="\t" in text)
        (again,) = find_figures(figure.span.of(text), context=context)
        assert (again.low, again.high) == (figure.low, figure.high)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_the_one_reading_is_among_all_readings(text: str) -> None:
    """No value that the validator could accept is missed by the gate, in size."""
    sizes = {abs(reading.value) for reading in all_readings(text)}
    for figure in find_figures(text):
        assert {abs(value) for value in figure.ambiguous or (figure.low, figure.high)} <= sizes


def grouped(value: Decimal, group: str, point: str) -> str:
    """`value` with its thousands grouped."""
    whole, _, rest = f"{value:f}".partition(".")
    parts = []
    while len(whole) > 3:
        parts.append(whole[-3:])
        whole = whole[:-3]
    return group.join([whole, *reversed(parts)]) + (point + rest if rest else "")


STYLES = [
    ("{english}", ENGLISH),
    ("${english}", ENGLISH),
    ("{english}%", ENGLISH),
    ("EUR {german}", Context(decimal_convention="de")),
    ("{german} Euro", Context(decimal_convention="de")),
    ("{french} euros", Context(decimal_convention="fr")),
    ("{swiss}", ENGLISH),
    ("{plain}", ENGLISH),
]


@settings(max_examples=150, deadline=None)
@given(st.decimals(min_value=0, max_value=10**12, places=2), st.sampled_from(STYLES))
def test_a_number_written_in_any_style_is_read_back(value: Decimal, style: tuple[str, Context]) -> None:
    """Formatting and reading are inverse, for the one reading and for all of them."""
    pattern, context = style
    text = pattern.format(
        english=grouped(value, ",", "."),
        german=grouped(value, ".", ","),
        french=grouped(value, "\u202f", ","),
        swiss=grouped(value, "'", "."),
        plain=f"{value:f}",
    )
    (figure,) = find_figures(text, context=context)
    assert figure.value == value
    assert value in {reading.value for reading in all_readings(text)}


@settings(max_examples=100, deadline=None)
@given(st.integers(min_value=0, max_value=10**9), st.sampled_from(["thousand", "million", "billion"]))
def test_a_scaled_amount_is_read_back(number: int, scale: str) -> None:
    """An amount with a scale word has one value."""
    factor = {"thousand": 10**3, "million": 10**6, "billion": 10**9}[scale]
    (figure,) = find_figures(f"${number} {scale}")
    assert figure.value == Decimal(number * factor)
