"""A disk without space: at the first start, and in the middle of the work."""

import os
import subprocess
import sys
from pathlib import Path

from doublethink_casefile import Case
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.errors import ClientError
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.stack import Stack, StackOptions
from sim.machine import left_running, small_disk
from sim.witness import read_ledger, read_requests, unrecorded

_DEMO = Path(__file__).parents[2] / "demo"
_COMMAND = Path(sys.executable).parent / "doublethink"
_QUESTION = "What was the operating margin of Halvorsen Pumps in fiscal 2024?"


def test_a_disk_that_cannot_hold_a_database_ends_the_start(tmp_path: Path) -> None:
    """The reason is said in one line, and nothing runs on."""
    with small_disk(tmp_path / "small", 8) as small:
        argv = (
            *(str(_COMMAND), "ask", "--case", str(_DEMO / "case.yaml"), "--question", _QUESTION, "--json"),
            *("--pages", str(_DEMO / "pages"), "--data", str(small / "data")),
        )
        done = subprocess.run(argv, capture_output=True, text=True, timeout=180, check=False)
        assert done.returncode == 4, done.stderr
        assert "space" in done.stderr.lower()
        assert "Traceback" not in done.stderr
        assert not left_running(small / "data")


def _fill(place: Path) -> Path:
    filler = place / "filler"
    # Unbuffered: what a full disk did not take is not tried again when the file is closed.
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(os.urandom(65_536))
        except OSError:
            return filler


def test_a_disk_that_fills_up_lets_nothing_out_unrecorded(tmp_path: Path, demo_case: Case) -> None:
    """Without space for its row a request does not leave; what was written stays, and with space it goes on."""
    with small_disk(tmp_path / "disk", 400) as disk:
        options = StackOptions(data=disk / "data", pages=_DEMO / "pages")
        with Stack(options) as stack, stack.client() as client:
            stored = client.add_case(self_contained(demo_case))
            before = ask(client, Question(stored, _QUESTION, "rules"), lambda _line: None)
            assert before["status"] == "answered"
        rows_before = _agreed(options)
        filler = _fill(disk)
        full = _ask_on_a_full_disk(options, stored)
        assert full != "answered"
        filler.unlink()
        rows_after = _agreed(options)
        assert rows_before <= rows_after
        with Stack(options) as stack, stack.client() as client:
            again = ask(client, Question(stored, _QUESTION, "rules"), lambda _line: None)
            assert again["status"] == "answered"


def _ask_on_a_full_disk(options: StackOptions, case: str) -> str:
    """The run's status, or how the start or the question was refused."""
    try:
        with Stack(options) as stack, stack.client() as client:
            status: str = ask(client, Question(case, _QUESTION, "rules"), lambda _line: None)["status"]
            return status
    except (LaunchError, ClientError, OSError) as error:
        return type(error).__name__


def _agreed(options: StackOptions) -> set[bytes]:
    """The hashes of all rows, once the source's own log has been held against them."""
    with Stack(options) as stack:
        rows, attempts = read_ledger(stack.gate_dsn, stack.gate_keys)
        assert unrecorded(read_requests(stack.request_log), attempts) == []
        return {row.hash for row in rows}
