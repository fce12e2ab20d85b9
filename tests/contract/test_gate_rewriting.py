"""A query with a personal detail goes out without it; both forms are committed to, and the planner learns nothing."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import psycopg
import pytest
from doublethink_gate.egress.payloads import body_of, search_text
from doublethink_gate.ids import IdType, to_bytes, to_uuid
from doublethink_gate.ledger import KeyRing, PayloadErased, PayloadError
from doublethink_gate.retention import erasure
from doublethink_ledger import Row, check_chain, decode_body
from sim.database import GateDatabase
from sim.gate import NORDWIND, SimSecret, gate_running, pack_of
from sim.ledger import gate
from sim.logs import caught_log, records
from sim.world import World, outside, refused, world_of

pytestmark = pytest.mark.postgres

ASKED = "Halvorsen Pumps warranty terms for patient 123-45-6789"
SENT = "Halvorsen Pumps warranty terms"
DETAIL = b"123-45-6789"
SPLIT = SimSecret("code", "Vantorquill")


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate with the shipped policy."""
    async with world_of(gate_database.dsn()) as made:
        yield made


async def test_what_is_left_of_a_query_is_what_is_sent_and_committed(world: World) -> None:
    """The source sees the rewritten query, the row's payload is that request, and its verdict says `rewrite`."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    await client.search(session, ASKED)
    (seen,) = world.web.seen
    assert json.loads(seen.body)["query"] == SENT
    rows, bodies = await client.rows(session), await client.bodies(session)
    attempt = bodies[1]
    assert (attempt["kind"], attempt["verdict"], attempt["rules"]) == ("attempt", "rewrite", ["pattern.ssn"])
    payload = await client.payload(session, rows[1].id)
    assert body_of(payload) == seen.body
    assert attempt["bytes"] == len(payload)
    assert bodies[2]["kind"] == "outcome"
    assert DETAIL not in b"".join(row.body for row in rows)


async def test_the_planner_learns_what_it_learns_of_any_query(world: World) -> None:
    """The answer to a rewritten query is the answer to the query as it was sent, but for its id; so is the query that
    validator and reader are given."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    rewritten, plain = await client.search(session, ASKED), await client.search(session, SENT)
    assert rewritten.counts == plain.counts
    assert {field.name for field, _ in rewritten.ListFields()} == {
        field.name for field, _ in plain.ListFields()
    }
    query = (await client.fetch(session, rewritten.query_id))[0]
    assert query.query.text == SENT


async def test_both_forms_open_to_their_commitments(world: World, gate_database: GateDatabase) -> None:
    """With nonces of their own: the one of what was sent does not open what was asked for, even by guessing it."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    await client.search(session, ASKED)
    async with gate(gate_database.dsn(), keys=KeyRing.load(world.files.folder / "kek")) as g:
        (row,) = [
            row for row in await g.reader.session_rows(to_uuid(IdType.SESSION, session.id)) if row.n == 1
        ]
        sent, asked = await g.reader.open_payload(row), await g.reader.open_original(row)
        assert (search_text(sent.payload), search_text(asked.payload)) == (SENT, ASKED)
        body = decode_body(row.body or b"")
        assert hashlib.sha256(asked.nonce + asked.payload).hexdigest() == body["original"]
        assert hashlib.sha256(sent.nonce + asked.payload).hexdigest() != body["original"]
        (opening,) = [
            row for row in await g.reader.session_rows(to_uuid(IdType.SESSION, session.id)) if row.n == 0
        ]
        with pytest.raises(PayloadError):
            await g.reader.open_original(opening)


async def test_erasing_takes_both_forms(world: World, gate_database: GateDatabase) -> None:
    """They lie under one encryption: after the erasure neither can be had."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    await client.search(session, ASKED)
    await client.end(session)
    with psycopg.connect(gate_database.dsn("doublethink_retention"), autocommit=True) as connection:
        targets = next(iter(erasure.of_session(connection, session.id, 1, 1)))
        assert erasure.erase(connection, targets, "request", erasure.Digests(bytes(32), bytes(32))) == 1
    id = uuid.UUID(bytes=(await client.rows(session))[1].id)
    async with gate(gate_database.dsn(), keys=KeyRing.load(world.files.folder / "kek")) as g:
        row = await g.reader.row(id)
        assert row is not None
        for opening in (g.reader.open_payload(row), g.reader.open_original(row)):
            with pytest.raises(PayloadErased):
                await opening


async def test_any_replica_remembers_what_was_sent(gate_database: GateDatabase) -> None:
    """A piece of a secret in what was left of a query counts for another gate, which reads it back from the ledger."""
    async with outside(gate_database.dsn()) as world, AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(gate_running(world.files, n)) for n in range(2)]
        session = await one.open(pack_of(SPLIT))
        await one.search(session, "vantor pump prices for patient 123-45-6789")
        assert await refused(two.search(session, "quill manufacturers")) == "ERROR_CODE_BLOCKED"
        assert b"quill" not in world.web.everything_seen()


async def test_what_was_taken_out_counts_for_nothing(gate_database: GateDatabase) -> None:
    """It did not leave: a piece that stood in it completes nothing, and the next query with the other piece goes."""
    async with outside(gate_database.dsn()) as world, AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(gate_running(world.files, n)) for n in range(2)]
        session = await one.open(pack_of(SPLIT))
        await one.search(session, "pump prices in Europe, mail vantor@mill.example")
        await two.search(session, "quill manufacturers")
        assert b"vantor" not in world.web.everything_seen()
        assert len(world.web.seen) == 2


async def test_a_query_of_nothing_but_details_is_blocked(world: World) -> None:
    """With the rules of what was asked for; nothing is sent, and its text is not given out."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    assert await refused(client.search(session, "who is 123-45-6789")) == "ERROR_CODE_BLOCKED"
    assert world.web.seen == []
    rows, bodies = await client.rows(session), await client.bodies(session)
    assert (bodies[1]["verdict"], bodies[1]["rules"]) == ("block", ["pattern.ssn"])
    assert "original" not in bodies[1]
    assert await refused(client.payload(session, rows[1].id)) == "ERROR_CODE_ID_REFUSED"


async def test_a_secret_that_a_rewriting_would_put_together_stays(world: World) -> None:
    """What lies between its halves can be taken out; what is left is judged from the start, and blocked."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    for asked in ("pump makers Nord 123-45-6789 wind merger", "pump makers nord a.b@c.example wind merger"):
        assert await refused(client.search(session, asked)) == "ERROR_CODE_BLOCKED"
    assert world.web.seen == []
    assert [body["verdict"] for body in (await client.bodies(session))[1:]] == ["block", "block"]


async def test_no_detail_is_logged(world: World) -> None:
    """Neither what was taken out nor what was left stands in the gate's log."""
    with caught_log() as stream:
        session = await world.client.open(pack_of(NORDWIND))
        await world.client.search(session, ASKED)
        await refused(world.client.search(session, "who is 123-45-6789"))
    assert DETAIL.decode() not in str(records(stream))
    assert "warranty" not in str(records(stream))


async def test_the_chain_of_a_session_with_rewritten_rows_verifies(world: World) -> None:
    """A rewritten attempt is a row like any other."""
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    await client.search(session, ASKED)
    await client.end(session)
    key = to_bytes(IdType.SESSION, session.id)
    head = check_chain(
        Row(r.seq, key, r.n, r.id, r.at_us, r.prev, hashlib.sha256(r.body).digest(), r.hash, r.body)
        for r in await client.rows(session)
    )
    assert head.closed
