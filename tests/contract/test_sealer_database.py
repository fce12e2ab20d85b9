"""The sealer on a real PostgreSQL: what its store reads, and compare and swap."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator

import psycopg
import pytest
from doublethink_ledger import Kind
from doublethink_sdk.postgres.layout import RETENTION
from doublethink_sealer.audit import audit
from doublethink_sealer.claims import Claims
from doublethink_sealer.errors import DatabaseAway, SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.log_store import StoredCheckpoint
from doublethink_sealer.postgres_store import PostgresStore
from doublethink_sealer.resume import Allowed
from doublethink_sealer.walk import Walk
from psycopg import sql
from sim.database import GateDatabase
from sim.ledger import CLOSE, DEADLINE_S, attempt, gate
from sim.sealed import FIRST, KEYS, ORIGIN, SimPlace, started
from sim.sealer_process import SEALER

pytestmark = pytest.mark.postgres

ROOT = bytes(32)


@pytest.fixture
async def store(gate_database: GateDatabase) -> AsyncIterator[PostgresStore]:
    """A store as the sealer's role."""
    async with PostgresStore(gate_database.dsn(SEALER)) as opened:
        yield opened


async def fill(database: GateDatabase, sessions: int, rows: int) -> list[uuid.UUID]:
    """Open sessions, write rows in each in turn, and close the first."""
    async with gate(database.dsn()) as g:
        opened = [await g.open() for _ in range(sessions)]
        for _ in range(rows):
            for session in opened:
                await g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
        await g.writer.append(opened[0], Kind.SESSION_CLOSE, CLOSE, deadline_s=DEADLINE_S)
    return opened


def checkpoint(size: int, origin: str = ORIGIN, statement: bytes | None = None) -> StoredCheckpoint:
    """A checkpoint whose note nobody reads here."""
    return StoredCheckpoint(origin, size, ROOT, b"note", 0, statement)


async def test_rows_come_as_they_are_hashed(gate_database: GateDatabase, store: PostgresStore) -> None:
    """Every row that the gate wrote checks in the sealer's walk, in batches of any size, with one head in memory."""
    await fill(gate_database, 3, 4)
    for batch in (1, 5, 100):
        walk = Walk(heads=1)
        while rows := await store.rows(walk.size, batch):
            await walk.check(store, rows)
        assert walk.size == 16
    assert await store.count(16) == 16
    assert await store.count(7) == 7
    assert await store.duplicate_id() is None


async def test_heads_are_the_last_rows_before_a_place(
    gate_database: GateDatabase, store: PostgresStore
) -> None:
    """The largest n of each session below a seq; a session without rows there has none."""
    first, second, third = await fill(gate_database, 3, 2)
    heads = await store.heads([one.bytes for one in (first, second, third)], 5)
    assert {session: row.n for session, row in heads.items()} == {
        first.bytes: 1,
        second.bytes: 1,
        third.bytes: 0,
    }
    assert await store.heads([uuid.uuid4().bytes], 5) == {}
    assert set(await store.heads([first.bytes, third.bytes], 1)) == {first.bytes}


async def test_of_two_that_extend_one_head_one_is_stored(
    gate_database: GateDatabase, store: PostgresStore
) -> None:
    """The second is told that it lost; the head moves only when it is named."""
    await fill(gate_database, 1, 3)
    assert await store.head() is None
    assert await store.store(None, checkpoint(2)) is not None
    assert await store.store(None, checkpoint(3)) is None
    head = await store.head()
    assert head is not None
    assert await store.store(head, checkpoint(4)) is not None
    assert await store.store(head, checkpoint(5)) is None
    assert [one.size for one in await store.checkpoints(-1, 10)] == [2, 4]


async def test_many_at_once_make_one_chain(gate_database: GateDatabase) -> None:
    """Many callers that each extend what they read: every stored size follows a smaller one, none is lost."""
    await fill(gate_database, 1, 40)
    won = 0
    # As many as the role may have connections.
    few = asyncio.Semaphore(8)

    async def race(size: int) -> None:
        nonlocal won
        async with few, PostgresStore(gate_database.dsn(SEALER)) as mine:
            head = await mine.head()
            if head is None or head.size < size:
                # Counted after the wait: others count meanwhile.
                stored_us = await mine.store(head, checkpoint(size))
                won += stored_us is not None

    await asyncio.gather(*(race(size) for size in range(1, 21)))
    async with PostgresStore(gate_database.dsn(SEALER)) as mine:
        stored = await mine.checkpoints(-1, 100)
    sizes = [one.size for one in stored]
    assert len(sizes) == won >= 1
    assert sizes == sorted(set(sizes))
    times = [one.at_us for one in stored]
    assert times == sorted(set(times))


async def test_what_cannot_follow_the_head_is_refused(
    gate_database: GateDatabase, store: PostgresStore
) -> None:
    """No smaller or equal size, no size beyond the rows, no new origin without a statement, no origin twice."""
    await fill(gate_database, 1, 3)
    assert await store.store(None, checkpoint(3)) is not None

    async def refused(new: StoredCheckpoint) -> None:
        head = await store.head()
        with pytest.raises(SealingRefused):
            await store.store(head, new)
        assert await store.head() == head

    await refused(checkpoint(3))
    await refused(checkpoint(2))
    await refused(checkpoint(99))
    await refused(checkpoint(4, statement=b"said"))
    await refused(checkpoint(4, origin="ledger.test/two"))
    head = await store.head()
    # The control: with its statement another origin may begin, with a smaller size too.
    assert await store.store(head, checkpoint(1, "ledger.test/two", b"said")) is not None
    await refused(checkpoint(5, statement=b"said"))
    await refused(checkpoint(5))
    # Who still holds the old origin's head has lost.
    assert await store.store(head, checkpoint(5)) is None


