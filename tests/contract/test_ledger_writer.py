"""What the writer tells its caller when things go wrong, and what is then true in the database."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from doublethink_gate.failpoints import Point
from doublethink_gate.ledger import (
    CommitUnknown,
    DeadlinePassed,
    LedgerMismatch,
    LedgerUnavailable,
    LedgerWriter,
    PreparedRow,
    QueueFull,
    WriterLimits,
)
from doublethink_ledger import BodyError, Kind, check_log
from doublethink_rpc import failpoint
from sim.database import GateDatabase
from sim.ledger import DEADLINE_S, OPEN, Gate, attempt, gate

pytestmark = pytest.mark.postgres

SOON_S = 0.3

WRAPPER = """
ALTER FUNCTION ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[], bytea[]) RENAME TO honest;
CREATE FUNCTION ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[], bytea[])
RETURNS TABLE (item integer, status text, seq bigint, n bigint, at_us bigint, prev bytea, hash bytea)
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    {before}
    RETURN QUERY SELECT {columns} FROM ledger.honest($1, $2, $3, $4, $5, $6, $7) AS h;
END $$;
GRANT EXECUTE ON FUNCTION ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[], bytea[])
    TO doublethink_gate;
"""

UNWRAP = """
DROP FUNCTION ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[], bytea[]);
ALTER FUNCTION ledger.honest(uuid[], uuid[], bytea[], bigint[], integer[], bytea[], bytea[]) RENAME TO append;
"""

HONEST = {name: f"h.{name}" for name in ("item", "status", "seq", "n", "at_us", "prev", "hash")}


def administer(database: GateDatabase, statements: str) -> None:
    """Run statements as the server's administrator."""
    with psycopg.connect(database.admin_dsn(), autocommit=True) as connection:
        connection.execute(statements)


def wrap(database: GateDatabase, before: str = "", **columns: str) -> None:
    """Put a function in front of the real one that acts first, or answers something else."""
    chosen = ", ".join({**HONEST, **columns}.values())
    administer(database, WRAPPER.format(before=before, columns=chosen))


@asynccontextmanager
async def held_lock(database: GateDatabase) -> AsyncIterator[None]:
    """Hold the append lock, so that every append waits until the block ends."""
    async with await psycopg.AsyncConnection.connect(database.admin_dsn()) as connection:
        await connection.execute("LOCK TABLE ledger.turn IN EXCLUSIVE MODE")
        yield


async def waiting_in_database(database: GateDatabase) -> None:
    """Return when an append waits for the lock."""
    async with await psycopg.AsyncConnection.connect(database.admin_dsn(), autocommit=True) as connection:
        for _ in range(1000):
            cursor = await connection.execute(
                "SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database"
                " WHERE relation = 'ledger.turn'::regclass AND NOT granted AND datname = current_database()"
            )
            if await cursor.fetchone() == (1,):
                return
            await asyncio.sleep(0.01)
    pytest.fail("no append waits for the lock")


async def prepared(g: Gate, session: uuid.UUID) -> PreparedRow:
    """A blocked attempt: a row that may always be written."""
    return await g.writer.prepare(session, Kind.ATTEMPT, attempt("block"), b"q")


@pytest.mark.parametrize(
    "changed",
    [
        {"hash": "sha256(h.hash)"},
        {"at_us": "h.at_us + 1"},
        {"n": "h.n + 1"},
        {"n": "0::bigint"},
        {"prev": "sha256(h.prev)"},
        {"hash": "NULL::bytea"},
        {"status": "'fine'"},
        {"n": "-1::bigint"},
    ],
    ids=lambda changed: ",".join(f"{k}={v}" for k, v in changed.items()),
)
async def test_a_wrong_answer_is_never_acknowledged(
    gate_database: GateDatabase, changed: dict[str, str]
) -> None:
    """A database whose values do not hash to its hash gets no acknowledgement, then or later."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        wrap(gate_database, **changed)
        with pytest.raises(LedgerMismatch):
            await g.writer.append_prepared(await prepared(g, session), deadline_s=DEADLINE_S)
        administer(gate_database, UNWRAP)
        with pytest.raises(LedgerMismatch):
            await g.writer.append_prepared(await prepared(g, session), deadline_s=DEADLINE_S)


@pytest.mark.parametrize(
    ("before", "changed"),
    [
        pytest.param("RAISE WARNING 'not replicated';", {}, id="a warning"),
        pytest.param("PERFORM pg_terminate_backend(pg_backend_pid());", {}, id="a lost connection"),
        pytest.param("RAISE 'out of order' USING ERRCODE = '57014';", {}, id="a cancelled statement"),
        pytest.param("RAISE 'full' USING ERRCODE = '53100';", {}, id="a full disk"),
        pytest.param("", {"item": "h.item + 1"}, id="answers to other questions"),
    ],
)
async def test_a_doubtful_commit_is_unknown_and_the_retry_tells(
    gate_database: GateDatabase, before: str, changed: dict[str, str]
) -> None:
    """After any doubt the caller hears CommitUnknown; the same row again is written exactly once."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        row = await prepared(g, session)
        wrap(gate_database, before, **changed)
        with pytest.raises(CommitUnknown) as caught:
            await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        assert caught.value.prepared is row
        administer(gate_database, UNWRAP)
        written = await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        assert written.n == 1
        assert check_log(await g.reader.rows_after()).size == 2


