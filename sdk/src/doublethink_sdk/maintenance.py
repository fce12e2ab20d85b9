"""Erasing, and wrapping keys anew, on one machine: the gate's own commands on the database of the data."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from doublethink_sdk.exits import Exit, demand_ledger, exit_of
from doublethink_sdk.launcher.directories import write_private
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.log_tools import database_alone
from doublethink_sdk.launcher.processes import minimal_environment
from doublethink_sdk.launcher.running import read_running
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE_DATABASE, RETENTION


def run(data: Path, command: str, options: Sequence[str], role: str = RETENTION) -> Exit:
    """Run the gate's `command` (retention, erase or rewrap) as `role` on the database of `data`; its exit code is
    this one's.

    The database is started for the time if nothing runs. Raises LaunchError; without a ledger the
    command ends with one line.
    """
    with _connection(data, role) as dsn, tempfile.TemporaryDirectory(prefix="dt-") as folder:
        file = Path(folder) / "dsn"
        write_private(file, dsn.encode())
        argv = [sys.executable, "-I", "-m", "doublethink_gate", command, "--dsn-file", str(file), *options]
        return exit_of(subprocess.run(argv, env=minimal_environment(), check=False).returncode)


@contextmanager
def _connection(data: Path, role: str) -> Iterator[str]:
    """How a role connects to the gate's database."""
    demand_ledger(data)
    running = read_running(data)
    if running is None:
        with database_alone(data) as postgres:
            yield postgres.dsn(role, GATE_DATABASE)
        return
    if running.database is None:
        raise LaunchError(f"the doublethink that uses {data} is an older one; stop it first")
    yield EmbeddedPostgres(data / "postgres", running.database).dsn(role, GATE_DATABASE)
