"""Rule 4: a currency stands before or behind, glued or apart, as a code, a sign or a word; "$" alone is nobody's."""

from __future__ import annotations

import pytest
from sim.rules import DOLLARS, kept, read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("USD5m", "5000000 USD"),
        ("USD 5m", "5000000 USD"),
        ("5m USD", "5000000 USD"),
        ("US$5m", "5000000 USD"),
        ("A$5m", "5000000 AUD"),
        ("C$5m", "5000000 CAD"),
        ("HK$5m", "5000000 HKD"),
        ("€5m", "5000000 EUR"),
        ("5m €", "5000000 EUR"),
        ("GBP 5m", "5000000 GBP"),
        ("5 million Swiss francs", "5000000 CHF"),
    ],
)
def test_where_a_currency_stands(text: str, said: str) -> None:
    """It is the same money."""
    assert read(text) == [said]


def test_a_bare_dollar_is_of_no_country_unless_the_page_says() -> None:
    """It is never made an American one."""
    assert read("$5m") == ["5000000 $"]
    assert read("$5m", DOLLARS) == ["5000000 USD"]


@pytest.mark.parametrize(
    ("text", "said"), [("35 pence", "0.35 GBP"), ("35p", "0.35 GBP"), ("35 cents", "0.35 $")]
)
def test_the_hundredth_part(text: str, said: str) -> None:
    """Pence and cents."""
    assert read(text) == [said]


@pytest.mark.parametrize(("unit", "proven"), [("$", True), ("USD", False), ("EUR", False), ("AUD", False)])
def test_a_claim_names_the_quotes_own_currency(unit: str, proven: bool) -> None:
    """A country that the page does not say is not proven."""
    assert kept("Halvorsen Pumps revenue was $42.9 million in fiscal 2024.", "42.9", unit=unit) is proven
