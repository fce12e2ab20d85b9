"""A session as a whole: each attempt beside what came of it, and what was erased or opened of it since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from doublethink_console.explaining.notices import attempt_of, notice_of

from .entries import Entry, entry_json, time_words

STOPPED: Final = "stopped"
SENT_OR_CRASHED: Final = "sent_or_crashed"
UNDER_WAY: Final = "under_way"
"""What became of an attempt, beside the words of an outcome: nothing left; it was let go and nothing says what came
of it; or the same in a session that is still open, where the outcome may be about to come."""


def session_json(
    session_id: str, entries: Sequence[Entry], texts: Mapping[int, str], *, shown: Sequence[Entry]
) -> dict[str, Any]:
    """The rows of a session that are in `shown`, put together from all that name it.

    entries: all rows of the session and those of others that name it, in the order of the log. texts: by n, what
    was allowed to leave, where it may be shown; of an erased row it never is.
    """
    own = [entry for entry in entries if entry.session_id == session_id]
    about: dict[bytes, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.of is not None:
            about[entry.of].append(entry)
    closed = bool(own) and own[-1].kind == "session.close"
    wanted = {entry.seq for entry in shown}
    # Of an erased attempt the address is not shown any more.
    places = {entry.id: entry.n for entry in own if not entry.erased}
    rows = []
    for entry in own:
        if entry.seq not in wanted:
            continue
        fields = entry_json(entry) | _came_of(entry, about[entry.id], closed=closed)
        if entry.n in texts and not entry.erased:
            fields["payload"] = texts[entry.n]
        notice = notice_of(entry, texts.get(places.get(attempt_of(entry) or b"", -1)))
        if notice is not None:
            fields["notice"] = notice.as_json()
        rows.append(fields)
    return {
        "session": session_id,
        "closed": closed,
        "rows": rows,
        # What was done with the session's payloads later stands in sessions of its own.
        "about": [entry_json(entry) for entry in entries if entry.session_id != session_id],
    }


def _came_of(entry: Entry, about: Sequence[Entry], *, closed: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if entry.kind in ("attempt", "held"):
        outcome = next((other for other in about if other.kind == "outcome"), None)
        fields["outcome"] = None if outcome is None else _outcome(outcome)
        fields["fate"] = _fate(entry, outcome, closed=closed)
    if entry.kind == "outcome":
        fields["facts"] = [other.n for other in about if other.kind == "fact"]
    redaction = next((other for other in about if other.kind == "redaction"), None)
    if entry.erased:
        # A payload that is gone without a row that says so was not erased by anybody who may.
        fields["redaction"] = None if redaction is None else _later(redaction, "reason")
    openings = [_later(other, "purpose") for other in about if other.kind == "opening"]
    if openings:
        fields["openings"] = openings
    return fields


def _fate(entry: Entry, outcome: Entry | None, *, closed: bool) -> str:
    if not entry.may_have_left:
        return STOPPED
    if outcome is not None:
        return str(outcome.body.get("status"))
    return SENT_OR_CRASHED if closed else UNDER_WAY


def _outcome(outcome: Entry) -> dict[str, Any]:
    keys = ("status", "http", "error", "sent", "received", "page", "rules")
    return {"n": outcome.n, **{key: outcome.body[key] for key in keys if key in outcome.body}}


def _later(entry: Entry, key: str) -> dict[str, Any]:
    return {"seq": entry.seq, "time": time_words(entry.at_us), key: entry.body.get(key)}
