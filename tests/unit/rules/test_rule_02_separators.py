"""Rule 2: which signs group digits; one of them before exactly three digits stays open, unless something settles it."""

from __future__ import annotations

import pytest
from doublethink_figures import Context
from sim.rules import kept, read


@pytest.mark.parametrize(
    "text",
    [
        "CHF 1'234'567",
        "CHF 1’234’567",
        "CHF 1\u202f234\u202f567",
        "CHF 1\u00a0234\u00a0567",
        "CHF 1\u2007234\u2007567",
        "CHF 1,234,567",
    ],
)
def test_signs_that_group(text: str) -> None:
    """Apostrophes, the narrow spaces and the comma, where there are two groups."""
    assert read(text) == ["1234567 CHF"]


def test_a_plain_space_groups_where_the_language_says_so() -> None:
    """Elsewhere it may stand between two numbers: both values stay."""
    assert read("€ 1 234 567", Context(decimal_convention="fr")) == ["1234567 EUR"]
    assert "|" in read("€ 1 234 567")[0]


@pytest.mark.parametrize(("text", "said"), [("₹12,34,567", "1234567 INR"), ("12万円", "120000 JPY")])
def test_groups_of_other_lands(text: str, said: str) -> None:
    """Two by two in India; by ten thousands in Japan."""
    assert read(text) == [said]


@pytest.mark.parametrize("text", ["12億3,456万円", "1兆2,345億円", "3万5千円"])
def test_a_number_in_several_steps_is_not_its_first(text: str) -> None:
    """Read whole or not at all."""
    assert read(text) == []


@pytest.mark.parametrize("text", ["1,234", "1.234", "€1.234", "Umsatz: 1.234"])
def test_one_separator_and_three_digits_stay_open(text: str) -> None:
    """Nobody can tell a thousand from a decimal: two values, so that none is proven."""
    assert read(text)[0].startswith("1.234|1234 ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,234 and 5,678.90 dollars", "1234 -"),
        ("1.234 und 5.678,90 Euro", "1234 -"),
        ("$1,234", "1234 $"),
        ("£1,234", "1234 GBP"),
    ],
)
def test_what_settles_it(text: str, said: str) -> None:
    """Another number that shows both signs, or a currency of English writing."""
    assert read(text)[0] == said


def test_the_page_language_settles_it() -> None:
    """English and German are opposite."""
    assert read("1.234", Context(decimal_convention="de")) == ["1234 -"]
    assert read("1.234", Context(decimal_convention="en")) == ["1.234 -"]


def test_what_is_open_is_not_proven() -> None:
    """Neither as a thousand nor as a decimal."""
    sentence = "Halvorsen Pumps revenue was €1.234 million in fiscal 2024."
    assert not kept(sentence, "1.234", unit="EUR")
    assert not kept(sentence, "1,234", unit="EUR")
    assert kept(sentence.replace("1.234", "1.23"), "1.23", unit="EUR")
