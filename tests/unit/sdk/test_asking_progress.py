"""Where the progress of a question goes."""

from __future__ import annotations

import sys

import pytest
from doublethink_sdk import output
from doublethink_sdk.commands import ask


class Terminal:
    """A standard error that is a terminal, or is none."""

    def __init__(self, *, is_one: bool) -> None:
        self._is_one = is_one
        self.written = ""

    def isatty(self) -> bool:
        """Whether a person sees it."""
        return self._is_one

    def write(self, text: str) -> int:
        """Keep what is written."""
        self.written += text
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""


@pytest.mark.parametrize("is_terminal", [True, False])
def test_json_leaves_standard_output_to_the_answer(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A person at a terminal sees the steps on standard error, a program that collects both sees the answer alone."""
    terminal = Terminal(is_one=is_terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    ask.teller(as_json=True)("starting gate")
    assert capsys.readouterr().out == ""
    assert terminal.written == ("starting gate\n" if is_terminal else "")


def test_without_json_progress_and_answer_go_the_same_way() -> None:
    """Standard output has both, as ever."""
    assert ask.teller(as_json=False) is output.say
