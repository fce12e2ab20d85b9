"""The throwaway PostgreSQL server, shared by a whole run and started when the first test asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sim.database import GateDatabase, PostgresForTests, postgres_for_tests


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresForTests]:
    """A running server; `postgres.fresh_database()` gives a migrated gate database."""
    with postgres_for_tests() as running:
        yield running


@pytest.fixture
def gate_database(postgres: PostgresForTests) -> Iterator[GateDatabase]:
    """A gate database for one test."""
    database = postgres.fresh_database()
    yield database
    postgres.drop(database)
