"""The append by sets answers what the append row by row answered, whatever the batches are.

The reference is the function of the first migration, which decides one item after the other with a look at the
table for each; it is read from that file and runs in a database of its own.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files

import psycopg
import pytest
from doublethink_gate.ledger.call import Answer
from doublethink_gate.ledger.rows import PreparedRow
from doublethink_ledger import Kind, check_log, decode_body
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sim.append import ALLOWED, ANSWERED, BLOCKED, CLOSES, OPENS, REWRITTEN, SEALED, SENT, call, row, stored
from sim.database import GateDatabase, PostgresForTests

pytestmark = pytest.mark.postgres

_MOST_EXPECTED = 6


@dataclass(frozen=True)
class Pair:
    """Connections of the gate's role: to the function as it is, and to the reference."""

    ours: psycopg.Connection
    reference: psycopg.Connection
    admins: tuple[psycopg.Connection, psycopg.Connection]

    def empty(self) -> None:
        """Leave both ledgers without a row."""
        for admin in self.admins:
            admin.execute("ALTER TABLE ledger.entry DISABLE TRIGGER ALL")
            admin.execute("ALTER TABLE ledger.payload DISABLE TRIGGER ALL")
            admin.execute("TRUNCATE ledger.entry, ledger.payload, gate.reason")
            for table in ("entry", "payload"):
                for trigger in ("statement", "row"):
                    admin.execute(f"ALTER TABLE ledger.{table} ENABLE ALWAYS TRIGGER {table}_{trigger}")


def _reference_function() -> str:
    text = (files("doublethink_gate.database") / "schema" / "0001_ledger.sql").read_text()
    # What it calls was dropped since.
    called = text.index("CREATE FUNCTION ledger.changes_check_state(")
    begin = text.index("CREATE FUNCTION ledger.append(")
    end = text.index("$$;", text.index("AS $$", begin)) + 3
    return text[called : text.index("REVOKE", called)] + text[begin:end]


