"""I12: a session is an authority; an id minted for another session or query is refused, in every field."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from doublethink.gate.v1 import (
    approval_pb2,
    completion_pb2,
    ledger_pb2,
    log_pb2,
    opening_pb2,
    page_pb2,
    proof_pb2,
    record_pb2,
    recording_pb2,
    search_pb2,
    session_pb2,
)
from doublethink.options.v1 import options_pb2
from doublethink_rpc.declared import capability_of, form_of
from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.message import Message
from sim.clock import SimClock
from sim.database import GateDatabase
from sim.gate import GATE, NORDWIND, Opened, SimSecret, gate_running, granting_openings, pack_of
from sim.world import World, fact_on, outside, refused, world_of

pytestmark = pytest.mark.postgres

FILES: tuple[FileDescriptor, ...] = tuple(
    module.DESCRIPTOR
    for module in (
        approval_pb2,
        session_pb2,
        search_pb2,
        page_pb2,
        record_pb2,
        completion_pb2,
        ledger_pb2,
        log_pb2,
        opening_pb2,
        proof_pb2,
        recording_pb2,
    )
)
BYTES_IDS = {"OpenPayloadRequest.row_id", "ExplainAttemptRequest.row_id"}
"""Ids that are bytes and therefore carry no prefix."""
OF_THE_LOG = {"ListLogRequest.session_id"}
"""Picks rows out of the log of all sessions, which no capability opens and which holds no payload: the policy grants
it as a whole (tests/contract/test_gate_log.py)."""


@dataclass(frozen=True)
class Case:
    """A session with one of everything, and a second query with its own page."""

    session: Opened
    query: str
    page: page_pb2.Page
    fact: str
    attempt: bytes
    reader: bytes
    other_query: str
    other_page: str
    other_reader: bytes
    hold: approval_pb2.Hold


async def fill(world: World, tenant: str = "acme") -> Case:
    """Open a session and bring one of everything into it."""
    client = world.client
    session = await client.open(pack_of(NORDWIND, SimSecret("code", "Zorq")), tenant)
    found = await client.search(session, "Halvorsen Pumps revenue")
    query, first, _ = await client.fetch(session, found.query_id)
    other = await client.search(session, "centrifugal pumps")
    other_query, other_first, _ = await client.fetch(session, other.query_id)
    fact = await client.record(session, fact_on(first.page, found.query_id))
    await client.search(session, "zorq pumps")
    (hold,) = await client.holds(session)
    rows = await client.rows(session)
    return Case(
        session,
        found.query_id,
        first.page,
        fact,
        rows[1].id,
        query.query.reader_capability,
        other.query_id,
        other_first.page.page_id,
        other_query.query.reader_capability,
        hold,
    )


@pytest.fixture
async def world(gate_database: GateDatabase) -> AsyncIterator[World]:
    """A gate over two pages."""
    async with world_of(gate_database.dsn(), policy=granting_openings()) as made:
        yield made


Try = Callable[[World, Case, Case], Awaitable[object]]


def _fact(case: Case, **changes: Any) -> record_pb2.Fact:
    fact = fact_on(case.page, case.query)
    for name, value in changes.items():
        setattr(fact, name, value)
    return fact


# Field -> a call by the first case that is right but for one id, which is the second's.
FOREIGN: dict[str, Try] = {
    "FetchPagesRequest.query_id": lambda w, a, b: w.client.fetch(a.session, b.query),
    "ReleaseRequest.hold_id": lambda w, a, b: w.client.release(a.session, b.hold.hold_id),
    "DecideRequest.hold_id": lambda w, a, b: w.client.decide(a.session, b.hold),
    "GetPageRequest.page_id": lambda w, a, b: w.client.page(a.session, b.page.page_id),
    "Fact.query_id": lambda w, a, b: w.client.record(a.session, _fact(a, query_id=b.query)),
    "Fact.page_id": lambda w, a, b: w.client.record(a.session, _fact(a, page_id=b.page.page_id)),
    "GetFactsRequest.fact_ids": lambda w, a, b: w.client.facts(a.session, a.fact, b.fact),
    "CompleteRequest.query_id": lambda w, a, b: w.client.complete(a.reader, b.query, [a.page.page_id]),
    "CompleteRequest.page_ids": lambda w, a, b: w.client.complete(
        a.reader, a.query, [a.page.page_id, b.page.page_id]
    ),
    "OpenPayloadRequest.row_id": lambda w, a, b: w.client.payload(a.session, b.attempt),
    "ExplainAttemptRequest.row_id": lambda w, a, b: w.client.explain(a.session, b.attempt),
}


def _id_fields(message: Descriptor, seen: set[str]) -> set[str]:
    """Every field of a message, and of those within it, whose form is an id."""
    if message.full_name in seen:
        return set()
    seen.add(message.full_name)
    found = set()
    for field in message.fields:
        form = form_of(field)
        name = f"{message.name}.{field.name}"
        if form.id or name in BYTES_IDS:
            found.add(name)
        if field.message_type is not None:
            found |= _id_fields(field.message_type, seen)
    return found


def test_the_matrix_has_every_id_field_of_every_call() -> None:
    """A new id field in a request of the gate is a hole in the matrix until it has a case here."""
    fields: set[str] = set()
    for file in FILES:
        for service in file.services_by_name.values():
            for method in service.methods:
                fields |= _id_fields(method.input_type, set())
    assert fields == set(FOREIGN) | OF_THE_LOG


@pytest.mark.parametrize("tenant", ["acme", "other"])
async def test_an_id_of_another_session_is_refused_everywhere(world: World, tenant: str) -> None:
    """Each id field refuses another session's id, of the same tenant or of another; nothing leaves."""
    mine, theirs = await fill(world), await fill(world, tenant)
    await world.client.complete(mine.reader, mine.query, [mine.page.page_id])
    before = len(world.web.seen), len(world.model_web.seen), len(await world.client.rows(mine.session))
    for field, attempt in FOREIGN.items():
        assert await refused(attempt(world, mine, theirs)) == "ERROR_CODE_ID_REFUSED", field
    after = len(world.web.seen), len(world.model_web.seen), len(await world.client.rows(mine.session))
    assert after == before


