"""A column of changes belongs to the later of the two periods that it compares, and is asked for by its word."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

PERCENT = UnitClass.PERCENT
CURRENCY = UnitClass.CURRENCY
SPAN = "\u2007"


def _page(*rows: tuple[str, ...], heading: str = "Products and Services Performance") -> str:
    table = "\n".join("\t".join(row) for row in rows)
    return (
        f"Corvane Devices, Inc.\n\nCORVANE DEVICES, INC.\n\n{heading}\n\n(dollars in millions)\n\n{table}\n"
    )


PAIRS = _page(
    ("", "Three Months Ended", SPAN, SPAN, "Six Months Ended", SPAN, SPAN),
    ("", "March 29, 2025", "March 30, 2024", "Change", "March 29, 2025", "March 30, 2024", "Change"),
    ("Tablets", "$ 6,402", "$ 5,559", "15%", "$ 14,490", "$ 12,582", "16%"),
    ("Wearables", "7,522", "7,913", "(5)%", "19,269", "19,866", "(3)%"),
    ("Total net sales", "$ 95,359", "$ 90,753", "6%", "$ 219,659", "$ 210,328", "4%"),
)


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("Tablets change percent three months ended March 29, 2025", "15"),
        ("Tablets growth six months ended March 29, 2025", "16"),
        ("Wearables increase percent three months ended March 29, 2025", "-5"),
        ("total net sales percentage change three months ended March 29, 2025", "6"),
        ("Tablets change percent three months ended March 30, 2024", None),
        ("Tablets change percent nine months ended March 29, 2025", None),
        ("Tablets percent three months ended March 29, 2025", None),
        ("Tablets decline percent three months ended March 29, 2025", None),
        ("Watches change percent three months ended March 29, 2025", None),
    ],
)
def test_a_change_is_of_the_later_of_its_two_columns(query: str, value: str | None) -> None:
    """Neither the earlier column's, nor the other length's, nor a share that the word change is missing for."""
    result = found(f"Corvane Devices {query}", PAIRS, PERCENT)
    assert result == (None if value is None else Decimal(value))


def test_an_amount_beside_a_change_is_no_change() -> None:
    """The change does not answer for the amount, nor the amount for the change."""
    query = "Corvane Devices Tablets {}three months ended March 29, 2025"
    assert found(query.format(""), PAIRS, CURRENCY) == Decimal("6402000000")
    assert found(query.format("change "), PAIRS, CURRENCY) is None


TURNS = _page(
    ("", "2024", "Change", "2023", "Change", "2022"),
    ("Tablets", "$ 26,694", "(6)%", "$ 28,300", "(3)%", "$ 29,292"),
)


@pytest.mark.parametrize(("year", "value"), [("2024", "-6"), ("2023", "-3"), ("2022", None)])
def test_changes_between_years_belong_to_the_year_before_them(year: str, value: str | None) -> None:
    """Where years and changes take turns, each change is that of the later year on its sides."""
    result = found(f"Corvane Devices Tablets change percent {year}", TURNS, PERCENT)
    assert result == (None if value is None else Decimal(value))


def test_a_heading_may_name_the_two_years_itself() -> None:
    """ "2020 vs. 2019" is of 2020, and no other year's."""
    page = _page(
        ("", "Year Ended December 31,", SPAN, SPAN, "% Change", SPAN),
        ("", "2020", "2019", "2018", "2020 vs. 2019", "2019 vs. 2018"),
        ("Tablets", "$ 250,000", "$ 230,000", "$ 200,000", "9%", "15%"),
        ("Phones", "100,500", "90,300", "80,100", "11%", "13%"),
    )
    for year, value in (("2020", Decimal(11)), ("2019", Decimal(13)), ("2018", None), ("2021", None)):
        assert found(f"Corvane Devices Phones growth percent {year}", page, PERCENT) == value


@pytest.mark.parametrize(
    "heads",
    [
        ("2024", "2023", "2022", "Change"),
        ("2024", "2022", "Change"),
        ("2024", "Change"),
        ("2024", "2023", "Plan", "Change"),
        ("2024", "2023", "Change at constant currency"),
    ],
)
def test_an_order_of_columns_that_leaves_it_open_proves_nothing(heads: tuple[str, ...]) -> None:
    """Three years, years that are not neighbours, one year alone, a column of something else, another change."""
    page = _page(
        ("", *heads), ("Tablets", *("$ 26,694" for h in heads[:-1]), "(6)%"), ("Phones", *heads[:-1], "(7)%")
    )
    for year in ("2024", "2023", "2022"):
        assert found(f"Corvane Devices Tablets change percent {year}", page, PERCENT) is None


def test_dollars_and_percent_of_a_change_are_told_apart() -> None:
    """Under one heading of changes "$" and "%" are columns of their own."""
    page = _page(
        ("", "Three Months Ended", SPAN, SPAN, SPAN),
        ("", "July 29, 2023", "July 30, 2022", "Change", SPAN),
        ("", "", "", "$", "%"),
        ("Net sales", "$ 1,163.8", "$ 1,136.0", "$ 27.8", "2.4%"),
        ("Cost of sales", "857.9", "853.8", "4.1", "0.5"),
        heading="CONSOLIDATED RESULTS OF OPERATIONS",
    )
    query = "Corvane Devices cost of sales change three months ended July 29, 2023"
    assert found(query, page, CURRENCY) == Decimal("4100000")
    assert found(query, page, PERCENT) == Decimal("0.5")
    assert found(query.replace("change ", ""), page, CURRENCY) == Decimal("857900000")


def test_a_comparable_sales_figure_is_a_change_by_its_definition() -> None:
    """ "Comparable sales (% change)" answers with the word and without; not for sales themselves."""
    page = _page(
        ("", "Three Months Ended", SPAN),
        ("", "July 30, 2023", "July 31, 2022"),
        ("Comparable sales (% change)", "(2.0)%", "5.8%"),
        ("Net sales", "$ 42,916", "$ 43,792"),
        heading="Selected Sales Performance Data",
    )
    query = "Corvane Devices {} three months ended July 30, 2023"
    assert found(query.format("comparable sales change"), page, PERCENT) == Decimal("-2.0")
    assert found(query.format("comparable sales"), page, PERCENT) == Decimal("-2.0")
    assert found(query.format("sales change"), page, PERCENT) is None
