"""A ledger row as one line: what came of an attempt, and what was erased or opened since."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from doublethink_sdk import present
from doublethink_sdk.cli import main
from doublethink_sdk.commands import ledger


def line(**fields: Any) -> str:
    """The line of a row, without its colours."""
    row = {"n": 1, "at_us": 0, "kind": "attempt", "verdict": "allow", "rules": [], "hash": "ab" * 32}
    return click.unstyle(present.row(row | fields))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"fate": "sent", "outcome": {"status": "sent", "http": 200}}, "→ sent 200"),
        ({"fate": "timeout", "outcome": {"status": "timeout", "error": "timed_out"}}, "→ timeout timed_out"),
        ({"fate": "sent_or_crashed", "outcome": None}, "→ sent or crashed"),
        ({"fate": "under_way", "outcome": None}, "→ no outcome yet"),
        ({"kind": "outcome", "verdict": None, "facts": [3, 4]}, "2 facts"),
        ({"kind": "outcome", "verdict": None, "facts": [3]}, "1 fact "),
        (
            {"erased": True, "redaction": {"reason": "court", "time": "2026-01-31T10:00:00.000Z", "seq": 9}},
            "erased (court, 2026-01-31)",
        ),
        ({"erased": True, "redaction": None}, "payload missing"),
        ({"openings": [{}, {}]}, "opened 2×"),
        (
            {"kind": "redaction", "verdict": None, "of_session": "ses_x", "of_n": 3, "reason": "request"},
            "of ses_x row 3 (request)",
        ),
        (
            {"kind": "opening", "verdict": None, "of_session": "ses_x", "of_n": 3, "purpose": "export"},
            "of ses_x row 3 (export)",
        ),
    ],
)
def test_a_line_says_what_became_of_the_row(fields: dict[str, Any], words: str) -> None:
    """Each of these is said in these words."""
    assert words in line(**fields)


def test_a_stopped_attempt_has_no_arrow() -> None:
    """Nothing left, and nothing is said to have come of it."""
    assert "→" not in line(verdict="block", rules=["secret.code"], fate="stopped", outcome=None)


def test_a_row_alone_does_not_say_who_erased_it() -> None:
    """In a tail a row stands alone: that its payload is gone is said, and that none missed it is not claimed."""
    words = line(erased=True)
    assert "erased" in words
    assert "missing" not in words


def test_a_row_of_any_session_says_whose_and_of_which_day_it_is() -> None:
    """Rows of several sessions have the same numbers and come on several days."""
    entry = {"n": 3, "at_us": 1_769_853_600_000_000, "kind": "fact", "hash": "ab" * 32, "session": "ses_x"}
    assert click.unstyle(present.row_of_any(entry)).startswith(
        "2026-01-31 ses_x  ledger    3 10:00:00.000 fact"
    )


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ((), None),
        (("--since", "2026-01-31T00:00:00Z"), 0),
        (("--once",), 0),
        (("--once", "--from", "7"), 7),
        (("--since", "2026-01-31T00:00:00Z", "--from", "7"), 7),
    ],
)
def test_a_tail_that_asks_for_the_past_begins_there(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], first: int | None
) -> None:
    """What is there already is shown where it is asked for; without that only what comes next is."""
    begun: list[int | None] = []

    def collected(*_: object, first: int | None, **__: object) -> None:
        begun.append(first)

    monkeypatch.setattr(ledger, "client_of", lambda *_: contextlib.nullcontext())
    monkeypatch.setattr(ledger, "collect", collected)
    assert CliRunner().invoke(main, ["ledger", "tail", *words], catch_exceptions=False).exit_code == 0
    assert begun == [first]


@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("time", ["yesterday", "2026-01-31", "2026-01-31T00:00:00"])
def test_a_time_that_is_none_is_wrong_use_before_anything_starts(
    option: str, time: str, tmp_path: Path
) -> None:
    """With the form of one; a day alone is in no zone."""
    words = ("ledger", "tail", option, time, "--data", str(tmp_path))
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "2026-01-31T00:00:00Z" in done.output
