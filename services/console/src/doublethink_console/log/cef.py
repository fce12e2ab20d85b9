"""A row as one line of the Common Event Format, version 0 (ArcSight, revision 25).

In the header `\\` and `|` are escaped, and a line break has no place; in the extension `\\`, `=`, carriage return and
line feed are. Nothing else needs escaping. Keys are those of the format's dictionary; cs1 to cs6 and cn1 to cn2 carry
their labels.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from .entries import Entry
from .ocsf import severity_of

# severity_id of the other format -> 0 to 10.
_SEVERITIES: Final = {1: 1, 2: 3, 3: 6, 4: 8}
_NAMES: Final = {
    "session.open": "Session opened",
    "attempt": "Request judged",
    "held": "Request held for a person",
    "approval": "Held request judged by a person",
    "outcome": "Outcome of a request",
    "fact": "Fact let in",
    "session.close": "Session closed",
    "redaction": "Payload erased",
    "opening": "Payload opened",
}


def line(entry: Entry) -> str:
    """The row as one line, without its line break."""
    body = entry.body
    word = body.get("verdict") or body.get("status") or body.get("reason")
    signature = f"{entry.kind}.{word}" if word else entry.kind
    header = (
        "CEF:0",
        "Doublethink",
        "Doublethink",
        version("doublethink-console"),
        signature,
        _NAMES.get(entry.kind, "Ledger row"),
        str(_SEVERITIES[severity_of(entry)]),
    )
    extension: dict[str, object] = {
        "rt": entry.at_us // 1000,
        "externalId": entry.seq,
        "cat": entry.kind,
        "dvchost": "doublethink-gate",
        "cs1Label": "session",
        "cs1": entry.session_id,
        "cs2Label": "rowHash",
        "cs2": entry.hash.hex(),
        "cs3Label": "rules",
        "cs3": ",".join(map(str, body.get("rules", ()))) or None,
        "cs4Label": "of",
        "cs4": body.get("of"),
        "cs5Label": "query",
        "cs5": body.get("query"),
        "cs6Label": "policy",
        "cs6": body.get("policy"),
        "flexString1Label": "original",
        "flexString1": body.get("original"),
        "cn1Label": "n",
        "cn1": entry.n,
        "cn2Label": "httpStatus",
        "cn2": body.get("http"),
        "act": body.get("verdict"),
        "outcome": body.get("status"),
        "reason": body.get("reason") or body.get("error") or body.get("purpose"),
        "dhost": body.get("host"),
        "requestMethod": "POST" if entry.kind in ("attempt", "held") else None,
        "app": body.get("method"),
        "out": body.get("sent"),
        "in": body.get("received"),
    }
    return "|".join((*map(escape_header, header), "")) + write_extension(extension)


def escape_header(value: str) -> str:
    """A value of the header. Raises ValueError for a line break, which has no place there."""
    if "\n" in value or "\r" in value:
        raise ValueError("a header's value is one line")
    return value.replace("\\", "\\\\").replace("|", "\\|")


def escape_extension(value: str) -> str:
    """A value of the extension."""
    for plain, escaped in (("\\", "\\\\"), ("=", "\\="), ("\n", "\\n"), ("\r", "\\r")):
        value = value.replace(plain, escaped)
    return value


def write_extension(fields: dict[str, object]) -> str:
    """The extension; what has no value is left out, and a label whose value is left out too."""
    there = {key: value for key, value in fields.items() if value is not None}
    return " ".join(
        f"{key}={escape_extension(str(value))}"
        for key, value in there.items()
        if not key.endswith("Label") or key.removesuffix("Label") in there
    )
