"""A row as an event of the Open Cybersecurity Schema Framework, version 1.3.0.

What the gate let out or stopped, and what came of it, is HTTP Activity (class 4002): every request of the gate's is a
POST. The rest is API Activity (class 6003) of the ledger. What has no place in the schema stands under `unmapped`.
The facts are those of the schema's repository (ocsf/ocsf-schema): events/network/http_activity.json,
events/application/api_activity.json, profiles/security_control.json and the objects that they name.
"""

from __future__ import annotations

import uuid
from importlib.metadata import version
from typing import Any, Final

from .entries import SENT, Entry

VERSION: Final = "1.3.0"
_GATE: Final = "doublethink-gate"
_SEVERITIES: Final = {1: "Informational", 2: "Low", 3: "Medium", 4: "High"}
_HTTP_POST: Final = (6, "Post")
# Kind -> activity_id and activity_name of class 6003.
_API: Final = {
    "session.open": (1, "Create"),
    "fact": (1, "Create"),
    "opening": (2, "Read"),
    "approval": (3, "Update"),
    "session.close": (3, "Update"),
    "redaction": (4, "Delete"),
}
# Verdict -> action_id, action, disposition_id and disposition of the profile security_control.
_CONTROLS: Final = {
    "allow": (1, "Allowed", 1, "Allowed"),
    "rewrite": (1, "Allowed", 1, "Allowed"),
    "block": (2, "Denied", 2, "Blocked"),
    "ask": (2, "Denied", 99, "Held"),
}
# What the event says elsewhere, with the same value. Every other key of a body stands under `unmapped`: a key that a
# later row has is never left out.
_MAPPED: Final = frozenset({"kind", "host", "status", "sent", "received", "http"})


def event(entry: Entry) -> dict[str, Any]:
    """The row as one event, a JSON object."""
    is_http = entry.kind in ("attempt", "held", "outcome")
    fields = _http(entry) if is_http else _api(entry)
    severity = severity_of(entry)
    class_uid, activity = fields["class_uid"], fields["activity_id"]
    return {
        **fields,
        "type_uid": class_uid * 100 + activity,
        "type_name": f"{fields['class_name']}: {fields['activity_name']}",
        "time": entry.at_us // 1000,
        "severity_id": severity,
        "severity": _SEVERITIES[severity],
        "message": f"{entry.kind} {entry.body.get('verdict') or entry.body.get('status') or ''}".strip(),
        "metadata": {
            "version": VERSION,
            "product": {
                "name": "Doublethink",
                "vendor_name": "Doublethink",
                "version": version("doublethink-console"),
            },
            "profiles": ["security_control"] if entry.kind in ("attempt", "held") else [],
            "uid": str(uuid.UUID(bytes=entry.id)),
            "sequence": entry.seq,
            "correlation_uid": entry.session_id,
            "event_code": entry.kind,
            "log_name": "ledger",
            "log_provider": _GATE,
        },
        "unmapped": {
            "session": entry.session_id,
            "n": entry.n,
            "at_us": entry.at_us,
            "row_hash": entry.hash.hex(),
            "prev_hash": entry.prev.hex(),
            "erased": entry.erased,
            **{key: value for key, value in entry.body.items() if key not in _MAPPED},
        },
    }


def severity_of(entry: Entry) -> int:
    """The row's severity_id: 1 informational to 4 high."""
    if entry.body.get("verdict") == "block":
        return 4
    if entry.kind in ("held", "opening", "redaction"):
        return 3
    if entry.body.get("verdict") == "rewrite":
        return 2
    return 2 if entry.kind == "outcome" and entry.body.get("status") != "sent" else 1


def _http(entry: Entry) -> dict[str, Any]:
    body = entry.body
    activity, name = _HTTP_POST
    fields: dict[str, Any] = {
        "category_uid": 4,
        "category_name": "Network Activity",
        "class_uid": 4002,
        "class_name": "HTTP Activity",
        "activity_id": activity,
        "activity_name": name,
        "src_endpoint": {"name": _GATE, "svc_name": _GATE},
        # A host that the policy does not name stands in no row.
        "dst_endpoint": {"hostname": body["host"]}
        if "host" in body
        else {"svc_name": str(body.get("method", "not_named"))},
        "http_request": {"http_method": "POST", "uid": str(body.get("of", uuid.UUID(bytes=entry.id)))},
    }
    if entry.kind == "outcome":
        sent = body.get("status") == "sent"
        fields |= {"status_id": 1 if sent else 2, "status": "Success" if sent else "Failure"}
        fields["status_detail"] = str(body.get("status"))
        fields["traffic"] = {"bytes_out": body.get("sent", 0), "bytes_in": body.get("received", 0)}
        if "http" in body:
            fields["http_response"] = {"code": body["http"], "length": body.get("received", 0)}
        if "micros" in body:
            fields["duration"] = body["micros"] // 1000
        return fields
    stopped = body.get("verdict") not in SENT
    # Whether what was let go arrived, its outcome says.
    fields |= {"status_id": 2, "status": "Failure"} if stopped else {"status_id": 0, "status": "Unknown"}
    action, action_name, disposition, disposition_name = _CONTROLS[str(body["verdict"])]
    fields |= {
        "action_id": action,
        "action": action_name,
        "disposition_id": disposition,
        "disposition": disposition_name,
        "policy": {"name": "gate policy", "uid": str(body.get("policy", ""))},
    }
    if body.get("rules"):
        fields["firewall_rule"] = {"name": body["rules"][0], "uid": body["rules"][0]}
    return fields


def _api(entry: Entry) -> dict[str, Any]:
    activity, name = _API.get(entry.kind, (99, entry.kind))
    fields: dict[str, Any] = {
        "category_uid": 6,
        "category_name": "Application Activity",
        "class_uid": 6003,
        "class_name": "API Activity",
        "activity_id": activity,
        "activity_name": name,
        "status_id": 1,
        "status": "Success",
        "actor": {"app_name": _GATE, "session": {"uid": entry.session_id}},
        "api": {"operation": entry.kind, "service": {"name": "doublethink-ledger"}},
        "src_endpoint": {"name": _GATE, "svc_name": _GATE},
    }
    if "of" in entry.body:
        fields["resources"] = [{"uid": str(entry.body["of"]), "type": "ledger row"}]
    return fields
