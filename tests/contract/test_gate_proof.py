"""The gate's proof that a session is in the signed log: a verifier accepts it, and what is missing is said."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import AsyncIterator

import psycopg
import pytest
from doublethink.gate.v1 import proof_pb2
from doublethink_gate.ids import IdType, to_bytes, to_uuid
from doublethink_gate.ledger import Prover, RowsMissing, prover
from doublethink_ledger import (
    Bundle,
    BundleRow,
    Kind,
    Opening,
    Since,
    TlogProof,
    consistency_proof,
    inclusion_proof,
    over,
    parse_note,
)
from doublethink_ledger.checkpoint import Checkpoint
from psycopg_pool import AsyncConnectionPool
from sim import bundles, ledger, verifier
from sim.database import GateDatabase
from sim.gate import NORDWIND, Opened, granting_openings, pack_of
from sim.sealer import seal
from sim.world import World, fact_on, refused, world_of

pytestmark = pytest.mark.postgres

SEALER = "doublethink_sealer"
VERIFY = verifier.load()
PINNED = [bundles.key().verifier]


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages whose policy grants openings."""
    async with world_of(gate_database.dsn(), policy=granting_openings()) as made:
        yield made


async def asked(world: World, *, close: bool = True) -> Opened:
    """A session with a search, a blocked search, a page and a fact."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps revenue fiscal 2024")
    assert await refused(client.search(session, "Nordwind")) == "ERROR_CODE_BLOCKED"
    _, first, _ = await client.fetch(session, found.query_id)
    await client.record(session, fact_on(first.page, found.query_id))
    if close:
        await client.end(session)
    return session


async def exported(
    world: World, session: Opened, since: bytes | None = None, *, opened: bool = False
) -> Bundle:
    """The bundle that the gate's answers make."""
    size = 0 if since is None else Checkpoint.parse(parse_note(since).text).size
    proof = await world.client.prove(session, size)
    assert proof.state == proof_pb2.PROOF_STATE_PROVEN
    rows = [row for row in await world.client.rows(session) if row.n <= proof.last_n]
    openings = await world.client.openings(session) if opened else []
    return Bundle(
        origin=bundles.ORIGIN,
        session=to_bytes(IdType.SESSION, session.id),
        rows=tuple(BundleRow(row.n, row.at_us, row.id, row.prev, row.hash, row.body, None) for row in rows),
        proof=TlogProof(proof.index, tuple(proof.path), proof.checkpoint),
        openings=tuple(Opening(one.n, one.nonce, one.payload) for one in openings if one.n <= proof.last_n),
        since=None if since is None else Since(since, tuple(proof.consistency)),
    )


async def test_a_stranger_accepts_what_the_gate_gives(world: World, gate_database: GateDatabase) -> None:
    """Two sessions of real traffic, one closed, one open: COMPLETE and OPEN, with opened payloads and a known head."""
    first = await asked(world)
    known = seal(gate_database.dsn(SEALER))
    second = await asked(world, close=False)
    seal(gate_database.dsn(SEALER))
    for session, verdict in ((first, "COMPLETE"), (second, "OPEN")):
        bundle = await exported(world, session, known, opened=True)
        report = verifier.judge(VERIFY, bundle.encode(), PINNED, known)
        assert (report.verdict, report.why) == (verdict, "")
        assert report.known_checkpoint == "continued"
        # Two requests, and the fact that was let in; what was stopped is not given out.
        assert len(report.opened) >= 3


async def test_rows_behind_the_checkpoint_are_not_proven_yet(
    world: World, gate_database: GateDatabase
) -> None:
    """Nothing sealed, nothing of this session sealed, a part of it sealed: each is told apart."""
    assert (await world.client.prove(await asked(world))).state == proof_pb2.PROOF_STATE_NOT_SEALED
    sealed = seal(gate_database.dsn(SEALER))
    late = await asked(world, close=False)
    assert (await world.client.prove(late)).state == proof_pb2.PROOF_STATE_NOT_SEALED
    rows = await world.client.rows(late)
    size = Checkpoint.parse(parse_note(sealed).text).size
    seal(gate_database.dsn(SEALER), size + 2)
    found = await world.client.prove(late)
    assert (found.state, found.last_n, found.newest_n) == (proof_pb2.PROOF_STATE_PROVEN, 1, rows[-1].n)
    assert verifier.judge(VERIFY, (await exported(world, late)).encode(), PINNED).verdict == "OPEN"
    behind = await world.client.prove(late, size + 3)
    assert (behind.state, behind.newest_n) == (proof_pb2.PROOF_STATE_BEHIND, rows[-1].n)


