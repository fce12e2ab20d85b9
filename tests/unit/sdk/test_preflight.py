"""What a person got wrong is found before anything starts: one line, exit code 2, no directory made."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from doublethink_casefile import Secret, SecretClass
from doublethink_sdk import preflight
from doublethink_sdk.cli import main

_DEMO = Path(__file__).parents[3] / "demo"


def _ask(
    data: Path, *, question: str = "What?", pages: Path = _DEMO / "pages", more: tuple[str, ...] = ()
) -> Result:
    return CliRunner().invoke(
        main,
        [
            *("ask", "--case", str(_DEMO / "case.yaml"), "--question", question),
            *("--pages", str(pages), "--data", str(data), *more),
        ],
    )


def _refused(done: Result, data: Path, *words: str) -> None:
    assert done.exit_code == 2, done.output
    assert not data.exists(), "nothing was begun"
    assert len(done.output.strip().splitlines()) == 1
    for word in words:
        assert word in done.output


@pytest.mark.parametrize("question", ["", "  \t", "x" * 4001])
def test_a_question_must_be_one(question: str, tmp_path: Path) -> None:
    """Not empty, not blank, not longer than the planner takes."""
    _refused(_ask(tmp_path / "data", question=question), tmp_path / "data", "--question", "question")


@pytest.mark.parametrize("question", ["", " "])
def test_a_batch_names_the_line_of_an_empty_question(question: str, tmp_path: Path) -> None:
    """Where it stands is said."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text(
        '{"id": "1", "question": "What?"}\n' + json.dumps({"id": "2", "question": question}) + "\n"
    )
    case = str(_DEMO / "case.yaml")
    done = CliRunner().invoke(main, ["ask", "--case", case, "--batch", str(batch), "--pages", str(_DEMO)])
    assert done.exit_code == 2
    assert "line 2" in done.output


def test_pages_must_be_a_folder_with_a_page(tmp_path: Path) -> None:
    """A folder that is not there, an empty one, one of other files."""
    data = tmp_path / "data"
    _refused(_ask(data, pages=tmp_path / "none"), data, "--pages", "none")
    empty = tmp_path / "empty"
    empty.mkdir()
    _refused(_ask(data, pages=empty), data, "--pages", "empty", ".html")
    (empty / "notes.txt").write_text("x")
    (empty / "folder.html").mkdir()
    _refused(_ask(data, pages=empty), data, "holds no page")


def test_a_policy_names_file_line_and_key(tmp_path: Path) -> None:
    """As the gate reads it."""
    policy = tmp_path / "mine.yaml"
    policy.write_text(
        CliRunner().invoke(main, ["policy", "show"]).output.replace("queries: 40", "querys: 40")
    )
    done = _ask(tmp_path / "data", more=("--policy", str(policy)))
    _refused(done, tmp_path / "data", "mine.yaml", "line ", "policy.budgets.queries", "missing")
    assert "--policy" in done.output, "the option is named where the file came by one"
    checked = CliRunner().invoke(main, ["policy", "check", str(policy)])
    assert checked.exit_code == 2
    assert "policy.budgets.queries" in checked.output
    assert "--policy" not in checked.output


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    """`up --port` on a port of another program."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        arguments = ["up", "--port", port, "--pages", str(_DEMO / "pages"), "--data", str(tmp_path / "data")]
        _refused(CliRunner().invoke(main, arguments), tmp_path / "data", f"port {port}", "in use", "--port")


def test_a_case_whose_secrets_cannot_be_looked_for_is_refused(tmp_path: Path) -> None:
    """The same line as from the console, before there is one."""
    case = tmp_path / "case.yaml"
    case.write_text("title: t\nmemo: m\nsecrets:\n  - {class: code, value: '?'}\n")
    arguments = ["ask", "--case", str(case), "--question", "What?", "--pages", str(_DEMO / "pages")]
    done = CliRunner().invoke(main, [*arguments, "--data", str(tmp_path / "data")])
    _refused(done, tmp_path / "data", "case.yaml")


def test_a_text_in_place_of_a_file_is_told_to_be_piped(tmp_path: Path) -> None:
    """`figures "4.2bn"` is what a newcomer types."""
    done = CliRunner().invoke(main, ["figures", "paid 4.2bn EUR"])
    assert done.exit_code == 2
    assert "pipe" in done.output


def test_a_secret_that_stops_ordinary_searches_asks_for_a_phrase(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Said once for each such secret, by its place and class; with every one asked for, of the others too."""
    secrets = (Secret(SecretClass.CODE, "Revenue"), Secret(SecretClass.CODE, "Vantorquill"))
    preflight.say_alarms(tmp_path, secrets, every=False)
    (line,) = capsys.readouterr().err.splitlines()
    assert "secret 1 (class code) would stop about" in line
    assert "confirm the phrase" in line
    preflight.say_alarms(tmp_path, secrets, every=True)
    lines = capsys.readouterr().err
    assert len(lines.splitlines()) == 2
    assert "fewer than 1 of 10,000" in lines
    assert "Revenue" not in lines
    assert "Vantorquill" not in lines
