"""Tempting wrong figures: a reader that offers every true figure of a page gets only the one that was asked
for.

The reader here is as bad as an honest one can be. It claims every number of the page, rightly read. What is
then found for a query is the validator's doing alone.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from doublethink_validator.errors import Reason
from doublethink_validator.examination import Examination, Material, Verdict, examine
from sim.honest import claims_of
from sim.pagetexts import BALANCE, INCOME, SPANNED, Line, Statement

CURRENCY = UnitClass.CURRENCY


def _examine(query: str, *texts: str, unit_class: UnitClass | None = CURRENCY) -> Examination:
    pages = [
        Material("pag_" + "abcdefgh"[number] * 26, text, False, claims_of(text))
        for number, text in enumerate(texts)
    ]
    return examine(query, None, unit_class, pages)


def _found(query: str, *texts: str, unit_class: UnitClass | None = CURRENCY) -> Decimal | None:
    """The value that is found, None for every other verdict."""
    result = _examine(query, *texts, unit_class=unit_class)
    values = {p.reading.value for p in result.proven}
    assert (result.verdict is Verdict.FOUND) is bool(values)
    return max(values, key=lambda v: len(v.as_tuple().digits)) if values else None


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("Halvorsen Pumps net sales three months ended June 30, 2024", "1204500000"),
        ("Halvorsen Pumps net sales three months ended June 30, 2023", "1100200000"),
        ("Halvorsen Pumps net sales six months ended June 30, 2024", "2310000000"),
        ("Halvorsen Pumps net sales quarter ended June 30, 2024", "1204500000"),
        ("Halvorsen Pumps net loss three months ended June 30, 2024", "-9800000"),
        ("Halvorsen Pumps operating loss six months ended June 30, 2023", "-77200000"),
        ("Halvorsen Pumps gross profit six months ended June 30, 2024", "765400000"),
    ],
)
def test_the_column_of_the_wanted_period_is_taken(query: str, value: str) -> None:
    """Not the prior year's, not the half year's for the quarter; brackets are negative."""
    assert _found(query, INCOME.text()) == Decimal(value)


@pytest.mark.parametrize(
    "query",
    [
        "Halvorsen Pumps net sales three months ended September 30, 2024",
        "Halvorsen Pumps net sales nine months ended June 30, 2024",
        "Halvorsen Pumps net sales fiscal 2024",
        "Halvorsen Pumps net sales 2024",
        "Halvorsen Pumps net income three months ended June 30, 2024",
        "Halvorsen Pumps sales growth three months ended June 30, 2024",
        "Halvorsen Pumps Europe net sales three months ended June 30, 2024",
        "Halvorsen Valves net sales three months ended June 30, 2024",
        "Brenner Flow net sales three months ended June 30, 2024",
        "net sales three months ended June 30, 2024",
        "Halvorsen Pumps adjusted net loss three months ended June 30, 2024",
        "Halvorsen Pumps revenue three months ended June 30, 2024",
    ],
)
def test_what_the_page_does_not_say_is_not_found(query: str) -> None:
    """Another period, metric, part or company: nothing is taken in its place."""
    assert _found(query, INCOME.text()) is None


def test_the_wanted_class_of_unit_decides() -> None:
    """The margin is not an amount, and the amount per share is not one in millions."""
    page = INCOME.text()
    margin = "Halvorsen Pumps gross margin percentage three months ended June 30, 2024"
    assert _found(margin, page, unit_class=UnitClass.PERCENT) == Decimal("33.2")
    assert _found(margin, page) is None
    per_share = "Halvorsen Pumps diluted earnings per share three months ended June 30, 2024"
    assert _found(per_share, page, unit_class=UnitClass.CURRENCY_PER) == Decimal("-0.12")
    assert _found(per_share, page) is None


def test_a_balance_is_found_at_its_date() -> None:
    """A column under a date alone is a balance of that day, and of the period that ends on it."""
    page = BALANCE.text()
    assert _found("Halvorsen Pumps total assets as of June 30, 2024", page) == Decimal("976270000")
    assert _found("Halvorsen Pumps inventories December 31, 2023", page) == Decimal("150118000")
    assert _found("Halvorsen Pumps total assets quarter ended June 30, 2024", page) == Decimal("976270000")
    assert _found("Halvorsen Pumps total assets as of June 30, 2023", page) is None


def test_without_a_period_only_a_page_with_one_is_enough() -> None:
    """A query that names no period is answered where the page leaves no choice."""
    single = replace(
        INCOME, columns=INCOME.columns[:1], lines=tuple(replace(x, values=x.values[:1]) for x in INCOME.lines)
    )
    assert _found("Halvorsen Pumps net sales", single.text()) == Decimal("1204500000")
    result = _examine("Halvorsen Pumps net sales", INCOME.text())
    assert result.verdict is Verdict.CANNOT_CHECK
    assert Reason.RIVAL_FITS in result.reasons


def test_a_query_with_two_periods_cannot_be_checked() -> None:
    """Which of the two is meant, nobody can tell."""
    result = _examine("Halvorsen Pumps net sales fiscal 2023 fiscal 2024", INCOME.text())
    assert result.verdict is Verdict.CANNOT_CHECK


SEGMENTS = replace(
    INCOME,
    title="SEGMENT INFORMATION",
    lines=(
        Line("Americas:", "money", ("", "", "", "")),
        Line("Net sales", "money", ("700.1", "650.0", "1,300.0", "1,200.0")),
        Line("Europe:", "money", ("", "", "", "")),
        Line("Net sales", "money", ("504.4", "450.2", "1,010.0", "950.4")),
    ),
)


def test_a_segment_is_not_the_company() -> None:
    """The rows of segments answer a query for the segment, and never one for the company."""
    page = SEGMENTS.text()
    assert _found("Halvorsen Pumps Europe net sales three months ended June 30, 2024", page) == Decimal(
        "504400000"
    )
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) is None


def test_a_segment_table_under_its_own_heading_is_not_the_company() -> None:
    """A heading over a table that names a part narrows every row of it."""
    page = replace(INCOME, title="RESULTS OF THE EUROPE SEGMENT").text()
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) is None


def test_the_total_of_segments_is_not_the_company() -> None:
    """Beside columns of segments the total may leave out what no segment bears."""
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nSEGMENT RESULTS\n\n(in millions)\n\n"
        "\tPumps\tSeals\tTotal\nThree months ended June 30, 2024\t\t\t\n"
        "Operating income\t$ 210.5\t$ 30.2\t$ 240.7\n"
    )
    quarter = "three months ended June 30, 2024"
    assert _found(f"Halvorsen Pumps operating income {quarter}", page) is None
    assert _found(f"Halvorsen Pumps Seals operating income {quarter}", page) == Decimal("30200000")


def test_the_statement_outweighs_a_table_of_the_notes() -> None:
    """A row of the same name in a table that is not the company's statement does not win, nor does it
    block.
    """
    note = "The following table shows the results of the affiliate.\n\n" + _bare(
        replace(INCOME, lines=(Line("Net sales", "money", ("88.0", "77.0", "160.0", "150.0")),))
    )
    page = INCOME.text() + "\n" + note
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) == Decimal("1204500000")


def test_a_table_that_nothing_introduces_proves_nothing() -> None:
    """After another table and with no heading of its own it may be anybody's."""
    other = replace(INCOME, lines=(Line("Cost of sales", "money", ("1.0", "2.0", "3.0", "4.0")),))
    page = (
        other.text()
        + "\n"
        + _bare(replace(INCOME, lines=(Line("Net sales", "money", ("88.0", "77.0", "160.0", "150.0")),)))
    )
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) is None


