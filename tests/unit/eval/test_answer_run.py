"""The runner over a stand-in for the command line: a script that prints prepared lines."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from eval.answers.run import main

_FIGURE = {
    "value": "7",
    "unit": "EUR",
    "period": "2031",
    "quote": "Profit 7",
    "url": "https://ardent.pages.example/",
}


def _key(name: str, expected: str = "answered") -> dict[str, Any]:
    return {"id": name, "question": f"Profit of {name}?", "expected": expected, "value": "7", "unit": "EUR"}


def _line(name: str, status: str, value: str = "7") -> dict[str, Any]:
    answer = {
        "text": "",
        "figures": [{**_FIGURE, "value": value}] if status == "answered" else [],
        "derived": [],
    }
    counts = {"queries": 3, "pages": 1, "blocked": 0}
    return {"id": name, "status": status, "answer": answer, "counts": counts, "seconds": 1.5}


class Desk:
    """A folder with a page, keys, a case, and a program that prints the given lines."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "pages").mkdir()
        (folder / "pages" / "ardent.html").write_text("<p>Profit</p><p>7</p>", encoding="utf-8")
        (folder / "case.yaml").write_text("title: x\n", encoding="utf-8")

    def run(self, keys: list[dict[str, Any]], lines: list[dict[str, Any]], *more: str, then: str = "") -> int:
        """Run the runner; `then` is Python that the program ends with."""
        (self.folder / "keys.jsonl").write_text("\n".join(map(json.dumps, keys)), encoding="utf-8")
        program = self.folder / "program"
        program.write_text(
            f"#!{sys.executable}\nimport json, signal, sys\n"
            "arguments = sys.argv[1:]\n"
            f"log = open({str(self.folder / 'calls')!r}, 'a')\n"
            "batch = [json.loads(line) for line in open(arguments[arguments.index('--batch') + 1])]\n"
            "log.write(json.dumps({'arguments': arguments, 'batch': batch}) + '\\n')\n"
            "log.close()\n"
            "asked = {entry['id'] for entry in batch}\n"
            f"for line in {lines!r}:\n"
            "    if line.get('id') in asked or 'id' not in line:\n"
            "        print(json.dumps(line), flush=True)\n"
            f"{then}\n",
            encoding="utf-8",
        )
        program.chmod(0o700)
        fixed = {"questions": "keys.jsonl", "pages": "pages", "case": "case.yaml", "program": "program"}
        given = [part for name, file in fixed.items() for part in (f"--{name}", str(self.folder / file))]
        return main([*given, *more])

    def calls(self) -> list[dict[str, Any]]:
        """What the program was called with."""
        return [json.loads(line) for line in (self.folder / "calls").read_text("utf-8").splitlines()]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A fresh desk."""
    return Desk(tmp_path)


def test_right_answers_end_with_zero(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The table counts each verdict, and queries and seconds come from the lines."""
    keys = [_key("a"), _key("b"), _key("c", "not_found")]
    assert desk.run(keys, [_line("a", "answered"), _line("b", "not_found"), _line("c", "not_found")]) == 0
    table = " ".join(capsys.readouterr().out.split())
    assert "right 1 of 2 wrong 0 of 2 not answered 1 of 3 rightly not found 1 of 1" in table
    assert "queries a question 3.00" in table
    assert "seconds, median 1.50" in table


@pytest.mark.parametrize(("expected", "value"), [("answered", "8"), ("not_found", "7")])
def test_one_false_figure_ends_with_one_and_is_shown_in_full(
    desk: Desk, capsys: pytest.CaptureFixture[str], expected: str, value: str
) -> None:
    """Question, key, figure and quote are in the output."""
    assert desk.run([_key("a", expected)], [_line("a", "answered", value)]) == 1
    shown = capsys.readouterr().out
    assert "Profit of a?" in shown
    assert "“Profit 7”" in shown


