"""Applies the numbered SQL files of `schema/` to the gate's database, each exactly once.

Each file runs in a transaction of its own together with the record of its digest, so that a file is applied and
recorded, or neither. The transaction locks the record, which only the owner may, so that of several migrators each
file is applied by one. No statement waits for a lock for ever: whoever holds one ends the migration with an error.
A file that was changed after it had been applied, or a record that no file explains, stops everything before
anything is changed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import psycopg

from doublethink_gate.database.errors import (
    DatabaseSetupError,
    MigrationChangedError,
    MigrationFilesError,
    MigrationPendingError,
    MigrationUnknownError,
)

OWNER: Final = "doublethink_owner"
_LOCK_WAIT_S: Final = 60
_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")

_CREATE_RECORD: Final = """
CREATE SCHEMA IF NOT EXISTS migration;
CREATE TABLE IF NOT EXISTS migration.applied (
    number integer PRIMARY KEY CHECK (number > 0),
    name text NOT NULL,
    sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT USAGE ON SCHEMA migration TO doublethink_gate;
GRANT SELECT ON migration.applied TO doublethink_gate;
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered SQL file."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> bytes:
        """SHA-256 of the file's text in UTF-8."""
        return hashlib.sha256(self.sql.encode()).digest()


def shipped_migrations() -> tuple[Migration, ...]:
    """Return the migrations beside this code, in order. Raises MigrationFilesError for a gap or stray
    file."""
    found = []
    for file in (files("doublethink_gate.database") / "schema").iterdir():
        match = _NAME.fullmatch(file.name)
        if match is None:
            raise MigrationFilesError(f"schema/{file.name} is not named NNNN_words.sql")
        found.append(Migration(int(match[1]), file.name, file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise MigrationFilesError("the numbers in schema/ are not 0001, 0002, ... without gap or repetition")
    return tuple(found)


def migrate(dsn: str, migrations: Sequence[Migration] | None = None) -> tuple[Migration, ...]:
    """Bring the database behind `dsn` up to date; return what was applied now, in order.

    The role in `dsn` must be able to become doublethink_owner (doublethink_migrator can).
    Raises a MigrationError, or psycopg.Error where the server refuses; what was applied before stays applied.
    """
    wanted = shipped_migrations() if migrations is None else tuple(migrations)
    with psycopg.connect(dsn, autocommit=True, connect_timeout=10) as connection:
        if connection.info.server_version < 150000:
            raise DatabaseSetupError("PostgreSQL 15 or newer is needed")
        try:
            connection.execute(f"SET ROLE {OWNER}")
        except (psycopg.errors.InvalidParameterValue, psycopg.errors.InsufficientPrivilege) as error:
            raise DatabaseSetupError(
                f"the role {connection.info.user!r} cannot become {OWNER}; "
                "run roles.sql as the server's administrator and connect as doublethink_migrator"
            ) from error
        connection.execute(f"SET lock_timeout = '{_LOCK_WAIT_S}s'")
        if connection.execute("SELECT to_regclass('migration.applied') IS NULL").fetchone() == (True,):
            _create_record(connection)
        applied = []
        for migration in _pending(connection, wanted):
            with connection.transaction():
                connection.execute("LOCK TABLE migration.applied IN SHARE ROW EXCLUSIVE MODE")
                if migration not in _pending(connection, wanted):
                    # Another migrator came first.
                    continue
                # The text is a file shipped with this code, not anybody's input.
                connection.execute(migration.sql)
                connection.execute(
                    "INSERT INTO migration.applied (number, name, sha256) VALUES (%s, %s, %s)",
                    (migration.number, migration.name, migration.sha256),
                )
            applied.append(migration)
        return tuple(applied)


def _create_record(connection: psycopg.Connection) -> None:
    try:
        with connection.transaction():
            connection.execute(_CREATE_RECORD)
    except (psycopg.errors.UniqueViolation, psycopg.errors.InternalError):
        # Two at once: IF NOT EXISTS looks before it makes. The other one has made it by now.
        with connection.transaction():
            connection.execute(_CREATE_RECORD)


def check_schema(connection: psycopg.Connection) -> None:
    """Raise a MigrationError unless the schema is exactly what this code was shipped with.

    For a service at its start: its role may read the record and change nothing.
    """
    try:
        pending = _pending(connection, shipped_migrations())
    except psycopg.errors.UndefinedTable as error:
        raise MigrationPendingError(
            "the database is empty: run python -m doublethink_gate.database"
        ) from error
    if pending:
        raise MigrationPendingError(
            f"{pending[0].name} was not applied yet: run python -m doublethink_gate.database"
        )


def _pending(connection: psycopg.Connection, wanted: Sequence[Migration]) -> tuple[Migration, ...]:
    by_number = {migration.number: migration for migration in wanted}
    applied = set()
    for number, name, digest in connection.execute(
        "SELECT number, name, sha256 FROM migration.applied ORDER BY number"
    ):
        if number not in by_number:
            raise MigrationUnknownError(
                f"the database has migration {number} ({name}), which this version does not know: "
                "it was migrated by a newer one"
            )
        if by_number[number].sha256 != digest:
            raise MigrationChangedError(
                f"{name} was changed after it had been applied: restore the file and add a new one instead"
            )
        applied.add(number)
    return tuple(migration for migration in wanted if migration.number not in applied)
