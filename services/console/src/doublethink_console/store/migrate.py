"""Brings the console's database up to date: the numbered SQL files of `schema/`, each exactly once.

The console's role owns its database, so that the service does this itself at its start. One at a time holds
an advisory lock; each file runs in one transaction with the record of its digest. After them come the files that the
queue's library ships for its own tables, in the order of their names and in the same schema.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

import psycopg
from procrastinate.schema import SchemaManager

from doublethink_console.errors import MigrationError

from .queue import SCHEMA

_LOCK: Final = 3_617_560_120_994_512_733
_NAME: Final = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_RECORD: Final = """
CREATE SCHEMA IF NOT EXISTS console;
CREATE TABLE IF NOT EXISTS console.migration (
    number integer PRIMARY KEY CHECK (number > 0),
    name text NOT NULL,
    sha256 bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> bytes:
        """SHA-256 of the file's text in UTF-8."""
        return hashlib.sha256(self.sql.encode()).digest()


def shipped() -> tuple[Migration, ...]:
    """The migrations beside this code, in order. Raises MigrationError for a gap or a stray file."""
    found = []
    for file in (files(__package__) / "schema").iterdir():
        match = _NAME.fullmatch(file.name)
        if match is None:
            raise MigrationError(f"schema/{file.name} is not named NNNN_words.sql")
        found.append(Migration(int(match[1]), file.name, file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise MigrationError("the numbers in schema/ are not 0001, 0002, ... without gap or repetition")
    return tuple(found)


def queue_files() -> tuple[tuple[str, str], ...]:
    """Name and text of each migration that the queue's library ships, in order."""
    folder = Path(SchemaManager.get_migrations_path())
    return tuple((file.name, file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.sql")))


def migrate(dsn: str) -> int:
    """Apply what is missing and return how many files that were. Raises MigrationError or psycopg.Error."""
    wanted = shipped()
    with psycopg.connect(dsn, autocommit=True, connect_timeout=10) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        with connection.transaction():
            connection.execute(_RECORD)
        applied: dict[int, bytes] = dict(
            connection.execute("SELECT number, sha256 FROM console.migration").fetchall()
        )
        if set(applied) - {migration.number for migration in wanted}:
            raise MigrationError("the database was migrated by a newer version")
        pending = [migration for migration in wanted if migration.number not in applied]
        if any(applied.get(migration.number, migration.sha256) != migration.sha256 for migration in wanted):
            raise MigrationError("a migration was changed after it had been applied: add a new one instead")
        for migration in pending:
            with connection.transaction():
                # The text is a file shipped with this code, not anybody's input.
                connection.execute(migration.sql.encode())
                connection.execute(
                    "INSERT INTO console.migration (number, name, sha256) VALUES (%s, %s, %s)",
                    (migration.number, migration.name, migration.sha256),
                )
        _migrate_queue(connection)
    return len(pending)


def _migrate_queue(connection: psycopg.Connection) -> None:
    applied: dict[str, bytes] = dict(
        connection.execute("SELECT name, sha256 FROM console.queue_migration").fetchall()
    )
    wanted = {name: (sql, hashlib.sha256(sql.encode()).digest()) for name, sql in queue_files()}
    if set(applied) - set(wanted):
        raise MigrationError("the queue's tables were migrated by a newer version of its library")
    if any(applied.get(name, digest) != digest for name, (_, digest) in wanted.items()):
        raise MigrationError(
            "the queue's library has changed a migration that was applied: keep its old version"
        )
    for name, (text, digest) in wanted.items():
        if name in applied:
            continue
        # One transaction each: some add what the next one uses.
        with connection.transaction():
            connection.execute(f"SET LOCAL search_path TO {SCHEMA}".encode())
            # The text is a file shipped with the library, whose digest the lock pins.
            connection.execute(text.encode())
            connection.execute(
                "INSERT INTO console.queue_migration (name, sha256) VALUES (%s, %s)", (name, digest)
            )
