"""Nothing from outside commands a person's terminal or looks like a line of ours."""

import json
import os
import re
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner
from doublethink_sdk import present
from doublethink_sdk.cli import main
from doublethink_sdk.terminal import json_line, visible, visible_lines
from hypothesis import given, settings
from hypothesis import strategies as st

# Clears the screen, sets the title, copies to the clipboard, hides text, rings; 8-bit forms; bidi; line breaks.
HOSTILE = (
    "a\x1b[2Jb\x1b]0;title\x07c\x1b]52;c;Zm9v\x07d\x9b31me\x9d0;x\x9cf\u202e24,5\u202c\u2066g\u2069"
    "\rh\ni\u2028j\u2029k\u0085l\x0bm\x0cn\x1co\u200bp\u00adq\U000e0041r\x00s\x7ft\ud800u"
)
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _harmless(line: str) -> bool:
    return all(unicodedata.category(char) not in UNSEEN for char in line)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters() | st.sampled_from(HOSTILE)))
def test_visible_text_is_one_line_without_anything_unseen(text: str) -> None:
    """Whatever the text holds; and what is harmless stays as it is."""
    shown = visible(text)
    assert _harmless(shown)
    assert visible(shown) == shown
    assert shown == text or not text.isprintable()


def test_visible_says_what_stood_there() -> None:
    """A person sees that something was there, and where; white space stays white space."""
    assert visible("a\u202eb\x1bc\td\u2007e") == "a‹U+202E›b‹U+001B›c d e"
    assert visible_lines("one\ntwo\r\x1b") == "one\ntwo‹U+000D›‹U+001B›"
    assert visible("Größe: 4,2 Mrd. € 売上高 “quoted”") == "Größe: 4,2 Mrd. € 売上高 “quoted”"


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(max_size=4), st.text(alphabet=st.characters() | st.sampled_from(HOSTILE))))
def test_json_for_programs_is_harmless_and_says_the_same(value: dict[str, str]) -> None:
    """Escaping changes nothing for whoever parses the line."""
    line = json_line(value)
    assert _harmless(line)
    assert json.loads(line) == value


def _without_our_colour(line: str) -> str:
    """Only at the very ends of a line: what stands inside is not ours."""
    return re.sub(r"\A(\x1b\[[0-9]{1,2}m)*|(\x1b\[0m)?\Z", "", line)


def _row(**fields: object) -> dict[str, object]:
    return {"n": 1, "at_us": 1, "kind": "attempt", "hash": "0" * 64, "verdict": "allow", **fields}


def test_a_ledger_row_is_one_line_whatever_left() -> None:
    """Queries, destinations, statuses and rules come from the gate, a payload from the planner."""
    line = present.row(_row(payload=HOSTILE, destination=HOSTILE, status=HOSTILE, rules=[HOSTILE]))
    assert "\n" not in line
    assert _harmless(_without_our_colour(line))
    assert "“x”" in present.row(_row(payload="x"))


def test_an_answer_has_the_lines_that_were_composed_and_no_others() -> None:
    """A title or quote with separators of its own makes no line of ours."""
    run = {
        "status": "answered",
        "answer": {
            "text": f"headline {HOSTILE.replace(chr(10), '')}\n  quote {HOSTILE.replace(chr(10), '')}"
        },
        "counts": {"queries": 1, "pages": 1, "blocked": 0},
        "session": "ses\x1b[2J",
        "seconds": 1.0,
    }
    lines = list(present.answer(run))
    assert len(lines) == 3
    for line in lines:
        assert _harmless(_without_our_colour(line))
    refused = {**run, "status": "failed", "reason": HOSTILE}
    assert all("\x1b[2J" not in line for line in present.answer(refused))


