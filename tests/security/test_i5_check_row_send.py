"""I5: check, then durable row, then send; the bytes checked are the bytes committed are the bytes sent."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable
from typing import Any

import psycopg
import pytest
from doublethink_gate import checks
from doublethink_gate.egress.outbound import Admitted
from doublethink_gate.egress.payloads import body_of, search_text
from doublethink_gate.egress.rows import Rows
from doublethink_gate.failpoints import Point
from doublethink_ledger import decode_body, encode_body
from doublethink_rpc import RpcError
from doublethink_rpc.failpoint import VARIABLE
from sim.database import GateDatabase
from sim.gate import NORDWIND, gate_running, pack_of
from sim.logs import caught_log, records
from sim.web import SeenRequest, SimAnswer
from sim.world import World, outside, refused, world_of

pytestmark = pytest.mark.postgres

TAKE_TURN = "LOCK TABLE ledger.turn IN EXCLUSIVE MODE"
"""What the append function does before it looks at the ledger."""

QUERY = "Halvorsen Pumps revenue 2024"
BEFORE_THE_SEND = (Point.AFTER_CHECK, Point.BEFORE_APPEND, Point.AFTER_APPEND, Point.BEFORE_SEND)


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate that waits no longer than two seconds for a row."""
    async with world_of(gate_database.dsn(), limits={"append_s": 2}) as made:
        yield made


async def test_one_set_of_bytes_is_checked_committed_and_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the checks judged stands in the committed payload, and the source received that payload."""
    judged: list[bytes] = []
    decide = checks.decide

    def spy(request: checks.Request, *rest: object) -> checks.Decision:
        judged.append(request.payload)
        return decide(request, *rest)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(checks, "decide", spy)
    session = await world.client.open(pack_of(NORDWIND))
    found = await world.client.search(session, QUERY)
    query, first, _ = await world.client.fetch(session, found.query_id)
    await world.client.complete(query.query.reader_capability, found.query_id, [first.page.page_id])
    committed = [
        await world.client.payload(session, row.id)
        for row in await world.client.rows(session)
        if decode_body(row.body)["kind"] == "attempt"
    ]
    sent = [
        *(request.body for request in world.web.seen),
        *(request.body for request in world.model_web.seen),
    ]
    assert sorted(body_of(payload) for payload in committed) == sorted(sent)
    assert judged[0] == search_text(committed[0]).encode() == QUERY.encode()
    assert judged[-1] == world.model_web.seen[0].body


async def test_the_row_is_durable_before_the_request_arrives(
    world: World, gate_database: GateDatabase
) -> None:
    """At the moment a request reaches the source, another connection reads its committed row."""
    found: list[int] = []

    def look(request: SeenRequest) -> SimAnswer | None:
        with psycopg.connect(gate_database.admin_dsn()) as connection:
            rows = connection.execute("SELECT body FROM ledger.entry ORDER BY seq").fetchall()
        found.append(sum(decode_body(bytes(body))["kind"] == "attempt" for (body,) in rows))
        return None

    world.source.hook = look
    session = await world.client.open(pack_of(NORDWIND))
    await world.client.search(session, QUERY)
    await world.client.search(session, QUERY)
    assert found == [1, 2]


async def test_a_ledger_that_does_not_answer_lets_nothing_out(
    world: World, gate_database: GateDatabase
) -> None:
    """While another holds the ledger's lock nothing is sent; when it lets go, the session goes on."""
    session = await world.client.open(pack_of(NORDWIND))
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        connection.execute(TAKE_TURN)
        assert await refused(world.client.search(session, QUERY)) == "ERROR_CODE_LEDGER_UNAVAILABLE"
        assert world.web.seen == []
    assert (await world.client.search(session, QUERY)).query_id
    assert len(world.web.seen) == 1


async def test_a_ledger_that_refuses_lets_nothing_out(world: World, gate_database: GateDatabase) -> None:
    """Without the right to append nothing is sent."""
    session = await world.client.open(pack_of(NORDWIND))
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute(
            "REVOKE EXECUTE ON FUNCTION ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[],"
            " bytea[]) FROM doublethink_gate"
        )
    assert await refused(world.client.search(session, QUERY)) == "ERROR_CODE_LEDGER_UNAVAILABLE"
    assert world.web.seen == []


async def test_an_unknown_commit_is_asked_for_again_before_anything_is_sent(
    world: World, gate_database: GateDatabase
) -> None:
    """A connection lost in the middle of an append ends in one row and one request."""
    session = await world.client.open(pack_of(NORDWIND))
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        connection.execute(TAKE_TURN)
        searching = asyncio.create_task(world.client.search(session, QUERY))
        with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as other:
            while True:
                cursor = other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks"
                    " WHERE relation = 'ledger.turn'::regclass AND NOT granted"
                )
                if cursor.fetchall():
                    break
                await asyncio.sleep(0.01)
        assert world.web.seen == []
        connection.rollback()
    assert (await searching).query_id
    bodies = await world.client.bodies(session)
    assert [body["kind"] for body in bodies] == ["session.open", "attempt", "outcome"]
    assert len(world.web.seen) == 1


