"""Which period a figure in prose belongs to, and how prose is cut."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from doublethink_figures import Ambiguous, PeriodMention, bind, clauses, find_figures, find_periods
from doublethink_figures.clauses import sentences


def bound(text: str) -> list[str]:
    """What each figure of `text` is bound to: a label, "?" or "-"."""
    periods = find_periods(text)
    found = []
    for figure in find_figures(text):
        answer = bind(text, figure, periods)
        if isinstance(answer, PeriodMention):
            found.append(answer.span.of(text))
        else:
            found.append("?" if isinstance(answer, Ambiguous) else "-")
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Revenue was $4bn in 2024.", ["2024"]),
        ("Revenue was $4bn in 2024, up from $3.6bn in 2023.", ["2024", "2023"]),
        ("Revenue was $4bn in 2024, up 12.5% from $3.6bn in 2023.", ["2024", "2024", "2023"]),
        ("Revenue was $4bn in 2024, up 12.5% from 2023.", ["2024", "2024"]),
        ("Revenue was $4bn in 2024, compared with $3.6bn in the prior year.", ["2024", "-"]),
        ("Revenue of $4bn in 2024 and $3.6bn in 2023.", ["2024", "2023"]),
        ("Revenue was $4.1bn and $3.6bn in 2024 and 2023, respectively.", ["2024", "2023"]),
        ("In 2024, revenue was $4bn and net income was $1bn.", ["2024", "2024"]),
        ("Compared with 2023 revenue of $3bn, 2024 revenue was $4bn.", ["2023", "2024"]),
        ("Revenue rose from $3bn in 2023 to $4bn in 2024.", ["2023", "2024"]),
        ("Revenue rose 5.5% in 2024 to $4.1 billion.", ["2024", "2024"]),
        ("On May 2, 2024, it reported revenue of $5bn for Q1 2024.", ["Q1 2024"]),
        ("Cash was $5 million at June 30, 2024.", ["at June 30, 2024"]),
        ("Revenue was $4bn. In 2024, costs fell.", ["-"]),
        ("Revenue was $4bn, $3bn and $2bn in 2024 and 2023, respectively.", ["?", "?", "?"]),
        ("As of June 28, 2025 and September 28, 2024, it had $91.8 billion.", ["?"]),
        ("Revenue was $4bn.", ["-"]),
        ("Net sales\t$4bn\t2024", ["-"]),
    ],
)
def test_a_figure_is_bound_to_one_period_or_none(text: str, expected: list[str]) -> None:
    """Pairs, comparisons, changes, announcements; two possibilities are not decided."""
    assert bound(text) == expected


def test_the_readmes_example_runs() -> None:
    """The example prints what its comments say."""
    readme = (Path(__file__).parents[3] / "libs" / "figures" / "README.md").read_text(encoding="utf-8")
    match = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert match is not None
    expected = [line[2:] for line in match[1].splitlines() if line.startswith("# ")]
    printed = subprocess.run(
        [sys.executable, "-c", match[1]], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert printed.splitlines() == expected


def test_clauses_cover_the_text_in_order() -> None:
    """Clauses are cut at comparisons and contrasts and lose no words."""
    text = "Revenue was $4bn, up from $3bn; costs fell, while U.S. profit rose. It paid $1."
    spans = clauses(text)
    assert [span.of(text) for span in spans] == [
        "Revenue was $4bn",
        ", up from $3bn",
        "; costs fell",
        ", while U.S. profit rose.",
        "It paid $1.",
    ]


def test_an_abbreviation_ends_no_sentence() -> None:
    """ "Inc." and "U.S." are inside a sentence."""
    text = "Acme Inc. Sold U.S. Assets. It paid $1."
    assert [span.of(text) for span in sentences(text)] == ["Acme Inc. Sold U.S. Assets.", "It paid $1."]
