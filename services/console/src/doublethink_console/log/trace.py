"""A session as an OpenTelemetry trace, made afterwards from what the console and the gate wrote down.

No trace context crosses between processes (I13), and nothing is pushed: the trace's id is the session's, a span's id is
its row's, so that the same session always gives the same trace. The form is OTLP's JSON (opentelemetry-proto,
docs/specification: ids as hexadecimal, times as decimal strings of nanoseconds), a whole ExportTraceServiceRequest.
No payload, no word of a question and, of an address, nothing but the host is in it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from doublethink_console.store.events import RunEvent
from doublethink_console.store.spending import TOKENS

from .entries import Entry

_INTERNAL: Final = 1
_CLIENT: Final = 3
_OK: Final = 1
_ERROR: Final = 2
_TRIED: Final = frozenset({"attempt", "held"})
# Keys of a row's body -> attributes of its span; the http ones by OpenTelemetry's semantic conventions.
_ATTEMPT: Final = {
    "verdict": "doublethink.verdict",
    "rules": "doublethink.rules",
    "host": "server.address",
    "query": "doublethink.query.id",
    "result": "doublethink.result.id",
    "template": "doublethink.template",
    "model": "gen_ai.request.model",
    "bytes": "doublethink.payload.bytes",
}
_OUTCOME: Final = {
    "status": "doublethink.outcome",
    "error": "error.type",
    "http": "http.response.status_code",
    "sent": "http.request.size",
    "received": "http.response.size",
    "micros": "doublethink.send.micros",
    "results": "doublethink.results",
    "credits": "doublethink.credits",
    "cost_micros": "doublethink.cost.micros",
    **{key: f"doublethink.tokens.{key.removesuffix('_tokens')}" for key in TOKENS},
}
_SESSION: Final = ("source", "planner_model", "policy", "gate")


def trace_json(session_id: str, entries: Sequence[Entry], steps: Iterable[RunEvent]) -> dict[str, Any]:
    """The trace of a session that has a row. entries: its rows, in order. steps: those of its run."""
    own = [entry for entry in entries if entry.session_id == session_id]
    trace = _trace_id(session_id)
    root = _span(trace, own[0], "session", _INTERNAL, end_us=own[-1].at_us)
    root["attributes"] = _attributes({f"doublethink.{key}": own[0].body.get(key) for key in _SESSION})
    root["events"] = [_event(step.at.timestamp() * 1e6, step.kind, {}) for step in steps]
    about: dict[bytes, list[Entry]] = {}
    for entry in own:
        if entry.of is not None:
            about.setdefault(entry.of, []).append(entry)
    sent = [
        _attempt(trace, entry, root["spanId"], about.get(entry.id, []))
        for entry in own
        if entry.kind in _TRIED
    ]
    return {"resourceSpans": [_resource("doublethink-console", [root]), _resource("doublethink-gate", sent)]}


def _attempt(trace: str, entry: Entry, parent: str, about: Sequence[Entry]) -> dict[str, Any]:
    """The span of a request: from its row to its outcome's, or of no length where there is none."""
    outcome = next((other for other in about if other.kind == "outcome"), None)
    span = _span(
        trace, entry, str(entry.body.get("method", entry.kind)), _CLIENT, end_us=(outcome or entry).at_us
    )
    span["parentSpanId"] = parent
    body = dict(outcome.body) if outcome is not None else {}
    span["attributes"] = _attributes(
        {"doublethink.ledger.n": entry.n, "doublethink.kind": entry.kind}
        | {name: entry.body.get(key) for key, name in _ATTEMPT.items()}
        | {name: body.get(key) for key, name in _OUTCOME.items()}
    )
    span["events"] = [
        _event(
            other.at_us,
            other.kind,
            {"doublethink.ledger.n": other.n, "doublethink.verdict": other.body.get("verdict")},
        )
        for other in about
        if other.kind != "outcome"
    ]
    left = entry.may_have_left and body.get("status") == "sent"
    span["status"] = {"code": _OK if left else _ERROR}
    return span


def _span(trace: str, entry: Entry, name: str, kind: int, *, end_us: int) -> dict[str, Any]:
    return {
        "traceId": trace,
        "spanId": entry.id.hex()[:16],
        "name": name,
        "kind": kind,
        "startTimeUnixNano": str(entry.at_us * 1000),
        "endTimeUnixNano": str(max(end_us, entry.at_us) * 1000),
    }


def _event(at_us: float, name: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {"timeUnixNano": str(int(at_us) * 1000), "name": name, "attributes": _attributes(attributes)}


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: object) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}


def _resource(service: str, spans: list[dict[str, Any]]) -> dict[str, Any]:
    scope = {"name": "doublethink", "version": version("doublethink-console")}
    return {
        "resource": {"attributes": _attributes({"service.name": service})},
        "scopeSpans": [{"scope": scope, "spans": spans}],
    }


def _trace_id(session_id: str) -> str:
    """The session's 16 bytes, which its id is the base32 of."""
    return base64.b32decode(session_id.partition("_")[2].upper() + "======").hex()
