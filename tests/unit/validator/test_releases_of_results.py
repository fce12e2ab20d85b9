"""Tables and sentences as releases of results have them: sections that state a scale, corners that name a part, days
in corners, lists of amounts, costs in brackets.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

CURRENCY, COUNT, PERCENT = UnitClass.CURRENCY, UnitClass.COUNT, UnitClass.PERCENT


def _page(*blocks: str) -> str:
    english = "The results of the year and the cash of the company are stated in the tables for the period."
    return "\n\n".join(["Norvane Bancshares, Inc.", english, "NORVANE BANCSHARES, INC.", *blocks]) + "\n"


def _found(metric: str, page: str, unit_class: UnitClass = CURRENCY) -> Decimal | None:
    return found(f"Norvane Bancshares {metric}", page, unit_class)


BALANCES = (
    "\tJune 30, 2021\tMarch 31, 2021\nBALANCE SHEET DATA\t\t\nDollars in millions, except per share data\t\t\n"
    "Goodwill\t$ 10,958\t$ 9,317\nCLIENT ASSETS (billions)\t\t\nTotal client assets\t$ 443\t$ 395"
)


def test_a_section_states_the_scale_of_its_rows() -> None:
    """Each row has the scale of the section that it stands in."""
    assert _found("goodwill at June 30, 2021", _page(BALANCES)) == Decimal("10958000000")
    assert _found("total client assets at March 31, 2021", _page(BALANCES)) == Decimal("395000000000")


def test_a_section_without_a_scale_states_none() -> None:
    """The scale of one section does not reach into the next, nor into the one before."""
    page = _page(
        BALANCES.replace(" (billions)", "").replace("Dollars in millions, except per share data\t\t\n", "")
    )
    assert _found("goodwill at June 30, 2021", page) is None
    assert _found("total client assets at June 30, 2021", page) is None


def test_shares_in_a_section_have_its_scale_and_halves_of_shares_are_none() -> None:
    """ "SHARES IN MILLIONS" scales what is counted; without it 2,475.2 is no number of shares."""
    table = (
        "Amounts in millions\tThree Months Ended September 30\t\u2007\n\t2023\t2022\nSHARES IN MILLIONS\t\t\n"
        "Diluted weighted average common shares outstanding\t2,475.2\t2,503.6"
    )
    metric = "diluted weighted average common shares outstanding three months ended September 30, 2023"
    assert _found(metric, _page("5. Earnings Per Share", table), COUNT) == Decimal("2475200000")
    bare = table.replace("SHARES IN MILLIONS\t\t\n", "").replace("Amounts in millions", "")
    assert _found(metric, _page("5. Earnings Per Share", bare), COUNT) is None


RETAIL = "Retail Banking\t\t\nIn millions\t1Q22\t4Q21\nNoninterest expense\t$ 1,892\t$ 1,874"


def test_a_part_named_in_a_tables_corner_is_not_the_whole() -> None:
    """The segment's expense is not the company's; asked for by the segment's name it is found."""
    assert _found("noninterest expense fourth quarter of 2021", _page(RETAIL)) is None
    assert _found("Retail Banking noninterest expense fourth quarter of 2021", _page(RETAIL)) == Decimal(
        "1874000000"
    )


NOTE = "(In millions)\t\t\nJune 30,\t2024\t2023\nTotal inventories\t$ 5,925\t$ 5,718"


def test_a_day_in_the_corner_dates_the_years_beside_it() -> None:
    """ "June 30," before "2024": a balance at that day, and of no other day or time."""
    assert _found("total inventories at June 30, 2024", _page("INVENTORIES", NOTE)) == Decimal("5925000000")
    assert _found("total inventories at December 31, 2024", _page("INVENTORIES", NOTE)) is None
    undated = NOTE.replace("June 30,", "")
    assert _found("total inventories at June 30, 2024", _page("INVENTORIES", undated)) is None


LIST = (
    "During fiscal years 2024, 2023, and 2022, depreciation expense was $15.2 billion, $11.0 billion, "
    "and $12.6 billion, respectively."
)


def test_a_list_pairs_with_as_many_periods_in_order() -> None:
    """Each amount is of the period in the same place."""
    for year, value in (("2024", "15.2"), ("2023", "11.0"), ("2022", "12.6")):
        assert _found(f"depreciation expense fiscal {year}", _page(LIST)) == Decimal(value) * 10**9


@pytest.mark.parametrize(
    "changed",
    [
        LIST.replace(", and 2022", ""),
        LIST.replace(", respectively", ""),
        LIST.replace("depreciation expense was", "depreciation expense of stores was"),
        LIST.replace("depreciation expense was", "depreciation expense was not"),
        LIST.replace(", respectively", ", respectively, of which $5.0 billion was for leases"),
    ],
)
def test_a_list_that_does_not_pair_proves_nothing(changed: str) -> None:
    """Other counts, no "respectively", a part of the thing, a denial, or a figure outside of the list."""
    assert _found("depreciation expense fiscal 2023", _page(changed)) is None


