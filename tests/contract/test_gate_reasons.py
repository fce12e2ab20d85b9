"""Why an attempt was stopped: kept sealed for its session's owner, gone with the payload, never the value."""

from __future__ import annotations

import base64
import contextlib
from collections.abc import AsyncIterator

import psycopg
import pytest
from doublethink.gate.v1 import ledger_pb2
from doublethink_gate.retention import erasure
from doublethink_rpc import RpcError
from sim.database import GateDatabase
from sim.gate import LINDQVIST, NORDWIND, Opened, SimSecret, gate_running, pack_of
from sim.world import World, refused, world_of

pytestmark = pytest.mark.postgres

THORN = SimSecret("code", "Thornquill")
BLOCK, ASK = ledger_pb2.REASON_VERDICT_BLOCK, ledger_pb2.REASON_VERDICT_ASK


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages."""
    async with world_of(gate_database.dsn()) as made:
        yield made


async def stopped(world: World, session: Opened, query: str) -> ledger_pb2.ExplainAttemptResponse:
    """Why a query of a session is stopped."""
    with contextlib.suppress(RpcError):
        assert not (await world.client.search(session, query)).query_id
    assert (await world.client.bodies(session))[-1]["verdict"] in ("ask", "block")
    return await world.client.explain(session, (await world.client.rows(session))[-1].id)


async def test_the_owner_learns_chain_place_and_rule_and_no_value(world: World) -> None:
    """Decoders from the outside in, bytes of the query, the verdict of each; nothing of the query itself, also once
    the session is closed.
    """
    session = await world.client.open(pack_of(NORDWIND, LINDQVIST))
    encoded = base64.b64encode(b"dniwdron").decode()
    told = await stopped(world, session, f"prix élevé {encoded}")
    reason = next(each for each in told.reasons if each.rule == "secret.code.base64")
    assert list(reason.chain) == ["base64", "reversed", "letters"]
    assert (reason.verdict, reason.size) == (BLOCK, ledger_pb2.SIZE_CLASS_LONG)
    query = f"prix élevé {encoded}".encode()
    assert query[reason.start : reason.end] == encoded.encode()
    assert (told.kept, told.checked_bytes) == (True, len(query))
    assert not list(reason.earlier_n)
    for text in (b"ordwind", b"dniw", encoded.encode(), b"prix"):
        assert text not in told.SerializeToString()
    row = (await world.client.rows(session))[-1]
    await world.client.end(session)
    assert await world.client.explain(session, row.id) == told


async def test_a_split_names_the_rows_that_took_part(world: World) -> None:
    """Earlier attempts are named by their rows, from another replica too; those that took no part are not."""
    session = await world.client.open(pack_of(THORN))
    for query in ("pump makers", "thornqu report", "pump prices"):
        await world.client.search(session, query)
    async with gate_running(world.files, 1) as other:
        assert await refused(other.search(session, "ill pump")) == "ERROR_CODE_BLOCKED"
    rows, bodies = await world.client.rows(session), await world.client.bodies(session)
    tried = [n for n, body in enumerate(bodies) if body["kind"] == "attempt"]
    told = await world.client.explain(session, rows[-1].id)
    pieces = next(each for each in told.reasons if each.rule == "split.code.pieces")
    assert list(pieces.earlier_n) == [tried[1]]
    assert (pieces.start, pieces.end) == (0, len("ill pump"))


async def test_of_another_sessions_value_only_the_rule_is_told(world: World) -> None:
    """Its place would say which word of the query is the other deal's secret: neither it nor chain and size are told,
    while the session that the value belongs to learns them.
    """
    own = await world.client.open(pack_of(NORDWIND))
    other = await world.client.open(pack_of(THORN))
    told = await stopped(world, own, "pumps of Thornquill today")
    assert {each.elsewhere for each in told.reasons} == {True}
    assert {(each.start, each.end) for each in told.reasons} == {(0, told.checked_bytes)}
    assert {(len(each.chain), len(each.earlier_n), each.size) for each in told.reasons} == {(0, 0, 0)}
    told = await stopped(world, other, "pumps of Thornquill today")
    exact = next(each for each in told.reasons if each.rule == "secret.code.exact")
    assert (exact.start, exact.end, exact.elsewhere) == (9, 19, False)


async def test_what_went_as_it_was_has_no_reasons_and_other_rows_are_refused(world: World) -> None:
    """An allowed attempt says so; what is no attempt, and what does not exist, is refused."""
    session = await world.client.open(pack_of(NORDWIND))
    await world.client.search(session, "pump makers")
    rows, bodies = await world.client.rows(session), await world.client.bodies(session)
    assert [body["kind"] for body in bodies] == ["session.open", "attempt", "outcome"]
    assert await world.client.explain(session, rows[1].id) == ledger_pb2.ExplainAttemptResponse()
    for row_id in (rows[0].id, rows[2].id, b"\x07" * 16):
        assert await refused(world.client.explain(session, row_id)) == "ERROR_CODE_ID_REFUSED"


async def test_a_held_query_is_explained_too(world: World) -> None:
    """A short value alone asks; its reason says so."""
    session = await world.client.open(pack_of(SimSecret("code", "Vyx")))
    told = await stopped(world, session, "Vyx report")
    assert [(each.rule, each.verdict, each.size) for each in told.reasons] == [
        ("secret.code.exact", ASK, ledger_pb2.SIZE_CLASS_SHORT)
    ]


async def test_reasons_go_with_the_payload(world: World, gate_database: GateDatabase) -> None:
    """What is erased is not explained any more; another attempt's reasons stay."""
    session = await world.client.open(pack_of(NORDWIND))
    for _ in range(2):
        await stopped(world, session, "Nordwind")
    rows = (await world.client.rows(session))[1:3]
    await world.client.end(session)
    with psycopg.connect(gate_database.dsn("doublethink_retention"), autocommit=True) as connection:
        for targets in erasure.of_session(connection, session.id, rows[0].n, 1):
            erasure.erase(connection, targets, "request", erasure.Digests(bytes(32), bytes(32)))
    assert not (await world.client.explain(session, rows[0].id)).kept
    assert (await world.client.explain(session, rows[1].id)).kept


async def test_reasons_of_another_row_do_not_open(world: World, gate_database: GateDatabase) -> None:
    """Whoever can write the table cannot put one attempt's reasons under another's, and no text lies in clear."""
    session = await world.client.open(pack_of(NORDWIND))
    for query in ("Nordwind", "Nordwind price"):
        await stopped(world, session, query)
    rows = (await world.client.rows(session))[1:3]
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        for (sealed,) in connection.execute("SELECT ciphertext FROM gate.reason"):
            assert b"secret" not in sealed
        connection.execute(
            "UPDATE gate.reason AS a SET iv = b.iv, ciphertext = b.ciphertext FROM gate.reason AS b"
            " WHERE a.id <> b.id"
        )
    for row in rows:
        assert await refused(world.client.explain(session, row.id)) == "ERROR_CODE_LEDGER_UNAVAILABLE"


async def test_a_stopped_query_stays_stopped_where_its_reasons_cannot_be_kept(
    world: World, gate_database: GateDatabase
) -> None:
    """The verdict stands in the row; that nothing explains it is said."""
    session = await world.client.open(pack_of(NORDWIND))
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute("REVOKE INSERT ON gate.reason FROM doublethink_gate")
    told = await stopped(world, session, "Nordwind")
    assert not told.kept
    assert (await world.client.bodies(session))[-1]["verdict"] == "block"
    await world.client.search(session, "pump makers")
