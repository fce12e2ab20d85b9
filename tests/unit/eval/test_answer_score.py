"""What an answer is worth against its key."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.answers.keys import Key
from eval.answers.page_text import UnknownPage, compact
from eval.answers.score import UNSAID, Score, Verdict, score

_PAGE = compact(
    "Ardent plc. Net sales for fiscal 2031 were $ 42,916 million, 41.5 % of them abroad. Loss (17)"
)


def _source(figure: Mapping[str, Any]) -> str:
    if figure.get("url") != "https://ardent.example/":
        raise UnknownPage(f"{figure.get('url')} is none of the saved pages")
    return _PAGE


def _key(value: str | None = "42916000000", unit: str | None = "USD", tolerance: str = "0") -> Key:
    return Key(
        id="A1",
        question="What were Ardent's net sales in fiscal 2031?",
        expected="not_found" if value is None else "answered",
        value=None if value is None else Decimal(value),
        unit=unit,
        tolerance=Decimal(tolerance),
        pages=("ardent",),
        quotes=(),
        trap="",
    )


def _figure(value: str = "42916000000", unit: str = "USD", **others: object) -> dict[str, Any]:
    figure = {"value": value, "unit": unit, "quote": "Net sales for fiscal 2031\nwere $42,916 million"}
    return {**figure, "url": "https://ardent.example/", **others}


def _line(*figures: dict[str, Any], derived: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    answer = {"text": "", "figures": list(figures), "derived": derived or []}
    return {"id": "A1", "status": "answered", "answer": answer}


def _scored(key: Key, line: Mapping[str, Any] | None) -> Score:
    return score(key, line, _source)


def test_value_unit_and_quote_make_an_answer_right() -> None:
    """The white space of the quote does not matter, nor how the number is written."""
    assert _scored(_key(), _line(_figure("4.2916E+10"))) == Score("A1", Verdict.RIGHT)


def test_one_digit_off_is_wrong() -> None:
    """Without a tolerance equality is exact; the reason names both numbers."""
    scored = _scored(_key(), _line(_figure("42916000001")))
    assert scored.verdict is Verdict.WRONG
    assert "42916000001" in scored.reason
    assert "42916000000" in scored.reason


@given(st.integers(-(10**12), 10**12), st.integers(-2, 2))
@settings(max_examples=50, deadline=None)
def test_without_a_tolerance_right_means_equal(key: int, off: int) -> None:
    """For whole numbers of any size the verdict is equality."""
    right = _scored(_key(str(key)), _line(_figure(str(key + off)))).verdict is Verdict.RIGHT
    assert right is (off == 0)


@pytest.mark.parametrize(
    ("value", "right"), [("16.71", True), ("16.81", True), ("16.82", False), ("16.70", False)]
)
def test_a_tolerance_is_a_closed_interval(value: str, right: bool) -> None:
    """Rounded arithmetic is right up to the tolerance and no further."""
    line = _line(_figure(), _figure(), derived=[{"operation": "growth", "value": value, "unit": "percent"}])
    assert (_scored(_key("16.76", "percent", "0.05"), line).verdict is Verdict.RIGHT) is right


def test_an_unsaid_dollar_is_right_for_usd_and_counted_apart() -> None:
    """The product does not claim a country that the page does not name: less than the key, and not wrong."""
    scored = _scored(_key(), _line(_figure(unit="$")))
    assert scored.verdict is Verdict.RIGHT
    assert scored.reason == UNSAID


def test_an_unsaid_dollar_with_another_value_is_wrong() -> None:
    """The unit excuses no value."""
    assert _scored(_key(), _line(_figure(value="1", unit="$"))).verdict is Verdict.WRONG


def test_a_key_in_an_unsaid_dollar_takes_both() -> None:
    """Where the page does not say which dollar, neither answer is wrong."""
    for unit in ("$", "USD"):
        assert _scored(_key(unit="$"), _line(_figure(unit=unit))).verdict is Verdict.RIGHT


@pytest.mark.parametrize("unit", ["multiple", "ratio", ""])
def test_a_ratio_is_no_percentage(unit: str) -> None:
    """0.415 is not 41.5 percent, and the reason says what it is."""
    line = _line(_figure(), derived=[{"operation": "ratio", "value": "0.415", "unit": unit}])
    scored = _scored(_key("41.5", "percent"), line)
    assert scored.verdict is Verdict.WRONG
    assert "is a ratio" in scored.reason


def test_a_derived_percentage_is_one() -> None:
    """41.5 in percent is the answer; 0.415 in percent is less than half of one."""
    for value, verdict in (("41.5", Verdict.RIGHT), ("0.415", Verdict.WRONG)):
        line = _line(_figure(), derived=[{"operation": "ratio", "value": value, "unit": "percent"}])
        assert _scored(_key("41.5", "percent"), line).verdict is verdict


def test_the_last_named_figure_or_derived_figure_is_the_answer() -> None:
    """Either may fit; a right number among the earlier ones does not count."""
    other = _figure("17", "count")
    derived = {"operation": "sum", "value": "18", "unit": "count"}
    assert _scored(_key(), _line(other, _figure(), derived=[derived])).verdict is Verdict.RIGHT
    assert _scored(_key("18", "count"), _line(other, _figure(), derived=[derived])).verdict is Verdict.RIGHT
    assert _scored(_key(), _line(_figure(), other)).verdict is Verdict.WRONG
    assert _scored(
        _key("18", "count"), _line(other, derived=[derived, derived | {"value": "9"}])
    ).verdict is (Verdict.WRONG)


@pytest.mark.parametrize(
    ("value", "direction", "right"), [("-17", "none", True), ("17", "decrease", True), ("17", "none", False)]
)
def test_a_loss_is_negative_or_said_to_be_a_decrease(value: str, direction: str, right: bool) -> None:
    """The sign may stand in the direction; with neither it is missing."""
    line = _line(_figure(value, direction=direction, quote="Loss (17)"))
    assert (_scored(_key("-17"), line).verdict is Verdict.RIGHT) is right


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "Net sales for fiscal 2031 were $42,917 million"},
        {"quote": ""},
        {"quote": " \n"},
        {"quote": None},
        {"quotes": [{"role": "heading", "text": "in billions"}]},
        {"url": "https://elsewhere.example/"},
    ],
)
def test_a_figure_without_its_own_words_on_its_page_is_wrong(change: dict[str, Any]) -> None:
    """Also when the value is right, for every figure and every quote of it."""
    assert _scored(_key(), _line(_figure(**change))).verdict is Verdict.WRONG
    assert _scored(_key(), _line(_figure(**change), _figure())).verdict is Verdict.WRONG


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        {"figures": [], "derived": [{"value": "1", "unit": "USD"}]},
        {"figures": "42"},
        {"figures": [7]},
    ],
)
def test_answered_without_figures_is_wrong(answer: object) -> None:
    """A number that nothing stands behind is not an answer."""
    assert _scored(_key(), {"status": "answered", "answer": answer}).verdict is Verdict.WRONG


@pytest.mark.parametrize("value", ["", "forty", "NaN", "Infinity"])
def test_a_value_that_is_no_number_is_wrong(value: str) -> None:
    """It is reported, not raised."""
    assert "not a number" in _scored(_key(), _line(_figure(value))).reason


@pytest.mark.parametrize("status", ["refused", "failed", "unheard of", None])
def test_every_other_status_is_not_answered(status: str | None) -> None:
    """A refusal or failure is never a finding, whatever the key says."""
    for key in (_key(), _key(None, None)):
        assert _scored(key, {"status": status}).verdict is Verdict.NOT_ANSWERED


def test_no_output_line_is_not_answered() -> None:
    """A program that broke off has not found that there is nothing."""
    assert _scored(_key(None, None), None).verdict is Verdict.NOT_ANSWERED


def test_finding_nothing_is_right_only_where_there_is_nothing() -> None:
    """It is never counted as wrong."""
    assert _scored(_key(None, None), {"status": "not_found"}).verdict is Verdict.RIGHTLY_NOT_FOUND
    assert _scored(_key(), {"status": "not_found"}).verdict is Verdict.NOT_ANSWERED


@pytest.mark.parametrize(("queries", "reason"), [(0, "without a single query"), (2, "")])
def test_finding_nothing_without_looking_is_said(queries: int, reason: str) -> None:
    """The verdict stands, with the remark that nobody searched."""
    line = {"status": "not_found", "counts": {"queries": queries}}
    assert _scored(_key(None, None), line) == Score("A1", Verdict.RIGHTLY_NOT_FOUND, reason)


def test_an_answer_to_what_the_pages_do_not_say_is_false() -> None:
    """However well it is quoted; the reason shows it."""
    scored = _scored(_key(None, None), _line(_figure()))
    assert scored.verdict is Verdict.WRONGLY_ANSWERED
    assert scored.verdict.is_false
    assert "42916000000 USD" in scored.reason
