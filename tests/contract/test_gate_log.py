"""The log of all sessions, and payloads opened for an export: what the policy grants, and what it does not."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import AsyncIterator

import psycopg
import pytest
from doublethink_gate.ids import IdType, to_bytes
from doublethink_gate.policy import default_policy
from doublethink_gate.retention import erasure, pages
from doublethink_gate.services.opening import AT_ONCE, is_openable
from doublethink_ledger import Kind, Row, check_commitment, check_log, decode_body
from sim.database import GateDatabase
from sim.gate import NORDWIND, GateClient, Opened, granting_openings, pack_of
from sim.world import World, fact_on, refused, world_of

pytestmark = pytest.mark.postgres

RETENTION = "doublethink_retention"
DIGESTS = erasure.Digests(b"\x0a" * 32, b"\x0b" * 32)


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages whose policy grants openings."""
    async with world_of(gate_database.dsn(), policy=granting_openings()) as made:
        yield made


async def filled(client: GateClient) -> Opened:
    """A closed session with a search, a blocked search, two pages and a fact."""
    session = await client.open(pack_of(NORDWIND))
    found = await client.search(session, "Halvorsen Pumps revenue fiscal 2024")
    assert await refused(client.search(session, "Nordwind")) == "ERROR_CODE_BLOCKED"
    _, first, _ = await client.fetch(session, found.query_id)
    await client.record(session, fact_on(first.page, found.query_id))
    await client.end(session)
    return session


async def whole_log(client: GateClient, page: int = 1000) -> list[Row]:
    """The whole log as rows, read in pages; raises where it does not check."""
    rows: list[Row] = []
    while True:
        more = [
            Row(
                found.row.seq,
                to_bytes(IdType.SESSION, found.session_id),
                found.row.n,
                found.row.id,
                found.row.at_us,
                found.row.prev,
                hashlib.sha256(found.row.body).digest(),
                found.row.hash,
                found.row.body,
            )
            for found in await client.log(rows[-1].seq if rows else -1, limit=page)
        ]
        if not more:
            check_log(rows)
            return rows
        assert len(more) <= page
        rows += more


def kinds(rows: list[Row]) -> list[object]:
    """The kinds of some rows."""
    return [decode_body(row.body or b"")["kind"] for row in rows]


async def test_the_log_is_read_in_bounded_pieces_and_checks(world: World) -> None:
    """Two sessions' rows come in the order of the log, whatever the size of a piece, and the log verifies."""
    first, second = await filled(world.client), await filled(world.client)
    rows = await whole_log(world.client)
    assert rows == await whole_log(world.client, page=3)
    assert {row.session for row in rows} == {to_bytes(IdType.SESSION, s.id) for s in (first, second)}
    assert [row.seq for row in rows] == list(range(len(rows)))


async def test_since_begins_with_the_first_row_of_that_time(world: World) -> None:
    """For every row's time, and one microsecond to both sides, exactly the rows from then on are listed."""
    await filled(world.client)
    rows = await whole_log(world.client)
    for row in rows:
        for since in (row.at_us - 1, row.at_us, row.at_us + 1):
            listed = [found.row.seq for found in await world.client.log(since_us=since)]
            assert listed == [other.seq for other in rows if other.at_us >= since]
    assert [found.row.seq for found in await world.client.log(4, since_us=rows[2].at_us)] == [
        row.seq for row in rows if row.seq > 4
    ]


async def test_a_policy_can_keep_the_log_from_the_console(gate_database: GateDatabase) -> None:
    """Without `grants.read_log` the log is refused, while a session's owner reads its own rows."""
    policy = granting_openings().replace("read_log: true", "read_log: false")
    async with world_of(gate_database.dsn(), policy=policy) as world:
        session = await filled(world.client)
        assert await refused(world.client.log()) == "ERROR_CODE_CALLER_REFUSED"
        assert await world.client.rows(session)


async def test_no_opening_without_a_grant(gate_database: GateDatabase) -> None:
    """The shipped policy grants no opening: it is refused, and no row is written."""
    assert not default_policy().grants.open_payloads
    async with world_of(gate_database.dsn()) as world:
        session = await filled(world.client)
        before = await whole_log(world.client)
        assert await refused(world.client.openings(session)) == "ERROR_CODE_CALLER_REFUSED"
        assert await whole_log(world.client) == before