def _another_request(admitted: Admitted) -> Admitted:
    prepared = admitted.outbound.prepared
    changed = dataclasses.replace(prepared, body=prepared.body.replace(b"2024", b"2025"))
    return dataclasses.replace(admitted, outbound=dataclasses.replace(admitted.outbound, prepared=changed))


def _another_commitment(admitted: Admitted) -> Admitted:
    body = decode_body(admitted.row.body)
    body["commit"] = "00" * 32
    return dataclasses.replace(admitted, row=dataclasses.replace(admitted.row, body=encode_body(body)))


def _another_payload(admitted: Admitted) -> Admitted:
    sealed = admitted.row.payload
    assert sealed is not None
    changed = dataclasses.replace(
        sealed, ciphertext=bytes([sealed.ciphertext[0] ^ 1]) + sealed.ciphertext[1:]
    )
    return dataclasses.replace(admitted, row=dataclasses.replace(admitted.row, payload=changed))


@pytest.mark.parametrize("change", [_another_request, _another_commitment, _another_payload])
async def test_bytes_that_are_not_the_committed_ones_are_not_sent(
    world: World, monkeypatch: pytest.MonkeyPatch, change: Callable[[Admitted], Admitted]
) -> None:
    """One changed byte of the request, its commitment or its payload keeps the request here, and is logged."""
    session = await world.client.open(pack_of(NORDWIND))
    attempt = Rows.attempt

    async def changed(self: Rows, *arguments: Any) -> Admitted:
        return change(await attempt(self, *arguments))

    monkeypatch.setattr(Rows, "attempt", changed)
    with caught_log() as written:
        assert await refused(world.client.search(session, QUERY)) == "ERROR_CODE_INTERNAL"
    assert world.web.seen == []
    (failed,) = [record for record in records(written) if record["event"] == "exchange_failed"]
    assert failed["error"].rpartition(".")[2] in ("CommitmentError", "PayloadError")


async def test_a_page_whose_arrival_was_not_written_down_is_no_material(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was stored before its outcome row failed: nobody gets it, and it is fetched anew."""
    async with outside(gate_database.dsn(), failpoints=True) as world:
        # The search passes the point first, then the page.
        monkeypatch.setenv(VARIABLE, f"{Point.BEFORE_OUTCOME}=error@2")
        async with gate_running(world.files) as client:
            session = await client.open(pack_of(NORDWIND))
            found = await client.search(session, QUERY)
            with pytest.raises(RpcError):
                await client.fetch(session, found.query_id, pages=1)
            with psycopg.connect(gate_database.dsn()) as connection:
                stored = connection.execute("SELECT id FROM gate.page").fetchall()
            assert len(stored) == 1
            assert await refused(client.page(session, stored[0][0])) == "ERROR_CODE_ID_REFUSED"
            _, again = await client.fetch(session, found.query_id, pages=1)
            assert again.page.page_id != stored[0][0]
            assert (await client.page(session, again.page.page_id)).text == again.page.text
            assert len(world.web.seen) == 3
            bodies = await client.bodies(session)
            assert [body["kind"] for body in bodies].count("outcome") == 2


@pytest.mark.parametrize("point", BEFORE_THE_SEND)
async def test_a_failure_at_any_step_before_the_send_lets_nothing_out(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch, point: Point
) -> None:
    """An error between check, row and send ends the attempt; the next one goes its own way."""
    async with outside(gate_database.dsn(), failpoints=True) as world:
        # The writer's own points are passed by the session's opening row as well.
        passage = 2 if point in (Point.BEFORE_APPEND, Point.AFTER_APPEND) else 1
        monkeypatch.setenv(VARIABLE, f"{point.value}=error@{passage}")
        async with gate_running(world.files) as client:
            session = await client.open(pack_of(NORDWIND))
            assert await refused(client.search(session, QUERY)) == "ERROR_CODE_INTERNAL"
            assert world.web.seen == []
            assert (await client.search(session, QUERY)).query_id
            assert len(world.web.seen) == 1


async def test_a_caller_who_goes_away_while_the_row_is_written_leaves_its_outcome(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempt's row is durable and its caller gone: the request is sent as committed, and the outcome follows."""
    written, go_on = asyncio.Event(), asyncio.Event()
    attempt = Rows.attempt

    async def slow(self: Rows, *arguments: Any) -> Admitted:
        admitted = await attempt(self, *arguments)
        written.set()
        await go_on.wait()
        return admitted

    monkeypatch.setattr(Rows, "attempt", slow)
    client = world.client
    session = await client.open(pack_of(NORDWIND))
    asking = asyncio.create_task(client.search(session, "Halvorsen Pumps revenue"))
    await written.wait()
    asking.cancel()
    await asyncio.wait({asking})
    await asyncio.sleep(0.2)
    go_on.set()
    bodies = await client.bodies(session)
    async with asyncio.timeout(10):
        while len(bodies) < 3:
            bodies = await client.bodies(session)
    assert [body["kind"] for body in bodies] == ["session.open", "attempt", "outcome"]
