"""A throwaway PostgreSQL server for a test run, with a fresh gate database for whoever asks."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from doublethink_gate.database.migrate import migrate
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE, GATE_DATABASE, MIGRATOR, OWNER, Database
from doublethink_sdk.postgres.provision import make_database
from psycopg import sql

BINDIR_VARIABLE = "DOUBLETHINK_POSTGRES_BINDIR"
"""Names another PostgreSQL's programs to run the tests on; the default is the wheel's."""

_CONNECT = (MIGRATOR, GATE, "doublethink_sealer", "doublethink_retention")


@dataclass(frozen=True)
class GateDatabase:
    """One migrated gate database."""

    server: EmbeddedPostgres
    name: str

    def dsn(self, role: str = GATE) -> str:
        """The connection string of a role."""
        return self.server.dsn(role, self.name)

    def admin_dsn(self) -> str:
        """The administrator's connection string."""
        return self.server.admin_dsn(self.name)


@dataclass
class PostgresForTests:
    """A running server; `fresh_database` copies a template that was migrated once."""

    server: EmbeddedPostgres
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        migrate(self.server.dsn(MIGRATOR, GATE_DATABASE))

    def fresh_database(self) -> GateDatabase:
        """Return a gate database of its own: migrated, empty."""
        name = f"gate_{next(self._numbers)}"
        with psycopg.connect(self.server.admin_dsn(), autocommit=True) as connection:
            make_database(connection, Database(name, OWNER, _CONNECT), template=GATE_DATABASE)
        return GateDatabase(self.server, name)

    def drop(self, database: GateDatabase) -> None:
        """Drop a database, and end whoever is still connected to it."""
        with psycopg.connect(self.server.admin_dsn(), autocommit=True) as connection:
            statement = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(statement.format(sql.Identifier(database.name)))


def bindir_for_tests() -> Path | None:
    """The programs that tests run on; None is the wheel's."""
    named = os.environ.get(BINDIR_VARIABLE)
    return Path(named) if named else None


@contextmanager
def folder() -> Iterator[Path]:
    """A short path that other users may pass through, as a server that is not run by root needs."""
    path = Path(tempfile.mkdtemp(prefix="dt-pg-"))
    path.chmod(0o711)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def postgres_for_tests() -> Iterator[PostgresForTests]:
    """A server that is gone, with its data, when the block ends."""
    with folder() as path:
        server = EmbeddedPostgres(path / "data", path / "s", bindir=bindir_for_tests())
        # A run of tests that is killed leaves no server behind.
        server.start(die_with_parent=True)
        try:
            yield PostgresForTests(server)
        finally:
            server.stop()
