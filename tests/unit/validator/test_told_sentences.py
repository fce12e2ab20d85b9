"""Sentences that tell a change, a share of sales, a comparison or a promised term: proven in one narrow form each."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

MONEY = UnitClass.CURRENCY
PERCENT = UnitClass.PERCENT
PER_SHARE = UnitClass.CURRENCY_PER
COUNT = UnitClass.COUNT


def _found(sentence: str, query: str, unit_class: UnitClass) -> Decimal | None:
    page = (
        "Tessaline Stores, Inc. Reports Third Quarter 2022 Results\n\nTessaline Stores, Inc.\n\n"
        f"The third quarter ended September 30, 2022 was good.\n\n{sentence}\n"
    )
    return found(f"Tessaline Stores {query}", page, unit_class)


ROSE = "Net sales increased 6.3% to $812.4 million in the third quarter of 2022."
OF = "Net sales of $812.4 million for the third quarter of 2022, an increase of 6.3% from the third quarter of 2021."
BY = "Net sales increased by $48.2 million, or 6.3%, in the third quarter of 2022."
FELL = "Net sales for the third quarter of 2022 decreased 6.3% to $812.4 million."
AGAINST = (
    "Net sales were $812.4 million in the third quarter of 2022, an increase of 6.3% compared to $764.2 million "
    "in the third quarter of 2021."
)
WEEKS = (
    "Net sales for the 13-week fiscal quarter ended October 1, 2022 decreased 3.2 percent to $293.6 million from net "
    "sales of $303.5 million for the prior year 13-week fiscal quarter ended October 2, 2021."
)
SAME_STORES = (
    "Comparable store net sales for the 39-week fiscal period ended October 1, 2022 decreased 0.7 percent from "
    "comparable store net sales for the prior year 39-week period ended October 2, 2021."
)
SHARE = "Gross profit was $284.3 million, or 35.0% of net sales, in the third quarter of 2022."
COST = "As a percentage of sales, SG&A expenses were 24.1% in the third quarter of 2022."
EPS = "Net income was $42.1 million, or $0.87 per diluted share, for the third quarter of 2022."
LEVEL_EPS = "Diluted earnings per share for the third quarter of 2022 were $0.87."
COMPARABLE = "Comparable store sales decreased 1.4% in the third quarter of 2022."
TWO = "As of September 30, 2022, we had cash and cash equivalents of $96.2 million and total debt of $12.0 million."


@pytest.mark.parametrize(
    ("sentence", "query", "unit_class", "value"),
    [
        (ROSE, "net sales increase percent Q3 2022", PERCENT, "6.3"),
        (ROSE, "net sales growth Q3 2022", PERCENT, "6.3"),
        (ROSE, "net sales Q3 2022", MONEY, "812400000"),
        (OF, "net sales increase percent Q3 2022", PERCENT, "6.3"),
        (OF, "net sales Q3 2022", MONEY, "812400000"),
        (BY, "net sales increase percent Q3 2022", PERCENT, "6.3"),
        (BY, "net sales increase Q3 2022", MONEY, "48200000"),
        (FELL, "net sales change percent Q3 2022", PERCENT, "-6.3"),
        (FELL, "net sales decrease percent Q3 2022", PERCENT, "-6.3"),
        (AGAINST, "net sales growth Q3 2022", PERCENT, "6.3"),
        (AGAINST, "net sales Q3 2022", MONEY, "812400000"),
        (AGAINST, "net sales Q3 2021", MONEY, "764200000"),
        (COMPARABLE, "comparable store sales Q3 2022", PERCENT, "-1.4"),
        (WEEKS, "net sales growth percentage 13-week fiscal quarter ended October 1, 2022", PERCENT, "-3.2"),
        (SAME_STORES, "comparable store net sales 39 weeks ended October 1, 2022", PERCENT, "-0.7"),
        (SHARE, "gross profit percent of net sales Q3 2022", PERCENT, "35.0"),
        (SHARE, "gross profit as a percentage of net sales Q3 2022", PERCENT, "35.0"),
        (COST, "SG&A expenses percent of sales Q3 2022", PERCENT, "24.1"),
        (EPS, "diluted earnings per share Q3 2022", PER_SHARE, "0.87"),
        (EPS, "net income Q3 2022", MONEY, "42100000"),
        (LEVEL_EPS, "diluted EPS Q3 2022", PER_SHARE, "0.87"),
        (TWO, "cash and cash equivalents September 30, 2022", MONEY, "96200000"),
        (TWO, "total debt September 30, 2022", MONEY, "12000000"),
        (
            "Ms. Lopez will receive an annual base salary of $650,000 and a target bonus of 75% of base salary.",
            "Lopez annual base salary",
            MONEY,
            "650000",
        ),
        ("Mr. Reyes’ annual base salary will be $650,000.", "Reyes annual base salary", MONEY, "650000"),
        (
            "The Board of Directors declared a quarterly cash dividend of $0.22 per share, payable on December 15, "
            "2022 to shareholders of record on December 1, 2022.",
            "quarterly cash dividend per share",
            PER_SHARE,
            "0.22",
        ),
        (
            "The aggregate market value of the voting stock held by non-affiliates of the registrant as of June 30, "
            "2022 was approximately $2,628,553,000.",
            "aggregate market value held by non-affiliates June 30, 2022",
            MONEY,
            "2628553000",
        ),
    ],
)  # fmt: skip
def test_what_a_sentence_tells_is_found(sentence: str, query: str, unit_class: UnitClass, value: str) -> None:
    """A change by its word, a share by its whole, an amount of what it is said."""
    assert _found(sentence, query, unit_class) == Decimal(value)


@pytest.mark.parametrize(
    ("sentence", "query", "unit_class"),
    [
        (ROSE, "net sales increase percent Q3 2021", PERCENT),
        (ROSE, "net sales percent Q3 2022", PERCENT),
        (ROSE, "sales growth Q3 2022", PERCENT),
        (ROSE, "net sales decrease percent Q3 2022", PERCENT),
        (ROSE, "net sales increase Q3 2022", MONEY),
        (ROSE, "net sales growth Q2 2022", PERCENT),
        (WEEKS, "net sales growth percentage quarter ended October 2, 2021", PERCENT),
        (WEEKS, "net sales quarter ended October 2, 2021", MONEY),
        (SAME_STORES, "comparable store net sales 39 weeks ended October 2, 2021", PERCENT),
        (SAME_STORES, "net sales growth 39 weeks ended October 1, 2022", PERCENT),
        (
            SAME_STORES.replace("from comparable store", "from acquired store"),
            "comparable store net sales 39 weeks ended October 1, 2022",
            PERCENT,
        ),
        (ROSE.replace("in the", "sequentially in the"), "net sales growth Q3 2022", PERCENT),
        (ROSE.replace("2022.", "2022 from the prior quarter."), "net sales growth Q3 2022", PERCENT),
        (OF.replace("third quarter of 2021", "second quarter of 2022"), "net sales growth Q3 2022", PERCENT),
        (OF, "net sales growth Q3 2021", PERCENT),
        (OF, "net sales Q3 2021", MONEY),
        (BY, "net sales Q3 2022", MONEY),
        (AGAINST, "net sales growth Q3 2021", PERCENT),
        (AGAINST.replace("in the third quarter of 2021", "a year ago"), "net sales Q3 2021", MONEY),
        (AGAINST.replace("compared to", "compared to gross sales of"), "net sales Q3 2021", MONEY),
        (ROSE.replace("Net sales", "Net sales in Europe"), "net sales growth Q3 2022", PERCENT),
        (ROSE.replace("Net sales", "Constant currency net sales"), "net sales growth Q3 2022", PERCENT),
        (ROSE.replace("6.3%", "6.3% on a constant currency basis"), "net sales growth Q3 2022", PERCENT),
        (ROSE.replace("6.3%", "6.3% excluding fuel"), "net sales growth Q3 2022", PERCENT),
        (ROSE.replace("6.3%", "6.3% in Europe"), "net sales growth Q3 2022", PERCENT),
        (ROSE.replace("increased", "are expected to have increased"), "net sales growth Q3 2022", PERCENT),
        (
            "Gross margin increased to 35.0% in the third quarter of 2022.",
            "gross margin increase Q3 2022",
            PERCENT,
        ),
        (
            "Gross margin increased 1.2% in the third quarter of 2022.",
            "gross margin increase Q3 2022",
            PERCENT,
        ),
        ("Net sales increased to 35.0% in the third quarter of 2022.", "net sales increase Q3 2022", PERCENT),
        (
            "Net sales increased from 2.0% to 3.0% in the third quarter of 2022.",
            "net sales growth Q3 2022",
            PERCENT,
        ),
        (
            "Net sales decreased or increased 6.3% in the third quarter of 2022.",
            "net sales growth Q3 2022",
            PERCENT,
        ),
        (SHARE, "net sales Q3 2022", PERCENT),
        (SHARE, "gross profit Q3 2022", PERCENT),
        (SHARE, "gross profit percent of sales Q3 2022", PERCENT),
        (SHARE, "operating income percent of net sales Q3 2022", PERCENT),
        (SHARE.replace("Gross", "Europe gross"), "gross profit percent of net sales Q3 2022", PERCENT),
        (
            SHARE.replace("net sales", "segment net sales"),
            "gross profit percent of net sales Q3 2022",
            PERCENT,
        ),
        (COST.replace("SG&A", "Europe SG&A"), "SG&A expenses percent of sales Q3 2022", PERCENT),
        (COST, "SG&A expenses percent of revenue Q3 2022", PERCENT),
        (EPS, "basic earnings per share Q3 2022", PER_SHARE),
        (EPS, "earnings per share Q3 2022", PER_SHARE),
        (EPS, "diluted earnings per share Q3 2022", MONEY),
        (EPS, "adjusted diluted earnings per share Q3 2022", PER_SHARE),
        (EPS.replace("Net income", "Adjusted net income"), "diluted earnings per share Q3 2022", PER_SHARE),
        (EPS.replace("$42.1 million, or", "up,"), "diluted earnings per share Q3 2022", PER_SHARE),
        (TWO, "total debt September 30, 2021", MONEY),
        (TWO, "cash September 30, 2022", MONEY),
        (TWO.replace("we had", "our Europe unit had"), "total debt September 30, 2022", MONEY),
        (TWO.replace("total debt", "secured debt"), "debt September 30, 2022", MONEY),
        (
            "An increase in net sales of $5.0 million in the third quarter of 2022.",
            "net sales Q3 2022",
            MONEY,
        ),
        (
            "Net sales of $5.0 million from acquired stores in the third quarter of 2022.",
            "net sales Q3 2022",
            MONEY,
        ),
        ("Ms. Lopez had an annual base salary of $650,000.", "Reyes annual base salary", MONEY),
        ("Ms. Lopez will not receive an annual base salary of $650,000.", "Lopez annual base salary", MONEY),
        ("The Board did not declare a dividend of $0.22 per share.", "dividend per share", PER_SHARE),
        (
            "The Board declared a special dividend of $0.22 per share.",
            "quarterly dividend per share",
            PER_SHARE,
        ),
        ("The Board declared a dividend of $0.22 per preferred share.", "dividend per share", PER_SHARE),
        (
            "The aggregate market value of the stock held by non-affiliates as of June 30, 2022 was $2,628,553,000.",
            "aggregate market value held by non-affiliates June 30, 2021",
            MONEY,
        ),
        (
            "The aggregate market value of the stock held by affiliates as of June 30, 2022 was $2,628,553,000.",
            "aggregate market value held by non-affiliates June 30, 2022",
            MONEY,
        ),
    ],
)
def test_what_it_does_not_tell_is_not_found(sentence: str, query: str, unit_class: UnitClass) -> None:
    """Another period, part, direction, basis or whole; what something rose to is not what it rose by."""
    assert _found(sentence, query, unit_class) is None


def test_two_dividends_that_differ_prove_none() -> None:
    """A query without a period is answered only where the page leaves no choice."""
    sentence = "The Board declared a dividend of ${} per share."
    both = f"{sentence.format('0.22')} {sentence.format('0.20')}"
    assert _found(sentence.format("0.22"), "dividend per share", PER_SHARE) == Decimal("0.22")
    assert _found(both, "dividend per share", PER_SHARE) is None


TABLE = (
    "CONSOLIDATED STATEMENTS OF INCOME\n\n(in thousands)\n\n"
    "\tThirty-Nine Weeks Ended\t\u2007\n\tOctober 1, 2022\tOctober 2, 2021\n"
    "Net sales\t$ 838,490\t$ 878,719\nNet income\t74,200\t80,100\n"
)


@pytest.mark.parametrize(
    ("sentence", "period", "value"),
    [
        # In the words of the question, to four digits: that is the figure asked for.
        (
            "decreased 4.6 percent to $838.5 million.",
            "39-week fiscal period ended October 1, 2022",
            "838500000",
        ),
        # In other words the more precise one stays.
        ("decreased 4.6 percent to $838.5 million.", "39 weeks ended October 1, 2022", "838490000"),
        # So it does where the text only rounds.
        (
            "decreased 4.6 percent to $838 million.",
            "39-week fiscal period ended October 1, 2022",
            "838490000",
        ),
    ],
)
def test_of_two_that_agree_the_one_in_the_words_asked_is_taken(
    sentence: str, period: str, value: str
) -> None:
    """A release gives its sales in a sentence and, to the thousand, in its table."""
    page = f"Net sales for the 39-week fiscal period ended October 1, 2022 {sentence}\n\n{TABLE}"
    assert _found(page, f"net sales {period}", MONEY) == Decimal(value)
