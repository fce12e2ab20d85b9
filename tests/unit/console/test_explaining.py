"""Every rule and every step has its words; no words repeat a value; a notice names a kind and an address."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import doublethink_gate
import pytest
from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink.gate.v1 import log_pb2
from doublethink_console.explaining.explain import explanation_json
from doublethink_console.explaining.notices import notices_of
from doublethink_console.explaining.rules import UNKNOWN, kind_words, rule_words
from doublethink_console.explaining.steps import STEP_WORDS
from doublethink_console.log.entries import Entry, entry_of
from doublethink_fingerprint import lookup
from doublethink_fingerprint.decoders import DECODERS
from doublethink_fingerprint.pack import Kind
from doublethink_fingerprint.streams import Stream
from doublethink_gate.checks.patterns import PACKS
from doublethink_gate.policy.policy import FAMILIES

_OWN = re.compile(r'"((?:shape|destination|unreadable|budget|provenance)\.[a-z_0-9]+)"')

_GUARD = re.compile(r'UrlRefused\(\s*"(url\.[a-z_0-9]+)"')


def rules_of_the_gate() -> set[str]:
    """Every rule id that stands in the gate's source, and those that it puts together."""
    source = Path(doublethink_gate.__file__).parent / "checks"
    found = {rule for file in source.rglob("*.py") for rule in _OWN.findall(file.read_text("utf-8"))}
    found |= set(_GUARD.findall((source.parent / "fetching" / "guard.py").read_text("utf-8")))
    found |= {f"budget.{kind}" for kind in ("query", "url", "body")}
    found |= {f"unreadable.{reason}" for reason in ("budget", "compressed", "encoding", "depth")}
    found |= {f"pattern.{pattern.name}" for pack in PACKS.values() for pattern in pack}
    kinds = {kind.name.lower() for kind in Kind} - {"canary"}
    found |= {f"secret.{kind}.exact" for kind in kinds} | {f"split.{kind}.pieces" for kind in kinds}
    return found | {"canary", "canary.base64", "split.canary.joined"}


def test_every_rule_has_words_and_something_to_do() -> None:
    """A rule that the gate has and the console has no words for is found here, before a person meets it."""
    rules = rules_of_the_gate()
    assert len(rules) >= 80
    assert [rule for rule in sorted(rules) if rule_words(rule) is UNKNOWN] == []
    for rule in rules:
        words = rule_words(rule)
        assert words.means.endswith(".")
        assert words.do
        assert all(what.endswith(".") for what in words.do)
    assert rule_words("secret.astrology.runes.x").means
    assert rule_words("astrology") is UNKNOWN


@pytest.mark.parametrize("family", FAMILIES)
def test_a_rule_names_the_policys_key(family: str) -> None:
    """The key that decides over a family is the one that the policy has."""
    rule = {"pattern": "pattern.card", "provenance": "provenance.word", "unreadable": "unreadable.depth"}
    setting = rule_words(
        rule.get(family, f"{family.replace('uncertain', 'secret')}.code.exact"), family
    ).setting
    expected = {"pattern": "patterns", "provenance": "provenance", "unreadable": None}
    assert setting == expected.get(family, f"verdicts.{family}")


def test_every_step_has_words() -> None:
    """Decoders, forms, readings and ways over calls: whatever the look-up names."""
    steps = {decoder.name for decoder in DECODERS} | set(lookup._FORM_NAMES.values())
    steps |= {stream.value for stream in Stream}
    steps |= {"acrostic", "interleaved", "repeats", "spaced", "sound", "typo", "scrambled", "value", "words"}
    steps |= {"word", "number", "date", "values", "keys", "host", "pieces", "joined", "calls", "encoded"}
    assert sorted(steps - STEP_WORDS.keys()) == []


def entry(n: int, **body: Any) -> Entry:
    """A row of a session."""
    row = ledger.Row(seq=n, n=n, id=bytes([n]) * 16, at_us=1_700_000_000_000_000 + n, body=b"{}")
    made = entry_of(log_pb2.LogRow(session_id="ses_" + "a" * 26, row=row))
    return Entry(
        made.session_id, made.seq, made.n, made.id, made.at_us, made.prev, made.hash, body, made.erased
    )


def test_an_explanation_has_words_places_and_rows() -> None:
    """Chain in words, span, the rows that took part with their times, the size's class."""
    rows = {
        1: entry(1, kind="attempt", method="search", verdict="allow"),
        4: entry(4, kind="attempt", method="search", verdict="block", rules=["split.code.encoded"]),
    }
    told = ledger.ExplainAttemptResponse(
        kept=True,
        checked_bytes=30,
        reasons=[
            ledger.Reason(
                rule="split.code.encoded",
                family="split",
                verdict=ledger.REASON_VERDICT_BLOCK,
                start=0,
                end=30,
                chain=["encoded", "base64", "reversed", "letters"],
                earlier_n=[1],
                size=ledger.SIZE_CLASS_LONG,
            )
        ],
    )
    (reason,) = explanation_json(rows[4], told, rows)["reasons"]
    (way,) = reason["ways"]
    assert way["rule"] == "split.code.encoded"
    assert way["steps"] == ["encoded parts joined", "base64", "backwards", "letters in a row"]
    assert reason["over"] == "session"
    assert reason["earlier"] == [{"n": 1, "time": "2023-11-14T22:13:20.000Z", "method": "search"}]
    assert (reason["span"], reason["size"], reason["setting"]) == ([0, 30], "long", "verdicts.split")


