"""In the run of all suites a test that is skipped without a reason that counts fails the run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[1]


def _run(folder: Path, reason: str, *, required: bool = True) -> "subprocess.CompletedProcess[str]":
    (folder / "test_example.py").write_text(
        f"import pytest\n\ndef test_runs():\n    pass\n\ndef test_is_skipped():\n    pytest.skip({reason!r})\n"
    )
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(_TESTS), "PYTHONDONTWRITEBYTECODE": "1"}
    if required:
        environment["DOUBLETHINK_REQUIRED"] = "1"
    # The suites' own conftest.py, as a plugin: the example lies elsewhere.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_silent_skip_fails_the_run(tmp_path: Path) -> None:
    """The run ends with 1 and names the test."""
    done = _run(tmp_path, "not today")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
    assert "SKIPPED AND REQUIRED" in done.stdout
    assert "test_example.py::test_is_skipped" in done.stdout


def test_what_a_machine_may_lack_fails_nothing(tmp_path: Path) -> None:
    """A reason that begins with NOT RUN counts; and without the variable every reason does."""
    assert _run(tmp_path, "NOT RUN: there is no engine").returncode == 0
    assert _run(tmp_path, "not today", required=False).returncode == 0
