"""The ledger's rows as OCSF events and as CEF lines: the formats' own rules, and nothing that is not in the row."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from doublethink.gate.v1 import ledger_pb2, log_pb2
from doublethink_console.http.ledger import FORMATS, written
from doublethink_console.log import cef, ocsf
from doublethink_console.log.entries import Entry, entry_of
from doublethink_console.log.filters import Filter
from doublethink_ledger import BODY_KEYS, Kind
from hypothesis import given
from hypothesis import strategies as st

DIGEST = "ab" * 32
ROW = "00000000-0000-0000-0000-00000000000a"
WHO: dict[str, Any] = {"gate": DIGEST, "policy": DIGEST}
SESSION = "ses_" + "a" * 26

REQUEST = {"method": "search", "rules": [], "commit": DIGEST, "bytes": 70, "query": "qry_" + "a" * 26}
BODIES: dict[str, dict[str, Any]] = {
    "open": WHO | {"kind": "session.open", "source": "corpus", "max_queries": 4},
    "sent": WHO | REQUEST | {"kind": "attempt", "verdict": "allow", "host": "api.tavily.com"},
    "nameless": WHO | REQUEST | {"kind": "attempt", "verdict": "allow"},
    "blocked": WHO
    | REQUEST
    | {"kind": "attempt", "verdict": "block", "rules": ["secret.number", "split.name"]},
    "rewritten": WHO
    | REQUEST
    | {"kind": "attempt", "verdict": "rewrite", "rules": ["pattern.ssn"], "original": "e" * 64},
    "held": WHO | REQUEST | {"kind": "held", "verdict": "ask", "rules": ["uncertain.code"]},
    "outcome": WHO
    | {
        "kind": "outcome",
        "of": ROW,
        "status": "sent",
        "sent": 70,
        "received": 900,
        "http": 200,
        "micros": 5500,
    },
    "failed": WHO | {"kind": "outcome", "of": ROW, "status": "timeout", "sent": 70, "received": 0},
    "fact": WHO | {"kind": "fact", "of": ROW, "fact": "fct_" + "a" * 26, "commit": DIGEST, "bytes": 4},
    "approval": WHO | {"kind": "approval", "of": ROW, "verdict": "approve", "approver": DIGEST},
    "redaction": WHO | {"kind": "redaction", "of": ROW, "of_session": SESSION, "of_n": 3, "reason": "court"},
    "opening": WHO | {"kind": "opening", "of": ROW, "of_session": SESSION, "of_n": 3, "purpose": "export"},
    "close": WHO | {"kind": "session.close", "reason": "closed"},
    "unknown": WHO | {"kind": "something.new"},
}


def entry(name: str, **changes: Any) -> Entry:
    """A row of one kind."""
    body = BODIES[name] | changes
    return Entry(SESSION, 41, 7, bytes(range(16)), 1_800_000_000_123_456, b"p" * 32, b"h" * 32, body, False)


# Facts of OCSF 1.3.0, as its repository and the reference at schema.ocsf.io/1.3.0 have them: what every event and what
# each of the two classes requires, and the values that an enumeration may have.
REQUIRED = {"activity_id", "category_uid", "class_uid", "type_uid", "time", "metadata", "severity_id"}
CLASSES: dict[int, dict[str, Any]] = {
    4002: {
        "category_uid": 4,
        "activities": {1, 2, 3, 4, 5, 6, 7, 8, 99},
        "required": set(),
        "at_least_one": [{"src_endpoint", "dst_endpoint"}, {"http_request", "http_response"}],
        "known": {
            *("http_request", "http_response", "src_endpoint", "dst_endpoint", "traffic", "duration"),
            *("action_id", "action", "disposition_id", "disposition", "policy", "firewall_rule"),
        },
    },
    6003: {
        "category_uid": 6,
        "activities": {1, 2, 3, 4, 99},
        "required": {"actor", "api", "src_endpoint"},
        "at_least_one": [],
        "known": {"actor", "api", "src_endpoint", "dst_endpoint", "resources"},
    },
}
BASE = REQUIRED | {
    *("activity_name", "category_name", "class_name", "type_name", "severity", "status_id", "status"),
    *("status_detail", "message", "unmapped"),
}
SEVERITIES = {0, 1, 2, 3, 4, 5, 6, 99}
DISPOSITIONS = {*range(28), 99}
ENDPOINT = {"ip", "uid", "name", "hostname", "svc_name", "instance_uid", "interface_uid", "interface_name"}


@pytest.mark.parametrize("name", BODIES)
def test_an_ocsf_event_has_what_its_class_requires(name: str) -> None:
    """Required attributes, constraints, enumerations, the computed type and the types of the values hold for every
    kind; no attribute is there that the class does not have.
    """
    event = ocsf.event(entry(name))
    rules = CLASSES[event["class_uid"]]
    assert event.keys() >= REQUIRED | rules["required"]
    assert event.keys() <= BASE | rules["known"]
    assert event["category_uid"] == rules["category_uid"] == event["class_uid"] // 1000
    assert event["activity_id"] in rules["activities"]
    assert event["type_uid"] == event["class_uid"] * 100 + event["activity_id"]
    for group in rules["at_least_one"]:
        assert group & event.keys()
    assert event["severity_id"] in SEVERITIES
    assert event["status_id"] in {0, 1, 2, 99}
    assert event["time"] == 1_800_000_000_123, "milliseconds"
    metadata = event["metadata"]
    assert metadata["version"] == "1.3.0"
    assert metadata["product"].keys() >= {"name", "vendor_name"}
    assert metadata["sequence"] == 41
    assert uuid.UUID(metadata["uid"]).bytes == bytes(range(16))
    for endpoint in ("src_endpoint", "dst_endpoint"):
        if endpoint in event:
            assert ENDPOINT & event[endpoint].keys()
    if "http_response" in event:
        assert type(event["http_response"]["code"]) is int
    if "action_id" in event:
        assert event["action_id"] in {0, 1, 2}
        assert event["disposition_id"] in DISPOSITIONS
        assert metadata["profiles"] == ["security_control"]
    if event["class_uid"] == 6003:
        assert event["api"]["operation"]
        assert {"app_name", "session"} <= event["actor"].keys()
    if event["activity_id"] == 99:
        assert event["activity_name"] not in ("", "Other")
    assert json.loads(json.dumps(event)) == event


@pytest.mark.parametrize("kind", Kind)
def test_an_ocsf_event_leaves_nothing_of_a_row_out(kind: Kind) -> None:
    """Of a body with every key that its kind may have, every value stands in the event."""
    fixed = {"of": ROW, "of_session": SESSION, "verdict": "allow"}
    of_type = {bool: True, int: 4_711, list: ["split.name"]}
    body: dict[str, Any] = {"kind": kind.value}
    for key, form in BODY_KEYS[kind].items():
        body[key] = fixed.get(key) or of_type.get(form.type, f"the {key}")
    said = list(leaves(ocsf.event(replace(entry("close"), body=body))))
    for key, value in body.items():
        assert value in said, key


def leaves(value: Any) -> Iterator[Any]:
    """Every value below a JSON value; lists as they are."""
    if isinstance(value, dict):
        for below in value.values():
            yield from leaves(below)
    else:
        yield value


def test_what_was_stopped_is_denied_and_grave() -> None:
    """A blocked request is denied, blocked, failed and of high severity, with the rule that stopped it."""
    event = ocsf.event(entry("blocked"))
    assert (event["action_id"], event["disposition_id"], event["status_id"]) == (2, 2, 2)
    assert event["severity_id"] == 4
    assert event["firewall_rule"]["name"] == "secret.number"
    assert event["unmapped"]["rules"] == ["secret.number", "split.name"]
    assert ocsf.event(entry("sent"))["action_id"] == 1
    assert ocsf.event(entry("sent"))["dst_endpoint"] == {"hostname": "api.tavily.com"}


def test_what_was_rewritten_left_and_is_worth_a_look() -> None:
    """It is allowed, graver than what left as it was asked, and both commitments are told."""
    event = ocsf.event(entry("rewritten"))
    assert (event["action_id"], event["disposition_id"], event["severity_id"]) == (1, 1, 2)
    assert (event["unmapped"]["commit"], event["unmapped"]["original"]) == (DIGEST, "e" * 64)


def parse_cef(line: str) -> tuple[list[str], dict[str, str]]:
    """A reader of CEF, by the format's description and not by our writer: one character at a time."""
    fields, field, escaped = [], "", False
    position = 0
    for position, char in enumerate(line):  # noqa: B007 - the extension begins behind the last one
        if escaped:
            assert char in "\\|", "only these are escaped in a header"
            field, escaped = field + char, False
        elif char == "\\":
            escaped = True
        elif char == "|":
            fields.append(field)
            field = ""
            if len(fields) == 7:
                break
        else:
            field += char
    return fields, parse_extension(line[position + 1 :])


