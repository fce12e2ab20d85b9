"""The race between gates for the next attempt: whatever comes in between, only one that saw the last change wins."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from doublethink_gate.ledger.call import Answer
from doublethink_gate.ledger.rows import PreparedRow
from doublethink_ledger import check_chain
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.append import ALLOWED, ANSWERED, BLOCKED, OPENS, REWRITTEN, SENT, call, row, stored
from sim.database import PostgresForTests

pytestmark = pytest.mark.postgres

_GATES = 6
_MAY_BE_SENT = (ALLOWED, REWRITTEN)
_CHANGES = (ALLOWED, REWRITTEN, ANSWERED)
_WAIT_S = 60.0


@pytest.fixture(scope="module")
def gates(postgres: PostgresForTests) -> Iterator[list[psycopg.Connection]]:
    """Six gates' connections to one ledger."""
    database = postgres.fresh_database()
    connections = [psycopg.connect(database.dsn(), autocommit=True) for _ in range(_GATES)]
    yield connections
    for connection in connections:
        connection.close()
    postgres.drop(database)


def at_once(
    gates: list[psycopg.Connection], batches: list[list[PreparedRow]]
) -> list[tuple[PreparedRow, Answer]]:
    """Send one batch from each gate at the same moment; return every item with its answer."""
    start = Barrier(len(batches))

    def one(gate: psycopg.Connection, batch: list[PreparedRow]) -> list[tuple[PreparedRow, Answer]]:
        start.wait(_WAIT_S)
        return list(zip(batch, call(gate, batch), strict=True))

    with ThreadPoolExecutor(len(batches)) as pool:
        done = pool.map(one, gates, batches, timeout=_WAIT_S)
        return [pair for pairs in done for pair in pairs]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_of_six_gates_that_saw_the_same_one_wins(gates: list[psycopg.Connection], waves: list[int]) -> None:
    """In every wave exactly one attempt is written and five lose, with any rows in front that change nothing."""
    session = uuid.uuid4()
    call(gates[0], [row(session, OPENS)])
    seen = 0
    for idle in waves:
        batches = [[*(row(session, SENT) for _ in range(idle)), row(session, ALLOWED, seen)] for _ in gates]
        answers = at_once(gates, batches)
        raced = [answer for item, answer in answers if item.body == ALLOWED]
        assert sorted(answer.status for answer in raced) == ["appended", *["lost_race"] * (_GATES - 1)]
        seen = next(answer.n for answer in raced if answer.n is not None)
    check_chain(stored(gates[0], session))


_PLAN = st.lists(
    st.tuples(st.sampled_from([ALLOWED, REWRITTEN, BLOCKED, SENT, ANSWERED]), st.integers(0, 2)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(_PLAN, min_size=_GATES, max_size=_GATES), min_size=1, max_size=3))
def test_no_interleaving_lets_two_attempts_pass_on_one_state(
    gates: list[psycopg.Connection], waves: list[list[list[tuple[bytes, int]]]]
) -> None:
    """Six gates append any batches to one session at once, with fresh and stale expectations.

    Every attempt that was written saw the last change before it, no two saw the same one, and every attempt that lost
    has a reason: a change after what it expected, or an attempt before it in its batch that lost.
    """
    session = uuid.uuid4()
    call(gates[0], [row(session, OPENS)])
    answers: list[tuple[PreparedRow, Answer]] = []
    changes = [0]
    for plans in waves:
        batches = [
            [
                row(session, body, _expected(changes, age) if body in _MAY_BE_SENT else None)
                for body, age in plan
            ]
            for plan in plans
        ]
        answered = at_once(gates, batches)
        answers += answered
        lost = {item.id for item, answer in answered if answer.status == "lost_race"}
        changes = [0, *(one.n for one in stored(gates[0], session) if one.body in _CHANGES)]
        for batch in batches:
            loser_before = False
            for item in batch:
                if item.id in lost:
                    stale = item.expect_n is not None and changes[-1] > item.expect_n
                    assert loser_before or stale
                    loser_before = True

    rows = stored(gates[0], session)
    check_chain(rows)
    by_id = {item.id: item for item, _ in answers}
    last_change = 0
    winners: list[int] = []
    for one in rows[1:]:
        item = by_id[uuid.UUID(bytes=one.id)]
        if item.body in _MAY_BE_SENT:
            assert item.expect_n is not None
            assert item.expect_n >= last_change
            winners.append(last_change)
        if item.body in _CHANGES:
            last_change = one.n
    assert len(set(winners)) == len(winners)
    written = {item.id for item, answer in answers if answer.status == "appended"}
    assert written == {uuid.UUID(bytes=one.id) for one in rows[1:]}
    assert {answer.status for _, answer in answers} <= {"appended", "lost_race"}


def _expected(changes: list[int], age: int) -> int:
    """The n of the last change, or of one before it."""
    return changes[max(0, len(changes) - 1 - age)]