@pytest.fixture(scope="module")
def pair(postgres: PostgresForTests) -> Iterator[Pair]:
    """Two migrated databases, of which one has the reference in the place of the function."""
    databases: list[GateDatabase] = [postgres.fresh_database(), postgres.fresh_database()]
    admins = [psycopg.connect(database.admin_dsn(), autocommit=True) for database in databases]
    gates = [psycopg.connect(database.dsn(), autocommit=True) for database in databases]
    # The settings of the newer function would stay with the replaced one.
    admins[1].execute("ALTER FUNCTION ledger.append RESET ALL")
    admins[1].execute(_reference_function().replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION").encode())
    yield Pair(gates[0], gates[1], (admins[0], admins[1]))
    for connection in (*admins, *gates):
        connection.close()
    for database in databases:
        postgres.drop(database)


_SESSIONS = [uuid.UUID(int=number) for number in range(1, 4)]
# Few enough that some come twice, in one batch or in two.
_IDS = st.integers(1, 40).map(lambda number: uuid.UUID(int=1000 + number))

_BODIES = st.sampled_from(
    [OPENS, CLOSES, ALLOWED, REWRITTEN, BLOCKED, SENT, ANSWERED, b"[]", b'{"verdict":"allow"}']
)


@st.composite
def _items(draw: st.DrawFn) -> PreparedRow:
    body = draw(_BODIES)
    fits = b'"commit"' in body
    wrong = draw(st.integers(0, 19)) == 0
    # No expectation is drawn as often as all the others together.
    expectation = draw(st.one_of(st.none(), st.integers(0, _MOST_EXPECTED)))
    return PreparedRow(
        draw(st.sampled_from(_SESSIONS)),
        draw(_IDS),
        Kind.ATTEMPT,
        body,
        SEALED if fits is not wrong else None,
        expectation,
    )


def _timeless(answer: Answer) -> Answer:
    # The two ran at different times, on which the hashes depend.
    return answer._replace(
        at_us=None if answer.at_us is None else 0,
        prev=None if answer.prev is None else b"",
        hash=None if answer.hash is None else b"",
    )


def _row(session: int, id: int, body: bytes, expect_n: int | None = None) -> PreparedRow:
    return row(uuid.UUID(int=session), body, expect_n, uuid.UUID(int=id))


@given(st.lists(st.lists(_items(), min_size=1, max_size=24), min_size=1, max_size=5))
@example([[_row(1, 1, OPENS), _row(1, 1, OPENS), _row(2, 1, OPENS)], [_row(1, 1, OPENS)]])
@example([[_row(1, 1, OPENS), _row(1, 2, ALLOWED, 0), _row(1, 3, ALLOWED, 0), _row(1, 3, ALLOWED, 1)]])
# The change lies before the head and after the expectation.
@example([[_row(1, 1, OPENS), _row(1, 2, ANSWERED), _row(1, 3, BLOCKED)], [_row(1, 4, ALLOWED, 0)]])
@example([[_row(1, 1, OPENS), _row(1, 2, ANSWERED), _row(1, 3, BLOCKED)], [_row(1, 4, ALLOWED, 1)]])
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_batches_get_the_answers_of_the_reference(pair: Pair, batches: list[list[PreparedRow]]) -> None:
    """Same status, seq and n for every item of every batch, same rows and payloads after it, and a log that checks."""
    pair.empty()
    # Every other session is open already, or most items would only learn that theirs is not.
    opening = [_row(session.int, 900 + session.int, OPENS) for session in _SESSIONS[1:]]
    for batch in (opening, *batches):
        ours = call(pair.ours, batch)
        reference = call(pair.reference, batch)
        assert [_timeless(one) for one in ours] == [_timeless(one) for one in reference]
    ours_stored = stored(pair.ours)
    assert check_log(ours_stored).size == len(ours_stored)
    bare = [replace(one, at_us=0, prev=bytes(32), hash=bytes(32)) for one in ours_stored]
    other = [replace(one, at_us=0, prev=bytes(32), hash=bytes(32)) for one in stored(pair.reference)]
    assert bare == other
    query = "SELECT id, key_version, iv, ciphertext FROM ledger.payload ORDER BY id"
    payloads = pair.ours.execute(query).fetchall()
    assert payloads == pair.reference.execute(query).fetchall()
    assert {id for id, *_ in payloads} == {
        uuid.UUID(bytes=one.id) for one in ours_stored if one.body and "commit" in decode_body(one.body)
    }


def test_the_largest_batch_is_256_items(pair: Pair) -> None:
    """256 items are answered each; none, one more, and columns of different lengths are refused and write nothing."""
    pair.empty()
    batch = [_row(number, number, OPENS) for number in range(1, 257)]
    assert [answer.seq for answer in call(pair.ours, batch)] == list(range(256))
    for wrong in ([], [*batch, _row(300, 300, OPENS)]):
        with pytest.raises(psycopg.Error) as caught:
            call(pair.ours, wrong)
        assert caught.value.sqlstate == "DT003"
    assert len(stored(pair.ours)) == 256


@pytest.mark.parametrize("column", range(7))
@pytest.mark.parametrize("missing", ["NULL::{type}[]", "'{{NULL}}'::{type}[]", "'{{}}'::{type}[]"])
def test_an_incomplete_batch_is_refused(pair: Pair, column: int, missing: str) -> None:
    """A column that is NULL, holds a NULL, or is shorter than the others: DT003, and nothing is written."""
    pair.empty()
    types = ("uuid", "uuid", "bytea", "bigint", "integer", "bytea", "bytea")
    whole = [
        "gen_random_uuid()",
        "gen_random_uuid()",
        "%s::bytea",
        "-1::bigint",
        "0",
        "''::bytea",
        "''::bytea",
    ]
    columns = [f"ARRAY[{value}]" for value in whole]
    columns[column] = missing.format(type=types[column])
    values = () if column == 2 else (OPENS,)
    statement = f"SELECT * FROM ledger.append({', '.join(columns)})"  # noqa: S608 - words of this file alone
    with pytest.raises(psycopg.Error) as caught:
        pair.ours.execute(statement.encode(), values)
    assert caught.value.sqlstate == "DT003"
    assert stored(pair.ours) == []
