"""The append function and the writer against a real server: order, races, retries, refusals."""

from __future__ import annotations

import asyncio
import time
import uuid

import psycopg
import pytest
from doublethink_gate.ledger import (
    LostRace,
    NotWritten,
    RowConflict,
    RowRefused,
    SessionAlreadyOpen,
    SessionClosed,
    SessionNotOpen,
)
from doublethink_gate.ledger.call import append
from doublethink_ledger import BodyValue, Kind, check_chain, check_log
from sim.database import GateDatabase
from sim.ledger import CLOSE, DEADLINE_S, OPEN, WHO, Gate, attempt, gate, outcome

pytestmark = pytest.mark.postgres

RESPONSE = "c" * 64


async def write(
    g: Gate, session: uuid.UUID, kind: Kind, body: dict[str, BodyValue], expect_n: int | None = None
) -> int:
    """Append a row with a payload where its kind needs one; return its n."""
    payload = b"payload" if kind in (Kind.ATTEMPT, Kind.HELD, Kind.FACT) else None
    row = await g.writer.append(session, kind, body, payload, expect_n=expect_n, deadline_s=DEADLINE_S)
    return row.n


async def test_a_session_from_open_to_close(gate_database: GateDatabase) -> None:
    """Rows come back contiguous, chained and with the payload that was committed to."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        tried = await g.writer.append(
            session, Kind.ATTEMPT, attempt(), b"halvorsen pumps revenue", expect_n=0, deadline_s=DEADLINE_S
        )
        await write(g, session, Kind.OUTCOME, outcome(tried.id))
        await write(g, session, Kind.SESSION_CLOSE, CLOSE)
        rows = await g.reader.session_rows(session)
        head = check_chain(rows)
        assert (head.n, head.seq, head.closed) == (3, 3, True)
        assert rows[1] == tried.row
        assert (await g.reader.open_payload(rows[1])).payload == b"halvorsen pumps revenue"
        assert await g.reader.session_rows(session, after_n=1) == rows[2:]
        assert await g.reader.rows_after(1) == rows[2:]
        assert await g.reader.row(tried.id) == tried.row
        assert await g.reader.row(uuid.uuid4()) is None


async def test_every_kind_of_row_is_written_and_read(gate_database: GateDatabase) -> None:
    """Each kind of the closed set passes the function, and the whole log checks."""
    digest, page, fact = "d" * 64, "pag_" + "a" * 26, "fct_" + "a" * 26
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        request = {**WHO, "rules": ["secret.number.words"], "method": "search", "host_commit": digest}
        held = await g.writer.append(
            session, Kind.HELD, {**request, "verdict": "ask"}, b"q", deadline_s=DEADLINE_S
        )
        await write(
            g,
            session,
            Kind.APPROVAL,
            {**WHO, "of": str(held.id), "verdict": "approve", "approver": digest},
        )
        sent = await g.writer.append(
            session,
            Kind.ATTEMPT,
            {**request, "verdict": "rewrite", "of": str(held.id), "original": digest},
            b"q",
            expect_n=0,
            deadline_s=DEADLINE_S,
        )
        await write(g, session, Kind.OUTCOME, outcome(sent.id, RESPONSE))
        await write(
            g,
            session,
            Kind.FACT,
            {**WHO, "of": str(sent.id), "fact": fact, "page": page, "page_sha256": digest},
        )
        await write(g, session, Kind.SESSION_CLOSE, CLOSE)
        maintenance = await g.open()
        redaction = {**WHO, "of": str(sent.id), "of_session": "ses_" + "a" * 26, "of_n": sent.n}
        await write(g, maintenance, Kind.REDACTION, {**redaction, "reason": "retention"})
        checker = check_log(await g.reader.rows_after())
        assert checker.size == 9
        assert [head.n for head in checker.heads()] == [6, 1]


async def test_the_same_row_again_is_the_same_row(gate_database: GateDatabase) -> None:
    """A retry of a row that is there is acknowledged with the values of the first time, even after the
    close.
    """
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        row = await g.writer.prepare(session, Kind.ATTEMPT, attempt(), b"q", expect_n=0)
        first = await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        again = await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        await write(g, session, Kind.SESSION_CLOSE, CLOSE)
        after = await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        assert first == again == after
        assert len(await g.reader.rows_after()) == 3


async def test_an_id_belongs_to_one_row(gate_database: GateDatabase) -> None:
    """The id of one row under another body, or in another session, is a conflict and changes nothing."""
    async with gate(gate_database.dsn()) as g:
        session, other = await g.open(), await g.open()
        first = await g.writer.append(
            session, Kind.ATTEMPT, attempt(), b"q", expect_n=0, deadline_s=DEADLINE_S
        )
        for where in (session, other):
            with pytest.raises(RowConflict):
                await g.writer.append(
                    where,
                    Kind.ATTEMPT,
                    attempt("block"),
                    b"q",
                    row_id=first.id,
                    deadline_s=DEADLINE_S,
                )
        assert await g.reader.row(first.id) == first.row
        assert len(await g.reader.rows_after()) == 3


async def test_an_attempt_that_did_not_see_the_last_change_loses(gate_database: GateDatabase) -> None:
    """Allowed attempts and stored responses outdate an expectation; blocked attempts and plain outcomes
    do not.
    """
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        blocked = await write(g, session, Kind.ATTEMPT, attempt("block"), expect_n=0)
        sent = await write(g, session, Kind.ATTEMPT, attempt(), expect_n=0)
        assert (blocked, sent) == (1, 2)
        with pytest.raises(LostRace):
            await write(g, session, Kind.ATTEMPT, attempt("rewrite"), expect_n=0)
        await write(g, session, Kind.OUTCOME, outcome(uuid.uuid4()))
        again = await write(g, session, Kind.ATTEMPT, attempt("rewrite"), expect_n=sent)
        answered = await write(g, session, Kind.OUTCOME, outcome(uuid.uuid4(), RESPONSE))
        with pytest.raises(LostRace):
            await write(g, session, Kind.ATTEMPT, attempt(), expect_n=again)
        await write(g, session, Kind.ATTEMPT, attempt(), expect_n=answered)
        check_chain(await g.reader.session_rows(session))


async def test_one_of_many_racing_attempts_wins(gate_database: GateDatabase) -> None:
    """Of ten attempts from two gates that saw the same state, one is written; the others learn that they
    lost.
    """
    async with gate(gate_database.dsn()) as one, gate(gate_database.dsn()) as two:
        session = await one.open()
        answers = await asyncio.gather(
            *(write((one, two)[i % 2], session, Kind.ATTEMPT, attempt(), expect_n=0) for i in range(10)),
            return_exceptions=True,
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["LostRace"] * 9 + ["int"]
        assert len(await one.reader.session_rows(session)) == 2


async def test_a_loser_in_a_batch_harms_its_own_session_only(gate_database: GateDatabase) -> None:
    """Later attempts of the loser's session are refused too; its other rows and every stranger's are
    written.
    """
    async with gate(gate_database.dsn()) as g:
        mine, other = await g.open(), await g.open()
        prepare = g.writer.prepare
        batch = [
            await prepare(mine, Kind.ATTEMPT, attempt(), b"1", expect_n=0),
            await prepare(mine, Kind.ATTEMPT, attempt(), b"2", expect_n=0),
            await prepare(other, Kind.ATTEMPT, attempt(), b"3", expect_n=0),
            await prepare(mine, Kind.ATTEMPT, attempt(), b"4", expect_n=1),
            await prepare(mine, Kind.OUTCOME, outcome(uuid.uuid4())),
            await prepare(mine, Kind.ATTEMPT, attempt("block"), b"5"),
            await prepare(other, Kind.ATTEMPT, attempt("block"), b"6"),
        ]
        connection = await psycopg.AsyncConnection.connect(gate_database.dsn(), autocommit=True)
        async with connection:
            answers = await append(connection, batch)
        assert [(answer.status, answer.n) for answer in answers] == [
            ("appended", 1),
            ("lost_race", None),
            ("appended", 1),
            ("lost_race", None),
            ("appended", 2),
            ("lost_race", None),
            ("appended", 2),
        ]
        assert check_log(await g.reader.rows_after()).size == 6


async def test_no_row_follows_the_close(gate_database: GateDatabase) -> None:
    """A closed session takes no row of any kind, not in the same batch and not later."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        results = await asyncio.gather(
            write(g, session, Kind.SESSION_CLOSE, CLOSE),
            write(g, session, Kind.OUTCOME, outcome(uuid.uuid4())),
            return_exceptions=True,
        )
        assert results[0] == 1
        assert isinstance(results[1], SessionClosed)
        for kind, body, expect_n in (
            (Kind.ATTEMPT, attempt(), 0),
            (Kind.ATTEMPT, attempt("block"), None),
            (Kind.SESSION_CLOSE, CLOSE, None),
            (Kind.SESSION_OPEN, OPEN, None),
        ):
            with pytest.raises(SessionClosed):
                await write(g, session, kind, body, expect_n)
        assert check_chain(await g.reader.session_rows(session)).n == 1