async def test_a_clock_that_goes_back_keeps_the_order(
    gate_database: GateDatabase, store: PostgresStore
) -> None:
    """With a checkpoint of a later time than the clock's, the next one is later still."""
    await fill(gate_database, 1, 3)
    assert await store.store(None, checkpoint(1)) is not None
    later = 4_000_000_000_000_000
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute("ALTER TABLE ledger.checkpoint DISABLE TRIGGER ALL")
        connection.execute("UPDATE ledger.checkpoint SET at_us = %s", (later,))
    assert await store.store(await store.head(), checkpoint(2)) == later + 1


async def test_the_checkpoint_function_needs_read_committed_and_durable_commits(
    gate_database: GateDatabase,
) -> None:
    """A fixed snapshot or a commit that may be lost is refused by name."""
    await fill(gate_database, 1, 1)
    call = "SELECT ledger.store_checkpoint(NULL, NULL, 'o', 1, %s, 'note', NULL)"
    for setting, state in (
        ("SET default_transaction_isolation = 'repeatable read'", "DT001"),
        ("SET synchronous_commit = off", "DT002"),
    ):
        with psycopg.connect(gate_database.dsn(SEALER), autocommit=True) as connection:
            connection.execute(sql.SQL(setting))
            with pytest.raises(psycopg.Error) as caught:
                connection.execute(call, (ROOT,))
            assert caught.value.sqlstate == state


async def test_a_restart_reads_what_was_sealed(gate_database: GateDatabase, store: PostgresStore) -> None:
    """Sealed and published on a real database, then resumed from it: the head is the stored one."""
    await fill(gate_database, 2, 3)
    place = SimPlace()
    sealing = await started(store, place, allowed=FIRST)
    await sealing.seal_and_publish(place)
    again = await started(store, place)
    assert again.sealer.head == await store.head() == sealing.sealer.head
    assert again.resumed.walk.size == 9
    assert again.sealer.head is not None
    assert KEYS.open(again.sealer.head.note).size == 9


async def test_a_lost_connection_is_made_anew(gate_database: GateDatabase, store: PostgresStore) -> None:
    """The call under way fails as DatabaseAway, and the next one works."""
    await fill(gate_database, 1, 1)
    assert await store.rows(0, 10)
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s AND datname = %s",
            (SEALER, gate_database.name),
        )
    with pytest.raises(DatabaseAway):
        await store.rows(0, 10)
    assert len(await store.rows(0, 10)) == 3


async def test_allowed_says_which_places_may_be_empty() -> None:
    """The two decisions of a person, and nothing else."""
    assert Allowed(first_start=True).empty("folder-1")
    assert Allowed(new_places=frozenset({"folder-1"})).empty("folder-1")
    assert not Allowed(new_places=frozenset({"folder-1"})).empty("folder-2")
    assert not Allowed().empty("folder-1")


async def test_a_payload_that_went_without_a_redaction_is_named(
    gate_database: GateDatabase, store: PostgresStore
) -> None:
    """One that retention erased is not; one that a superuser deleted is, by its row, and a check of the whole log finds
    it and nothing else.
    """
    await fill(gate_database, 2, 3)
    assert await store.missing_payloads(0, 100, 10) == []
    erase = (
        "SELECT id FROM ledger.erase("
        "ARRAY(SELECT id FROM ledger.entry WHERE seq = 2), 'court', sha256(''), sha256(''))"
    )
    with psycopg.connect(gate_database.dsn(RETENTION), autocommit=True) as connection:
        assert len(connection.execute(erase).fetchall()) == 1
    assert await store.missing_payloads(0, 100, 10) == []
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute(
            "DELETE FROM ledger.payload WHERE id IN (SELECT id FROM ledger.entry WHERE seq IN (3, 4))"
        )
    assert await store.missing_payloads(0, 100, 10) == [3, 4]
    assert await store.missing_payloads(0, 100, 1) == [3]
    assert await store.missing_payloads(4, 5, 10) == [4]
    report = await audit(store, ORIGIN, Claims(), 2)
    assert [(one.reason, one.first) for one in report.findings] == [
        (Reason.PAYLOAD_MISSING, 3),
        (Reason.PAYLOAD_MISSING, 4),
    ]


async def test_checkpoints_come_by_size(gate_database: GateDatabase, store: PostgresStore) -> None:
    """Those of one log whose size lies in a range, both ends included."""
    await fill(gate_database, 1, 6)
    for size in (1, 3, 4, 6):
        assert await store.store(await store.head(), checkpoint(size)) is not None
    assert [one.size for one in await store.checkpoints_of(ORIGIN, 3, 6)] == [3, 4, 6]
    assert await store.checkpoints_of(ORIGIN, 5, 5) == []
    assert await store.checkpoints_of("another", 0, 9) == []