def _bare(statement: Statement) -> str:
    """The table alone."""
    return "\n".join(x for x in statement.text().split("\n") if "\t" in x) + "\n"


def test_two_statements_that_differ_prove_nothing() -> None:
    """A parent's statement beside the group's: the page does not say which was meant."""
    parent = replace(INCOME, lines=(Line("Net sales", "money", ("904.5", "800.2", "1,710.0", "1,550.4")),))
    page = INCOME.text() + "\n" + parent.text().split("\n", 2)[2]
    assert (
        _examine("Halvorsen Pumps net sales three months ended June 30, 2024", page).verdict
        is Verdict.CANNOT_CHECK
    )


def test_a_share_of_others_leaves_it_open() -> None:
    """Net income, and net income attributable to the company, differ: which was meant is not said."""
    page = replace(
        INCOME,
        lines=(
            Line("Net income", "money", ("230.0", "138.0", "504.0", "446.0")),
            Line(
                "Less: Net income attributable to noncontrolling interests",
                "money",
                ("155.0", "63.0", "279.0", "146.0"),
            ),
            Line("Net income attributable to Halvorsen Pumps", "money", ("75.0", "75.1", "225.0", "300.0")),
        ),
    ).text()
    quarter = "three months ended June 30, 2024"
    assert _found(f"Halvorsen Pumps net income {quarter}", page) is None
    assert _found(f"Halvorsen Pumps net income attributable to Halvorsen Pumps {quarter}", page) == Decimal(
        "75000000"
    )


