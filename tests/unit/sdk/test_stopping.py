"""What ends a command from outside: each signal once, in order, and never in the middle of what must be done."""

import os
import signal
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from doublethink_sdk import asking, output, signals
from doublethink_sdk.asking import Question
from doublethink_sdk.cli import main
from doublethink_sdk.client import Event
from doublethink_sdk.commands import ask as ask_command
from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.launcher.interrupted import settle
from doublethink_sdk.output import OutputGone

_DEMO = Path(__file__).parents[3] / "demo"
_ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.mark.parametrize("number", _ALL)
def test_each_signal_stops_a_command_with_its_own_code(number: signal.Signals) -> None:
    """Ctrl-C, a supervisor and a closed terminal: 128 and the number, one calm line."""

    @reporting
    def waits() -> Exit:
        os.kill(os.getpid(), number)
        return Exit.DONE

    with pytest.raises(click.exceptions.Exit) as ended:
        waits()
    assert ended.value.exit_code == 128 + number


def test_a_second_signal_does_not_cut_the_way_out_short() -> None:
    """The first raises, the others are ignored until everything is closed."""
    closed = []

    def stopped_twice() -> None:
        with signals.stopping():
            try:
                os.kill(os.getpid(), signal.SIGHUP)
            finally:
                os.kill(os.getpid(), signal.SIGINT)
                os.kill(os.getpid(), signal.SIGTERM)
                closed.append(True)

    with pytest.raises(signals.Stopped) as stopped:
        stopped_twice()
    assert closed
    assert stopped.value.number == signal.SIGHUP


def test_what_was_ignored_stays_ignored() -> None:
    """A command under nohup(1) outlives its terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals.stopping():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_signal_is_held_until_the_id_of_a_run_is_known() -> None:
    """It comes after, not in between."""
    known = []

    def asks() -> None:
        with signals.stopping(), signals.holding():
            os.kill(os.getpid(), signal.SIGINT)
            known.append("run-1")

    with pytest.raises(signals.Stopped):
        asks()
    assert known


def test_handlers_are_as_before_afterwards() -> None:
    """A program that uses this as a library keeps its own."""
    before = [signal.getsignal(number) for number in _ALL]
    with signals.stopping(), signals.finishing():
        pass
    assert [signal.getsignal(number) for number in _ALL] == before


class _Console:
    """A console whose one run goes on until it is cancelled."""

    def __init__(self) -> None:
        self.cancelled: list[str] = []
        self._ended = threading.Event()

    def start_run(self, case: str, question: str, *, planner: str, approval_s: int) -> str:
        del case, question, planner, approval_s
        return "run-1"

    def run_events(self, run: str, after: str = "") -> Iterator[Event]:
        del run, after
        yield Event("0", "opened", {"kind": "opened", "text": "session opened", "session": "ses_a"})
        yield Event("1", "planned", {"kind": "planned", "text": "planned", "session": "ses_a"})
        self._ended.wait(30)
        yield Event("2", "ended", {"kind": "ended", "text": "The run failed.", "session": "ses_a"})

    def follow_ledger(self, session: str) -> Iterator[Event]:
        del session
        row = {"n": 0, "at_us": 0, "kind": "session.open", "hash": "0" * 64, "rules": []}
        yield Event("0", "row", row)

    def cancel(self, run: str) -> bool:
        self.cancelled.append(run)
        self._ended.set()
        return True

    def run(self, run: str) -> Mapping[str, Any]:
        raise AssertionError(f"{run} was not answered")


def _ask(console: _Console, say: asking.Say, rows: asking.Say | None = None) -> None:
    asking.ask(console, Question("case", "What?", "rules"), say, rows=rows)  # type: ignore[arg-type]  # its stand-in


@pytest.mark.parametrize("ending", [OutputGone, KeyboardInterrupt, signals.Stopped(signal.SIGHUP)])
def test_what_stops_the_asking_cancels_the_run(ending: type[BaseException] | BaseException) -> None:
    """A closed pipe while a step is told, Ctrl-C, a closed terminal."""
    console = _Console()

    def say(line: str) -> None:
        if "planned" in line:
            raise ending

    with pytest.raises((OutputGone, KeyboardInterrupt)):
        _ask(console, say)
    assert console.cancelled == ["run-1"]


def test_a_pipe_that_breaks_at_a_ledger_row_cancels_the_run_too() -> None:
    """Rows are told from another thread: the run ends all the same, at once and not with its answer."""
    console = _Console()

    def rows(_line: str) -> None:
        raise OutputGone

    with pytest.raises(OutputGone):
        _ask(console, lambda _line: None, rows)
    assert "run-1" in console.cancelled


def test_a_closed_pipe_is_said_by_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a shell shows a program that wrote to a pipe which nobody reads."""
    monkeypatch.setattr(output, "give_up", lambda: None)

    @reporting
    def writes() -> Exit:
        raise OutputGone

    with pytest.raises(click.exceptions.Exit) as ended:
        writes()
    assert ended.value.exit_code == 141


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        ("answered", None, 0),
        ("not_found", None, 1),
        ("refused", "ERROR_CODE_BLOCKED", 1),
        ("failed", "ERROR_CODE_INTERNAL", 1),
        ("failed", "ERROR_CODE_CANCELLED", 1),
        ("failed", "ERROR_CODE_SOURCE_UNAVAILABLE", 4),
        ("failed", "ERROR_CODE_LEDGER_UNAVAILABLE", 4),
    ],
)
def test_how_a_question_ends_is_its_exit_code(status: str, code: str | None, expected: int) -> None:
    """Answered is 0, and nothing else is."""
    result = {"status": status, "code": code}
    assert ask_command._exit_of(result) == expected
    assert ask_command._exit_of_batch([{"status": "answered"}, result]) == (1 if status == "failed" else 0)


def test_the_exit_codes_stand_where_a_person_looks() -> None:
    """In the help of each command that people run from scripts, and on the page of formats."""
    for command in ("ask", "up", "check", "prove", "figures", "cancel"):
        assert "Exit code" in CliRunner().invoke(main, [command, "--help"]).output, command
    page = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    for code in ("129", "130", "141", "143"):
        assert code in page
        assert code in CliRunner().invoke(main, ["ask", "--help"]).output


def test_a_start_that_cannot_learn_of_interrupted_runs_goes_no_further(tmp_path: Path) -> None:
    """Unknown is not none: the launcher stops."""
    from doublethink_sdk.launcher.errors import LaunchError

    dsn_file = tmp_path / "dsn"
    dsn_file.write_text("host=/nonexistent dbname=x user=y")
    dsn_file.chmod(0o600)
    with pytest.raises(LaunchError, match="interrupted"):
        list(settle(dsn_file, "resume", tmp_path))
