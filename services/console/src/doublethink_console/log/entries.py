"""One row of the ledger as the gate lists it, and what is shown of it. No row holds a payload."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from doublethink.gate.v1 import log_pb2

from doublethink_console.store.spending import TOKENS

SENT: Final = frozenset({"allow", "rewrite"})
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHOWN_KEYS: Final = (
    "verdict",
    "commit",
    "original",
    "rules",
    "method",
    "of",
    "of_session",
    "of_n",
    "purpose",
    "query",
    "result",
    "status",
    "http",
    "page",
    "fact",
    "reason",
    "error",
    "source",
    *TOKENS,
    "cost_micros",
    "credits",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A row. `body`: its JSON object. `erased`: it commits to a payload that is not there any more."""

    session_id: str
    seq: int
    n: int
    id: bytes
    at_us: int
    prev: bytes
    hash: bytes
    body: Mapping[str, Any]
    erased: bool

    @property
    def kind(self) -> str:
        """What the row records."""
        return str(self.body.get("kind", "unknown"))

    @property
    def of(self) -> bytes | None:
        """The id of the row that this one is about, or None."""
        return uuid.UUID(str(self.body["of"])).bytes if "of" in self.body else None

    @property
    def may_have_left(self) -> bool:
        """Whether it is an attempt that was let go."""
        return self.kind == "attempt" and self.body.get("verdict") in SENT


def entry_of(found: log_pb2.LogRow) -> Entry:
    """The row of a message of the gate's."""
    row = found.row
    return Entry(
        found.session_id,
        row.seq,
        row.n,
        row.id,
        row.at_us,
        row.prev,
        row.hash,
        _body_of(row.body),
        found.erased,
    )


def _body_of(encoded: bytes) -> Mapping[str, Any]:
    """The body; none where it is no JSON object with values of the types that a body has.

    Were such a body an error, whoever can write one row would end what every collector gets.
    """
    try:
        body = json.loads(encoded)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) and all(map(_is_plain, body.items())) else {}


def _is_plain(item: tuple[str, object]) -> bool:
    key, value = item
    if key == "of":
        return isinstance(value, str) and _UUID.fullmatch(value) is not None
    if key in ("rules", "kind", "verdict") or isinstance(value, list):
        texts = value if isinstance(value, list) else [value]
        return isinstance(value, list) is (key == "rules") and all(isinstance(text, str) for text in texts)
    return isinstance(value, str | int)


def entry_json(entry: Entry) -> dict[str, Any]:
    """A row for a person's eyes and for scripts."""
    body = entry.body
    fields: dict[str, Any] = {
        "session": entry.session_id,
        "seq": entry.seq,
        "n": entry.n,
        "time": time_words(entry.at_us),
        "at_us": entry.at_us,
        "kind": entry.kind,
        "destination": body.get("host"),
        "id": entry.id.hex(),
        "prev": entry.prev.hex(),
        "hash": entry.hash.hex(),
        "erased": entry.erased,
    }
    fields |= {key: body[key] for key in _SHOWN_KEYS if key in body}
    fields.setdefault("verdict", None)
    fields.setdefault("rules", [])
    return fields


def time_words(at_us: int) -> str:
    """A time in microseconds since 1970-01-01 UTC, as RFC 3339 has it."""
    moment = datetime.fromtimestamp(at_us / 1_000_000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
