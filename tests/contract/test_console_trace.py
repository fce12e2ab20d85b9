"""A session as a trace: what OpenTelemetry's own messages take, the same every time, and no word of what was asked."""

from __future__ import annotations

import base64
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from doublethink.planner.v1 import research_pb2 as research
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from sim.database import PostgresForTests
from sim.desk import Desk, desk
from sim.minds import SimPlanner, SimWorld, minted

pytestmark = pytest.mark.postgres

QUESTION = "What were the net sales of Halvorsen Pumps?"


@pytest.fixture
async def on(postgres: PostgresForTests) -> AsyncIterator[Desk]:
    """A desk whose planner has one request sent, one stopped, and one held and rejected."""
    world = SimWorld()

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        known = world.sessions[-1]
        tried = {"kind": "attempt", "method": "search", "host": "search.example", "rules": [], "bytes": 40}
        sent = world.add_row(known, tried | {"verdict": "allow"}, b'POST\n\n{"query":"pumps"}')
        outcome = {"kind": "outcome", "of": str(uuid.UUID(bytes=sent.id)), "status": "sent", "http": 200}
        world.add_row(known, outcome | {"sent": 40, "received": 900, "micros": 1200, "credits": 1})
        world.add_row(known, tried | {"verdict": "block", "rules": ["secret.code"]})
        held = world.add_row(
            known, tried | {"kind": "held", "verdict": "ask", "rules": ["secret.code.short"]}
        )
        decision = {"kind": "approval", "of": str(uuid.UUID(bytes=held.id)), "verdict": "reject"}
        world.add_row(known, decision)
        yield research.ResearchEvent(index=0, planned=research.Planned(figures=0))
        yield research.ResearchEvent(index=1, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))

    async with desk(postgres, SimPlanner(script), world) as running:
        yield running


def as_published(trace: dict[str, Any]) -> ExportTraceServiceRequest:
    """The trace as the published message; raises for a field that it does not have."""
    for resource in trace["resourceSpans"]:
        for span in resource["scopeSpans"][0]["spans"]:
            # OTLP's JSON has ids in hexadecimal, where protobuf's own has base64.
            for key in ("traceId", "spanId", "parentSpanId"):
                if key in span:
                    span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    return json_format.ParseDict(trace, ExportTraceServiceRequest())


def attributes(span: Span) -> dict[str, Any]:
    """The attributes of a span by name."""
    found = {}
    for each in span.attributes:
        kind = each.value.WhichOneof("value")
        value = getattr(each.value, kind or "string_value")
        found[each.key] = [one.string_value for one in value.values] if kind == "array_value" else value
    return found


async def test_each_request_is_a_span_under_its_session(on: Desk) -> None:
    """Times are the rows', ids the session's and the rows', and what was stopped is an error."""
    run = await on.start(await on.case(), QUESTION)
    await on.events(run)
    session = (await on.run(run))["session"]
    response = await on.client.get(f"/api/sessions/{session}/trace")
    assert response.status_code == 200
    rows = (await on.client.get(f"/api/sessions/{session}/ledger")).json()["rows"]
    console, gate = as_published(response.json()).resource_spans
    (root,) = console.scope_spans[0].spans
    sent, stopped, held = gate.scope_spans[0].spans
    assert {span.trace_id for span in (root, sent, stopped, held)} == {root.trace_id}
    assert base64.b32encode(root.trace_id).decode().rstrip("=").lower() == session.partition("_")[2]
    assert {span.parent_span_id for span in (sent, stopped, held)} == {root.span_id}
    assert sent.span_id.hex() == next(row["id"] for row in rows if row["kind"] == "attempt")[:16]
    assert sent.start_time_unix_nano == rows[1]["at_us"] * 1000
    assert sent.end_time_unix_nano == rows[2]["at_us"] * 1000
    assert (root.start_time_unix_nano, root.end_time_unix_nano) == (
        rows[0]["at_us"] * 1000,
        rows[-1]["at_us"] * 1000,
    )
    codes = [span.status.code for span in (sent, stopped, held)]
    assert codes == [Status.STATUS_CODE_OK, Status.STATUS_CODE_ERROR, Status.STATUS_CODE_ERROR]
    assert attributes(sent)["http.response.status_code"] == 200
    assert attributes(sent)["doublethink.credits"] == 1
    assert attributes(stopped)["doublethink.rules"] == ["secret.code"]
    assert [event.name for event in held.events] == ["approval"]
    assert {"planned", "plan"} <= {event.name for event in root.events}


async def test_a_trace_tells_nothing_of_the_case(on: Desk) -> None:
    """The same trace each time, and in it no payload, no question and no secret."""
    run = await on.start(await on.case(), QUESTION)
    await on.events(run)
    session = (await on.run(run))["session"]
    first = await on.client.get(f"/api/sessions/{session}/trace")
    assert first.text == (await on.client.get(f"/api/sessions/{session}/trace")).text
    for text in ("pumps", "Halvorsen", "Nordwind", "Bramblewick", "58.75"):
        assert text.lower() not in first.text.lower()


async def test_a_session_that_is_none_has_no_trace(on: Desk) -> None:
    """An id without rows, and a text that is no id, are answered with 404."""
    for session in (minted("ses"), "nonsense"):
        assert (await on.client.get(f"/api/sessions/{session}/trace")).status_code == 404
