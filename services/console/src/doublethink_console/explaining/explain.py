"""Puts an explanation together: what the gate keeps of an attempt's reasons, the rows around it, and the words."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final, cast

from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink.gate.v1 import log_pb2

from doublethink_console.errors import Refused
from doublethink_console.log.entries import SENT, Entry, entry_of, time_words
from doublethink_console.log.reading import MAX_OF_SESSION
from doublethink_console.peers import Peers

from .rules import rule_words, words_elsewhere
from .steps import step_words

_TRIED: Final = ("attempt", "held")
_VERDICTS: Final = {
    ledger.REASON_VERDICT_ASK: "ask",
    ledger.REASON_VERDICT_REWRITE: "rewrite",
    ledger.REASON_VERDICT_BLOCK: "block",
}
_SIZES: Final = {
    ledger.SIZE_CLASS_SHORT: ("short", "3 or 4 letters or digits"),
    ledger.SIZE_CLASS_MEDIUM: ("medium", "5 or 6 letters or digits"),
    ledger.SIZE_CLASS_LONG: ("long", "7 letters or digits, or more"),
}
_WENT: Final = "This attempt was let go as it was."
_NOT_KEPT: Final = (
    "No more is kept of this attempt than its rules: its payload was erased, or the gate ended before it could keep"
    " the rest."
)


async def explain(peers: Peers, capability: bytes, session_id: str, n: int) -> dict[str, Any]:
    """Why row `n` of a session did not go as it was. Raises Refused for a row that is no attempt, and RpcError."""
    entries = await _entries(peers, capability, session_id, n)
    entry = entries.get(n)
    if entry is None or entry.kind not in _TRIED:
        raise Refused(404, "There is no such attempt in this session.")
    told = await peers.explain(capability, entry.id)
    return explanation_json(entry, told, entries)


async def _entries(peers: Peers, capability: bytes, session_id: str, n: int) -> dict[int, Entry]:
    """The session's rows up to `n`, by their n."""
    found: dict[int, Entry] = {}
    stream = peers.rows(capability, -1, follow=False)
    async with contextlib.AsyncExitStack() as stack:
        responses = await stack.enter_async_context(aclosing(cast("Any", stream)))
        async for response in responses:
            entry = entry_of(log_pb2.LogRow(session_id=session_id, row=response.row))
            found[entry.n] = entry
            if entry.n >= n or len(found) >= MAX_OF_SESSION:
                break
    return found


def explanation_json(
    entry: Entry, told: ledger.ExplainAttemptResponse, entries: Mapping[int, Entry]
) -> dict[str, Any]:
    """An explanation for a person's eyes and for scripts. entries: the session's rows up to this one, by n."""
    body = entry.body
    rules = [str(rule) for rule in body.get("rules", [])]
    if told.kept:
        reasons = _together([_reason(reason, entries) for reason in told.reasons])
        note = None
    else:
        own = (rule for rule in rules if not rule.startswith("public."))
        reasons = _together([_rule_alone(rule, str(body.get("verdict"))) for rule in own])
        note = _WENT if not reasons and body.get("verdict") in SENT else _NOT_KEPT
    return {
        "session": entry.session_id,
        "n": entry.n,
        "id": entry.id.hex(),
        "time": time_words(entry.at_us),
        "kind": entry.kind,
        "method": body.get("method"),
        "verdict": body.get("verdict"),
        "rules": rules,
        "kept": told.kept,
        "checked_bytes": told.checked_bytes if told.kept else None,
        "note": note,
        "reasons": reasons,
    }


def _together(reasons: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The reasons with those in one that mean the same at the same place: a value is often found in several ways."""
    found: dict[str, dict[str, Any]] = {}
    for reason in reasons:
        what = {key: value for key, value in reason.items() if key != "ways"}
        known = found.setdefault(json.dumps(what), reason)
        if known is not reason:
            known["ways"] += reason["ways"]
    return list(found.values())


def _reason(reason: ledger.Reason, entries: Mapping[int, Entry]) -> dict[str, Any]:
    words = (
        words_elsewhere(reason.rule)
        if reason.elsewhere
        else rule_words(reason.rule, reason.family, alone=not reason.earlier_n)
    )
    size = _SIZES.get(reason.size, (None, None))
    steps = [step_words(step) for step in reason.chain]
    return {
        "verdict": _VERDICTS.get(reason.verdict, "block"),
        "family": reason.family,
        "means": words.means,
        "do": list(words.do),
        "setting": words.setting,
        "span": None if reason.elsewhere else [reason.start, reason.end],
        "over": None if reason.elsewhere else "session" if reason.earlier_n else "payload",
        "earlier": [_earlier(n, entries.get(n)) for n in reason.earlier_n],
        "size": size[0],
        "size_words": size[1],
        "elsewhere": reason.elsewhere,
        "ways": [{"rule": reason.rule, "chain": list(reason.chain), "steps": steps}],
    }


def _earlier(n: int, entry: Entry | None) -> dict[str, Any]:
    return {
        "n": n,
        "time": None if entry is None else time_words(entry.at_us),
        "method": None if entry is None else entry.body.get("method"),
    }


def _rule_alone(rule: str, verdict: str) -> dict[str, Any]:
    """What the row itself says of a rule."""
    words = rule_words(rule)
    return {
        "verdict": verdict,
        "family": None,
        "means": words.means,
        "do": list(words.do),
        "setting": words.setting,
        "span": None,
        "over": None,
        "earlier": [],
        "size": None,
        "size_words": None,
        "elsewhere": False,
        "ways": [{"rule": rule, "chain": [], "steps": []}],
    }