CHANGES = (
    "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF INCOME\n\n(in millions)\n\n"
    f"\tThree Months Ended\t{SPANNED}\t\t\n\tJune 30, 2024\tJune 30, 2023\tChange\t% Change\n"
    "Net sales\t$ 1,204.5\t$ 1,100.2\t$ 104.3\t9.5%\nOther income\t3.0\t2.0\t1.0\t50.0%\n"
)


def test_columns_of_changes_are_not_levels() -> None:
    """Neither the difference nor its percentage is the figure."""
    query = "Halvorsen Pumps net sales three months ended June 30, 2024"
    assert _found(query, CHANGES) == Decimal("1204500000")
    assert _found(query, CHANGES, unit_class=UnitClass.PERCENT) is None


PERCENTAGES = (
    "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF INCOME\n\n(in millions)\n\n"
    f"\tThree Months Ended\t{SPANNED}\t{SPANNED}\t{SPANNED}\n\tJune 30, 2024\t{SPANNED}\tJune 30, 2023\t{SPANNED}\n"
    "Net sales\t$ 1,204.5\t100.0%\t$ 1,100.2\t100.0%\nGross profit\t400.4\t33.2\t368.3\t33.5\n"
)


def test_an_amount_and_its_share_under_one_heading_are_told_apart() -> None:
    """The column whose first number shows a percent sign holds percentages all the way down."""
    query = "Halvorsen Pumps gross profit three months ended June 30, 2024"
    assert _found(query, PERCENTAGES) == Decimal("400400000")


def test_two_numbers_under_one_heading_that_cannot_be_told_apart_prove_nothing() -> None:
    """The same headings over two amounts: neither is taken."""
    page = PERCENTAGES.replace("100.0%", "$ 98.1")
    assert _found("Halvorsen Pumps gross profit three months ended June 30, 2024", page) is None


def test_an_amount_without_a_scale_proves_nothing() -> None:
    """No statement of scale over an amount: whether it is in thousands, nobody can tell."""
    page = replace(INCOME, scale="(unaudited)").text()
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) is None


def test_a_price_among_millions_is_not_in_millions() -> None:
    """A number that prints more decimals than the amounts around it may be a price."""
    lines = (
        Line("Net sales", "money", ("1,204", "1,100", "2,310", "2,150")),
        Line("Cost of sales", "money", ("804", "731", "1,544", "1,432")),
        Line("Gross profit", "money", ("400", "369", "766", "718")),
        Line("Average ticket", "money", ("90.07", "90.02", "90.92", "90.82")),
    )
    page = replace(INCOME, lines=lines).text()
    assert _found("Halvorsen Pumps average ticket three months ended June 30, 2024", page) is None


def test_guidance_is_not_what_was_reported() -> None:
    """A row or table of targets is a row of targets."""
    guided = replace(
        INCOME,
        title="OUTLOOK",
        columns=(("", "Fiscal 2024"),),
        lines=(Line("Net sales", "money", ("2,500.0",)),),
    )
    assert _found("Halvorsen Pumps net sales fiscal 2024", guided.text()) is None
    sentence = _release("Halvorsen Pumps expects net sales of $2,500.0 million in fiscal 2024.")
    assert _found("Halvorsen Pumps net sales fiscal 2024", sentence) is None


def test_adjusted_figures_answer_only_when_asked_for() -> None:
    """Adjusted operating profit is another line than operating profit, and carries its flag."""
    page = replace(
        INCOME,
        lines=(
            Line("Operating profit", "money", ("124.0", "118.6", "230.0", "220.1")),
            Line("Adjusted operating profit", "money", ("139.5", "121.0", "251.0", "230.2")),
        ),
    ).text()
    quarter = "three months ended June 30, 2024"
    assert _found(f"Halvorsen Pumps operating profit {quarter}", page) == Decimal("124000000")
    assert _found(f"Halvorsen Pumps adjusted operating profit {quarter}", page) == Decimal("139500000")


def test_footnote_marks_and_page_numbers_are_no_part_of_a_number() -> None:
    """A mark after a label or number is a mark; a contents row is no statement."""
    page = INCOME.text().replace("Net sales\t", "Net sales (1)\t").replace("1,204.5", "1,204.5 ⁽²⁾")
    contents = (
        "Halvorsen Pumps, Inc.\n\nCONTENTS\n\nNet sales\t7\nCost of sales\t12\n\n" + page.split("\n", 2)[2]
    )
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", contents) == Decimal(
        "1204500000"
    )


