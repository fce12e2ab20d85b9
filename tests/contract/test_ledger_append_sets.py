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
from doublethink_gate.ledger.payload import SealedPayload
from doublethink_gate.ledger.rows import PreparedRow
from doublethink_ledger import Kind, Row, check_log, decode_body, encode_body
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from psycopg.rows import args_row, class_row
from sim.database import GateDatabase, PostgresForTests
from sim.ledger import CLOSE, OPEN, attempt, outcome

pytestmark = pytest.mark.postgres

_DIGEST = "d" * 64
_SEALED = SealedPayload(1, bytes(12), bytes(64))
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
            admin.execute("TRUNCATE ledger.entry, ledger.payload")
            for table in ("entry", "payload"):
                for trigger in ("statement", "row"):
                    admin.execute(f"ALTER TABLE ledger.{table} ENABLE ALWAYS TRIGGER {table}_{trigger}")


def _reference_function() -> str:
    text = (files("doublethink_gate.database") / "schema" / "0001_ledger.sql").read_text()
    begin = text.index("CREATE FUNCTION ledger.append(")
    return text[begin : text.index("$$;", text.index("AS $$", begin)) + 3]


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
    [
        encode_body({**OPEN, "kind": "session.open"}),
        encode_body({**CLOSE, "kind": "session.close"}),
        *(
            encode_body({**attempt(verdict), "kind": "attempt", "commit": _DIGEST, "bytes": 1})
            for verdict in ("allow", "rewrite", "block")
        ),
        encode_body({**outcome(uuid.UUID(int=7)), "kind": "outcome"}),
        encode_body({**outcome(uuid.UUID(int=7), _DIGEST), "kind": "outcome"}),
        b"[]",
        b'{"verdict":"allow"}',
    ]
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
        _SEALED if fits is not wrong else None,
        expectation,
    )


def _call(connection: psycopg.Connection, batch: list[PreparedRow]) -> list[Answer]:
    payloads = [row.payload for row in batch]
    with connection.cursor(row_factory=args_row(Answer), binary=True) as cursor:
        cursor.execute(
            "SELECT * FROM ledger.append(%b::uuid[], %b::uuid[], %b::bytea[], %b::bigint[], %b::integer[],"
            " %b::bytea[], %b::bytea[])",
            (
                [row.session for row in batch],
                [row.id for row in batch],
                [row.body for row in batch],
                [-1 if row.expect_n is None else row.expect_n for row in batch],
                [payload.key_version if payload else 0 for payload in payloads],
                [payload.iv if payload else b"" for payload in payloads],
                [payload.ciphertext if payload else b"" for payload in payloads],
            ),
        )
        return cursor.fetchall()


def _stored(connection: psycopg.Connection) -> list[Row]:
    with connection.cursor(row_factory=class_row(Row)) as cursor:
        cursor.execute(
            "SELECT seq, uuid_send(session) AS session, n, uuid_send(id) AS id, at_us, prev,"
            " sha256(body) AS body_sha256, hash, body FROM ledger.entry ORDER BY seq"
        )
        return cursor.fetchall()


def _timeless(answer: Answer) -> Answer:
    # The two ran at different times, on which the hashes depend.
    return answer._replace(
        at_us=None if answer.at_us is None else 0,
        prev=None if answer.prev is None else b"",
        hash=None if answer.hash is None else b"",
    )


def _row(session: int, id: int, body: bytes, expect_n: int | None = None) -> PreparedRow:
    payload = _SEALED if b'"commit"' in body else None
    return PreparedRow(uuid.UUID(int=session), uuid.UUID(int=id), Kind.ATTEMPT, body, payload, expect_n)


_OPENS = encode_body({**OPEN, "kind": "session.open"})
_TRIES = encode_body({**attempt(), "kind": "attempt", "commit": _DIGEST, "bytes": 1})
_ANSWERED = encode_body({**outcome(uuid.UUID(int=7), _DIGEST), "kind": "outcome"})
_BLOCKED = encode_body({**attempt("block"), "kind": "attempt", "commit": _DIGEST, "bytes": 1})


@given(st.lists(st.lists(_items(), min_size=1, max_size=24), min_size=1, max_size=5))
@example([[_row(1, 1, _OPENS), _row(1, 1, _OPENS), _row(2, 1, _OPENS)], [_row(1, 1, _OPENS)]])
@example([[_row(1, 1, _OPENS), _row(1, 2, _TRIES, 0), _row(1, 3, _TRIES, 0), _row(1, 3, _TRIES, 1)]])
# The change lies before the head and after the expectation.
@example([[_row(1, 1, _OPENS), _row(1, 2, _ANSWERED), _row(1, 3, _BLOCKED)], [_row(1, 4, _TRIES, 0)]])
@example([[_row(1, 1, _OPENS), _row(1, 2, _ANSWERED), _row(1, 3, _BLOCKED)], [_row(1, 4, _TRIES, 1)]])
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_batches_get_the_answers_of_the_reference(pair: Pair, batches: list[list[PreparedRow]]) -> None:
    """Same status, seq and n for every item of every batch, same rows and payloads after it, and a log that checks."""
    pair.empty()
    # Every other session is open already, or most items would only learn that theirs is not.
    opening = [_row(session.int, 900 + session.int, _OPENS) for session in _SESSIONS[1:]]
    for batch in (opening, *batches):
        ours = _call(pair.ours, batch)
        reference = _call(pair.reference, batch)
        assert [_timeless(one) for one in ours] == [_timeless(one) for one in reference]
    stored = _stored(pair.ours)
    assert check_log(stored).size == len(stored)
    bare = [replace(row, at_us=0, prev=bytes(32), hash=bytes(32)) for row in stored]
    other = [replace(row, at_us=0, prev=bytes(32), hash=bytes(32)) for row in _stored(pair.reference)]
    assert bare == other
    query = "SELECT id, key_version, iv, ciphertext FROM ledger.payload ORDER BY id"
    payloads = pair.ours.execute(query).fetchall()
    assert payloads == pair.reference.execute(query).fetchall()
    assert {row[0] for row in payloads} == {
        uuid.UUID(bytes=row.id) for row in stored if row.body and "commit" in decode_body(row.body)
    }


def test_the_largest_batch_is_256_items(pair: Pair) -> None:
    """256 items are answered each; none, one more, and columns of different lengths are refused and write nothing."""
    pair.empty()
    batch = [_row(number, number, _OPENS) for number in range(1, 257)]
    assert [answer.seq for answer in _call(pair.ours, batch)] == list(range(256))
    for wrong in ([], [*batch, _row(300, 300, _OPENS)]):
        with pytest.raises(psycopg.Error) as caught:
            _call(pair.ours, wrong)
        assert caught.value.sqlstate == "DT003"
    assert len(_stored(pair.ours)) == 256


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
    values = () if column == 2 else (_OPENS,)
    call = f"SELECT * FROM ledger.append({', '.join(columns)})"  # noqa: S608 - words of this file alone
    with pytest.raises(psycopg.Error) as caught:
        pair.ours.execute(call.encode(), values)
    assert caught.value.sqlstate == "DT003"
    assert _stored(pair.ours) == []
