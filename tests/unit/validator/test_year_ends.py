"""A quarter of the calendar is found where the page's own quarters say that the issuer's year is the calendar's."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass, YearEnd
from doublethink_validator.fiscal import fiscal_calendar
from doublethink_validator.pagetext import Page
from sim.honest import found

CURRENCY = UnitClass.CURRENCY


def _report(quarter: str, longer: str, months: str) -> str:
    """A press release without a word on the year's end; `quarter` closes like "September 30"."""
    rows = [
        f"\tThree Months Ended {quarter},\t\u2007\t{months} Months Ended {longer},\t\u2007",
        "\t2022\t2021\t2022\t2021",
        "Net sales\t$812,400\t$764,210\t$2,401,300\t$2,203,950",
        "Net income\t42,100\t38,900\t120,050\t111,000",
    ]
    blocks = [
        "Tessaline Stores, Inc.",
        "TESSALINE STORES, INC.",
        "CONSOLIDATED STATEMENTS OF INCOME",
        "(In thousands)",
        "\n".join(rows),
    ]
    return "\n\n".join(blocks) + "\n"


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("Tessaline Stores net sales Q3 2022", "812400000"),
        ("Tessaline Stores net sales third quarter of 2021", "764210000"),
        ("Tessaline Stores net income Q3 2022", "42100000"),
    ],
)
def test_nine_months_beside_three_tell_the_third_quarter(query: str, value: str) -> None:
    """Nine months up to September 30 are the first nine of a year that closes in December."""
    assert found(query, _report("September 30", "September 30", "Nine"), CURRENCY) == Decimal(value)


def test_six_months_beside_three_tell_the_second_quarter() -> None:
    """Six months up to June 30 are the first half of a year that closes in December."""
    page = _report("June 30", "June 30", "Six")
    assert found("Tessaline Stores net sales Q2 2022", page, CURRENCY) == Decimal("812400000")
    assert found("Tessaline Stores net sales Q3 2022", page, CURRENCY) is None


@pytest.mark.parametrize(
    "query",
    [
        "Tessaline Stores net sales Q2 2022",
        "Tessaline Stores net sales Q4 2022",
        "Tessaline Stores net sales Q3 2020",
        "Tessaline Stores net sales 2022",
        "Tessaline Stores net sales full year 2022",
    ],
)
def test_another_quarter_or_the_year_is_not_found(query: str) -> None:
    """Neither the nine months nor another quarter stands in for what was asked."""
    assert found(query, _report("September 30", "September 30", "Nine"), CURRENCY) is None


@pytest.mark.parametrize(
    ("quarter", "longer", "months"),
    [
        ("July 31", "July 31", "Nine"),
        ("September 30", "September 30", "Six"),
        ("September 30", "September 30", "Twelve"),
        ("September 30", "June 30", "Nine"),
        ("September 24", "September 24", "Nine"),
    ],
)
def test_a_year_that_closes_otherwise_is_not_the_calendars(quarter: str, longer: str, months: str) -> None:
    """Where the quarters tell another closing day, or none, "Q3 2022" stays open."""
    page = _report(quarter, longer, months)
    assert found("Tessaline Stores net sales Q3 2022", page, CURRENCY) is None
    assert found("Tessaline Stores net sales Q4 2022", page, CURRENCY) is None


def test_the_label_of_a_fiscal_quarter_is_told_by_the_nine_months_too() -> None:
    """Nine months up to June 30 make the quarter that ends then the third of a year that closes in September."""
    page = _report("June 30", "June 30", "Nine")
    query = "Tessaline Stores net sales third quarter of fiscal 2022"
    assert found(query, page, CURRENCY) == Decimal("812400000")
    assert found(query.replace("third", "second"), page, CURRENCY) is None


@pytest.mark.parametrize(
    ("text", "year_end"),
    [
        ("Results for the third quarter ended September 30, 2022 follow.", YearEnd(12, 31)),
        ("Results for the second fiscal quarter ended March 31, 2023 follow.", YearEnd(9, 30)),
        ("The third quarter ended September 30, 2022; the third quarter ended June 30, 2022.", None),
        ("The three months ended September 30, 2022 were good.", None),
        ("Current Fiscal Year End Date\t--12-31", YearEnd(12, 31)),
        ("Current Fiscal Year End Date\t--09-28", YearEnd(9, 28)),
        ("Our fiscal year ends on December 31 of each year.", YearEnd(12, 31)),
        ("Current Fiscal Year End Date\t--06-30\n\nThe third quarter ended September 30, 2022.", None),
        ("The year ended June 30, 2022. The third quarter ended September 30, 2022.", YearEnd(6, 30)),
    ],
)
def test_what_a_page_says_of_its_year(text: str, year_end: YearEnd | None) -> None:
    """A dated year goes before what quarters tell; what contradicts itself tells nothing."""
    assert fiscal_calendar(Page(f"Tessaline Stores, Inc.\n\n{text}\n")).year_end == year_end