async def test_an_id_of_another_query_is_refused(world: World) -> None:
    """Within one session a page belongs to its query, and a reader's capability to one query."""
    case = await fill(world)
    client = world.client
    wrong = [
        client.record(case.session, _fact(case, query_id=case.other_query)),
        client.complete(case.reader, case.query, [case.other_page]),
        client.complete(case.reader, case.other_query, [case.other_page]),
        client.complete(case.other_reader, case.query, [case.page.page_id]),
    ]
    for attempt in wrong:
        assert await refused(attempt) == "ERROR_CODE_ID_REFUSED"
    assert world.model_web.seen == []


# Method -> request and response type, for the walk over capabilities.
CALLS: dict[str, tuple[str, type[Message], Callable[[Case], Message]]] = {
    "SessionService/CloseSession": (
        "console",
        session_pb2.CloseSessionResponse,
        lambda c: session_pb2.CloseSessionRequest(),
    ),
    "SearchService/Search": (
        "planner",
        search_pb2.SearchResponse,
        lambda c: search_pb2.SearchRequest(query="pumps"),
    ),
    "SearchService/Release": (
        "planner",
        search_pb2.ReleaseResponse,
        lambda c: search_pb2.ReleaseRequest(hold_id=c.hold.hold_id),
    ),
    "ApprovalService/ListHolds": (
        "console",
        approval_pb2.ListHoldsResponse,
        lambda c: approval_pb2.ListHoldsRequest(),
    ),
    "ApprovalService/Decide": (
        "console",
        approval_pb2.DecideResponse,
        lambda c: approval_pb2.DecideRequest(
            hold_id=c.hold.hold_id,
            commitment=c.hold.commitment,
            approval=approval_pb2.APPROVAL_REJECT,
            approver="a person",
        ),
    ),
    "PageService/FetchPages": (
        "validator",
        page_pb2.FetchPagesResponse,
        lambda c: page_pb2.FetchPagesRequest(query_id=c.query, pages=1),
    ),
    "PageService/GetPage": (
        "validator",
        page_pb2.GetPageResponse,
        lambda c: page_pb2.GetPageRequest(page_id=c.page.page_id),
    ),
    "RecordService/RecordFact": (
        "validator",
        record_pb2.RecordFactResponse,
        lambda c: record_pb2.RecordFactRequest(fact=_fact(c)),
    ),
    "RecordService/GetFacts": (
        "validator",
        record_pb2.GetFactsResponse,
        lambda c: record_pb2.GetFactsRequest(fact_ids=[c.fact]),
    ),
    "CompletionService/Complete": (
        "reader",
        completion_pb2.CompleteResponse,
        lambda c: completion_pb2.CompleteRequest(
            template=completion_pb2.TEMPLATE_EXTRACT_CLAIMS, query_id=c.query, page_ids=[c.page.page_id]
        ),
    ),
    "LedgerService/ListRows": (
        "console",
        ledger_pb2.ListRowsResponse,
        lambda c: ledger_pb2.ListRowsRequest(after_n=-1),
    ),
    "LedgerService/OpenPayload": (
        "console",
        ledger_pb2.OpenPayloadResponse,
        lambda c: ledger_pb2.OpenPayloadRequest(row_id=c.attempt),
    ),
    "LedgerService/ExplainAttempt": (
        "console",
        ledger_pb2.ExplainAttemptResponse,
        lambda c: ledger_pb2.ExplainAttemptRequest(row_id=c.attempt),
    ),
    "ProofService/ProveSession": (
        "console",
        proof_pb2.ProveSessionResponse,
        lambda c: proof_pb2.ProveSessionRequest(),
    ),
    "OpeningService/OpenPayloads": (
        "console",
        opening_pb2.OpenPayloadsResponse,
        lambda c: opening_pb2.OpenPayloadsRequest(after_n=-1),
    ),
    "RecordingService/RecordSession": (
        "console",
        recording_pb2.RecordSessionResponse,
        lambda c: recording_pb2.RecordSessionRequest(fingerprint_pack=pack_of(NORDWIND)),
    ),
}
STREAMS = {
    "PageService/FetchPages",
    "LedgerService/ListRows",
    "OpeningService/OpenPayloads",
    "RecordingService/RecordSession",
}


