"""Tables of parts of a company, and scales that hold for some rows only."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

CURRENCY = UnitClass.CURRENCY
_HEAD = "Corvane, Inc.\n\nCORVANE, INC.\n\n"


def _part(title: str, *rows: str) -> str:
    return (
        f"{_HEAD}Fees rose with the markets.\n\n{title}\t\u2007\t\u2007\nIn millions\t1Q22\t4Q21\n"
        + "\n".join(rows)
        + "\n"
    )


def test_the_table_of_a_group_is_not_the_companys() -> None:
    """A title made of words that statements use too is a name by its last word."""
    row = "Noninterest income\t$ 248\t$ 258"
    query = "Corvane noninterest income first quarter of 2022"
    assert found(query, _part("Asset Management Group", row), CURRENCY) is None
    assert found(query, _part("Corporate & Institutional Banking", row), CURRENCY) is None
    assert found(query, _part("Consolidated Results", row), CURRENCY) == Decimal("248000000")


def test_a_sections_scale_beats_the_tables() -> None:
    """ "In billions" over some rows holds for them, and a label's own scale for its row."""
    page = _part(
        "Consolidated Results",
        "Noninterest income\t$ 248\t$ 258",
        "In billions\t\t",
        "Average loans\t$ 180.2\t$ 176.8",
        "Net charge-offs In millions\t$ 12\t$ 15",
    )
    query = "Corvane {} first quarter of 2022"
    assert found(query.format("average loans"), page, CURRENCY) == Decimal("180200000000")
    assert found(query.format("net charge-offs"), page, CURRENCY) == Decimal("12000000")
    assert found(query.format("noninterest income"), page, CURRENCY) == Decimal("248000000")


_SEGMENTS = (
    "{between}\tUnited States\tCanada\n{length} Months Ended July 29, 2023\t\t\nNet sales\t$ {us}\t$ {canada}\n"
    "Operating loss\t(4.7)\t(3.1)\n"
)


def test_a_table_goes_on_for_another_period() -> None:
    """Directly below the first, under the same headings and with the same line, it shows the same; else nothing says
    what it shows.
    """
    first = _SEGMENTS.format(between="", length="Three", us="760.2", canada="66.0")
    query = "Corvane net sales Canada six months ended July 29, 2023"
    page = f"{_HEAD}8. Segment Information\n\nResults by segment were as follows (in millions):\n\n{first}"
    again = _SEGMENTS.format(between="\n12\n\n", length="Six", us="1,592.6", canada="128.8")
    assert found(query, page + again, CURRENCY) == Decimal("128800000")
    other = again.replace("Net sales", "Net sales of others")
    assert found(query, page + other, CURRENCY) is None


def test_a_row_of_its_own_beats_a_total_under_a_title() -> None:
    """ "Net sales – services" is the services' part; "Net sales" under a line that speaks of services is their sum."""
    head = "\tThree Months Ended\t\u2007\n\tJune 30, 2024\tJune 30, 2023\n"
    page = (
        f"{_HEAD}The following table presents net sales by products and services (in millions):\n\n{head}"
        "Net sales – products\t$ 400\t$ 380\nNet sales – services\t15\t14\n\n"
        f"The following table presents net sales of products and services by region (in millions):\n\n{head}"
        "North\t$ 300\t$ 290\nSouth\t115\t104\nNet sales\t$ 415\t$ 394\n"
    )
    query = "Corvane net sales of services three months ended June 30, 2024"
    assert found(query, page, CURRENCY) == Decimal("15000000")


@pytest.mark.parametrize(
    ("heading", "value"),
    [
        ("I. Inventories", "651000000"),
        ("Note 9 – Inventories", "651000000"),
        ("Statement of Changes in Inventories", "651000000"),
        ("F. EPS", "651000000"),
        ("I Inventories", None),
        ("U.S. Inventories", None),
        ("Guarantor Inventories", None),
    ],
)
def test_the_letter_of_a_note_narrows_nothing(heading: str, value: str | None) -> None:
    """A note's number or letter is no part of what it shows; a word is."""
    page = (
        f"{_HEAD}{heading}\n\nThe components of inventories were (in millions):\n\n"
        "\tJune 30, 2024\tDecember 31, 2023\nInventories\t$ 651\t$ 600\n"
    )
    expected = None if value is None else Decimal(value)
    assert found("Corvane inventories June 30, 2024", page, CURRENCY) == expected


def test_what_is_weighed_is_no_amount() -> None:
    """ "Production (kmt)" is no money, however many digits it has."""
    page = (
        f"{_HEAD}Summary of results (in millions)\n\n\tSix months ended June 30,\t\u2007\n\t2018\t2017\n"
        "Sales\t$ 6,669\t$ 5,514\nAluminum production (kmt)\t1,110\t1,134\n"
    )
    assert found("Corvane aluminum production kmt six months ended June 30, 2018", page, None) is None
    assert found("Corvane sales six months ended June 30, 2018", page, CURRENCY) == Decimal("6669000000")


@pytest.mark.parametrize(
    ("row", "asked", "value"),
    [
        ("TOTAL FINANCING ACTIVITIES", "net cash used in financing activities", "-3507000000"),
        ("Treasury stock purchases", "treasury stock purchases", "3507000000"),
        ("Acquisitions, net of cash acquired", "acquisitions", "3507000000"),
        ("Settlement of stock-based awards", "settlement of stock-based awards", "3507000000"),
        ("Reductions in long-term debt", "reductions in long-term debt", "3507000000"),
    ],
)
def test_what_went_out_is_said_by_the_label(row: str, asked: str, value: str) -> None:
    """A bracketed payment is what was paid; a bracketed total is negative."""
    page = (
        f"{_HEAD}CONSOLIDATED STATEMENTS OF CASH FLOWS\n\n(in millions)\n\n"
        "\tSix Months Ended\t\u2007\n\tJune 30, 2024\tJune 30, 2023\nNet earnings\t$ 4,521\t$ 3,939\n"
        f"FINANCING ACTIVITIES\t\t\n{row}\t(3,507)\t(4,000)\n"
    )
    assert found(f"Corvane {asked} six months ended June 30, 2024", page, CURRENCY) == Decimal(value)


@pytest.mark.parametrize(
    ("intro", "value"),
    [
        ("A summary of financial information for the Company’s equity investments is as follows:", None),
        ("Combined results of our investees were as follows:", None),
        ("Our results were as follows:", "678000000"),
    ],
)
def test_the_figures_of_investees_are_not_the_companys(intro: str, value: str | None) -> None:
    """What companies earned of which it holds a part, it did not earn itself."""
    page = (
        f"{_HEAD}H. Results\n\n{intro}\n\n(in millions)\n\n\tSix months ended June 30,\t\u2007\n\t2018\t2017\n"
        "Sales\t$ 878\t$ 800\nGross profit\t678\t601\n"
    )
    expected = None if value is None else Decimal(value)
    assert found("Corvane gross profit six months ended June 30, 2018", page, CURRENCY) == expected
