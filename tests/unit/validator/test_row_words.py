"""Which words of a query a row must have, which it may lack, and where they may stand."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

_QUARTER = "three months ended June 30, 2024"


def _table(*rows: str, scale: str = "(in millions, except per share data)", title: str = "INCOME") -> str:
    columns = "\tThree Months Ended\t\u2007\n\tJune 30, 2024\tJune 30, 2023"
    return (
        f"Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF {title}\n\n{scale}\n\n"
        + "\n".join([columns, *rows])
        + "\n"
    )


def _get(metric: str, page: str, unit_class: UnitClass = UnitClass.CURRENCY) -> Decimal | None:
    return found(f"Halvorsen Pumps {metric} {_QUARTER}", page, unit_class)


def test_for_in_a_label_counts_no_votes() -> None:
    """ "Provision for income taxes" is an amount, and answers for income tax expense."""
    page = _table("Net sales\t$ 90.5\t$ 80.5", "Provision for income taxes\t15.2\t16.8")
    assert _get("provision for income taxes", page) == Decimal("15200000")
    assert _get("income tax expense", page) == Decimal("15200000")


def test_the_total_of_a_section_is_not_the_total_after_it() -> None:
    """A row whose own label has the words beats one that takes them from a section that was not closed."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED BALANCE SHEETS\n\n(in millions)\n\n"
        "\tJune 30, 2024\tDecember 31, 2023\nCURRENT LIABILITIES\t\t\nAccounts payable\t$ 67.7\t$ 45.9\n"
        "TOTAL CURRENT LIABILITIES\t212.8\t221.5\nLeases\t247.9\t230.1\nTOTAL LIABILITIES\t460.7\t451.6\n"
    )
    query = "Halvorsen Pumps {} June 30, 2024"
    for metric, value in (("total current liabilities", "212800000"), ("total liabilities", "460700000")):
        assert found(query.format(metric), page, UnitClass.CURRENCY) == Decimal(value)


def test_current_and_noncurrent_are_not_current_alone() -> None:
    """ "Other current and non-current assets" is not the row "Other non-current assets"."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED BALANCE SHEETS\n\n(in millions)\n\n"
        "\tJune 30, 2024\tDecember 31, 2023\nOther non-current assets\t$ 67.7\t$ 45.9\n"
    )
    query = "Halvorsen Pumps other {} assets June 30, 2024"
    assert found(query.format("non-current"), page, UnitClass.CURRENCY) == Decimal("67700000")
    assert found(query.format("current and non-current"), page, UnitClass.CURRENCY) is None
    assert found(query.format("current"), page, UnitClass.CURRENCY) is None


@pytest.mark.parametrize(("diluted", "value"), [("0.40", "0.40"), ("0.39", None)])
def test_a_figure_per_share_without_its_side_needs_both_to_agree(diluted: str, value: str | None) -> None:
    """Earnings per share are found without "basic" or "diluted" only where the two are the same."""
    page = _table("Earnings per share:\t\t", "Basic\t$ 0.40\t$ 0.41", f"Diluted\t{diluted}\t0.40")
    found_value = _get("earnings per share", page, UnitClass.CURRENCY_PER)
    assert found_value == (None if value is None else Decimal(value))
    one = _table("Earnings per share:\t\t", "Basic\t$ 0.40\t$ 0.41")
    assert _get("earnings per share", one, UnitClass.CURRENCY_PER) is None
    assert _get("basic EPS", page, UnitClass.CURRENCY_PER) == Decimal("0.40")


def test_average_shares_and_dividends_may_be_called_common() -> None:
    """Words that make no difference beside others need not be asked for."""
    page = _table(
        "Weighted average common shares outstanding, diluted (in millions)\t50.3\t49.9",
        "Cash dividends declared per common share\t$ 0.35\t$ 0.30",
    )
    assert _get("weighted average diluted shares", page, UnitClass.COUNT) == Decimal("50300000")
    assert _get("dividends per share", page, UnitClass.CURRENCY_PER) == Decimal("0.35")


def test_the_cash_flow_of_operations_has_many_names() -> None:
    """The total of the operating part is one line under each of its usual names, and is not the free cash flow."""
    page = _table("Net cash provided by operating activities\t$ 122.05\t$ 71.82", title="CASH FLOWS")
    for metric in (
        "operating cash flow",
        "cash flow from operations",
        "cash provided by operating activities",
        "net cash flow from operating activities",
    ):
        assert _get(metric, page) == Decimal("122050000"), metric
    assert _get("free cash flow", page) is None
    assert _get("net cash provided by financing activities", page) is None


def test_a_price_per_tonne_is_not_in_millions() -> None:
    """An amount per another thing is never scaled, and is proven only if the scale leaves it out by name."""
    rows = ("Sales\t$ 3,579\t$ 2,859", "Average realized price per metric ton of alumina\t$ 467\t$ 314")
    plain = _table(*rows, scale="(in millions)")
    named = _table(*rows, scale="(dollars in millions, except per-share amounts and average realized prices)")
    metric = "average realized price per metric ton of alumina"
    for unit_class in (UnitClass.CURRENCY, UnitClass.CURRENCY_PER):
        assert _get(metric, plain, unit_class) is None
    assert _get(metric, named, UnitClass.CURRENCY_PER) == Decimal("467")
    assert _get("sales", named) == Decimal("3579000000")


def test_a_price_is_not_in_the_millions_of_its_table() -> None:
    """A realized price without "per" stays open."""
    page = _table("Sales\t$ 3,579\t$ 2,859", "Average realized price\t467\t314", scale="(in millions)")
    assert _get("average realized price", page) is None


def test_time_in_a_label_is_not_what_is_measured() -> None:
    """Debt due within one year is an amount; a remaining term in years is none."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED BALANCE SHEETS\n\n(in millions)\n\n"
        "\tJune 30, 2024\tDecember 31, 2023\nLong-term debt due within one year\t13\t16\n"
        "Average remaining term of debt in years\t5\t6\nTotal assets\t$ 90\t$ 80\n"
    )
    debt = "Halvorsen Pumps long-term debt due within one year June 30, 2024"
    assert found(debt, page, UnitClass.CURRENCY) == Decimal("13000000")
    term = "Halvorsen Pumps average remaining term of debt in years June 30, 2024"
    assert found(term, page, UnitClass.CURRENCY) is None