async def test_a_session_begins_once_with_its_open_row(gate_database: GateDatabase) -> None:
    """No row comes before session.open, and there is only one."""
    async with gate(gate_database.dsn()) as g:
        with pytest.raises(SessionNotOpen):
            await write(g, uuid.uuid4(), Kind.OUTCOME, outcome(uuid.uuid4()))
        session = await g.open()
        with pytest.raises(SessionAlreadyOpen):
            await g.open(session)
        assert len(await g.reader.rows_after()) == 1


@pytest.mark.parametrize(
    ("kind", "body", "expect_n"),
    [
        pytest.param(Kind.ATTEMPT, attempt(), None, id="an attempt that may be sent, without expectation"),
        pytest.param(Kind.ATTEMPT, attempt("rewrite"), None, id="a rewritten one, without expectation"),
        pytest.param(Kind.ATTEMPT, attempt(), 7, id="an expectation ahead of the session"),
        pytest.param(Kind.OUTCOME, outcome(uuid.UUID(int=1)), 0, id="an expectation on an outcome"),
    ],
)
async def test_a_wrong_expectation_is_refused(
    gate_database: GateDatabase, kind: Kind, body: dict[str, BodyValue], expect_n: int | None
) -> None:
    """An expectation that is missing, out of place, or ahead of the session is a fault, not a lost race."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        with pytest.raises(RowRefused):
            await write(g, session, kind, body, expect_n)
        assert len(await g.reader.rows_after()) == 1


async def test_a_row_never_exists_without_its_payload(gate_database: GateDatabase) -> None:
    """A commitment without a ciphertext, and a ciphertext without a commitment, are refused by the
    database.
    """
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        whole = await g.writer.prepare(session, Kind.ATTEMPT, attempt(), b"q", expect_n=0)
        plain = await g.writer.prepare(session, Kind.OUTCOME, outcome(uuid.uuid4()))
        mixed = [
            type(whole)(session, uuid.uuid4(), whole.kind, whole.body, None, 0),
            type(plain)(session, uuid.uuid4(), plain.kind, plain.body, whole.payload, None),
        ]
        for row in mixed:
            with pytest.raises(RowRefused):
                await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        assert len(await g.reader.rows_after()) == 1
        with psycopg.connect(gate_database.dsn()) as connection:
            assert connection.execute("SELECT count(*) FROM ledger.payload").fetchone() == (0,)


async def test_time_never_runs_backwards(gate_database: GateDatabase) -> None:
    """When the clock is behind the last row, as after it was set back, the row takes the last row's time."""
    future_us = time.time_ns() // 1000 + 3600 * 1_000_000
    async with gate(gate_database.dsn()) as g:
        first = await g.open()
        with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
            # A row from an hour ahead is what a clock leaves that is set back by an hour.
            connection.execute("ALTER TABLE ledger.entry DISABLE TRIGGER ALL")
            connection.execute("UPDATE ledger.entry SET at_us = %s", (future_us,))
            connection.execute("ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_statement")
            connection.execute("ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_row")
        second = await g.open()
        later = await g.writer.append(first, Kind.SESSION_CLOSE, CLOSE, deadline_s=DEADLINE_S)
        assert (await g.reader.rows_after(0))[0].at_us == future_us
        assert later.at_us == future_us
        assert (await g.reader.session_rows(second))[0].seq == 1


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
async def test_only_read_committed_may_append(gate_database: GateDatabase, level: str) -> None:
    """Under a fixed snapshot the function refuses: it would not see rows committed while it waited."""
    async with gate(gate_database.dsn()) as g:
        row = await g.writer.prepare(await g.open(), Kind.ATTEMPT, attempt(), b"q", expect_n=0)
        async with await psycopg.AsyncConnection.connect(gate_database.dsn(), autocommit=True) as connection:
            await connection.execute(f"BEGIN ISOLATION LEVEL {level}")
            with pytest.raises(psycopg.Error) as caught:
                await append(connection, [row])
            assert caught.value.sqlstate == "DT001"
            await connection.execute("ROLLBACK")
        assert len(await g.reader.rows_after()) == 1


