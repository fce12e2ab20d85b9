"""Runs that were under way when the last console ended, listed or cancelled before the next one starts.

    python -m doublethink_console.interrupted --dsn-file FILE [--cancel]

Prints a JSON object a run, {"run", "asked_at"}, the oldest first. With --cancel they are marked, and the next console
ends them without a step and closes their sessions. To be used while no console works on the database: one that does
would go on with its own runs. Exit codes: 0 done, 4 the database does not answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psycopg
from doublethink_settings import SettingsError, read_secret

_UNDER_WAY: Final = "state IN ('queued', 'running') AND NOT cancel_requested"
_CONNECT_S: Final = 10


def interrupted(dsn: str, *, cancel: bool) -> list[tuple[str, datetime]]:
    """Id and time of each such run; marked as cancelled where that is asked for. Raises psycopg.Error."""
    with psycopg.connect(dsn, connect_timeout=_CONNECT_S) as connection:
        there = connection.execute("SELECT to_regclass('console.run')").fetchone()
        if there is None or there[0] is None:
            # Before the first start of a console.
            return []
        if cancel:
            # Both statements are constants of this module.
            found = connection.execute(
                f"UPDATE console.run SET cancel_requested = true WHERE {_UNDER_WAY}"  # noqa: S608
                " RETURNING id, created_at"
            ).fetchall()
        else:
            found = connection.execute(
                f"SELECT id, created_at FROM console.run WHERE {_UNDER_WAY}"  # noqa: S608
            ).fetchall()
    return sorted(((str(run), at) for run, at in found), key=lambda each: each[1])


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_console.interrupted", description=__doc__)
    parser.add_argument("--dsn-file", type=Path, required=True, help="the connection string of the console")
    parser.add_argument("--cancel", action="store_true", help="mark them as cancelled")
    options = parser.parse_args(arguments)
    try:
        found = interrupted(read_secret(options.dsn_file, "--dsn-file"), cancel=options.cancel)
    except (SettingsError, psycopg.Error) as error:
        # A driver's text may hold the connection string.
        words = str(error) if isinstance(error, SettingsError) else "the database does not answer"
        sys.stderr.write(f"interrupted: {words}\n")
        return 4
    for run, at in found:
        sys.stdout.write(
            json.dumps({"run": run, "asked_at": at.astimezone(UTC).isoformat(timespec="seconds")})
        )
        sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
