"""Runs the sealer's own commands on one machine's log: while everything runs, or with the database alone.

They run in a process of the sealer with the sealer's database role, and read the log themselves: no other process
of the product is asked what is true.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tomli_w

from doublethink_sdk.launcher.directories import Directories, write_private
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.log_files import LogFiles
from doublethink_sdk.launcher.processes import minimal_environment
from doublethink_sdk.launcher.running import read_running
from doublethink_sdk.postgres import EmbeddedPostgres, EmbeddedPostgresError
from doublethink_sdk.postgres.layout import GATE_DATABASE, SEALER


@contextmanager
def sealer_dsn(data: Path) -> Iterator[str]:
    """How the sealer's role connects to the database of `data`, which is started for the time if nothing runs.

    Raises LaunchError.
    """
    running = read_running(data)
    if running is not None:
        if running.database is None:
            raise LaunchError(f"the doublethink that uses {data} is an older one; stop it first")
        yield EmbeddedPostgres(data / "postgres", running.database).dsn(SEALER, GATE_DATABASE)
        return
    with database_alone(data) as postgres:
        yield postgres.dsn(SEALER, GATE_DATABASE)


@contextmanager
def database_alone(data: Path) -> Iterator[EmbeddedPostgres]:
    """The database of `data` and nothing else. Raises LaunchError, DataInUse where something runs."""
    with Directories(data) as directories:
        postgres = EmbeddedPostgres(directories.data / "postgres", directories.run / "postgres")
        try:
            with postgres:
                yield postgres
        except EmbeddedPostgresError as error:
            raise LaunchError(str(error)) from error


def run_sealer(command: str, options: tuple[str, ...], data: Path, dsn: str, **changes: Any) -> int:
    """Run one command of the sealer on the log of `data`; what it prints goes to where this process prints.

    changes: sections of its configuration that are others than those of a start. Returns its exit code.
    """
    settings = {**LogFiles(data).settings(), **changes}
    with tempfile.TemporaryDirectory(prefix="dt-log-") as name:
        folder = Path(name)
        write_private(folder / "dsn", dsn.encode())
        document = {
            "database": {"dsn_file": "dsn"},
            # Neither command listens: the section is what a configuration has.
            "listen": {"health": f"unix:{folder / 'unused'}"},
            **settings,
        }
        write_private(folder / "config.toml", tomli_w.dumps(document).encode())
        argv = (sys.executable, "-I", "-m", "doublethink_sealer", command, *options)
        argv = (*argv, "--config", str(folder / "config.toml"))
        done = subprocess.run(argv, env=minimal_environment(), stdin=subprocess.DEVNULL, check=False)
    return done.returncode
