"""`python -m doublethink_gate.database --dsn-file FILE`: brings the gate's database up to date.

The file holds one libpq connection string for doublethink_migrator.
Exit codes: 0 done, 1 refused, 2 wrong use, 4 the server does not answer.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import psycopg

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
        applied = migrate(options.dsn_file.read_text(encoding="utf-8").strip())
    except OSError as error:
        return _fail(2, f"{options.dsn_file} cannot be read: {error.strerror}")
    except MigrationError as error:
        return _fail(1, str(error))
    except psycopg.OperationalError as error:
        return _fail(4, f"the database does not answer: {error}")
    except psycopg.Error as error:
        return _fail(1, f"the database refused: {error}")
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