@pytest.mark.parametrize("value", ["off", "local", "remote_write"])
async def test_only_durable_commits_may_append(gate_database: GateDatabase, value: str) -> None:
    """With synchronous_commit weaker than on, the function refuses and nothing is written."""
    async with gate(gate_database.dsn()) as g:
        row = await g.writer.prepare(await g.open(), Kind.ATTEMPT, attempt(), b"q", expect_n=0)
        async with await psycopg.AsyncConnection.connect(gate_database.dsn(), autocommit=True) as connection:
            await connection.execute(f"SET synchronous_commit = {value}")
            with pytest.raises(psycopg.Error) as caught:
                await append(connection, [row])
            assert caught.value.sqlstate == "DT002"
        assert len(await g.reader.rows_after()) == 1


async def test_a_malformed_batch_is_refused_whole(gate_database: GateDatabase) -> None:
    """No items, too many, arrays of different lengths and nulls are refused with a code of their own."""
    item = (uuid.uuid4(), uuid.uuid4(), b"{}", -1, 0, b"", b"")
    columns: list[list[object]] = [[value] for value in item]
    bad: dict[str, list[list[object] | None]] = {
        "no items": [[] for _ in columns],
        "257 items": [column * 257 for column in columns],
        "unequal": [columns[0] * 2, *columns[1:]],
        "a null": [[None], *columns[1:]],
        "no array": [None, *columns[1:]],
    }
    statement = (
        "SELECT * FROM ledger.append(%s::uuid[], %s::uuid[], %s::bytea[], %s::bigint[],"
        " %s::integer[], %s::bytea[], %s::bytea[])"
    )
    async with await psycopg.AsyncConnection.connect(gate_database.dsn(), autocommit=True) as connection:
        for arguments in bad.values():
            with pytest.raises(psycopg.Error) as caught:
                await connection.execute(statement, arguments)
            assert caught.value.sqlstate == "DT003"


async def test_a_payload_opens_only_at_its_own_row(gate_database: GateDatabase) -> None:
    """Every payload of many rows opens as what was given, empty and binary ones included."""
    payloads = [b"", b"\x00" * 1000, bytes(range(256)) * 100, "42 €".encode()]
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        rows = [
            await g.writer.append(session, Kind.ATTEMPT, attempt("block"), payload, deadline_s=DEADLINE_S)
            for payload in payloads
        ]
        opened = [await g.reader.open_payload(row.row) for row in rows]
        assert [one.payload for one in opened] == payloads


def test_every_refusal_means_not_written() -> None:
    """A caller that handles NotWritten handles each certain refusal."""
    for error in (LostRace, RowConflict, RowRefused, SessionAlreadyOpen, SessionClosed, SessionNotOpen):
        assert issubclass(error, NotWritten)
