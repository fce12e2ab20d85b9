"""Makes the roles and databases on a PostgreSQL server, or brings them to what they should be.

    python -m doublethink_sdk.containers.database --host HOST --private FOLDER

FOLDER holds the administrator's password (`administrator`) and a password file a role (`passwords/`). Running it again
changes nothing that is as it should be. Exit codes: 0 done, 1 refused, 4 the server does not answer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import psycopg
from doublethink_settings import SettingsError, read_secret

from doublethink_sdk.postgres.errors import ClusterError
from doublethink_sdk.postgres.layout import DATABASES, ROLES
from doublethink_sdk.postgres.passwords import PasswordDirectory
from doublethink_sdk.postgres.provision import provision

_CONNECT_S: Final = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Provision once; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m doublethink_sdk.containers.database",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--host", required=True)
    parser.add_argument("--private", type=Path, required=True)
    options = parser.parse_args(arguments)
    private: Path = options.private
    try:
        password = read_secret(private / "administrator", "--private")
        with psycopg.connect(
            host=options.host,
            user="postgres",
            dbname="postgres",
            password=password,
            connect_timeout=_CONNECT_S,
            autocommit=True,
        ) as connection:
            provision(connection, PasswordDirectory(private / "passwords"), ROLES, DATABASES)
    except (SettingsError, ClusterError) as error:
        return _fail(1, str(error))
    # The server's and libpq's own words may quote the connection string: only the type is said.
    except psycopg.OperationalError as error:
        return _fail(4, f"the server does not answer, or does not take the password ({type(error).__name__})")
    except psycopg.Error as error:
        return _fail(1, f"the server refused ({type(error).__name__})")
    sys.stdout.write(f"{len(ROLES)} roles and {len(DATABASES)} databases are as they should be\n")
    return 0


def _fail(code: int, message: str) -> int:
    sys.stderr.write(f"database: {message}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
