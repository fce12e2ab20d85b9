"""`doublethink answer` and `ask --markdown`: what comes out, where to, and what is refused."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from doublethink_sdk.cli import main
from doublethink_sdk.commands import answer

TOLD = {"markdown": "**1 %** \u202eof it\n\n> “quote”\n", "html": "<!doctype html>\n<p>1 %</p>\n"}


class _Console:
    """Answers as the console does."""

    def answer(self, session: str, form: str) -> dict[str, Any]:
        """The answer of any session."""
        return (
            {"session": session, "status": "answered"}
            if form == "json"
            else {"format": form, "text": TOLD[form]}
        )


@pytest.fixture(autouse=True)
def console(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command talks to the stand-in."""

    @contextlib.contextmanager
    def of(*_: object) -> Iterator[_Console]:
        yield _Console()

    monkeypatch.setattr(answer, "client_of", of)


def test_markdown_is_printed_line_for_line_and_commands_no_terminal() -> None:
    """Its own line breaks, and everything that cannot be seen as its number."""
    done = CliRunner().invoke(main, ["answer", "ses_x"], catch_exceptions=False)
    assert (done.exit_code, done.output) == (0, "**1 %** ‹U+202E›of it\n\n> “quote”\n")


def test_json_is_one_line() -> None:
    """The run as the API has it."""
    done = CliRunner().invoke(main, ["answer", "ses_x", "--format", "json"], catch_exceptions=False)
    assert json.loads(done.output) == {"session": "ses_x", "status": "answered"}
    assert done.output.count("\n") == 1


def test_a_file_is_written_once_and_never_over(tmp_path: Path) -> None:
    """Whole, and the second time refused with what is there left as it is."""
    target = tmp_path / "answer.html"
    words = ["answer", "ses_x", "--format", "html", "--out", str(target)]
    assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 0
    assert target.read_text(encoding="utf-8") == TOLD["html"]
    assert [file.name for file in tmp_path.iterdir()] == ["answer.html"]
    target.write_text("mine", encoding="utf-8")
    assert CliRunner().invoke(main, words).exit_code == 2
    assert target.read_text(encoding="utf-8") == "mine"


def test_one_answer_has_one_form(tmp_path: Path) -> None:
    """--json beside --markdown is wrong use, before anything starts."""
    case = tmp_path / "case.yaml"
    case.write_text("title: x\nmemo: y\n", encoding="utf-8")
    words = ["ask", "--case", str(case), "--question", "q", "--json", "--markdown"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "--json or --markdown" in done.output