@pytest.mark.parametrize("column", ["body", "no body", "a body out of form", "hash", "at_us", "id"])
async def test_a_superusers_change_is_found_out_by_the_verifier(
    world: World, gate_database: GateDatabase, column: str
) -> None:
    """Whoever can switch the triggers off can change a row; the bundle then says INVALID, at that row."""
    session = await asked(world)
    seal(gate_database.dsn(SEALER))
    new = {
        "body": "body = body || '\x20'::bytea",
        # Nobody can read these, and they still have to be handed on.
        "no body": "body = set_byte(body, 0, get_byte(body, 0) # 1)",
        "a body out of form": "body = convert_to(replace(convert_from(body, 'UTF8'), '\"kind\"', '\"dink\"'), 'UTF8')",
        "hash": "hash = sha256(hash)",
        "at_us": "at_us = at_us - 1",
        "id": f"id = '{uuid.uuid4()}'::uuid",
    }[column]
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("ALTER TABLE ledger.entry DISABLE TRIGGER ALL")
        changed = connection.execute(
            f"UPDATE ledger.entry SET {new} WHERE session = %s AND n = 2",  # noqa: S608 - from the table above
            (to_uuid(IdType.SESSION, session.id),),
        )
        assert changed.rowcount == 1
    report = verifier.judge(VERIFY, (await exported(world, session)).encode(), PINNED)
    assert (report.verdict, report.where) == ("INVALID", 2)


async def test_rows_that_were_deleted_are_missed(world: World, gate_database: GateDatabase) -> None:
    """A sealed row that is gone, of this session or of another, is said and never papered over."""
    session, other = await asked(world), await asked(world)
    seal(gate_database.dsn(SEALER))
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute("ALTER TABLE ledger.entry DISABLE TRIGGER ALL")
        connection.execute(
            "DELETE FROM ledger.entry WHERE session = %s", (to_uuid(IdType.SESSION, other.id),)
        )
    assert (await world.client.prove(session)).state == proof_pb2.PROOF_STATE_ROWS_MISSING
    assert (await world.client.prove(other)).state == proof_pb2.PROOF_STATE_NOT_SEALED


async def test_the_capability_decides(world: World, gate_database: GateDatabase) -> None:
    """A proof is given to who holds the session's console capability, and to nobody else."""
    session = await asked(world)
    seal(gate_database.dsn(SEALER))
    stranger = Opened(**{**vars(session), "console": bytes(32)})
    assert await refused(world.client.prove(stranger)) == "ERROR_CODE_CAPABILITY_REFUSED"


async def test_proofs_over_kept_tiles_are_those_over_all_rows(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every size and since-size of a log over many tiles: the very proofs that all leaf hashes give, while the
    tiles that are kept grow; and a row missing under a tile that was not hashed yet is missed.
    """
    monkeypatch.setattr(prover, "TILE", 4)
    dsn = gate_database.dsn()
    async with ledger.gate(dsn) as gate, AsyncConnectionPool(dsn, min_size=1, max_size=2, open=False) as pool:
        sessions = [await gate.open() for _ in range(3)]
        for at in range(40):
            await gate.writer.append(
                sessions[at % 3], Kind.ATTEMPT, ledger.attempt("block"), b"x", deadline_s=ledger.DEADLINE_S
            )
        rows = await gate.reader.rows_after()
        leaves = [row.hash for row in rows]
        kept = Prover(pool)
        for size in range(4, len(rows) + 1):
            head = Checkpoint(bundles.ORIGIN, size, hashlib.sha256(b"").digest())
            found = await kept.prove(sessions[size % 3], head, b"note", size - 3)
            assert found is not None
            assert found.index == max(
                row.seq for row in rows[:size] if row.session == sessions[size % 3].bytes
            )
            assert list(found.path) == inclusion_proof(over(leaves), found.index, size)
            assert list(found.consistency) == consistency_proof(over(leaves), size - 3, size)
        with pytest.raises(RowsMissing):
            await kept.prove(sessions[0], Checkpoint(bundles.ORIGIN, len(rows) + 8, bytes(32)), b"note", 0)
