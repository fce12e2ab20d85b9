"""Runs that were under way when the last launcher ended, and what a start does with them.

Nothing that somebody asked earlier is searched unsaid: `up` takes such runs up again and says so first, or cancels
them; every other start leaves them as they are.
"""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.processes import minimal_environment

Choice = Literal["resume", "cancel", "hold"]
_SECONDS: Final = 60
_HEADLINES: Final = {
    "resume": "taking up {runs} that an earlier start left; what they ask is searched from here on:",
    "cancel": "cancelling {runs} that an earlier start left; nothing of them is searched any more:",
    "hold": "leaving {runs} of an earlier start as they are; `doublethink up` takes them up, "
    "`doublethink up --no-resume` cancels them:",
}


def settle(dsn_file: Path, choice: Choice, data: Path) -> Iterator[str]:
    """Mark interrupted runs where they are to be cancelled; gives the lines for a person, none if there is no run.

    `dsn_file` holds how the console connects to its database, while no console runs; `data` is the start's directory.
    Raises LaunchError.
    """
    argv = [sys.executable, "-I", "-m", "doublethink_console.interrupted", "--dsn-file", str(dsn_file)]
    if choice == "cancel":
        argv.append("--cancel")
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=_SECONDS, env=minimal_environment(), check=False
        )
    except subprocess.TimeoutExpired as error:
        raise LaunchError(
            "it is not known which runs were interrupted: the database took too long"
        ) from error
    if done.returncode != 0:
        raise LaunchError(f"it is not known which runs were interrupted: {done.stderr.strip()}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if not found:
        return
    yield _HEADLINES[choice].format(runs="1 run" if len(found) == 1 else f"{len(found)} runs")
    for run in found:
        command = f"doublethink cancel {run['run']} --data {shlex.quote(str(data))}"
        hint = "" if choice == "cancel" else f", cancel it with: {command}"
        yield f"  run {run['run']}, asked {run['asked_at']}{hint}"
