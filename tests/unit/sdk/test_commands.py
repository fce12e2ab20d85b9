"""Commands that need no running process."""

import importlib
import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from doublethink_sdk.asking import Question
from doublethink_sdk.cli import main
from doublethink_sdk.exits import Exit, exit_of
from doublethink_sdk.launcher.configurations import free_port
from doublethink_sdk.launcher.directories import Directories
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.interrupted import settle
from doublethink_sdk.launcher.running import announced
from doublethink_sdk.launcher.stack import StackOptions
from doublethink_sdk.options import Chosen, build

_DEMO = Path(__file__).parents[3] / "demo"


def test_figures_gives_every_reading_of_a_line() -> None:
    """Two ways to read a separator are two readings, each with its place in the line."""
    done = CliRunner().invoke(main, ["figures"], input="paid 1,234 in all\n\n")
    assert done.exit_code == 0
    first, empty = [json.loads(line) for line in done.output.splitlines()]
    assert {reading["value"] for reading in first["readings"]} >= {"1234", "1.234"}
    assert empty == {"readings": []}


def test_a_batch_line_without_an_id_is_named(tmp_path: Path) -> None:
    """The line's number and form are said, and nothing is started."""
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"id": "1", "question": "What?"}\n{"question": "What?"}\n')
    done = CliRunner().invoke(
        main,
        [
            *("ask", "--case", str(_DEMO / "case.yaml"), "--batch", str(batch)),
            *("--pages", str(_DEMO / "pages"), "--data", str(tmp_path / "data")),
        ],
    )
    assert done.exit_code == 2
    assert "line 2" in done.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", [[], ["--question", "a", "--batch", "b"]])
def test_ask_wants_one_question_or_a_batch(arguments: list[str]) -> None:
    """Neither and both are wrong use."""
    done = CliRunner().invoke(main, ["ask", "--case", str(_DEMO / "case.yaml"), *arguments])
    assert done.exit_code == 2
    assert "--question" in done.output


def test_ask_without_a_source_says_how_to_name_one(tmp_path: Path) -> None:
    """No folder of pages and no running doublethink: the option to use is named."""
    done = CliRunner().invoke(
        main,
        ["ask", "--case", str(_DEMO / "case.yaml"), "--question", "What?", "--data", str(tmp_path / "data")],
    )
    assert done.exit_code == 2
    assert "--pages" in done.output


def test_ledger_of_a_folder_without_data_is_wrong_use(tmp_path: Path) -> None:
    """There is nothing to show, and nothing is made."""
    done = CliRunner().invoke(main, ["ledger", "show", "ses_" + "a" * 26, "--data", str(tmp_path / "none")])
    assert done.exit_code == 2
    assert "--data" in done.output
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "option", [["--pages", str(_DEMO / "pages")], ["--policy", str(_DEMO / "case.yaml")], ["--no-isolation"]]
)
def test_what_a_running_doublethink_was_started_with_cannot_be_changed(
    option: list[str], tmp_path: Path
) -> None:
    """An option that would have no effect is wrong use, and named: no promise is voided unseen."""
    data = tmp_path / "data"
    with Directories(data), announced(data, "http://127.0.0.1:1", tmp_path / "token"):
        done = CliRunner().invoke(
            main,
            [
                *("ask", "--case", str(_DEMO / "case.yaml"), "--question", "What?"),
                *("--data", str(data), *option),
            ],
        )
    assert done.exit_code == 2
    assert f"leave out {option[0]}" in " ".join(done.output.split())


def test_the_options_of_a_command_reach_the_launcher(tmp_path: Path) -> None:
    """Nothing that was chosen is dropped on the way."""
    policy = tmp_path / "policy.yaml"
    policy.write_text(CliRunner().invoke(main, ["policy", "show"]).output)
    port = free_port()
    chosen = Chosen(tmp_path, _DEMO / "pages", "rules", policy, no_isolation=True)
    assert build(chosen, port=port, interrupted="cancel") == StackOptions(
        data=tmp_path,
        pages=_DEMO / "pages",
        planner="rules",
        policy=policy,
        console_port=port,
        isolate=False,
        interrupted="cancel",
    )


@pytest.mark.parametrize("command", ["up", "ask"])
def test_starting_commands_take_what_the_launcher_takes(command: str) -> None:
    """The launcher's error text advises --no-isolation: both commands have it, and --policy."""
    said = CliRunner().invoke(main, [command, "--help"]).output
    assert "--no-isolation" in said
    assert "--policy" in said


@pytest.mark.parametrize("arguments", [["prove"], ["check", "--case", str(_DEMO / "case.yaml")]])
def test_a_proof_runs_nothing_of_the_callers(arguments: list[str], tmp_path: Path) -> None:
    """A module in the working directory or on PYTHONPATH takes the place of none of the service's."""
    for name in ("doublethink_gate", "doublethink_validator", "json"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(77)\n")
    done = subprocess.run(
        [sys.executable, "-I", "-c", "from doublethink_sdk.cli import main; main()", *arguments],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)},
        input=b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("length", [65_536, 65_537, 65_538, 200_000])