def test_fewer_right_answers_than_asked_for_is_no_pass(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that answers nothing says nothing false; a floor of right answers fails it all the same."""
    keys, lines = [_key("A"), _key("B")], [_line("A", "answered"), _line("B", "not_found")]
    assert desk.run(keys, lines, "--least", "1") == 0
    assert desk.run(keys, lines, "--least", "2") == 1
    assert "TOO FEW: 1 right" in capsys.readouterr().out


def test_the_program_gets_no_keys(desk: Desk) -> None:
    """Ids and questions are all that leaves the key file, and the named back ends are asked for."""
    desk.run([_key("a")], [_line("a", "answered")])
    (call,) = desk.calls()
    assert call["batch"] == [{"id": "a", "question": "Profit of a?"}]
    assert call["arguments"][0] == "ask"
    assert call["arguments"][-6:-1] == ["--planner", "rules", "--reader", "extractive", "--data"]


def test_a_program_that_breaks_off_is_not_a_pass(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing is not answered, and the exit status says that the run is not complete."""
    lines = [_line("a", "answered")]
    assert desk.run([_key("a"), _key("b", "not_found")], lines, then="sys.exit(4)") == 4
    shown = capsys.readouterr().out
    assert "no output line" in shown
    assert "NOT COMPLETE: case.yaml" in shown


def test_a_refusal_is_no_failure_of_the_program(desk: Desk) -> None:
    """Exit status 1 says that a question was refused; the batch is whole."""
    assert desk.run([_key("a")], [_line("a", "refused")], then="sys.exit(1)") == 0


def test_a_program_out_of_time_is_stopped(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """It is interrupted, and the run is not complete."""
    bounds = ("--start-seconds", "0", "--question-seconds", "0")
    assert desk.run([_key("a")], [], *bounds, then="signal.pause()") == 4
    assert "stopped after 0 seconds" in capsys.readouterr().out


def test_a_line_for_no_open_question_is_reported(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """A second answer to a question does not replace the first."""
    twice = [_line("a", "answered"), _line("a", "answered", "8")]
    assert desk.run([_key("a")], twice) == 4
    assert "no open question" in capsys.readouterr().out


def test_a_program_that_is_not_there_is_a_clear_end(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status is that of a missing service."""
    assert desk.run([_key("a")], [], "--program", str(desk.folder / "none")) == 4
    assert "cannot be started" in capsys.readouterr().out


def test_memos_share_the_questions(desk: Desk) -> None:
    """Every question is asked once, the case files taking turns."""
    memos = desk.folder / "memos"
    memos.mkdir()
    for name in ("m1", "m2"):
        (memos / f"{name}.yaml").write_text("title: x\n", encoding="utf-8")
    names = ["a", "b", "c"]
    lines = [_line(name, "answered") for name in names]
    assert desk.run([_key(name) for name in names], lines, "--memos", str(memos)) == 0
    assert [[entry["id"] for entry in call["batch"]] for call in desk.calls()] == [["a", "c"], ["b"]]


def test_every_line_is_kept_with_its_verdict(desk: Desk) -> None:
    """The file holds the program's own words beside the verdict."""
    out = desk.folder / "out.jsonl"
    line = _line("a", "answered", "8")
    desk.run([_key("a")], [line], "--out", str(out))
    (kept,) = (json.loads(text) for text in out.read_text("utf-8").splitlines())
    assert (kept["id"], kept["verdict"], kept["output"]) == ("a", "wrong", line)


@pytest.mark.parametrize(("more", "status"), [([], 4), (["--optional"], 0)])
def test_without_pages_nothing_is_run_and_that_is_said(
    desk: Desk, capsys: pytest.CaptureFixture[str], more: list[str], status: int
) -> None:
    """It is loud, and a success only for who asked for it."""
    assert desk.run([_key("a")], [], "--pages", str(desk.folder / "none"), *more) == status
    assert capsys.readouterr().out.startswith("NOT RUN")


@pytest.mark.parametrize(("quote", "status"), [("Profit 7", 0), ("Profit 8", 1)])
def test_keys_can_be_checked_alone(
    desk: Desk, capsys: pytest.CaptureFixture[str], quote: str, status: int
) -> None:
    """A key whose quote does not stand on its page is named; the program is not called."""
    key = {**_key("a"), "pages": ["ardent"], "quote": quote}
    assert desk.run([key], [], "--check-keys") == status
    assert f"{status} in doubt" in capsys.readouterr().out
    assert not (desk.folder / "calls").exists()