def test_of_a_value_of_another_case_no_place_is_given() -> None:
    """Not even the span of the whole request, which would look like one."""
    row = entry(4, kind="attempt", verdict="block", rules=["secret.code.exact"])
    verdict = ledger.REASON_VERDICT_BLOCK
    other = ledger.Reason(rule="secret.code.exact", family="secret", verdict=verdict, end=9, elsewhere=True)
    told = ledger.ExplainAttemptResponse(kept=True, checked_bytes=9, reasons=[other])
    (reason,) = explanation_json(row, told, {4: row})["reasons"]
    assert (reason["span"], reason["over"], reason["size"]) == (None, None, None)
    assert reason["ways"] == [{"rule": "secret.code.exact", "chain": [], "steps": []}]
    assert "code name of another open case" in reason["means"]
    assert not any("take it out" in what for what in reason["do"])


def test_ways_to_the_same_place_are_one_reason() -> None:
    """A value that is found in several ways is told once, with each way; another place is another reason."""
    row = entry(4, kind="attempt", verdict="block", rules=["secret.code.exact", "secret.code.repeats"])

    def found(rule: str, start: int, *chain: str) -> ledger.Reason:
        verdict = ledger.REASON_VERDICT_BLOCK
        return ledger.Reason(rule=rule, family="secret", verdict=verdict, start=start, end=9, chain=chain)

    told = ledger.ExplainAttemptResponse(
        kept=True,
        checked_bytes=9,
        reasons=[
            found("secret.code.exact", 1, "exact", "letters"),
            found("secret.code.exact", 3, "exact", "letters"),
            found("secret.code.repeats", 1, "repeats", "collapsed"),
        ],
    )
    reasons = explanation_json(row, told, {4: row})["reasons"]
    assert [(reason["span"], [way["rule"] for way in reason["ways"]]) for reason in reasons] == [
        ([1, 9], ["secret.code.exact", "secret.code.repeats"]),
        ([3, 9], ["secret.code.exact"]),
    ]


def test_pieces_of_one_request_are_not_said_to_be_several() -> None:
    """Where no earlier request took part, neither the meaning nor the advice speaks of any."""
    assert "several requests" in rule_words("split.name.pieces", "split").means
    alone = rule_words("split.name.pieces", "split", alone=True)
    assert "pieces of the request" in alone.means
    assert not any("earlier" in what for what in alone.do)


def test_without_kept_reasons_the_row_still_says_its_rules() -> None:
    """Erased or lost: what the row names is told in words, and that there is no more."""
    row = entry(2, kind="attempt", verdict="block", rules=["canary", "public.secret.code.exact"])
    told = explanation_json(row, ledger.ExplainAttemptResponse(), {2: row})
    assert [way["rule"] for reason in told["reasons"] for way in reason["ways"]] == ["canary"]
    assert told["note"]
    assert told["reasons"][0]["over"] is None
    went = entry(3, kind="attempt", verdict="allow", rules=[])
    assert "let go" in explanation_json(went, ledger.ExplainAttemptResponse(), {3: went})["note"]


@dataclass(frozen=True)
class Copied:
    """A copied row."""

    n: int
    body: dict[str, Any]
    payload: str | None = None

    @property
    def id(self) -> bytes:
        """Made from its number."""
        return bytes([self.n]) * 16


def outcome(n: int, of: int, *rules: str) -> Copied:
    """An outcome with rules."""
    return Copied(n, {"kind": "outcome", "of": str(uuid.UUID(bytes=bytes([of]) * 16)), "rules": list(rules)})


def test_a_notice_names_kinds_and_the_address() -> None:
    """The address is what its attempt asked for; a completion's own row and other rules are none; twice is once."""
    rows = [
        Copied(1, {"kind": "attempt", "verdict": "allow"}, "https://press.example/a"),
        outcome(2, 1, "public.secret.code.exact", "public.secret.code.spaced", "public.canary"),
        Copied(3, {"kind": "attempt", "verdict": "allow", "rules": ["public.secret.code.exact"]}, "{}"),
        outcome(4, 3),
        outcome(5, 1, "public.secret.code.exact", "public.secret.code.spaced", "public.canary"),
        outcome(6, 9, "public.unreadable.budget"),
    ]
    first, second = notices_of(rows)
    assert (first.n, first.address) == (2, "https://press.example/a")
    assert first.words == "A confirmed code name and a canary of the case are already public."
    assert (second.n, second.address) == (6, None)
    assert "too long" in second.words
    assert "press.example" not in repr(first)


@pytest.mark.parametrize("rule", ["public.secret.name.typo", "split.name.calls", "secret.name.hex"])
def test_kinds_are_read_off_the_rule(rule: str) -> None:
    """Of a notice, a split and a whole value alike."""
    assert kind_words(rule) == "name"