async def test_a_refusing_server_is_unavailable_not_unknown(gate_database: GateDatabase) -> None:
    """Where commits are not durable the row is certainly not written, and the caller hears so."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        row = await prepared(g, session)
        wrap(gate_database, "RAISE 'not durable' USING ERRCODE = 'DT002';")
        with pytest.raises(LedgerUnavailable):
            await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        assert len(await g.reader.rows_after()) == 1


async def test_deadlines_tell_written_from_perhaps_written(gate_database: GateDatabase) -> None:
    """Past its deadline a row in the call is unknown, a waiting row is certainly not written and stays
    out.
    """
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        first, second = await prepared(g, session), await prepared(g, session)
        async with held_lock(gate_database):
            in_call = asyncio.create_task(g.writer.append_prepared(first, deadline_s=SOON_S))
            await waiting_in_database(gate_database)
            with pytest.raises(DeadlinePassed):
                await g.writer.append_prepared(second, deadline_s=SOON_S)
            with pytest.raises(CommitUnknown):
                await in_call
        assert (await g.writer.append_prepared(first, deadline_s=DEADLINE_S)).n == 1
        assert [row.id for row in (await g.reader.rows_after())[1:]] == [first.id.bytes]


async def test_a_cancelled_caller_cancels_no_statement(gate_database: GateDatabase) -> None:
    """Cancelling the caller of a row in the call leaves the call alone: the row is written, the next one
    too.
    """
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        first, second = await prepared(g, session), await prepared(g, session)
        async with held_lock(gate_database):
            in_call = asyncio.create_task(g.writer.append_prepared(first, deadline_s=DEADLINE_S))
            await waiting_in_database(gate_database)
            in_call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await in_call
        await g.writer.append_prepared(second, deadline_s=DEADLINE_S)
        assert [row.id for row in await g.reader.session_rows(session, 0)] == [
            first.id.bytes,
            second.id.bytes,
        ]


async def test_a_call_that_hangs_is_cut_and_unknown(gate_database: GateDatabase) -> None:
    """A call over its bound costs its connection; the writer goes on with a new one."""
    async with gate(gate_database.dsn(), WriterLimits(call_s=SOON_S)) as g:
        session = await g.open()
        row = await prepared(g, session)
        async with held_lock(gate_database):
            with pytest.raises(CommitUnknown):
                await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        assert (await g.writer.append_prepared(row, deadline_s=DEADLINE_S)).n == 1


async def test_the_queue_is_bounded_in_rows_and_bytes(gate_database: GateDatabase) -> None:
    """What would exceed the bound is refused at once; what waits is written when the way is free."""
    limits = WriterLimits(queued_rows=2, queued_bytes=20_000)
    async with gate(gate_database.dsn(), limits) as g:
        session = await g.open()
        rows = [await prepared(g, session) for _ in range(4)]
        large = await g.writer.prepare(session, Kind.ATTEMPT, attempt("block"), b"x" * 20_000)
        async with held_lock(gate_database):
            tasks = [asyncio.create_task(g.writer.append_prepared(rows[0], deadline_s=DEADLINE_S))]
            await waiting_in_database(gate_database)
            tasks.append(asyncio.create_task(g.writer.append_prepared(rows[1], deadline_s=DEADLINE_S)))
            await asyncio.sleep(0)
            with pytest.raises(QueueFull):
                await g.writer.append_prepared(large, deadline_s=DEADLINE_S)
            tasks.append(asyncio.create_task(g.writer.append_prepared(rows[2], deadline_s=DEADLINE_S)))
            await asyncio.sleep(0)
            with pytest.raises(QueueFull):
                await g.writer.append_prepared(rows[3], deadline_s=DEADLINE_S)
        assert [row.n for row in await asyncio.gather(*tasks)] == [1, 2, 3]


async def test_large_rows_are_split_over_calls(gate_database: GateDatabase) -> None:
    """Rows that together exceed the bytes of one call go in several, each row in its order."""
    async with gate(gate_database.dsn(), WriterLimits(batch_bytes=1000)) as g:
        session = await g.open()
        rows = await asyncio.gather(
            *(
                g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"x" * 2000, deadline_s=DEADLINE_S)
                for _ in range(5)
            )
        )
        assert sorted(row.n for row in rows) == [1, 2, 3, 4, 5]


async def test_closing_writes_what_waits(gate_database: GateDatabase) -> None:
    """Rows that wait when the writer closes are written; a row after that is refused."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        rows = [await prepared(g, session) for _ in range(3)]
        tasks = [asyncio.create_task(g.writer.append_prepared(row, deadline_s=DEADLINE_S)) for row in rows]
        await asyncio.sleep(0)
        await g.writer.close()
        assert [row.n for row in await asyncio.gather(*tasks)] == [1, 2, 3]
        with pytest.raises(LedgerUnavailable):
            await g.writer.append_prepared(await prepared(g, session), deadline_s=DEADLINE_S)