def test_a_part_of_a_row_is_not_the_row() -> None:
    """A row "of which" under the asked one is another figure."""
    lines = (
        Line("Net sales", "money", ("1,204.5", "1,100.2", "2,310.0", "2,150.4")),
        Line("of which to related parties", "money", ("4.5", "3.2", "8.0", "7.4")),
    )
    page = replace(INCOME, lines=lines).text()
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) == Decimal("1204500000")


def test_a_company_that_is_only_mentioned_is_not_whom_the_page_is_about() -> None:
    """A customer named in a paragraph lends its name to no number of the page."""
    page = INCOME.text() + "\nBrenner Flow, Inc. is a customer of ours.\n"
    assert _found("Brenner Flow net sales three months ended June 30, 2024", page) is None


def test_a_longer_name_is_another_company() -> None:
    """Halvorsen is not Halvorsen Hospitality."""
    page = (
        INCOME.text()
        .replace("Halvorsen Pumps", "Halvorsen Hospitality Pumps")
        .replace("HALVORSEN PUMPS", "HALVORSEN HOSPITALITY PUMPS")
    )
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) is None


def test_joint_filings_need_the_name_over_the_table() -> None:
    """In a page of two registrants a table without a name proves nothing."""
    page = (
        "Current report\n\nBrenner Flow, Inc.\n\n(Exact name of registrant as specified in its charter)\n\n"
        "Halvorsen Pumps, Inc.\n\n(Exact name of registrant as specified in its charter)\n\n"
        + INCOME.text().replace("HALVORSEN PUMPS, INC.", "OPERATING COMPANIES").split("\n", 2)[2]
    )
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) is None


CASH_FLOWS = Statement(
    title="CONSOLIDATED STATEMENTS OF CASH FLOWS",
    columns=INCOME.columns[2:],
    lines=(
        Line("Net cash provided by operating activities", "money", ("310.0", "290.0")),
        Line("Capital expenditures", "money", ("(61.5)", "(58.0)")),
        Line("Purchases of businesses, net of cash acquired", "money", ("(12.5)", "(14.0)")),
        Line("Repayments of borrowings", "money", ("(7.5)", "(8.0)")),
        Line("Restricted deposits", "money", ("(3.5)", "(4.0)")),
        Line("Proceeds from (payments of) short-term debt", "money", ("(2.5)", "(3.0)")),
        Line("Net cash used in investing activities", "money", ("(74.0)", "(72.0)")),
    ),
)


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("net cash provided by operating activities", "310000000"),
        ("capital expenditures", "61500000"),
        ("purchases of businesses", "12500000"),
        ("net cash used in investing activities", "-74000000"),
        ("restricted deposits", None),
        ("repayments of borrowings", "7500000"),
        ("proceeds from payments of short-term debt", None),
    ],
)
def test_brackets_of_an_outflow_are_read_with_the_word_for_it(metric: str, value: str | None) -> None:
    """Capital expenditures in brackets are what was spent; what no single word calls spent has no sign that can
    be said, and a total keeps its own.
    """
    result = _found(f"Halvorsen Pumps {metric} six months ended June 30, 2024", CASH_FLOWS.text())
    assert result == (None if value is None else Decimal(value))


def test_years_may_stand_in_rows() -> None:
    """A table by year: the row's label is the period, the column's heading the metric."""
    page = (
        "Halvorsen Pumps - Encyclopedia\n\nHalvorsen Pumps\n\nFinancial data by year, in millions of euros\n\n"
        "Year\tRevenue\tNet income\n2022\t1,100.5\t80.1\n2023\t1,200.6\t90.2\n"
    )
    assert _found("Halvorsen Pumps revenue 2022", page) == Decimal("1100500000")
    assert _found("Halvorsen Pumps net income 2023", page) == Decimal("90200000")
    assert _found("Halvorsen Pumps revenue 2021", page) is None


def test_an_encyclopedia_gives_the_year_beside_the_figure() -> None:
    """A figure with its year in brackets has a period; one without is none for a query that wants a period."""
    page = (
        "Halvorsen Pumps - Wikipedia\n\nHalvorsen Pumps is the maker of pumps for the world and the sea.\n\n"
        f"Halvorsen Pumps\t{SPANNED}\n"
        "Founded\t1901\nRevenue\tUS$1.2 billion (2024)[3]\nNet income\tUS$90 million\n"
    )
    assert _found("Halvorsen Pumps revenue 2024", page) == Decimal("1200000000")
    assert _found("Halvorsen Pumps revenue 2023", page) is None
    assert _found("Halvorsen Pumps net income 2024", page) is None


