"""Nothing leaves that nobody asked for: an `ask` that is broken off is over, and what a kill left is said first."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from doublethink_sdk.launcher.stack import Stack
from sim.machine import left_running

_DEMO = Path(__file__).parents[2] / "demo"
_COMMAND = Path(sys.executable).parent / "doublethink"
_SECONDS = 240
_QUESTION = (
    "What is the median revenue in fiscal 2024 of Halvorsen Pumps, Brenner Flow Technology "
    "and Castellan Fluid Systems?"
)


def _words(*arguments: object) -> list[str]:
    return [str(_COMMAND), *map(str, arguments)]


def _ask_words(data: Path, *more: str) -> list[str]:
    return _words(
        *("ask", "--case", _DEMO / "case.yaml", "--question", _QUESTION),
        *("--pages", _DEMO / "pages", "--data", data, *more),
    )


@contextmanager
def _asking(data: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """An `ask` of which a first search is known to be planned."""
    process = subprocess.Popen(
        # A shell has its background jobs ignore Ctrl-C, and what they start too: env(1) undoes that.
        ["env", "--default-signal=INT", *_ask_words(data, *more)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if "planned:" in line:
                break
        else:
            assert process.stderr is not None
            pytest.fail(f"ask ended before it planned: {process.stderr.read()}")
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(_SECONDS)
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def _requests(data: Path) -> int:
    log = data / "log" / "source-requests.jsonl"
    return len(log.read_text().splitlines()) if log.exists() else 0


def _gone(data: Path) -> None:
    """Wait until no process of the data runs; the kernel ends those of a launcher that was killed."""
    deadline = time.monotonic() + 60
    while left_running(data):
        assert time.monotonic() < deadline, left_running(data)
        time.sleep(0.2)


def _up(data: Path, *more: str) -> list[str]:
    """What an `up` says at its start; it then runs for some seconds and is stopped."""
    process = subprocess.Popen(
        _words("up", "--pages", _DEMO / "pages", "--data", data, *more),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = []
    try:
        for line in process.stderr:
            said.append(line.rstrip())
            if "Ctrl-C" in line:
                break
        # A run that was taken up would search by now.
        time.sleep(8)
    finally:
        process.send_signal(signal.SIGHUP)
        said += process.stderr.read().splitlines()
        assert process.wait(_SECONDS) == 0, said
        process.stderr.close()
    return said


@pytest.mark.parametrize("ending", ["terminal", "pipe", "ctrl-c"])
def test_an_ask_that_is_broken_off_is_over(ending: str, tmp_path: Path) -> None:
    """A closed terminal, a closed pipe, Ctrl-C: the run is cancelled, everything is gone, no start goes on with it."""
    data = tmp_path / "data"
    with _asking(data) as process:
        run_directory = Path((data / "run").read_text())
        assert run_directory.parent == Path(tempfile.gettempdir())
        assert process.stdout is not None
        assert process.stderr is not None
        if ending == "pipe":
            process.stdout.close()
        else:
            process.send_signal(signal.SIGHUP if ending == "terminal" else signal.SIGINT)
        errors = process.stderr.read()
        code = process.wait(_SECONDS)
    assert code == {"terminal": 129, "pipe": 141, "ctrl-c": 130}[ending], errors
    assert errors.strip() in ("", "doublethink: stopped"), errors
    assert not left_running(data)
    assert not run_directory.exists()
    before = _requests(data)
    said = _up(data)
    assert not [line for line in said if "run" in line.split()], said
    assert _requests(data) == before


def test_what_a_kill_left_is_said_before_it_is_searched(tmp_path: Path) -> None:
    """Of an `ask` without isolation too: another `ask` leaves the run, `up` names it first, --no-resume ends it."""
    data = tmp_path / "data"
    with _asking(data, "--no-isolation") as process:
        process.kill()
        process.wait(_SECONDS)
    _gone(data)
    before = _requests(data)

    listed = subprocess.run(
        _words("case", "list", "--json", "--data", data),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert listed.returncode == 0, listed.stderr
    assert _requests(data) == before, "a command that only looks goes on with nothing"

    said = _up(data, "--no-resume")
    headline = next(at for at, line in enumerate(said) if "cancelling 1 run" in line)
    assert re.search(r"run [0-9a-f-]{36}, asked 20", said[headline + 1])
    assert headline < next(at for at, line in enumerate(said) if line == "starting console")
    assert _requests(data) == before
    assert not [line for line in _up(data) if "1 run" in line], "it is over"


def test_a_run_that_is_taken_up_is_named_first(tmp_path: Path) -> None:
    """By default `up` goes on with it, and its id and how to cancel it stand before the console starts."""
    data = tmp_path / "data"
    with _asking(data) as process:
        process.kill()
        process.wait(_SECONDS)
    _gone(data)
    said = _up(data)
    headline = next(at for at, line in enumerate(said) if "taking up 1 run" in line)
    assert re.search(
        r"run ([0-9a-f-]{36}), asked 20.*cancel it with: doublethink cancel \1", said[headline + 1]
    )
    assert headline < next(at for at, line in enumerate(said) if line == "starting console")


def test_the_same_case_is_stored_once_and_deleted_whole(stack: Stack) -> None:
    """Asked twice, a case file is one case; deleted, it and its questions are gone; the ledger's rows stay."""
    data = stack.directories.data
    environment = {**os.environ, "DOUBLETHINK_DATA": str(data)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            _words(*arguments), capture_output=True, text=True, timeout=_SECONDS, check=False, env=environment
        )

    asked = [
        run("ask", "--case", str(_DEMO / "case.yaml"), "--question", question, "--json")
        for question in ("Tell me about pumps.", _QUESTION)
    ]
    assert [done.returncode for done in asked] == [1, 0], [done.stderr for done in asked]
    assert "not understood" in json.loads(asked[0].stdout)["reason"]
    (case,) = [json.loads(line) for line in run("case", "list", "--json").stdout.splitlines()]
    listed = [
        json.loads(line) for line in run("sessions", "--case", case["id"], "--json").stdout.splitlines()
    ]
    assert [each["status"] for each in listed] == ["answered", "not_found"]
    assert [each["session"] for each in listed] == [
        json.loads(done.stdout)["session"] for done in asked[::-1]
    ]
    assert "pumps" not in run("sessions").stdout
    assert run("case", "delete", case["id"]).returncode == 0
    assert run("case", "list").stdout == ""
    assert run("sessions", "--case", case["id"]).stdout == ""
    again = run("case", "delete", case["id"])
    assert (again.returncode, again.stderr) == (1, "doublethink: There is no such case.\n")
