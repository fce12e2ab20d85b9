"""What stands over a table governs as far as it says, over page feet too, and no further."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

CURRENCY = UnitClass.CURRENCY
HEADS = "\tMarch 29, 2025\tSeptember 28, 2024"
PLURAL = "The following tables set forth the cash and marketable securities by category (in millions):"


def _page(*blocks: str) -> str:
    return "\n\n".join(["Corvane Devices, Inc.", "CORVANE DEVICES, INC.", *blocks]) + "\n"


def _found(metric: str, page: str, day: str = "March 29, 2025") -> Decimal | None:
    return found(f"Corvane Devices {metric} {day}", page, CURRENCY)


TABLES = (
    f"{HEADS}\nMoney market funds\t$ 1,234\t$ 1,100",
    f"{HEADS}\nCorporate debt securities\t$ 9,234\t$ 8,100",
    f"{HEADS}\nMunicipal securities\t$ 234\t$ 300",
)


@pytest.mark.parametrize(
    "foot", ["Corvane Devices, Inc. | Q2 2025 Form 10-Q | 8", "8", "- 8 -", "F-8", "8 of 40"]
)
def test_an_introduction_of_several_tables_holds_for_all_of_them(foot: str) -> None:
    """The second and third table have its scale, over a footnote and a page's foot too."""
    page = _page(
        "Note 4 – Financial Instruments", PLURAL, *TABLES[:2], "(1) Includes term deposits.", foot, TABLES[2]
    )
    assert _found("money market funds", page) == Decimal("1234000000")
    assert _found("corporate debt securities", page) == Decimal("9234000000")
    assert _found("municipal securities", page) == Decimal("234000000")
    assert _found("municipal securities", page, "September 28, 2024") == Decimal("300000000")


@pytest.mark.parametrize(
    "between",
    [
        "Note 5 – Other",
        "Item 3. Controls",
        "Inventories",
        "The following table is something else:",
        "A paragraph.",
    ],
)
def test_the_next_heading_or_paragraph_ends_it(between: str) -> None:
    """What comes after it stands under a scale that nobody stated."""
    page = _page("Note 4 – Financial Instruments", PLURAL, *TABLES[:2], between, TABLES[2])
    assert _found("corporate debt securities", page) == Decimal("9234000000")
    assert _found("municipal securities", page) is None


def test_an_introduction_of_one_table_holds_for_one() -> None:
    """ "The following table" says nothing of the second."""
    page = _page("Note 4 – Financial Instruments", PLURAL.replace("tables set", "table sets"), *TABLES[:2])
    assert _found("money market funds", page) == Decimal("1234000000")
    assert _found("corporate debt securities", page) is None


PARAGRAPH = (
    "All figures of the three months ended March 29, 2025 and of the six months ended March 29, 2025 "
    "were reviewed."
)


def test_a_length_in_a_heading_holds_where_a_paragraph_names_several() -> None:
    """The heading of a statement says which of them its columns are of; scale and title hold as well."""
    table = "\tMarch 29, 2025\tMarch 30, 2024\nNet sales\t$ 95,359\t$ 90,753"
    page = _page("STATEMENTS OF OPERATIONS", "(In millions)", "Three Months Ended", PARAGRAPH, table)
    assert _found("net sales three months ended", page) == Decimal("95359000000")
    assert _found("net sales six months ended", page) is None
    assert _found("net sales three months ended", page, "March 30, 2024") == Decimal("90753000000")


def test_without_such_a_heading_the_length_stays_open() -> None:
    """Two lengths and no heading: neither is taken."""
    table = "\tMarch 29, 2025\tMarch 30, 2024\nNet sales\t$ 95,359\t$ 90,753"
    page = _page("STATEMENTS OF OPERATIONS", "(In millions)", PARAGRAPH, table)
    assert _found("net sales three months ended", page) is None
    assert _found("net sales six months ended", page) is None


def test_a_balance_sheet_shows_moments_whatever_its_paragraph_says() -> None:
    """Months in the paragraph over a balance sheet make no duration of its dates."""
    table = f"{HEADS}\nTotal assets\t$ 331,233\t$ 364,980\nInventories\t6,269\t7,286"
    page = _page("CONDENSED BALANCE SHEETS (Unaudited)", "(In millions)", PARAGRAPH, table)
    assert _found("total assets as of", page) == Decimal("331233000000")
    assert _found("inventories", page, "September 28, 2024") == Decimal("7286000000")
    assert _found("inventories as of", page, "March 30, 2024") is None


@pytest.mark.parametrize(
    "label",
    [
        "Notes due within one year",
        "Receivables 90 days past due",
        "Receivables 31 to 60 days past due",
        "Commitments due in 1 to 3 years",
        "Leases of 12 months or less",
    ],
)
def test_time_that_describes_an_amount_leaves_it_its_currency(label: str) -> None:
    """An amount "due within one year" is one of money; its neighbour with a life in years is not."""
    table = f"{HEADS}\nTotal notes\t$ 900\t$ 800\n{label}\t80\t60\nAverage life in years\t7\t6"
    page = _page("CONDENSED BALANCE SHEETS", "(In millions)", table)
    assert _found(label, page) == Decimal("80000000")
    assert _found("average life in years", page) is None


def test_a_day_over_years_is_a_moment() -> None:
    """ "As of December 31," over "2020" and "2019" heads columns of balances, and is no title of the table."""
    table = "\tAs of December 31,\t\u2007\n\t2020\t2019\nTotal assets\t$ 900,100\t$ 850,200"
    page = _page("CONSOLIDATED BALANCE SHEETS", "(in thousands)", table)
    assert _found("total assets", page, "December 31, 2020") == Decimal("900100000")
    assert _found("total assets", page, "December 31, 2019") == Decimal("850200000")
    assert _found("total assets", page, "September 30, 2020") is None


def test_percentages_are_of_what_the_table_says() -> None:
    """A table "as a percentage of revenue" answers for that whole, not for another, and for no amount."""
    intro = "The following table sets forth our results as a percentage of revenue:"
    table = "\tYear Ended December 31,\t\u2007\n\t2020\t2019\nResearch and development\t21.0%\t20.6%"
    page = _page("Results of Operations", intro, table)
    query = "Corvane Devices research and development percent of {} 2020"
    assert found(query.format("revenue"), page, UnitClass.PERCENT) == Decimal("21.0")
    assert found(query.format("net sales"), page, UnitClass.PERCENT) is None
    assert found(query.format("revenue"), page, CURRENCY) is None


def test_a_component_of_equity_is_not_the_whole() -> None:
    """A row under "Common stock:" in a statement of equity shows only what moved that component."""
    rows = (
        "\tMarch 29, 2025\tMarch 30, 2024",
        "Common stock:\t\t",
        "Shares issued under plans\t$ 1\t$ 2",
        "Paid-in capital:\t\t",
        "Stock-based compensation\t104\t95",
        "Total stockholders' equity\t$ 1,335\t$ 237",
    )
    page = _page(
        "CONSOLIDATED STATEMENTS OF STOCKHOLDERS' EQUITY",
        "(in millions)",
        "Three Months Ended",
        "\n".join(rows),
    )
    assert _found("shares issued under plans three months ended", page) is None
    assert _found("stock-based compensation three months ended", page) is None
    assert _found("paid-in capital stock-based compensation three months ended", page) == Decimal("104000000")