_TWO_TABLES = (
    "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nBalance sheet details\n\n"
    "The following tables show details of the balance sheet (in millions):\n\n"
    "Inventories\n\n\tJune 30, 2024\tDecember 31, 2023\nComponents\t$ 2.6\t$ 3.6\n\n"
    "{}Property\n\n\tJune 30, 2024\tDecember 31, 2023\nGross property\t$ 121.1\t$ 119.2\n"
)


def test_one_scale_may_hold_for_several_tables() -> None:
    """ "The following tables" means all of them up to the next paragraph."""
    query = "Halvorsen Pumps gross property June 30, 2024"
    assert found(query, _TWO_TABLES.format(""), UnitClass.CURRENCY) == Decimal("121100000")
    ended = _TWO_TABLES.format("Property is carried at cost less what was written off over its life.\n\n")
    assert found(query, ended, UnitClass.CURRENCY) is None


def test_a_table_goes_on_behind_the_foot_of_a_page() -> None:
    """The part on the next page has the headings of the first; behind a paragraph it has none."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF INCOME\n\n(in millions)\n\n"
        "\tPumps\tSeals\nThree months ended June 30, 2024\t\t\nSales\t$ 310.5\t$ 30.2\n\n{}"
        "Three months ended June 30, 2023\t\t\nSales\t$ 290.1\t$ 28.4\n"
    )
    query = "Halvorsen Pumps Seals sales three months ended June 30, 2023"
    foot = page.format("13\n\nTable of Contents\n\n")
    assert found(query, foot, UnitClass.CURRENCY) == Decimal("28400000")
    paragraph = page.format("The sales of other companies were as they had been in all of these years.\n\n")
    assert found(query, paragraph, UnitClass.CURRENCY) is None


def test_the_company_beside_others_part_is_not_the_whole() -> None:
    """Under columns for the company, others and all, neither of the first two answers for the figure at large."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF INCOME\n\n(in millions)\n\n"
        "\tHalvorsen Pumps, Inc.\tNoncontrolling interest\tTotal\nThree months ended June 30, 2024\t\t\t\n"
        "Comprehensive income\t$ 36.2\t$ 0.4\t$ 36.6\n"
    )
    assert _get("comprehensive income", page) is None


