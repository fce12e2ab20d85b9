"""All readings of numbers."""

from decimal import Decimal

import pytest
from doublethink_figures import Unit, all_readings, find_figures
from doublethink_figures.readings import significant_digits


def values(text: str) -> set[Decimal]:
    """All values read in `text`."""
    return {reading.value for reading in all_readings(text)}


@pytest.mark.parametrize(
    "text",
    [
        "4.2bn EUR",
        "4.2 billion",
        "4,2 Milliarden",
        "4,2 Mrd. Euro",
        "EUR bn 4.2",
        "bn EUR 4.2",
        "4.2 (billion)",
        "4,200,000,000",
        "4.200.000.000",
        "4 200 000 000",
        "4'200'000'000",
        "4-200-000-000",
        "4_200_000_000",
        "4200000000",
        "4,200 million",
        "4200m",
        "4.2e9",
        "4.2E+9",
        "4.2 x 10^9",
        "4.2 × 10⁹",
        "4.2*10**9",
        "42 x 10^8",
        "420 crore",
        "42億",
        "四十二億",
        "4 billion 200 million",
        "4 billion and 200 million",
        "4 point 2 billion",
        "four point two billion",
        "FOUR POINT TWO BILLION",
        "four-point-two billion",
        "four billion, two hundred million",
        "vier Komma zwei Milliarden",
        "vier Milliarden zweihundert Millionen",
        "quatre virgule deux milliards",
        "quatre milliards deux cents millions",
        "4 1/5 billion",
        "٤٫٢ billion",
        "४.२ billion",
        "④.② billion",
        "the 4.2 to 5 billion range",
        "between 3 and 4.2 billion",
        "4 2 0 0 0 0 0 0 0 0",
        "4.2 b",
        "($4.2bn)",
    ],
)
def test_one_amount_in_many_forms(text: str) -> None:
    """Every way of writing 4.2 billion is among the readings."""
    assert Decimal(4_200_000_000) in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.1840", "1.184"),
        ("0.7325", "0.7325"),
        (".7325", "0.7325"),
        ("34.5%", "34.5"),
        ("XLII per share", "42"),
        ("forty-two per share", "42"),
        ("four two zero zero", "4200"),
        ("1,234", "1234"),
        ("1,234", "1.234"),
        ("1.234", "1234"),
        ("1,234²", "1234"),
        ("1,234²", "12342"),
        ("⁴²", "42"),
        ("one and a half", "1.5"),
        ("½", "0.5"),
        ("3½", "3.5"),
        ("two dozen", "24"),
        ("a dozen", "12"),
        ("-5", "-5"),
        ("(5)", "-5"),
        ("42 hundred", "4200"),
        ("三点一四", "3.14"),
        ("二〇二四", "2024"),
        ("zweihundertfünfundvierzigtausend", "245000"),
        ("quatre-vingt-dix-neuf", "99"),
        ("septante et un", "71"),
        ("500 cents", "5.00"),
    ],
)
def test_a_reading_is_not_missed(text: str, value: str) -> None:
    """Groupings, scripts, fractions, words and marks: the value is among the readings."""
    assert Decimal(value) in values(text)


def test_units_come_with_the_readings() -> None:
    """Currency, per noun and rate are given, both currencies where a sign means two."""
    units = {str(reading.unit) for reading in all_readings("42 euros per share")}
    assert {"EUR", "EUR_per_share"} <= units
    assert {str(reading.unit) for reading in all_readings("¥42")} == {"JPY", "CNY"}
    assert {reading.unit for reading in all_readings("34.5%")} == {Unit.parse("percent")}
    assert {reading.unit for reading in all_readings("34.5")} == {None}


def test_magnitude_is_stated_by_scales_words_and_long_numbers() -> None:
    """A bare small number states no magnitude."""
    stated = {reading.value: reading.magnitude_stated for reading in all_readings("4.2bn")}
    assert stated[Decimal(4_200_000_000)]
    assert not stated[Decimal("4.2")]
    assert all(reading.magnitude_stated for reading in all_readings("forty-two"))
    assert next(r for r in all_readings("42000")).magnitude_stated


@pytest.mark.parametrize(
    ("value", "digits"), [("4200000000", 2), ("0.7325", 4), ("0", 1), ("1.1840", 4), ("10", 1)]
)
def test_significant_digits_leave_zeros_out(value: str, digits: int) -> None:
    """Leading and trailing zeros do not count."""
    assert significant_digits(Decimal(value)) == digits


def test_a_text_without_numbers_has_no_readings() -> None:
    """Words that are no numbers give nothing."""
    assert all_readings("how do i reset my password for the corporate card") == ()


def test_readings_stay_linear_in_a_hostile_text() -> None:
    """Spaced digits without end give a bounded number of readings for each digit."""
    assert len(all_readings("1 " * 2000)) < 2000 * 8


def test_a_letter_that_grows_in_small_form_moves_nothing() -> None:
    """U+0130 has two small letters in its place: spans behind it are still of the text as it stands."""
    for shown in ("TWO MILLION dollars", "4 Point 2 billion dollars"):
        spans = {(reading.span.start, reading.span.end) for reading in all_readings(shown)}
        moved = {(reading.span.start, reading.span.end) for reading in all_readings(f"İİ İ: {shown}")}
        assert moved == {(start + 6, end + 6) for start, end in spans}
    (figure,) = find_figures("İ: TWO MILLION dollars")
    assert figure.value == 2_000_000
