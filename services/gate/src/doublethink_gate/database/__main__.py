"""`python -m doublethink_gate.database --dsn-file FILE`: brings the gate's database up to date.

The file holds one libpq connection string for doublethink_migrator, and is its owner's alone.
Exit codes: 0 done, 1 refused, 2 wrong use, 4 the server does not answer.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import psycopg
from doublethink_settings import SettingsError, read_secret

from doublethink_gate.database.errors import MigrationError
from doublethink_gate.database.migrate import migrate


def main(arguments: list[str] | None = None) -> int:
    """Run the migrator; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m doublethink_gate.database", description="migrate the database"
    )
    parser.add_argument("--dsn-file", type=Path, required=True, help="file with one libpq connection string")
    options = parser.parse_args(arguments)
    try:
        applied = migrate(read_secret(options.dsn_file, "--dsn-file"))
    except SettingsError as error:
        return _fail(2, str(error))
    except MigrationError as error:
        return _fail(1, str(error))
    # The server's and libpq's own words may quote the connection string: only the type is said.
    except psycopg.OperationalError as error:
        return _fail(4, f"the database does not answer ({type(error).__name__})")
    except psycopg.Error as error:
        return _fail(1, f"the database refused ({type(error).__name__})")
    for migration in applied:
        sys.stdout.write(f"applied {migration.name}\n")
    if not applied:
        sys.stdout.write("nothing to do\n")
    return 0


def _fail(code: int, message: str) -> int:
    sys.stderr.write(f"{message}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