def parse_extension(text: str) -> dict[str, str]:
    """key=value pairs: a value ends before a space, a key and an equals sign that is not escaped."""
    starts = list(re.finditer(r"(?:^| )([A-Za-z0-9_]+)(?<!\\)=", text))
    found = {}
    for index, start in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(text)
        value = text[start.end() : end]
        found[start[1]] = re.sub(
            r"\\(.)", lambda escape: {"n": "\n", "r": "\r"}.get(escape[1], escape[1]), value, flags=re.DOTALL
        )
    return found


@given(st.dictionaries(st.from_regex(r"\A[a-z][A-Za-z0-9]{0,9}\Z"), st.text(), min_size=1))
def test_any_value_of_an_extension_comes_back(fields: dict[str, str]) -> None:
    """Whatever the values hold, line breaks and escapes included, an independent reader gets the same ones, and the
    extension is one line.
    """
    fields = {key: value for key, value in fields.items() if not key.endswith("Label")}
    written = cef.write_extension(dict(fields))
    assert "\n" not in written
    assert "\r" not in written
    assert parse_extension(written) == fields


@given(st.lists(st.text(st.characters(exclude_characters="\r\n")), min_size=7, max_size=7))
def test_any_value_of_a_header_comes_back(values: list[str]) -> None:
    """Pipes and backslashes in a header are read back; a line break is refused."""
    line = "|".join((*map(cef.escape_header, values), "")) + "a=b"
    assert parse_cef(line) == (values, {"a": "b"})
    with pytest.raises(ValueError, match="one line"):
        cef.escape_header("a\nb")