def test_other_and_expense_are_said_of_the_line_itself() -> None:
    """A section's "other" does not make the line below another one, and income is no expense."""
    page = _table(
        "Interest and other (income) expense:\t\t",
        "Interest income and other, net\t(41)\t(2)",
        "Net income\t$ 4,659\t$ 5,173",
    )
    assert _get("net income", page) == Decimal("4659000000")
    assert _get("other net income", page) is None
    assert _get("interest and other expense", page) is None
    assert _get("interest income and other", page) == Decimal("-41000000")


def test_the_name_of_a_part_is_no_expense() -> None:
    """A row that is called by a part alone is not that part's expenses; "Depreciation" is an expense by itself."""
    page = _table("Depreciation\t$ 12\t$ 11", "Corporate\t126\t98")
    assert _get("depreciation expense", page) == Decimal("12000000")
    assert _get("corporate expenses", page) is None


def test_what_others_get_as_well_need_not_be_asked_for() -> None:
    """ "Per share or RSU" is per share."""
    page = _table("Dividends and dividend equivalents declared per share or RSU\t$ 0.26\t$ 0.25")
    assert _get("cash dividend per share", page, UnitClass.CURRENCY_PER) == Decimal("0.26")


@pytest.mark.parametrize("other", ["recapture of", "reversal of", "benefit from"])
def test_a_provision_may_be_taken_back(other: str) -> None:
    """ "Provision for (recapture of) credit losses" is the provision, negative where it was taken back."""
    page = _table("Net sales\t$ 90.5\t$ 80.5", f"Provision for ({other}) credit losses\t(20.8)\t55.1")
    assert _get("provision for credit losses", page) == Decimal("-20800000")


def test_headings_of_cash_and_of_credit_quality_narrow_nothing() -> None:
    """ "Cash and Cash Equivalents and Restricted Cash" is over restricted cash, "Credit Quality Review" over loans;
    another word over them does narrow them.
    """
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\n{}\n\nThe following table is in millions "
        "(in millions):\n\n\tJune 30, 2024\tDecember 31, 2023\n{}\t$ 33.1\t$ 41.3\n"
    )
    query = "Halvorsen Pumps {} June 30, 2024"
    for row, heading, value in (
        ("Restricted cash", "Cash and Cash Equivalents and Restricted Cash", Decimal("33100000")),
        ("Nonperforming loans", "Credit Quality Review", Decimal("33100000")),
        ("Nonperforming loans", "Credit Card Quality Review", None),
    ):
        found_value = found(query.format(row.lower()), page.format(heading, row), UnitClass.CURRENCY)
        assert found_value == value, heading


def test_a_post_behind_a_name_need_not_be_asked_for() -> None:
    """A row of somebody with the post is found by the name; a row of another with the same family name is not."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nThe committee approved these salaries:\n\n"
        "\t2023 Base Salary\nErik B. Halvorsen Chief Executive Officer (Principal Executive Officer)\t$758,500\n"
        "Peter E. Halvorsen President and Chief Brand Officer\t$700,500\n"
    )
    query = "{} Halvorsen base salary Halvorsen Pumps 2023"
    assert found(query.format("Erik B."), page, UnitClass.CURRENCY) == Decimal("758500")
    assert found(query.format("Peter E."), page, UnitClass.CURRENCY) == Decimal("700500")
    assert found(query.format("Anna"), page, UnitClass.CURRENCY) is None


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("quarter ended June 2024", "90500000"),
        ("quarter ended June 30, 2024", None),
        ("quarter ended July 2024", None),
        ("six months ended June 2024", None),
    ],
)
def test_a_month_is_the_end_of_a_quarter_of_weeks(asked: str, value: str | None) -> None:
    """A quarter that ended on June 28 is the June quarter; it is not the one that ended on June 30."""
    page = _table("Net sales\t$ 90.5\t$ 80.5").replace("June 30", "June 28")
    found_value = found(f"Halvorsen Pumps net sales {asked}", page, UnitClass.CURRENCY)
    assert found_value == (None if value is None else Decimal(value))


def test_accumulated_depreciation_is_of_what_stands_above() -> None:
    """The heading of property, plant and equipment narrows it to nothing."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nProperty, Plant and Equipment, Net\n\n(in millions)\n\n"
        "\tJune 30, 2024\tDecember 31, 2023\nAccumulated depreciation\t$ (75.8)\t$ (73.4)\n"
    )
    query = "Halvorsen Pumps accumulated depreciation June 30, 2024"
    assert found(query, page, UnitClass.CURRENCY) == Decimal("-75800000")
