"""Figures with a period each, and words that point back to the one period of a question."""

from __future__ import annotations

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_planner.question import MemoWords, NotUnderstood, Unaskable, understand
from doublethink_planner.question.own_periods import hang_periods
from doublethink_planner.question.repeated_period import without_repeats

NOTHING = MemoWords("", ())


def queries(question: str) -> tuple[figures.OperationKind, list[str]]:
    """The operation, and the first query of each figure in the order of its operands."""
    understood = understand(question, NOTHING)
    return understood.operation, [sought.queries[0] for sought in understood.sought]


@pytest.mark.parametrize(
    ("question", "operation", "expected"),
    [
        (
            "What is the sum of Acme's net sales for the thirteen weeks ended November 2, 2024 and Brindle's net sales "
            "for the quarter ended July 29, 2023?",
            figures.OPERATION_KIND_SUM,
            [
                "Acme net sales thirteen weeks ended November 2, 2024",
                "Brindle net sales quarter ended July 29, 2023",
            ],
        ),
        (
            "What is the median net sales of Acme in fiscal 2024, Brindle in fiscal 2023 and Corvane in fiscal 2022?",
            figures.OPERATION_KIND_MEDIAN,
            ["Acme net sales fiscal 2024", "Brindle net sales fiscal 2023", "Corvane net sales fiscal 2022"],
        ),
        (
            "By how much did Acme's net sales in fiscal 2024 exceed Brindle's net sales in fiscal 2023?",
            figures.OPERATION_KIND_DIFFERENCE,
            ["Acme net sales fiscal 2024", "Brindle net sales fiscal 2023"],
        ),
        (
            "How much smaller were Lind Bank's total assets as of December 31, 2022 than Moss Bank's total assets"
            " as of June 30, 2022?",
            figures.OPERATION_KIND_DIFFERENCE,
            [
                "Moss Bank total assets as of June 30, 2022",
                "Lind Bank total assets as of December 31, 2022",
            ],
        ),
        (
            "What is the ratio of Acme's inventory at November 2, 2024 to its net sales for the quarter ended "
            "November 2, 2024?",
            figures.OPERATION_KIND_RATIO,
            ["Acme inventory as of November 2, 2024", "Acme net sales quarter ended November 2, 2024"],
        ),
        (
            "Subtract its net income for the six months ended March 29, 2025 from Acme's net income for the nine"
            " months ended June 28, 2025.",
            figures.OPERATION_KIND_DIFFERENCE,
            [
                "Acme net income nine months ended June 28, 2025",
                "Acme net income six months ended March 29, 2025",
            ],
        ),
    ],
)
def test_each_figure_has_its_own_period(
    question: str, operation: figures.OperationKind, expected: list[str]
) -> None:
    """The operation is over the figures as they were paired, in the order in which it reads them."""
    assert queries(question) == (operation, expected)


@pytest.mark.parametrize(
    "question",
    [
        "By what percentage did Acme's net sales decrease for the 13-week period ended November 2, 2024?",
        "What was the percentage change in Acme's net sales in the 13-week period ended November 2, 2024?",
    ],
)
def test_a_quarters_growth_is_read_off_the_report(question: str) -> None:
    """The closing date a year before cannot be told, so that what the report itself says is asked for, in percent."""
    (sought,) = understand(question, NOTHING).sought
    assert sought.queries[0] == "Acme net sales growth percentage 13-week period ended November 2, 2024"
    assert sought.unit_class == figures.UNIT_CLASS_PERCENT


def test_the_typed_periods_follow_the_words() -> None:
    """Each figure is asked for in its own period, and in no other."""
    question = "By how much did Acme's net sales in fiscal 2024 exceed Brindle's net sales in fiscal 2022?"
    years = [sought.period and sought.period.year for sought in understand(question, NOTHING).sought]
    assert years == [2024, 2022]


@pytest.mark.parametrize(
    "question",
    [
        # Which of the two periods belongs to the second company cannot be told.
        "What is the sum of Acme's and Brindle's net sales in fiscal 2024 and in the quarter ended July 29, 2023?",
        # A period without a company before it.
        "In fiscal 2024 and for Acme in fiscal 2023, what was the sum?",
        # Three periods, two figures.
        "By how much did Acme's net sales in fiscal 2024 exceed Brindle's net sales in fiscal 2023 before June 2021?",
    ],
)
def test_periods_that_cannot_be_paired_are_not_understood(question: str) -> None:
    """Silence is better than a figure of the wrong year."""
    with pytest.raises(NotUnderstood):
        understand(question, NOTHING)


def test_a_private_company_stays_private() -> None:
    """The mark hides no word of the memo."""
    words = MemoWords("Project Basalt: Tarn Capital bids for Acme.", ["Acme"])
    question = (
        "By how much did Acme's net sales in fiscal 2024 exceed Tarn Capital's net sales in fiscal 2023?"
    )
    with pytest.raises(Unaskable):
        understand(question, words)


def test_a_period_needs_a_company_before_it() -> None:
    """Else there is nothing to hang it onto."""
    with pytest.raises(NotUnderstood):
        hang_periods("what were net sales in ⟦0⟧ and in ⟦1⟧")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "For the quarter ended July 29, 2023, what were Acme's costs in that quarter",
            "For the quarter ended July 29, 2023, what were Acme's costs",
        ),
        (
            "In Q2 2023, what share of Acme's net sales for the quarter came from toys",
            "In Q2 2023, what share of Acme's net sales came from toys",
        ),
        (
            "what were Acme's net sales in the three months ended March 31, 2023, its fiscal third quarter",
            "what were Acme's net sales in the three months ended March 31, 2023",
        ),
    ],
)
def test_words_that_point_back_are_taken_out(sentence: str, expected: str) -> None:
    """They say nothing that the question has not said."""
    assert without_repeats(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        # Another length: the guidance is for the year.
        "In Q2 2023, what was Acme's guidance for the year",
        # Another quarter.
        "In Q2 2023, what did Acme expect for the quarter to come",
        "In fiscal 2023, what were Acme's net sales in the quarter",
        # Two periods: which is meant?
        "In 2022 and 2023, what were Acme's net sales for the period",
        # An ordinal without closing dates says which quarter it is.
        "what were Acme's net sales in fiscal 2023, its third quarter",
    ],
)
def test_words_that_may_mean_another_period_stay(sentence: str) -> None:
    """Taking them out would answer another question."""
    assert without_repeats(sentence) == sentence
