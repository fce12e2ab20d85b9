"""A server's clock that jumps in both directions, and the times of the rows.

The function reads PostgreSQL's clock_timestamp(), which no setting moves. Here it is the shipped function, word for
word, but that its one reading of the clock is replaced by a reading of a table, in a database of the test's own.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest
from doublethink_ledger import check_log
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sim.append import BLOCKED, OPENS, SENT, call, row, stored
from sim.database import PostgresForTests

pytestmark = pytest.mark.postgres

_NOW_US = 1_790_000_000_000_000
_HOUR_US = 3_600_000_000
_READS_THE_CLOCK = "clock_timestamp()"
_CLOCK = """
CREATE SCHEMA clock;
CREATE TABLE clock.hand (us bigint NOT NULL);
INSERT INTO clock.hand VALUES (0);
CREATE FUNCTION clock.reading() RETURNS timestamptz LANGUAGE sql VOLATILE
RETURN (SELECT timestamptz 'epoch' + us * interval '1 microsecond' FROM clock.hand);
GRANT USAGE ON SCHEMA clock TO doublethink_owner;
GRANT SELECT ON clock.hand TO doublethink_owner;
"""


@dataclass(frozen=True)
class Clocked:
    """A gate's connection to a ledger whose clock the administrator's connection sets."""

    gate: psycopg.Connection
    admin: psycopg.Connection

    def set(self, us: int) -> None:
        """Put the clock, in microseconds since 1970."""
        self.admin.execute("UPDATE clock.hand SET us = %s", (us,))


@pytest.fixture(scope="module")
def clocked(postgres: PostgresForTests) -> Iterator[Clocked]:
    """A ledger with a clock of its own."""
    database = postgres.fresh_database()
    with (
        psycopg.connect(database.admin_dsn(), autocommit=True) as admin,
        psycopg.connect(database.dsn(), autocommit=True) as gate,
    ):
        admin.execute(_CLOCK)
        found = admin.execute("SELECT pg_get_functiondef('ledger.append'::regproc)").fetchone()
        assert found is not None
        assert found[0].count(_READS_THE_CLOCK) == 1
        admin.execute(found[0].replace(_READS_THE_CLOCK, "clock.reading()").encode())
        yield Clocked(gate, admin)
    postgres.drop(database)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(1, 3)), min_size=1, max_size=12))
@example([(0, 1), (5, 2), (-5, 2), (0, 1), (30, 1), (29, 1), (31, 1)])
def test_times_never_fall_however_the_clock_jumps(clocked: Clocked, jumps: list[tuple[int, int]]) -> None:
    """A row takes the clock's time or, where the clock is behind it, the last row's; every chain and the log check.

    A clock that was ahead and is set right again holds the time still until it is past that hour, and no row is
    refused or lost meanwhile.
    """
    before = stored(clocked.gate)
    latest = before[-1].at_us if before else 0
    session = uuid.uuid4()
    bodies = [OPENS, *[SENT, BLOCKED] * 18]
    for hours, count in jumps:
        now = _NOW_US + hours * _HOUR_US + len(before)
        clocked.set(now)
        batch, bodies = [row(session, body) for body in bodies[:count]], bodies[count:]
        answers = call(clocked.gate, batch)
        assert [answer.status for answer in answers] == ["appended"] * count
        latest = max(latest, now)
        assert [answer.at_us for answer in answers] == [latest] * count
    rows = stored(clocked.gate)
    assert check_log(rows).size == len(rows) == len(before) + sum(count for _, count in jumps)


def test_a_clock_before_1970_writes_no_time_below_zero(clocked: Clocked) -> None:
    """Behind a ledger's last row even such a clock changes nothing."""
    clocked.set(_NOW_US)
    session = uuid.uuid4()
    first = call(clocked.gate, [row(session, OPENS)])[0]
    clocked.set(-_HOUR_US)
    second = call(clocked.gate, [row(session, SENT)])[0]
    assert first.at_us == second.at_us
    assert first.at_us is not None
    assert first.at_us >= 0