def _release(*sentences: str) -> str:
    body = "\n\n".join(sentences)
    title = "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC. REPORTS RESULTS"
    return f"{title}\n\n{body}\n\nAll of the amounts are unaudited.\n"


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("Net sales for fiscal 2024 were $42.9 million.", "42900000"),
        ("Halvorsen Pumps reported net sales of $42.9 million in fiscal 2024.", "42900000"),
        (
            "Net sales for fiscal 2024 decreased 3.2% to $42.9 million from $44.3 million for fiscal 2023.",
            "42900000",
        ),
        (
            "Net sales for fiscal 2024 were $42.9 million, compared to $44.3 million for fiscal 2023.",
            "42900000",
        ),
        ("Net sales for fiscal 2024 decreased by $1.4 million.", None),
        ("Online net sales for fiscal 2024 were $42.9 million.", None),
        ("In Europe, net sales for fiscal 2024 were $42.9 million.", None),
        ("Net sales in Europe for fiscal 2024 were $42.9 million.", None),
        ("Net sales for fiscal 2024 were $42.9 million in Europe.", None),
        ("Adjusted net sales for fiscal 2024 were $42.9 million.", None),
        ("Net sales for fiscal 2024 were not $42.9 million.", None),
        ("Net sales for fiscal 2024 could be $42.9 million.", None),
        ("Net sales for fiscal 2024 are expected to be $42.9 million.", None),
        ("Net sales for fiscal 2024 were between $40 million and $42.9 million.", None),
        ("Net sales for fiscal 2023 were $42.9 million.", None),
        ("Net sales were $42.9 million.", None),
        ("Net sales excluding acquisitions for fiscal 2024 were $42.9 million.", None),
        (
            "Net sales for fiscal 2024 and 2023 were $42.9 million and $44.3 million, respectively.",
            "42900000",
        ),
        ("Net sales for fiscal 2024 and 2023 were $42.9 million and $44.3 million.", None),
        ("Net sales of Brenner Flow for fiscal 2024 were $42.9 million.", None),
    ],
)
def test_sentences_prove_only_in_the_narrow_form(sentence: str, value: str | None) -> None:
    """A level, of the whole company, of the wanted period, said without a condition; nothing else."""
    found = _found("Halvorsen Pumps net sales fiscal 2024", _release(sentence))
    assert found == (None if value is None else Decimal(value))


def test_a_rounded_sentence_agrees_with_its_table() -> None:
    """$1.2 billion and 1,204.5 in millions are one amount; the precise one comes first."""
    page = (
        _release("Net sales for the three months ended June 30, 2024 were $1.2 billion.")
        + "\n"
        + INCOME.text().split("\n", 2)[2]
    )
    result = _examine("Halvorsen Pumps net sales three months ended June 30, 2024", page)
    assert result.verdict is Verdict.FOUND
    assert result.proven[0].reading.value == Decimal("1204500000")


def test_a_sentence_that_contradicts_the_table_leaves_it_open_or_loses() -> None:
    """A sentence with another amount never wins over the statement."""
    page = (
        _release("Net sales for the three months ended June 30, 2024 were $1.3 billion.")
        + "\n"
        + INCOME.text().split("\n", 2)[2]
    )
    assert _found("Halvorsen Pumps net sales three months ended June 30, 2024", page) in (
        None,
        Decimal("1204500000"),
    )


def test_a_fiscal_label_needs_the_page_to_say_what_it_means() -> None:
    """The second quarter of fiscal 2023 ends when the page says that its year ends; without that nobody
    knows.
    """
    retail = replace(
        INCOME,
        columns=(("Three Months Ended", "July 30, 2023"), ("Three Months Ended", "July 31, 2022")),
        lines=(Line("Net sales", "money", ("42,916", "43,792")),),
    ).text()
    query = "Halvorsen Pumps net sales second quarter of fiscal 2023"
    assert _found(query, retail) is None
    said = retail + "\nFiscal 2023 refers to the fiscal year ending January 28, 2024.\n"
    assert _found(query, said) == Decimal("42916000000")
    assert _found("Halvorsen Pumps net sales second quarter of fiscal 2022", said) == Decimal("43792000000")
    assert _found("Halvorsen Pumps net sales third quarter of fiscal 2023", said) is None