def test_figures_that_stand_against_each_other_are_lines_of_their_own() -> None:
    """Where nothing was answered: amount, quote, source, time and hash of each, and nothing of a page commands."""
    figure = {
        "shown": "US$391 billion",
        "label": "Net sales",
        "period": "fiscal 2024",
        "quote": HOSTILE,
        "url": f"https://a.example/{HOSTILE}",
        "fetched_at_us": 1_796_123_034_797_725,
        "page_sha256": "11" * 32,
    }
    other = figure | {"shown": "US$390 billion", "url": "https://b.example/"}
    run = {
        "status": "not_found",
        "reason": "No figure that answers the question was proven.",
        "answer": {"text": "", "conflicts": [{"figures": [figure, other]}]},
        "counts": {"queries": 1, "pages": 1, "blocked": 0},
        "session": "ses",
        "seconds": 1.0,
    }
    lines = list(present.answer(run))
    assert all(_harmless(_without_our_colour(line)) for line in lines)
    text = "\n".join(lines)
    assert "not decided: " in text
    assert "not found" not in text
    for said in (
        "US$391 billion",
        "US$390 billion",
        "https://b.example/",
        "11" * 32,
        "fiscal 2024",
        "11:03:54",
    ):
        assert said in text


def test_an_error_about_a_case_commands_no_terminal(tmp_path: Path) -> None:
    """A case file's key and a file's name are somebody else's words."""
    case = tmp_path / "case\x1b[2J.yaml"
    case.write_text('title: t\n"a\\e[31mb": x\n')
    result = CliRunner().invoke(
        main, ["ask", "--case", str(case), "--question", "q", "--pages", str(tmp_path)]
    )
    assert result.exit_code == 2
    assert _harmless(result.output.rstrip("\n"))


def test_a_proposed_case_commands_no_terminal(tmp_path: Path) -> None:
    """A memo with escape sequences is written out escaped, and reads back to the same memo."""
    memo = tmp_path / "memo.md"
    memo.write_text("# Project \x1b]0;owned\x07Nordwind \u202eX\n\nOur client Bramblewick Holdings pays.\n")
    result = CliRunner().invoke(main, ["case", "init", str(memo)])
    assert result.exit_code == 0
    assert all(_harmless(line) for line in result.output.split("\n"))


def test_a_proposed_case_is_private_from_its_first_byte(tmp_path: Path) -> None:
    """No moment at which others could open it, and never over a file that is there."""
    memo, out = tmp_path / "memo.md", tmp_path / "case.yaml"
    memo.write_text("Project Nordwind\n")
    before = os.umask(0)
    try:
        assert CliRunner().invoke(main, ["case", "init", str(memo), "--out", str(out)]).exit_code == 0
    finally:
        os.umask(before)
    assert out.stat().st_mode & 0o077 == 0
    assert CliRunner().invoke(main, ["case", "init", str(memo), "--out", str(out)]).exit_code == 2


@pytest.mark.parametrize("kind", ["memo", "batch"])
def test_a_pipe_or_an_endless_file_is_refused(tmp_path: Path, kind: str) -> None:
    """A command waits for no writer and reads no device to its end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    case = tmp_path / "case.yaml"
    case.write_text("title: t\nmemo: m\nsecrets: []\n")
    for place in (pipe, Path("/dev/zero")):
        arguments = ["case", "init", str(place)]
        if kind == "batch":
            arguments = ["ask", "--case", str(case), "--pages", str(tmp_path), "--batch", str(place)]
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 2
        assert "not a regular file" in result.output


def test_a_batch_line_is_one_line_of_json_whatever_separators_it_holds(tmp_path: Path) -> None:
    """U+2028 inside a question splits nothing: the fault that is named is in line 2."""
    case = tmp_path / "case.yaml"
    case.write_text("title: t\nmemo: m\nsecrets: []\n")
    batch = tmp_path / "questions.jsonl"
    deep = "[" * 100_000
    batch.write_text('{"id": "1", "question": "a\u2028b\u0085c"}\n' + deep + "\n")
    result = CliRunner().invoke(
        main, ["ask", "--case", str(case), "--pages", str(tmp_path), "--batch", str(batch)]
    )
    assert result.exit_code == 2
    assert "line 2" in result.output
