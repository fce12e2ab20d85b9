"""The funnel says at which step an answer was lost, and calls nothing lost that was not."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from eval.answers.funnel import Funnel, Stage, table
from eval.answers.keys import Key

_PAGE = """<title>Norvane Pumps, Inc.</title><h1>NORVANE PUMPS, INC.</h1>
<p>The results of the year and the cash of the company are in the tables for the period.</p>
<h2>CONSOLIDATED STATEMENTS OF OPERATIONS</h2><p>(In millions)</p>
<table><tr><th></th><th>Fiscal 2024</th><th>Fiscal 2023</th></tr>
<tr><td>Net sales</td><td>$ 1,204</td><td>$ 1,100</td></tr>
<tr><td>Net income</td><td>80</td><td>70</td></tr></table>"""


@pytest.fixture
def funnel(tmp_path: Path) -> Funnel:
    """Over one page, in a case that has no secrets."""
    (tmp_path / "norvane.html").write_text(_PAGE, encoding="utf-8")
    case = tmp_path / "case.yaml"
    case.write_text("title: x\nmemo: |\n  nothing\n", encoding="utf-8")
    return Funnel(tmp_path, case)


def _key(question: str, value: str | None) -> Key:
    expected = "not_found" if value is None else "answered"
    number = None if value is None else Decimal(value)
    return Key("a", question, expected, number, "$", Decimal(0), ("norvane",), (), "")


@pytest.mark.parametrize(
    ("question", "value", "stage"),
    [
        ("What were Norvane Pumps' net sales in fiscal 2024?", "1204000000", Stage.RIGHT),
        ("What were Norvane Pumps' net sales in fiscal 2024?", "1205000000", Stage.WRONG),
        ("What were Norvane Pumps' net sales in fiscal 2022?", None, Stage.RIGHTLY_NOT_FOUND),
        ("What were Norvane Pumps' net sales in fiscal 2022?", "7", Stage.NOT_CLAIMED),
        ("What was Norvane Pumps' adjusted net income in fiscal 2024?", "80000000", Stage.NOT_FITTING),
        ("Why?", "80000000", Stage.NOT_PLANNED),
    ],
)
def test_a_question_ends_with_the_step_that_lost_it(
    funnel: Funnel, question: str, value: str | None, stage: Stage
) -> None:
    """Right, wrong, rightly not found, or the first step that the key's figure did not get through."""
    traced = funnel.trace(_key(question, value))
    assert traced.stage is stage
    assert str(stage) in next(iter(traced.lines()))
    assert next(iter(table([traced]))).split(maxsplit=1) == ["1", str(stage)]
