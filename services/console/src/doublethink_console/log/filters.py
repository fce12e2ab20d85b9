"""Which rows somebody wants to see. The words come from an address and are never repeated in an error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from doublethink_console.errors import Refused

from .entries import Entry

KINDS: Final = (
    "session.open",
    "attempt",
    "held",
    "approval",
    "outcome",
    "fact",
    "session.close",
    "redaction",
    "opening",
)
VERDICTS: Final = ("allow", "rewrite", "ask", "block", "approve", "reject")
PARAMETERS: Final = ("kind", "verdict", "rule", "host", "since", "until")
_MOST_US: Final = 2**53 - 1
_WORD: Final = re.compile(r"[a-z0-9][a-z0-9_.\-/]{0,63}", re.ASCII)
_HOST: Final = re.compile(r"[a-z0-9][a-z0-9.-]{0,252}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Filter:
    """None leaves that question open. rule: a rule's id, or a family that its id begins with. Times: microseconds
    since 1970-01-01 UTC; since is included, until is not.
    """

    kind: str | None = None
    verdict: str | None = None
    rule: str | None = None
    host: str | None = None
    since_us: int | None = None
    until_us: int | None = None

    def matches(self, entry: Entry) -> bool:
        """Whether a row is wanted."""
        body = entry.body
        return (
            self.kind in (None, entry.kind)
            and self.verdict in (None, body.get("verdict"))
            and self.host in (None, body.get("host"))
            and (self.since_us is None or entry.at_us >= self.since_us)
            and not self.is_past(entry)
            and (self.rule is None or any(self._is_rule(str(rule)) for rule in body.get("rules", ())))
        )

    def is_past(self, entry: Entry) -> bool:
        """Whether this row and all after it are too young: no row is older than the one before it."""
        return self.until_us is not None and entry.at_us >= self.until_us

    def _is_rule(self, rule: str) -> bool:
        return rule == self.rule or rule.startswith(f"{self.rule}.")


def read_filter(given: Mapping[str, str]) -> Filter:
    """The filter that parameters of an address describe. Raises Refused."""
    return Filter(
        kind=_one_of(given, "kind", KINDS),
        verdict=_one_of(given, "verdict", VERDICTS),
        rule=_form(given, "rule", _WORD, "a rule's id or the family that it begins with"),
        host=_form(given, "host", _HOST, "a host name in lower case"),
        since_us=_time(given, "since"),
        until_us=_time(given, "until"),
    )


def _one_of(given: Mapping[str, str], key: str, known: tuple[str, ...]) -> str | None:
    value = given.get(key)
    if value is not None and value not in known:
        raise Refused(400, f"{key} must be one of: {', '.join(known)}.")
    return value


def _form(given: Mapping[str, str], key: str, form: re.Pattern[str], words: str) -> str | None:
    value = given.get(key)
    if value is not None and form.fullmatch(value) is None:
        raise Refused(400, f"{key} must be {words}.")
    return value


def _time(given: Mapping[str, str], key: str) -> int | None:
    """Microseconds, or a date and time with its offset (RFC 3339)."""
    value = given.get(key)
    if value is None:
        return None
    try:
        if value.isascii() and value.isdecimal() and len(value) <= 16:
            micros = int(value)
        else:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                raise ValueError
            micros = round(moment.timestamp() * 1_000_000)
        if not 0 <= micros <= _MOST_US:
            raise ValueError
    except (ValueError, OverflowError):
        raise Refused(
            400, f"{key} must be a time such as 2026-01-31T00:00:00Z, or microseconds since 1970."
        ) from None
    return micros
