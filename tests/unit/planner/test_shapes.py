"""How people who read filings ask for one figure: what each question is looked up with.

A row of shapes.tsv is a question, the words that its first query holds besides the period (those that tell nothing
apart left out), the class of unit, and the typed period. Order counts for nothing: the validator has to find every
word.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_planner.question import MemoWords, NotUnderstood, Sought, understand

MEMO: Final = (
    "Codename Nordwind. Our client Bramblewick Holdings wants Halvorsen Pumps; the committee looks at the earnings, the"
    " dividend, the votes and the maturity of the notes before it agrees on a bid at $58.75 per share."
)
WORDS: Final = MemoWords(MEMO, ["Halvorsen Pumps"])

SHAPES: Final = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("shapes.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
_IDLE: Final = {
    *(
        "a",
        "an",
        "the",
        "of",
        "in",
        "for",
        "on",
        "at",
        "by",
        "to",
        "from",
        "with",
        "and",
        "or",
        "as",
        "is",
        "was",
    ),
    *("its", "their", "total", "amount", "number", "figure", "value"),
}


def telling(sought: Sought) -> set[str]:
    """The words of the first query besides the period's and those that tell nothing apart."""
    query = sought.queries[0]
    if sought.period is not None:
        assert sought.period_words in query
        query = query.replace(sought.period_words, " ")
    found = re.findall(r"[^\s,;:()\"]+", query.lower().replace("'s ", " "))
    return {word.strip(".") for word in found} - _IDLE


def period(message: figures.Period | None) -> str:
    """A period as words."""
    if message is None:
        return "none"
    parts = [figures.PeriodKind.Name(message.kind).removeprefix("PERIOD_KIND_").lower()]
    if message.year:
        parts.append(str(message.year))
    parts.append(figures.PeriodPart.Name(message.part).removeprefix("PERIOD_PART_").lower())
    if message.HasField("end"):
        parts.append(f"{message.end.year}-{message.end.month:02}-{message.end.day:02}")
    return " ".join(parts)


@pytest.mark.parametrize(("question", "words", "unit", "when"), SHAPES)
def test_a_question_for_one_figure_is_one_query(question: str, words: str, unit: str, when: str) -> None:
    """Company and metric in the query and nothing else, the period and the class of unit typed."""
    understood = understand(question, WORDS)
    assert understood.operation == figures.OPERATION_KIND_UNSPECIFIED
    (sought,) = understood.sought
    assert telling(sought) == set(words.replace("'s ", " ").split()) - _IDLE
    assert figures.UnitClass.Name(sought.unit_class).removeprefix("UNIT_CLASS_").lower() == unit
    assert period(sought.period) == when


@pytest.mark.parametrize(
    "question",
    [
        "What share of Veldt's revenue came from Europe and Asia last year?",
        "How much more did Veldt earn in Q2 2023 than analysts expected?",
        "What was the average of Veldt's net sales over the past five years?",
        "What were Veldt's net sales in 2023 by quarter?",
        "Did revenue at Veldt beat guidance in Q2 2023?",
        "What did Veldt's revenue double to?",
        "What was Veldt's net income in the most recent quarter?",
        "What was Veldt's net income this year?",
        "What were Veldt's net sales in each quarter of 2023?",
        "How many times was Veldt's interest covered in 2023?",
        "Veldt expanded its pump business in Q2 2023. What was its revenue?",
        "Veldt and Koning both filed their 10-Q. What was its net income in Q2 2023?",
        "Veldt filed for 2022. Koning filed too. What was its revenue?",
        "Did Veldt's revenue exceed Koning's in 2023?",
        "Was Koning's margin higher in 2023 than in 2022?",
        "Did Veldt complete the merger in 2023?",
        "What drove Veldt's gross margin in Q2 2023?",
        "Is Veldt's debt rated investment grade?",
        "What was Veldt's revenue in the first quarter and the second quarter?",
        "What was the total of all dividends Veldt paid in 2022 and 2023?",
    ],
)
def test_a_calculation_or_a_vague_question_stays_unasked(question: str) -> None:
    """Leniency is for one figure: what could be computed, compared or guessed gives no query."""
    with pytest.raises(NotUnderstood):
        understand(question, WORDS)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What amount of deposits was not insured at Lunar Bank as of March 31, 2024?", "not"),
        ("What were Lunar Bank's related party loans on March 31, 2024?", "related"),
        ("How much invested capital did Koning report at December 31, 2023?", "invested"),
        ("What amount of earned premiums did Lunar Bank show in Q1 2024?", "earned"),
        ("What is the book value per share that Koning reported at December 31, 2023?", "book"),
        ("How many large customers did Acme Corp report for Q3 2023?", "large"),
    ],
)
def test_a_word_that_makes_it_another_figure_stays(question: str, kept: str) -> None:
    """Neither query loses a negation or a word that qualifies what is counted."""
    (sought,) = understand(question, WORDS).sought
    assert all(kept in query.split() for query in sought.queries)


@pytest.mark.parametrize(
    ("held", "against"),
    [
        ("Did Veldt's net income for fiscal 2023 exceed {}?", "$5.2 million"),
        ("Was Koning's gross margin above {} in Q2 2023?", "41.7%"),
        ("Did Castellan Energy pay a dividend of {} per share in Q1 2024?", "$0.37"),
        ("Is it true that Brightwater's total debt was {} as of June 30, 2022?", "EUR 75 million"),
        ("Did Acme Corp have more than {} employees at the end of fiscal 2022?", "4,512"),
    ],
)
def test_the_number_that_a_figure_is_held_against_stays_behind(held: str, against: str) -> None:
    """It may be one of the memo's, and a page need not have it."""
    (sought,) = understand(held.format(against), WORDS).sought
    numbers = re.findall(r"\d[\d.,]*", against)
    assert not any(number in query for query in sought.queries for number in numbers)


def test_a_holding_is_asked_for_as_the_cover_of_a_filing_has_it_too() -> None:
    """The second query uses the filing's own words."""
    (sought,) = understand(
        "What percentage of Veldt's common stock does Northgate Advisors own?", WORDS
    ).sought
    assert sought.queries[1] == "Veldt Northgate Advisors percent of class"


@pytest.mark.parametrize(
    "question",
    [
        "What was Veldt's net income in the second quarter?",
        "What were Koning's net sales in the first six months?",
        "How much cash did Marlowe Foods have as of quarter end?",
        "What was the operating margin of Acme Corp for the quarter, according to its Q2 press release?",
        "What was Brightwater's free cash flow for the full year?",
        "What inventory did Veldt report at the end of the third quarter?",
        "How much revenue did Veldt report for the third quarter?",
        "What was Acme Corp's total debt at the end of the year?",
        "What was Veldt's Q2 revenue?",
        "How much interest income did Lunar Bank earn in the quarter?",
    ],
)
def test_a_period_without_its_year_is_not_asked(question: str) -> None:
    """Without the year the query would ask for any period, and a page of annual figures would answer it."""
    with pytest.raises(NotUnderstood):
        understand(question, WORDS)