COSTS = (
    "Amounts in millions\tThree Months Ended September 30\t\u2007\n\t2023\t2022\nOPERATING INCOME\t$ 5,767\t$ 4,939\n"
    "Interest expense\t(225)\t(123)\nRestructuring charges\t(12)\t(9)"
)


def test_brackets_of_a_cost_say_that_it_is_taken_off() -> None:
    """Interest expense is never negative; a charge may be a reversal, so that its brackets leave the sign open."""
    page = _page("CONSOLIDATED STATEMENTS OF EARNINGS", COSTS)
    assert _found("interest expense three months ended September 30, 2023", page) == Decimal("225000000")
    assert _found("restructuring charges three months ended September 30, 2023", page) is None
    mixed = page.replace("(123)", "123")
    assert _found("interest expense three months ended September 30, 2023", mixed) is None


REGIONS = (
    "\tThree Months Ended August 31,\t\u2007\n(in millions)\t2024\t2023\nAmericas\t$ 8,372\t$ 7,841\n"
    "Asia Pacific\t1,707\t1,607\nTotal revenues\t$ 10,079\t$ 9,448"
)


def test_rows_that_add_up_to_a_total_are_parts_of_it() -> None:
    """The total says of what the rows are, if they make it up."""
    metric = "Asia Pacific revenues three months ended August 31, 2024"
    assert _found(metric, _page("Geographic information", REGIONS)) == Decimal("1707000000")
    assert _found(metric, _page("Geographic information", REGIONS.replace("8,372", "8,373"))) is None


def test_an_amount_in_full_needs_no_scale() -> None:
    """Pay to the dollar, cents, or ten digits; a plain amount without a scale stays unproven."""
    pay = "Executive\t2022 Bonus¹\t2023 Base Salary²\nAda Lind\t$—\t$758,500\nBo Lind\t$—\t$895,000"
    assert _found("Ada Lind base salary 2023", _page(pay)) == Decimal("758500")
    assert (
        _found("Ada Lind base salary 2023", _page(pay.replace("$758,500", "758,500").replace("$", "")))
        is None
    )
    sheet = "\tJune 30, 2024\nTotal assets\t$ 140,976"
    assert _found("total assets at June 30, 2024", _page("BALANCE SHEETS", sheet)) is None


QUARTERS = (
    "In millions\t1Q22\t4Q21\nNet income\t$ 1,429\t$ 1,306\nTotal revenue\t$ 4,692\t$ 5,127",
    "Dollars in millions\tThree months ended\t\u2007\n\tMarch 31, 2022\tDecember 31, 2021\n"
    "Net income\t$ 1,429\t$ 1,306\n"
    "Total revenue\t$ 4,692\t$ 5,127\nOther liabilities paid\t$ 511\t$ 212",
)


def test_columns_that_show_the_same_tell_which_day_a_quarter_closes() -> None:
    """Two lines with the same amounts under "1Q22" and under its day; one line, or other amounts, tell nothing."""
    metric = "other liabilities paid first quarter of 2022"
    assert _found(metric, _page("Summary", QUARTERS[0], "Results", QUARTERS[1])) == Decimal("511000000")
    other = QUARTERS[1].replace("5,127", "5,120")
    assert _found(metric, _page("Summary", QUARTERS[0], "Results", other.replace("4,692", "4,600"))) is None


VOTES = "Director Nominee\tVotes For\tVotes Withheld\nAda Lind\t2,241,298,667\t81,013,676"
HELD = (
    "On November 14, 2024, the Company held its 2024 Annual Meeting, described in the proxy statement dated "
    "May 2, 2024."
)


def test_votes_stand_under_headings_with_the_word() -> None:
    """ "Votes For" is "For"; the day is the meeting's, not that of the paper it speaks of."""
    page = _page(HELD, "Election of Directors", VOTES)
    assert _found("votes for Ada Lind November 2024", page, COUNT) == Decimal("2241298667")
    assert _found("votes withheld from Ada Lind November 2024", page, COUNT) == Decimal("81013676")
    assert _found("votes for Ada Lind May 2024", page, COUNT) is None


def test_a_second_statement_of_a_sentence_is_its_own() -> None:
    """ "Generated sales of ... and employs ...": both are proven, the second for no period."""
    line = "Norvane Bancshares generated 2022 sales of EUR 17.8 billion and employs approximately 77,000 employees."
    assert _found("sales 2022", _page(line)) == Decimal("17800000000")
    assert _found("employees", _page(line), COUNT) == Decimal("77000")
    assert _found("employees 2022", _page(line), COUNT) is None
