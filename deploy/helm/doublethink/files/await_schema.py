"""Waits until the gate's database has exactly the schema that this image was shipped with.

    await_schema.py DSN_FILE SECONDS

Exit codes: 0 it has, 1 not in time.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psycopg
from doublethink_gate.database.errors import MigrationError
from doublethink_gate.database.migrate import check_schema

PAUSE_SECONDS = 1.0


def _missing(dsn: str) -> str | None:
    """None if all is there, else what is missing. The server's own words are left out: they may quote the DSN."""
    try:
        with psycopg.connect(dsn, autocommit=True, connect_timeout=5) as connection:
            check_schema(connection)
    except MigrationError as error:
        return str(error)
    except psycopg.Error as error:
        return f"the database does not answer ({type(error).__name__})"
    return None


def main() -> int:
    """Return the exit code."""
    dsn = Path(sys.argv[1]).read_text(encoding="utf-8").strip()
    deadline = time.monotonic() + float(sys.argv[2])
    while (missing := _missing(dsn)) is not None:
        if time.monotonic() > deadline:
            sys.stderr.write(f"schema: {missing}\n")
            return 1
        time.sleep(PAUSE_SECONDS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
