"""The planner's evaluation: its keys stand on its pages, and its table says what came."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from eval.answers.keys import Key, read_keys
from eval.answers.page_text import SavedPages
from eval.answers.report import Asked
from eval.answers.run import unfounded
from eval.answers.score import Score, Verdict
from eval.planner.run import HERE, gather, row


def test_the_keys_stand_on_the_pages(tmp_path: Path) -> None:
    """Thirty questions, eight of them without an answer; every quote of the others is on its page."""
    keys = read_keys(HERE / "questions.jsonl")
    assert len(keys) == 30
    assert sum(key.expected == "not_found" for key in keys) == 8
    assert list(unfounded(keys, SavedPages(gather(tmp_path)))) == []


def _asked(number: int, verdict: Verdict, blocked: int) -> Asked:
    key = Key(str(number), "?", "answered", Decimal(1), "USD", Decimal(0), (), (), "")
    line = {"counts": {"queries": number, "pages": 1, "blocked": blocked}, "seconds": float(number)}
    return Asked(key, line, Score(key.id, verdict))


def test_the_row_counts_wrong_figures_and_what_was_stopped() -> None:
    """A wrong figure and a figure where there is none are both wrong; the gate's stops are summed."""
    run = [
        _asked(1, Verdict.RIGHT, 0),
        _asked(2, Verdict.WRONG, 1),
        _asked(3, Verdict.WRONGLY_ANSWERED, 2),
        _asked(6, Verdict.NOT_ANSWERED, 0),
    ]
    assert row("rules", run) == "| rules | 1 of 4 | 2 | 1 | 0 of 0 | 3.00 | 2.5 / 6.0 | 3 |"


def test_a_run_without_a_line_is_no_row_of_zeros() -> None:
    """A product that gave nothing is not one that made no mistake."""
    nothing = Asked(_asked(1, Verdict.RIGHT, 0).key, None, Score("1", Verdict.NOT_ANSWERED))
    assert "no line" in row("rules", [nothing])