def test_figures_passes_over_a_line_that_is_too_long(length: int) -> None:
    """One error for the whole line, and the next line is read from its beginning."""
    done = CliRunner().invoke(main, ["figures"], input="x" * length + "\npaid 7\n")
    first, second = [json.loads(line) for line in done.output.splitlines()]
    assert ("error" in first) == (length > 65_536)
    assert second["readings"][0]["span"] == [5, 6]


@pytest.mark.parametrize(
    ("status", "means"),
    [(0, Exit.DONE), (3, Exit.PARTLY), (4, Exit.SERVICE_MISSING), (-9, Exit.REFUSED), (77, Exit.REFUSED)],
)
def test_a_process_that_was_killed_proves_nothing(status: int, means: Exit) -> None:
    """Its own codes are passed on; a signal's or any other is a refusal, and never a success or a traceback."""
    assert exit_of(status) is means


def test_a_database_that_never_answers_about_interrupted_runs_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a line for a person, as for one that is not there."""

    def slow(argv: list[str], **options: Any) -> None:
        raise subprocess.TimeoutExpired(argv, options["timeout"])

    monkeypatch.setattr(subprocess, "run", slow)
    with pytest.raises(LaunchError, match="took too long"):
        list(settle(tmp_path / "dsn", "resume", tmp_path))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--console", "http://127.0.0.1:8443"], "--token-file"),
        (["--console", "127.0.0.1:8443", "--token-file", "t"], "http://"),
        (
            ["--console", "http://127.0.0.1:8443", "--token-file", "t", "--no-isolation"],
            "leave out --no-isolation",
        ),
    ],
)
def test_ask_at_a_console_elsewhere_starts_nothing(options: list[str], words: str, tmp_path: Path) -> None:
    """What is missing for it, or cannot be chosen for what runs already, is wrong use."""
    given = [
        "ask",
        "--case",
        str(_DEMO / "case.yaml"),
        "--question",
        "What?",
        "--data",
        str(tmp_path / "data"),
    ]
    done = CliRunner().invoke(main, [*given, *options])
    assert done.exit_code == 2
    assert words in done.output
    assert not (tmp_path / "data").exists()


def test_the_package_is_the_command_where_no_script_is_installed() -> None:
    """An image has no scripts: its entry point is the package."""
    done = subprocess.run(
        (sys.executable, "-I", "-m", "doublethink_sdk", "--help"), capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Usage: doublethink ")


@pytest.mark.parametrize(
    "arguments",
    [("case", "list"), ("sessions",), ("ledger", "verify", "--all"), ("ledger", "retention", "--dry-run")],
)
def test_a_folder_without_a_ledger_is_said_in_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Before the first question there is nothing to read: the line says how to begin, and nothing is made."""
    done = CliRunner().invoke(main, [*arguments, "--data", str(tmp_path / "data")])
    assert done.exit_code == Exit.WRONG_USE
    (line,) = done.output.splitlines()
    assert line.endswith("holds no ledger yet: ask a question first, or name another directory with --data")
    assert not (tmp_path / "data").exists()


class _Nothing:
    """A console with nothing in it."""

    def cases(self) -> list[Any]:
        return []

    def holds(self, session: str) -> list[Any]:
        return []

    def sessions(self, **_: Any) -> dict[str, Any]:
        return {"sessions": [], "next": None}


@pytest.mark.parametrize(
    ("connection", "arguments", "told"),
    [
        ("case.client_of", ("case", "list"), "no case is stored"),
        ("holds.client_of", ("holds", "ses_a"), "no search of this session waits"),
        ("sessions.client_of", ("sessions",), "there is no question here that fits"),
    ],
)
def test_an_empty_list_says_so_beside_the_output(
    connection: str, arguments: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence would leave open whether the command worked; the output itself stays empty for a program."""
    monkeypatch.setattr(f"doublethink_sdk.commands.{connection}", lambda *_: nullcontext(_Nothing()))
    done = CliRunner().invoke(main, [*arguments])
    assert done.exit_code == Exit.DONE
    assert done.stdout == ""
    assert told in done.stderr


@pytest.mark.parametrize(
    ("words", "planner"), [([], None), (["--planner", "rules"], "rules"), (["--planner", "ollama"], "ollama")]
)
def test_a_console_that_runs_plans_as_it_was_started(
    monkeypatch: pytest.MonkeyPatch, words: list[str], planner: str | None
) -> None:
    """Its own choice of who plans holds unless the command names one."""
    module = importlib.import_module("doublethink_sdk.commands.ask")
    asked: list[Question] = []

    class Console:
        def add_case(self, yaml: str, **_: object) -> str:
            assert yaml
            return "case"

    def ask(_client: object, question: Question, *_: object, **__: object) -> dict[str, str]:
        asked.append(question)
        return {"status": "not_found"}

    monkeypatch.setattr(module, "client_of", lambda *_: nullcontext(Console()))
    monkeypatch.setattr(module, "ask_one", ask)
    monkeypatch.setattr(module, "_show", lambda *_, **__: None)
    given = ["ask", "--case", str(_DEMO / "case.yaml"), "--question", "What?", *words]
    done = CliRunner().invoke(main, [*given, "--console", "http://127.0.0.1:1", "--token-file", "t"])
    assert done.exit_code == 1, done.output
    assert [question.planner for question in asked] == [planner]
