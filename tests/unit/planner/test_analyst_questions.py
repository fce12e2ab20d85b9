"""Questions as analysts ask them of listed companies: operation, figures, units, periods, and what stays unasked.

A row of analyst_questions.tsv is a question, its operation ("unspecified" for the figures themselves, "unasked" for no
query at all) and a column for each figure: first query, class of unit, period.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_planner.question import MemoWords, NotUnderstood, Sought, Unaskable, understand

WORDS: Final = MemoWords("Codename Nordwind. Bramblewick Holdings looks at a bid at $58.75 per share.", [])
_ALL: Final = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("analyst_questions.tsv").read_text(encoding="utf-8").splitlines()
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
    """The operation, and every figure with its unit and period, in order and none besides."""
    question, operation, *expected = row
    understood = understand(question, WORDS)
    assert (
        figures.OperationKind.Name(understood.operation).removeprefix("OPERATION_KIND_").lower() == operation
    )
    assert [figure(sought) for sought in understood.sought] == expected


@pytest.mark.parametrize("question", UNASKED)
def test_what_is_imprecise_or_no_figure_is_not_asked(question: str) -> None:
    """A period without its year, a company without its name, and what is no figure: no query."""
    with pytest.raises((NotUnderstood, Unaskable)):
        understand(question, WORDS)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What was Veldt's pumpage in 2023?", "Veldt pumpage 2023"),
        ("What were Koning's bednights in fiscal 2023?", "Koning bednights fiscal 2023"),
    ],
)
def test_a_metric_that_no_list_has_is_looked_up_by_its_own_words(question: str, query: str) -> None:
    """What a thing was in a period may be a figure whatever it is called: the page has to have the word."""
    (sought,) = understand(question, WORDS).sought
    assert sought.queries[0] == query
    assert sought.unit_class == figures.UNIT_CLASS_UNSPECIFIED