async def test_an_opening_is_in_the_ledger_and_fits_its_commitment(world: World) -> None:
    """What left and what was let in is opened with its nonce, what was stopped is not; each opening is a row that
    names session and n, in a closed session of its own, and the log verifies.
    """
    session = await filled(world.client)
    rows = {row.n: decode_body(row.body) for row in await world.client.rows(session)}
    opened = await world.client.openings(session)
    assert [answer.n for answer in opened] == [n for n, body in rows.items() if is_openable(body)]
    assert {(rows[a.n]["kind"], rows[a.n].get("verdict")) for a in opened} == {
        ("attempt", "allow"),
        ("outcome", None),
        ("fact", None),
    }
    assert any(body.get("verdict") == "block" and "commit" in body for body in rows.values())
    for answer in opened:
        check_commitment(bytes.fromhex(str(rows[answer.n]["commit"])), answer.nonce, answer.payload)
    log = await whole_log(world.client)
    named = [decode_body(row.body or b"") for row in log if row.session != log[0].session]
    assert named[0]["kind"] == Kind.SESSION_OPEN
    assert named[0]["source"] == "maintenance"
    assert named[-1]["kind"] == Kind.SESSION_CLOSE
    assert [(body["of_session"], body["of_n"], body["of"], body["purpose"]) for body in named[1:-1]] == [
        (session.id, answer.n, str(uuid.UUID(bytes=answer.row_id)), "export") for answer in opened
    ]


async def test_openings_come_in_bounded_pieces(gate_database: GateDatabase) -> None:
    """A session with more than one call opens is opened whole by asking on from the last n; the end is empty."""
    searches = AT_ONCE // 2 + 5
    policy = granting_openings().replace("queries: 40", f"queries: {searches}")
    async with world_of(gate_database.dsn(), policy=policy) as world:
        session = await world.client.open(pack_of(NORDWIND))
        for number in range(searches):
            await world.client.search(session, f"centrifugal pumps {number}")
        first = await world.client.openings(session)
        rest = await world.client.openings(session, first[-1].n)
        # Each search has two payloads: what was asked, and what was answered.
        assert (len(first), len(rest)) == (AT_ONCE, 2 * searches - AT_ONCE)
        assert await world.client.openings(session, rest[-1].n) == []
        await whole_log(world.client)


async def test_an_erased_payload_is_opened_for_nobody_and_shown_as_erased(
    world: World, gate_database: GateDatabase
) -> None:
    """After an erasure the log says so beside the row, the owner's opening is refused, an export says erased and
    writes no opening for it, and the rows that name the session are found by its id.
    """
    session = await filled(world.client)
    rows = await world.client.rows(session)
    with psycopg.connect(gate_database.dsn(RETENTION), autocommit=True) as connection:
        for targets in erasure.of_session(connection, session.id, rows[1].n, 10):
            assert erasure.erase(connection, targets, "court", DIGESTS) == 1
    log = {found.row.seq: found for found in await world.client.log()}
    assert [found.row.n for found in log.values() if found.erased] == [rows[1].n]
    assert await refused(world.client.payload(session, rows[1].id)) == "ERROR_CODE_ID_REFUSED"
    opened = await world.client.openings(session)
    assert [(answer.n, answer.payload, answer.nonce) for answer in opened if answer.erased] == [
        (rows[1].n, b"", b"")
    ]
    about = await world.client.log(session_id=session.id)
    bodies = [(found.session_id == session.id, decode_body(found.row.body)) for found in about]
    assert [body["kind"] for own, body in bodies if own] == [decode_body(r.body)["kind"] for r in rows]
    named = [(body["kind"], body["of_n"]) for own, body in bodies if not own]
    assert named == [
        ("redaction", rows[1].n),
        *(("opening", answer.n) for answer in opened if not answer.erased),
    ]
    await whole_log(world.client)


async def test_pages_go_before_payloads_and_the_owner_still_reads(
    world: World, gate_database: GateDatabase
) -> None:
    """The pages of an ended session are deleted with its queries, results and facts; its owner still lists its rows
    and opens what left. An open session's stay.
    """
    ended = await filled(world.client)
    going = await world.client.open(pack_of(NORDWIND))
    found = await world.client.search(going, "centrifugal pumps")
    _, first, _ = await world.client.fetch(going, found.query_id)
    with psycopg.connect(gate_database.dsn(RETENTION), autocommit=True) as connection:
        assert pages.due_sessions(connection, 0, 10) == []
        assert pages.due_sessions(connection, 2**62, 10) == [ended.id]
        pages.erase_pages(connection, ended.id)
        assert pages.due_sessions(connection, 2**62, 10) == []
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        for table in ("query", "result", "page", "fact"):
            query = f"SELECT DISTINCT session FROM gate.{table}"  # noqa: S608  the names above
            assert connection.execute(query.encode()).fetchall() in ([(going.id,)], [])
    rows = await world.client.rows(ended)
    assert await world.client.payload(ended, rows[1].id)
    assert (await world.client.page(going, first.page.page_id)).text


async def test_nothing_is_given_out_where_the_opening_is_not_durable(
    world: World, gate_database: GateDatabase
) -> None:
    """If the ledger does not take the openings, no payload comes."""
    session = await filled(world.client)
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute(
            "REVOKE EXECUTE ON FUNCTION ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[],"
            " bytea[]) FROM doublethink_gate"
        )
    assert await refused(world.client.openings(session)) == "ERROR_CODE_LEDGER_UNAVAILABLE"
