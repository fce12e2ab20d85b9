"""Questions that are computed from two figures: their operation, and their figures in the order it reads them.

A row of two_figures.tsv is a question, its operation, and a column for each figure: first query, class of unit, period.
One that is not understood has "unasked" for its operation.
"""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Final

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_figures import Part, Period, PeriodKind
from doublethink_planner.question import MemoWords, NotUnderstood, Sought, Unaskable, understand
from doublethink_planner.question.relative_periods import closing_date_in
from doublethink_planner.question.trailing_at import join_trailing
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS: Final = MemoWords("Codename Nordwind. Bramblewick Holdings looks at a bid at $58.75 per share.", [])
_ALL: Final = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("two_figures.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
ROWS: Final = [row for row in _ALL if row[1] != "unasked"]
UNASKED: Final = [row[0] for row in _ALL if row[1] == "unasked"]


def figure(sought: Sought) -> str:
    """One figure as its column has it."""
    unit = figures.UnitClass.Name(sought.unit_class).removeprefix("UNIT_CLASS_").lower()
    return f"{sought.queries[0]} | {unit} | {period(sought.period)}"


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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_operation_and_figures(row: tuple[str, ...]) -> None:
    """The operation, and every operand with its period, in order and none besides."""
    question, operation, *expected = row
    understood = understand(question, WORDS)
    assert (
        figures.OperationKind.Name(understood.operation).removeprefix("OPERATION_KIND_").lower() == operation
    )
    assert [figure(sought) for sought in understood.sought] == expected


@pytest.mark.parametrize("question", UNASKED)
def test_what_is_not_certain_stays_unasked(question: str) -> None:
    """Another closing date that would be guessed, a nested calculation, or two readings: no query at all."""
    with pytest.raises(NotUnderstood):
        understand(question, WORDS)


def test_a_definition_in_private_words_is_refused() -> None:
    """A metric of a definition that only the memo names enters no query."""
    with pytest.raises((NotUnderstood, Unaskable)):
        understand(
            "What was Veldt's margin, defined as Nordwind income divided by revenue, in Q2 2023?", WORDS
        )


def test_a_definition_looks_up_its_metrics_and_not_the_defined_word() -> None:
    """No query has the word that the question defines."""
    understood = understand(
        "What was Veldt's free cash flow (operating cash flow minus capital expenditures) in fiscal 2023?",
        WORDS,
    )
    assert not any("free" in query for sought in understood.sought for query in sought.queries)


@given(st.dates(), st.integers(min_value=1950, max_value=2150))
@settings(max_examples=200, deadline=None)
def test_a_closing_date_moves_only_between_month_ends(end: date, year: int) -> None:
    """What comes out is a month's last day like what went in, in the same month; all else raises."""
    closing = Period(PeriodKind.TRAILING, None, Part.THREE_MONTHS, end)
    try:
        moved = closing_date_in(closing, year)
    except NotUnderstood:
        return
    assert moved is not None
    assert (moved.year, moved.month) == (year, end.month)
    assert all(day == date.max or (day + timedelta(days=1)).day == 1 for day in (end, moved))


def test_weeks_close_on_the_same_day_of_the_week_a_year_earlier() -> None:
    """Thirteen weeks that end on a month's last day end on another day the year before."""
    weeks = Period(PeriodKind.TRAILING, None, Part.THIRTEEN_WEEKS, date(2023, 9, 30))
    assert closing_date_in(weeks, 2022) == date(2022, 10, 1)
    with pytest.raises(NotUnderstood):
        closing_date_in(weeks, 2021)


@pytest.mark.parametrize(
    "sentence",
    [
        "How much did revenue change between the trailing twelve months and fiscal 2023",
        "What was revenue for the trailing twelve months and for fiscal 2023",
        "What was revenue in fiscal 2023",
        "What was revenue for the trailing twelve months",
        "How did revenue change from fiscal 2022 over the trailing twelve months",
    ],
)
def test_two_periods_stay_two(sentence: str) -> None:
    """A trailing length is joined only to the moment it runs up to."""
    assert join_trailing(sentence).sentence == sentence


_PIECES = st.sampled_from(
    [
        "what was", "by how many percentage points did", "how much did", "Veldt's", "Nordwind's", "gross margin",
        "current assets", "(", ")", "minus", "divided by", "defined as", "exceed", "Nordwind", "58.75", "combined",
        "net sales", "and", "of", "at Veldt", "change", "the same period a year earlier", "compared with",
        "the three months ended June 30, 2023", "in Q2 2023", "the trailing twelve months", "at the end of",
        "as a percentage of", "made up what share of", "Bramblewick", "using", ",", "than", "?",
    ]
)  # fmt: skip


@given(st.lists(_PIECES, min_size=3, max_size=12))
@settings(max_examples=400, deadline=None)
def test_no_query_ever_holds_a_private_word(pieces: list[str]) -> None:
    """However a calculation is put together, what leaves has no word that only the memo has."""
    try:
        understood = understand(" ".join(pieces), WORDS)
    except (NotUnderstood, Unaskable):
        return
    for sought in understood.sought:
        for query in sought.queries:
            assert not any(word in query.lower() for word in ("nordwind", "bramblewick", "58.75"))
