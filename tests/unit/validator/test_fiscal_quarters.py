"""A fiscal label stands for a closing day only where the page itself ties the two."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from doublethink_validator.fiscal import fiscal_calendar
from doublethink_validator.pagetext import Page
from sim.honest import found
from sim.pagetexts import SPANNED

_STATEMENT = "\n".join(
    [
        "HALVORSEN PUMPS, INC.",
        "",
        "CONSOLIDATED STATEMENTS OF INCOME",
        "",
        "(in millions)",
        "",
        f"\tThree Months Ended\t{SPANNED}\tSix Months Ended\t{SPANNED}",
        "\tJuly 30, 2023\tJuly 31, 2022\tJuly 30, 2023\tJuly 31, 2022",
        "Net sales\t$ 429.16\t$ 437.92\t$ 801.73\t$ 827.00",
        "Net income\t46.59\t51.73\t85.32\t94.04",
        "",
    ]
)


def _page(*lines: str) -> str:
    return "\n\n".join(["Halvorsen Pumps, Inc.", *lines, _STATEMENT])


def _sales(period: str, page: str) -> Decimal | None:
    return found(f"Halvorsen Pumps net sales {period}", page, UnitClass.CURRENCY)


_TIES = {
    "definition": ("Fiscal 2023 refers to the fiscal year ending January 28, 2024.",),
    "sentence": ("The second quarter of fiscal 2023 ended July 30, 2023 and had 13 weeks.",),
    "bracket": (
        "Results for the three months ended July 30, 2023 (“second quarter of fiscal 2023”) follow.",
    ),
    "footer": ("For the quarterly period ended July 30, 2023", "Fiscal Q2 2023 Form 10-Q"),
    "headline": (
        "HALVORSEN PUMPS REPORTS SECOND QUARTER FISCAL 2023 RESULTS",
        "Halvorsen Pumps announced results for the quarter ended July 30, 2023.",
    ),
    "amounts": (
        "Net sales for the second quarter of fiscal 2023 were $429.2 million.",
        "Net income for the second quarter of fiscal 2023 was $46.6 million.",
    ),
}


@pytest.mark.parametrize("tie", _TIES.values(), ids=_TIES)
def test_a_label_and_its_day_are_tied_by_the_page(tie: tuple[str, ...]) -> None:
    """Each way of saying it settles the quarter, its six months and the year before, and no other quarter."""
    page = _page(*tie)
    # In one of the ties a sentence gives the figure in the very words of the query, rounded.
    expected = "429200000" if "$429.2 million" in page else "429160000"
    assert _sales("second quarter of fiscal 2023", page) == Decimal(expected)
    assert _sales("Q2 FY2023", page) == Decimal("429160000")
    assert _sales("Q2 FY2022", page) == Decimal("437920000")
    assert _sales("first six months of fiscal 2023", page) == Decimal("801730000")
    for other in ("third quarter of fiscal 2023", "second quarter of fiscal 2024", "fiscal 2023"):
        assert _sales(other, page) is None


def test_without_a_tie_a_label_stands_for_no_day() -> None:
    """A quarter that ends in July may be the first, second, third or fourth of either year."""
    assert _sales("second quarter of fiscal 2023", _page()) is None


def test_ties_that_contradict_each_other_settle_nothing() -> None:
    """A page that calls one quarter by two labels leaves it open which is meant."""
    page = _page(*_TIES["sentence"], "The third quarter of fiscal 2023 ended July 30, 2023.")
    assert _sales("second quarter of fiscal 2023", page) is None
    assert _sales("third quarter of fiscal 2023", page) is None


def test_one_amount_alone_ties_nothing() -> None:
    """Two different figures have to agree with the same column before they speak for it."""
    page = _page("Net income for the second quarter of fiscal 2023 was $46.6 million.")
    assert _sales("second quarter of fiscal 2023", page) is None


def test_a_headline_of_another_quarter_ties_nothing() -> None:
    """Where headlines name two quarters, none of them is the report's own for certain."""
    page = _page(*_TIES["headline"], "HALVORSEN PUMPS REPORTS FIRST QUARTER FISCAL 2024 RESULTS")
    assert _sales("second quarter of fiscal 2023", page) is None


def test_a_plain_year_is_fiscal_only_where_the_page_says_so() -> None:
    """ "Second quarter of 2023" is the calendar's unless the page calls all of its quarters fiscal."""
    tie = _TIES["definition"]
    assert _sales("second quarter of 2023", _page(*tie)) is None
    said = _page(*tie, "All references to years, quarters and months relate to fiscal periods.")
    assert _sales("second quarter of 2023", said) == Decimal("429160000")


def test_a_balance_at_the_end_of_a_fiscal_year() -> None:
    """ "End of fiscal 2022" is the closing day that the page gives that year, "end of 2022" is not."""
    page = (
        "Halvorsen Pumps, Inc.\n\nFiscal 2022 refers to the fiscal year ended January 29, 2023.\n\n"
        "HALVORSEN PUMPS, INC.\n\nCONSOLIDATED BALANCE SHEETS\n\n(in millions)\n\n"
        "\tJuly 30, 2023\tJanuary 29, 2023\nInventories\t$ 232.65\t$ 248.86\n"
    )
    query = "Halvorsen Pumps inventories end of"
    assert found(f"{query} fiscal 2022", page, UnitClass.CURRENCY) == Decimal("248860000")
    assert found(f"{query} second quarter of fiscal 2023", page, UnitClass.CURRENCY) == Decimal("232650000")
    assert found(f"{query} 2022", page, UnitClass.CURRENCY) is None


def test_a_year_is_known_by_all_statements_or_none() -> None:
    """Labels of several years agree if they stand for the same stretch of their years."""
    agreeing = Page(
        "t\n\nFiscal 2022 means the fiscal year ended January 28, 2023.\n\n"
        "Fiscal 2023 consists of 53 weeks ending February 3, 2024.\n"
    )
    assert fiscal_calendar(agreeing).labels == ((2022, date(2023, 1, 28)), (2023, date(2024, 2, 3)))
    contradicting = Page(
        "t\n\nFiscal 2022 means the fiscal year ended January 28, 2023.\n\n"
        "Fiscal 2024 means the fiscal year ending February 3, 2024.\n"
    )
    assert fiscal_calendar(contradicting).labels == ()