async def test_closing_does_not_wait_for_ever(gate_database: GateDatabase) -> None:
    """A writer that closes while the database hangs ends within its bounds, and its rows are unknown."""
    async with gate(gate_database.dsn(), WriterLimits(close_s=SOON_S)) as g:
        row = await prepared(g, await g.open())
        async with held_lock(gate_database):
            in_call = asyncio.create_task(g.writer.append_prepared(row, deadline_s=DEADLINE_S))
            await waiting_in_database(gate_database)
            await g.writer.close()
            with pytest.raises(CommitUnknown):
                await in_call


async def test_no_database_means_no_start(gate_database: GateDatabase) -> None:
    """A writer that cannot connect does not start, and one that was not started writes nothing."""
    async with gate(gate_database.dsn()) as g:
        row = await prepared(g, await g.open())
        absent = LedgerWriter(gate_database.dsn() + " dbname=absent", g.keys)
        with pytest.raises(LedgerUnavailable):
            await absent.start()
        with pytest.raises(LedgerUnavailable):
            await absent.append_prepared(row, deadline_s=DEADLINE_S)


async def test_a_body_out_of_form_reaches_no_queue(gate_database: GateDatabase) -> None:
    """A body that is not of its kind's form is refused before anything is stored, keys included."""
    async with gate(gate_database.dsn()) as g:
        with pytest.raises(BodyError):
            await g.writer.append(
                uuid.uuid4(), Kind.SESSION_OPEN, {**OPEN, "memo": "text"}, deadline_s=DEADLINE_S
            )
        with psycopg.connect(gate_database.dsn()) as connection:
            counts = connection.execute(
                "SELECT (SELECT count(*) FROM ledger.entry), (SELECT count(*) FROM ledger.payload),"
                " (SELECT count(*) FROM ledger.session_key)"
            )
            assert counts.fetchone() == (0, 0, 0)


@pytest.mark.parametrize(("point", "rows"), [("before_append", 1), ("after_append", 2)])
async def test_failing_beside_the_append(gate_database: GateDatabase, point: str, rows: int) -> None:
    """A failure before the append leaves no row, one after it leaves the row; the caller sends in
    neither case.
    """
    async with gate(gate_database.dsn()) as g:
        row = await prepared(g, await g.open())
        failpoint.arm(Point, True, {failpoint.VARIABLE: f"{point}=error"})
        try:
            with pytest.raises(failpoint.FailpointError):
                await g.writer.append_prepared(row, deadline_s=DEADLINE_S)
        finally:
            failpoint.arm(Point, False, {})
        assert len(await g.reader.rows_after()) == rows
