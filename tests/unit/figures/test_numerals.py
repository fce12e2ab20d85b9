"""What a digit string with separators can be."""

from decimal import Decimal

import pytest
from doublethink_figures.numerals import read_numeral, shown_conventions

NOTHING: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("token", "values"),
    [
        ("42", ["42"]),
        ("4.2", ["4.2"]),
        ("12,5", ["12.5"]),
        ("1,234,567", ["1234567"]),
        ("1.234.567", ["1234567"]),
        ("1,234.56", ["1234.56"]),
        ("1.234,56", ["1234.56"]),
        ("1'234", ["1234"]),
        ("12,34,567", ["1234567"]),
        ("0.125", ["0.125"]),
        ("1234.567", ["1234.567"]),
        (".35", ["0.35"]),
        ("1\u00a0234\u00a0567", ["1234567"]),
    ],
)
def test_a_numeral_with_one_meaning(token: str, values: list[str]) -> None:
    """Separators that can only mean one thing give one value."""
    assert read_numeral(token, NOTHING).values == tuple(map(Decimal, values))


@pytest.mark.parametrize("token", ["1,234", "1.234", "12,345"])
def test_one_separator_before_three_digits_is_two_values(token: str) -> None:
    """Nothing in the number itself says whether it groups or divides."""
    assert read_numeral(token, NOTHING).ambiguous


def test_a_convention_settles_one_separator() -> None:
    """The decimal sign in use elsewhere decides; two signs in use decide nothing."""
    assert read_numeral("1,234", frozenset(".")).values == (Decimal(1234),)
    assert read_numeral("1,234", frozenset(",")).values == (Decimal("1.234"),)
    assert read_numeral("1,234", frozenset(".,")).ambiguous


@pytest.mark.parametrize("token", ["1.2.3", "1,23,45", "1,234,5", "007", "1,2.3,4", "01.234"])
def test_digits_that_are_no_number_have_no_value(token: str) -> None:
    """Versions, broken groups and leading zeros are not guessed at."""
    assert read_numeral(token, NOTHING).values == ()


def test_a_text_shows_its_decimal_sign() -> None:
    """One or two digits behind a separator, or two kinds of separator, show which is which."""
    assert shown_conventions("4.2 and 1,234") == frozenset(".")
    assert shown_conventions("1.234,5") == frozenset(",")
    assert shown_conventions("1,234") == NOTHING