@pytest.mark.parametrize("name", BODIES)
def test_a_cef_line_says_what_the_row_says(name: str) -> None:
    """Version, severity from 0 to 10, time in milliseconds, seq, session and hash; a label only beside its value."""
    body = BODIES[name]
    header, fields = parse_cef(cef.line(entry(name)))
    assert header[:3] == ["CEF:0", "Doublethink", "Doublethink"]
    assert header[4].startswith(str(body["kind"]))
    assert 0 <= int(header[6]) <= 10
    assert fields["rt"] == "1800000000123"
    assert (fields["externalId"], fields["cs1"], fields["cs2"]) == ("41", SESSION, (b"h" * 32).hex())
    assert fields.get("act") == body.get("verdict")
    assert fields.get("dhost") == body.get("host")
    labels = {key.removesuffix("Label") for key in fields if key.endswith("Label")}
    assert labels == {key for key in fields if re.fullmatch(r"c[sn]\d|flexString1", key)}
    assert fields.get("flexString1") == body.get("original")


def test_a_blocked_row_is_graver_than_one_that_left() -> None:
    """A collector that sorts by severity sees what was stopped first."""
    blocked, sent = (int(parse_cef(cef.line(entry(name)))[0][6]) for name in ("blocked", "sent"))
    assert blocked > sent


@pytest.mark.parametrize(
    "body",
    [
        b'{"kind":"attempt"}',
        b'{"kind":"attempt","of":"x","verdict":"allow"}',
        b'{"kind":"attempt","verdict":"block\\r\\nCEF:0|line"}',
        b'{"kind":"attempt","host":{"a":1},"verdict":["allow"]}',
        b'{"kind":"outcome","micros":"x","status":"sent"}',
        b'{"kind":"outcome","rules":5,"http":[1]}',
        b'{"kind":"outcome","received":NaN}',
        b'{"kind":"new\\nCEF:0|line"}',
        b'{"kind":["held"]}',
        b'{"kind":7}',
        b'["kind"]',
        b"7",
        b"[" * 10_000,
        b"\xff\xfe",
    ],
)
def test_a_body_of_no_known_form_ends_no_collection(body: bytes) -> None:
    """Whoever can write one such row does not keep collectors from all that follow: it comes in every format, on one
    line, with its seq and its hash.
    """
    row = ledger_pb2.Row(
        seq=41,
        n=7,
        id=bytes(range(16)),
        at_us=1_800_000_000_000_000,
        prev=bytes(32),
        body=body,
        hash=bytes(32),
    )
    read = entry_of(log_pb2.LogRow(session_id=SESSION, row=row, erased=False))
    assert isinstance(Filter(rule="secret.number", host="api.example").matches(read), bool)
    for form in FORMATS:
        made = written(read, form)
        line = made if isinstance(made, str) else json.dumps(made, allow_nan=False)
        assert "\n" not in line
        assert "\r" not in line
        assert "41" in line
