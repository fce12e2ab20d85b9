"""The shapes in which filings give a figure: for each the reader offers the true reading among its first
claims.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pytest
from doublethink_figures import Flag, Part, Period, PeriodKind, UnitClass, find_periods, join_period
from doublethink_figures.errors import PeriodError
from doublethink_reader.claims import MAX_QUOTE_BYTES, Claim
from doublethink_reader.extractive import extract
from doublethink_reader.period_labels import label_of
from doublethink_reader.query import understand
from hypothesis import given, settings
from hypothesis import strategies as st

PAGE_ID = "pag_" + "a" * 26
FIRST = 24
MONEY, PERCENT, COUNT, PER = (
    UnitClass.CURRENCY,
    UnitClass.PERCENT,
    UnitClass.COUNT,
    UnitClass.CURRENCY_PER,
)


@dataclass(frozen=True)
class Shape:
    """A page, a query, and the reading that is true: value, scale, unit and period."""

    name: str
    page: str
    query: str
    unit_class: UnitClass
    true: tuple[str, str, str, str]
    flags: frozenset[Flag] = frozenset()


def _table(*rows: str) -> str:
    return "\n".join(row.replace(" | ", "\t").replace("|", "\t") for row in rows)


def _page(*blocks: str) -> str:
    return "\n\n".join(("Corvane Mills", *blocks)) + "\n"


SHAPES = (
    Shape(
        "length, day and year in three rows",
        _page(
            "(in millions)",
            _table(
                " | Nine Months Ended | \u2007",
                " | September 30, | \u2007",
                " | 2031 | 2030",
                "Net sales | $ 71.4 | $ 65.2",
                "Freight | 3.1 | 2.9",
            ),
        ),
        "Corvane Mills freight nine months ended September 30, 2030",
        MONEY,
        ("2.9", "million", "$", "nine months ended September 30, 2030"),
    ),
    Shape(
        "length in the line above, dates in the columns",
        _page(
            "For the six months ended",
            _table("(in thousands) | June 30, 2031 | June 30, 2030", "Freight | $ 3,140 | $ 2,911"),
        ),
        "Corvane Mills freight six months ended June 30, 2031",
        MONEY,
        ("3,140", "thousand", "$", "six months ended June 30, 2031"),
    ),
    Shape(
        "period in a section row",
        _page(
            "The segments' results were as follows (dollars in millions):",
            _table(
                " | Felt | Cloth",
                "Second quarter ended June 30, 2031 | | ",
                "Freight | $ 3.1 | $ 2.9",
                "Second quarter ended June 30, 2030 | | ",
                "Freight | $ 2.8 | $ 2.6",
            ),
        ),
        "Corvane Mills cloth freight second quarter ended June 30, 2030",
        MONEY,
        ("2.6", "million", "$", "second quarter ended June 30, 2030"),
    ),
    Shape(
        "a table that goes on over a page's foot",
        _page(
            "(in millions)",
            _table(" | 2031 | 2030", "Net sales | $ 71.4 | $ 65.2", "Wages | 20.0 | 19.1"),
            "14",
            "Table of Contents",
            _table("Freight | 3.1 | 2.9", "Rent | 1.0 | 1.1"),
        ),
        "Corvane Mills freight 2030",
        MONEY,
        ("2.9", "million", "$", "2030"),
    ),
    Shape(
        "a remark far above that speaks for all tables",
        _page(
            "Notes to the Financial Statements",
            "(Tabular amounts in millions, except per share amounts)",
            *(f"Paragraph {n} says nothing of amounts." for n in range(50)),
            "Freight was as follows:",
            _table(" | 2031 | 2030", "Freight | $ 3.1 | $ 2.9"),
        ),
        "Corvane Mills freight 2031",
        MONEY,
        ("3.1", "million", "$", "2031"),
    ),
    Shape(
        "one remark for the tables after it",
        _page(
            "The following tables show details as of May 31, 2031 (in millions):",
            "Felt",
            _table(" | May 31, 2031", "Wool | $ 4.1"),
            "Cloth",
            _table(" | May 31, 2031", "Yarn | $ 5.2"),
        ),
        "Corvane Mills yarn May 31, 2031",
        MONEY,
        ("5.2", "million", "$", "May 31, 2031"),
    ),
    Shape(
        "per share under a section",
        _page(
            "(in millions, except per share data)",
            _table(
                " | 2031 | 2030",
                "Net loss | $ (4) | $ (2)",
                "Loss per share: | | ",
                "Basic | (0.41) | (0.22)",
            ),
        ),
        "Corvane Mills basic loss per share 2031",
        PER,
        ("(0.41)", "", "$_per_share", "2031"),
    ),
    Shape(
        "shares in another scale than money",
        _page(
            "(in millions, except number of shares, which are reflected in thousands)",
            _table(
                " | 2031 | 2030",
                "Net income | $ 4 | $ 2",
                "Weighted average shares outstanding | 12,408 | 12,511",
            ),
        ),
        "Corvane Mills weighted average shares outstanding 2031",
        COUNT,
        ("12,408", "thousand", "count", "2031"),
    ),
    Shape(
        "a plain count among amounts",
        _page(
            "(in millions)", _table(" | 2031 | 2030", "Net sales | $ 4 | $ 2", "Number of mills | 17 | 16")
        ),
        "Corvane Mills number of mills 2031",
        COUNT,
        ("17", "", "count", "2031"),
    ),
    Shape(
        "a column of percentages of which the first shows the sign",
        _page(
            _table(
                " | 2031 | \u2007",
                " | Amount | Percent of sales",
                "Net sales | $ 71.4 | 100.0%",
                "Freight | 3.1 | 4.3",
            )
        ),
        "Corvane Mills freight percent of sales 2031",
        PERCENT,
        ("4.3", "", "percent", "2031"),
    ),
    Shape(
        "a change beside two dates",
        _page(
            "(in millions)",
            _table(
                " | Three Months Ended | \u2007 | \u2007",
                " | June 30, 2031 | June 30, 2030 | Change",
                "Freight | $ 3.1 | $ 2.9 | 7%",
            ),
        ),
        "Corvane Mills freight change three months ended June 30, 2031",
        PERCENT,
        ("7", "", "percent", "three months ended June 30, 2031"),
    ),
    Shape(
        "a cell with its own scale and year",
        _page(_table("Founded | 1961", "Revenue | €1.7 billion (2031)", "Employees | 4,120 (2031)")),
        "Corvane Mills revenue 2031",
        MONEY,
        ("1.7", "billion", "EUR", "2031"),
    ),
    Shape(
        "an amount per tonne",
        _page(
            "(in millions, except average prices)",
            _table(
                " | 2031 | 2030",
                "Net sales | $ 71 | $ 65",
                "Average price per metric ton of wool | 902 | 877",
            ),
        ),
        "Corvane Mills average price per metric ton of wool 2030",
        PER,
        ("877", "", "$_per_tonne", "2030"),
    ),
    Shape(
        "a named dollar",
        _page(
            "All amounts are in US dollars.",
            "(in thousands)",
            _table(" | 2031 | 2030", "Freight | $ 3,140 | $ 2,911"),
        ),
        "Corvane Mills freight 2030",
        MONEY,
        ("2,911", "thousand", "USD", "2030"),
    ),
    Shape(
        "votes of a meeting",
        _page(
            "Corvane Mills held its annual meeting on May 5, 2031.",
            "The votes were:",
            _table("Nominee | For | Withheld", "Ada Quill | 4,120,331 | 90,112"),
        ),
        "Corvane Mills votes withheld Ada Quill May 5, 2031",
        COUNT,
        ("90,112", "", "count", "May 5, 2031"),
    ),
    Shape(
        "the rate in a note's name",
        _page(_table("Title of each class | Symbol", "4.250% Notes due 2037 | CVM37")),
        "Corvane Mills interest rate notes due 2037",
        PERCENT,
        ("4.250", "", "percent", ""),
    ),
    Shape(
        "shares outstanding on a cover",
        _page("As of May 5, 2031, 41,203,318 shares of common stock were outstanding."),
        "Corvane Mills shares outstanding May 5, 2031",
        COUNT,
        ("41,203,318", "", "count", "May 5, 2031"),
    ),
    Shape(
        "a row of an ownership report",
        _page(
            "MAY 5, 2031",
            "(Date of event which requires filing of this statement)",
            _table(
                "1 | NAMES OF REPORTING PERSONS Ada Quill",
                "11 | PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9) 6.1%",
            ),
        ),
        "Corvane Mills percent of class Ada Quill May 5, 2031",
        PERCENT,
        ("6.1", "", "percent", "May 5, 2031"),
    ),
    Shape(
        "the second member of a list of periods",
        _page(
            "Freight was $3.1 million and $2.9 million for the years ended May 31, 2031 and 2030, respectively."
        ),
        "Corvane Mills freight year ended May 31, 2030",
        MONEY,
        ("2.9", "million", "$", "fiscal year ended May 31, 2030"),
    ),
    Shape(
        "a number in words",
        _page("The company runs twelve stores in the north."),
        "Corvane Mills stores",
        COUNT,
        ("12", "", "count", ""),
    ),
    Shape(
        "a figure between two periods",
        _page(
            "Comparable sales for the 13 weeks ended May 31, 2031 decreased 0.7 percent from comparable sales for the"
            " 13 weeks ended June 1, 2030."
        ),
        "Corvane Mills comparable sales 13 weeks ended May 31, 2031",
        PERCENT,
        ("0.7", "", "percent", "13 weeks ended May 31, 2031"),
    ),
    Shape(
        "a heading above that flags the table",
        _page(
            "Guidance",
            _table("(in millions) | 2031 | 2030", "Freight | $ 3.1 | $ 2.9"),
        ),
        "Corvane Mills freight guidance 2031",
        MONEY,
        ("3.1", "million", "$", "2031"),
        frozenset({Flag.GUIDANCE}),
    ),
)


def _claims(shape: Shape) -> tuple[Claim, ...]:
    periods = find_periods(shape.query)
    wanted = periods[-1].period if periods else None
    return extract(PAGE_ID, shape.page, understand(shape.query, shape.unit_class, wanted))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_true_reading_is_among_the_first(shape: Shape) -> None:
    """Value, scale, unit, period and flags as a person reads them, and the quote where it says it is."""
    value, scale, unit, period = shape.true
    wanted = join_period([period]) if period else None
    claims = _claims(shape)
    fitting = [
        c
        for c in claims[:FIRST]
        if (c.value.lstrip("-"), c.scale, c.unit, c.flags) == (value, scale, unit, shape.flags)
        and (join_period([c.period]) if c.period else None) == wanted
    ]
    assert fitting, [(c.value, c.scale, c.unit, c.period) for c in claims[:FIRST]]
    assert shape.page.encode()[fitting[0].offset :].decode().startswith(fitting[0].quote)


def test_a_short_row_is_quoted_with_the_row_before_it() -> None:
    """A quote of a few characters would prove nothing: it takes in the row above."""
    page = _page("(in millions)", _table(" | 2031", "Carriage | $ 4", "Rent | 7"))
    claim = next(
        c for c in extract(PAGE_ID, page, understand("Corvane rent 2031", MONEY, None)) if c.value == "7"
    )
    assert claim.quote == "Carriage\t$ 4\nRent\t7"


def test_running_text_keeps_its_share_of_the_bound() -> None:
    """A page full of fitting rows does not crowd out the sentence that says it plainly."""
    rows = [f"Freight {n} | $ {n},000.5 | $ {n},100.5" for n in range(1, 400)]
    page = _page("(in millions)", _table(" | 2031 | 2030", *rows), "Freight was $3.1 million in 2031.")
    claims = extract(PAGE_ID, page, understand("Corvane freight 2031", MONEY, None), 64)
    assert len(claims) == 64
    assert any(c.quote.startswith("Freight was") for c in claims)


@pytest.mark.parametrize(
    "row",
    ["freight\t" + "\t".join(["7"] * 5_000), "freight\t1" + "(a)" * 5_000, "freight\t" + "9" * 5_000],
    ids=["columns", "marks", "digits"],
)
def test_a_row_out_of_all_bounds_is_read_within_them(row: str) -> None:
    """Columns behind the bound are left out; a cell as long as a paragraph is no number; quotes stay short."""
    claims = extract(PAGE_ID, _page("(in millions)", row), understand("Corvane freight", MONEY, None))
    assert all(len(claim.quote.encode()) <= MAX_QUOTE_BYTES for claim in claims)
    assert len({claim.value for claim in claims}) <= 1


@settings(max_examples=60, deadline=None)
@given(
    st.dates(date(1990, 1, 1), date(2060, 12, 31)),
    st.sampled_from(list(Part)),
    st.sampled_from(list(PeriodKind)),
)
def test_a_periods_label_names_that_period_and_no_other(end: date, part: Part, kind: PeriodKind) -> None:
    """Whatever the page's words are: the label of a claim is read back as the period that was meant."""
    try:
        period = Period(kind, None, part, end)
    except PeriodError:
        return
    label = label_of(period, "for the three and nine months then ended")
    assert label is None or join_period([label]) == period


@pytest.mark.parametrize(
    "text", ["three months ended May 31, 2031", "fiscal 2031", "Q2 2031", "May 31, 2031", "FY2030/31"]
)
def test_plain_periods_have_a_label_even_where_the_page_names_two(text: str) -> None:
    """A heading such as "three and six months ended" alone never leaves a common period without a label."""
    (mention,) = find_periods(text)
    label = label_of(mention.period, "three and six months ended May 31, 2031 and 2030")
    assert label is not None
    assert join_period([label]) == mention.period
