"""Erasing on one machine: the gate's own commands, under the role that may erase, on the database that runs."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from doublethink_sdk.exits import Exit
from doublethink_sdk.launcher.directories import write_private
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.processes import minimal_environment
from doublethink_sdk.launcher.running import read_running
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE_DATABASE, RETENTION

_SOCKET_LINE = 4
"""postmaster.pid names the socket's directory in its fifth line (PostgreSQL, pidfile.h)."""


def run(data: Path, command: str, options: Sequence[str]) -> Exit:
    """Run the gate's `command` (retention or erase) on the database of `data`; its exit code is this one's.

    Raises LaunchError, click.UsageError.
    """
    with _connection(data) as dsn, tempfile.TemporaryDirectory(prefix="dt-") as folder:
        file = Path(folder) / "retention.dsn"
        write_private(file, dsn.encode())
        argv = [sys.executable, "-I", "-m", "doublethink_gate", command, "--dsn-file", str(file), *options]
        return Exit(subprocess.run(argv, env=minimal_environment(), check=False).returncode)


@contextmanager
def _connection(data: Path) -> Iterator[str]:
    """How the retention role connects: to the database that runs on `data`, or to one that is started for the time."""
    if not (data / "postgres").is_dir():
        raise click.UsageError(f"{data} holds no ledger; name the directory with --data")
    if read_running(data) is None:
        with Stack(StackOptions(data=data, pages=None)) as stack:
            yield stack.dsn(RETENTION, GATE_DATABASE)
        return
    try:
        lines = (data / "postgres" / "cluster" / "postmaster.pid").read_text().splitlines()
        sockets = Path(lines[_SOCKET_LINE])
    except (OSError, IndexError) as error:
        raise LaunchError(f"the database that runs on {data} cannot be found") from error
    yield EmbeddedPostgres(data / "postgres", sockets).dsn(RETENTION, GATE_DATABASE)