async def _call(world: World, name: str, case: Case, capability: bytes) -> object:
    role, response, request = CALLS[name]
    peer = world.client.peer(role)
    if name in STREAMS:
        stream = peer.stream(f"{GATE}.{name}", request(case), response, capability=capability)
        return [message async for message in stream]
    return await peer.call(f"{GATE}.{name}", request(case), response, capability=capability)


def test_the_walk_has_every_method_with_a_capability() -> None:
    """Every method of the gate that carries a capability is walked over."""
    names = {
        f"{service.name}/{method.name}"
        for file in FILES
        for service in file.services_by_name.values()
        for method in service.methods
        if capability_of(method) == options_pb2.CAPABILITY_SESSION
    }
    assert names == set(CALLS)


async def test_a_capability_of_another_role_or_of_nobody_is_refused(world: World) -> None:
    """Each method takes its own role's capability; the others' and made-up ones are worth nothing there."""
    case = await fill(world)
    capabilities = {
        "console": case.session.console,
        "planner": case.session.planner,
        "validator": case.session.validator,
        "reader": case.reader,
        "nobody": bytes(range(32)),
    }
    before = len(world.web.seen), len(world.model_web.seen)
    for name, (role, _, _) in CALLS.items():
        for holder, capability in capabilities.items():
            if holder != role:
                code = await refused(_call(world, name, case, capability))
                assert code == "ERROR_CODE_CAPABILITY_REFUSED", (name, holder)
    assert (len(world.web.seen), len(world.model_web.seen)) == before
    for name in sorted(CALLS, key=lambda name: name == "SessionService/CloseSession"):
        await _call(world, name, case, capabilities[CALLS[name][0]])


async def test_no_page_crosses_sessions(world: World) -> None:
    """Two sessions that find the same page each fetch it for themselves, and get two ids for it."""
    mine, theirs = await fill(world), await fill(world)
    assert mine.page.url == theirs.page.url
    assert mine.page.page_id != theirs.page.page_id
    asked = [request.body for request in world.web.seen if mine.page.url.encode() in request.body]
    assert len(asked) == 2


async def test_no_rival_crosses_sessions(world: World) -> None:
    """Figures that stand against each other are given to their own session alone, and only where they are asked for."""
    mine, theirs = await fill(world), await fill(world)
    rivals = [await world.client.record(mine.session, _fact(mine, rival=True)) for _ in range(2)]
    peer = world.client.peer("validator")

    async def facts(case: Case, *, asked: bool) -> list[str]:
        request = record_pb2.GetFactsRequest(fact_ids=[case.fact], rivals=asked)
        found = await peer.call(
            f"{GATE}.RecordService/GetFacts",
            request,
            record_pb2.GetFactsResponse,
            capability=case.session.validator,
        )
        return [each.fact_id for each in found.facts]

    assert await facts(mine, asked=True) == [mine.fact, *rivals]
    assert await facts(mine, asked=False) == [mine.fact]
    assert await facts(theirs, asked=True) == [theirs.fact]


async def test_capabilities_are_kept_as_hashes_only(world: World, gate_database: GateDatabase) -> None:
    """No capability stands in the database, in any session or role."""
    case = await fill(world)
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        rows = connection.execute("SELECT sha256 FROM gate.capability").fetchall()
        dump = connection.execute("SELECT string_agg(c::text, '') FROM gate.capability AS c").fetchone()
    assert len(rows) == 5
    assert dump is not None
    for capability in (case.session.console, case.session.planner, case.session.validator, case.reader):
        assert capability not in {bytes(row[0]) for row in rows}
        assert capability.hex() not in dump[0]


async def test_a_session_ends_with_its_time(gate_database: GateDatabase) -> None:
    """Past its time a session does nothing more, even before anybody closed it; then it is closed."""
    clock = SimClock()
    async with (
        outside(gate_database.dsn(), limits={"expiry_every_s": 1}) as world,
        gate_running(world.files, clock=clock) as client,
    ):
        session = await client.open(pack_of(NORDWIND), seconds=60)
        await client.search(session, "Halvorsen Pumps")
        clock.forward(61)
        # Refused from this moment on; the capability goes when the session is closed.
        code = "ERROR_CODE_SESSION_CLOSED"
        while code == "ERROR_CODE_SESSION_CLOSED":
            code = await refused(client.search(session, "more"))
        assert code == "ERROR_CODE_CAPABILITY_REFUSED"
        assert [body["kind"] for body in await client.bodies(session)] == [
            "session.open",
            "attempt",
            "outcome",
            "session.close",
        ]
        assert (await client.bodies(session))[-1]["reason"] == "expired"
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        stored = connection.execute("SELECT state, pack_wrapped FROM gate.session").fetchall()
        left = connection.execute("SELECT role FROM gate.capability").fetchall()
    assert stored == [("expired", None)]
    assert left == [("console",)]
