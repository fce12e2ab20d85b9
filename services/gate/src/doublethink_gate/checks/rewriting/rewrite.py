"""Decides about a request, and rewrites a query where the policy lets its findings be taken out.

The result is judged as any other request: the whole check, from the start, against the same state of the session. It
may say so of what is left again, a few times; where that does not end with a clean query the request is blocked, with
the findings of what was asked, so that nothing is learned from how far the rewriting came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from doublethink_fingerprint import Pack

from doublethink_gate.checks.checksums import iban
from doublethink_gate.checks.decision import Decision, Finding, Verdict
from doublethink_gate.checks.pipeline import evaluate
from doublethink_gate.checks.request import Request
from doublethink_gate.checks.rewriting.cutting import Detail, content_words, cut, merged, subject_words
from doublethink_gate.checks.rewriting.words import class_word
from doublethink_gate.checks.state import SessionState
from doublethink_gate.policy import Policy

MAX_ROUNDS: Final = 3
"""How often what is left may be rewritten again."""

MIN_CONTENT_WORDS: Final = 2
MIN_SHARE: Final = 0.5
_MAX_DETAILS: Final = 32
_BESIDE: Final = 3
# What a value's spelling in order is called in its rule. The words of a name with a space between them count as spaced.
_AS_WRITTEN: Final = (".exact", ".part", ".spaced", ".value", ".words", ".digits")


def decide(request: Request, packs: Sequence[Pack], state: SessionState, policy: Policy) -> Decision:
    """Judge a request, as `evaluate` does; with REWRITE comes the query that may go in its place.

    A decision to rewrite is never returned without one: what cannot be rewritten is blocked.
    """
    first = evaluate(request, packs, state, policy)
    decision, payload = first, request.payload
    for _ in range(MAX_ROUNDS):
        if decision.verdict is not Verdict.REWRITE:
            break
        shorter = rewritten(payload, decision.findings)
        if shorter is None:
            break
        payload = shorter
        decision = evaluate(replace(request, payload=payload), packs, state, policy)
    if first.verdict is not Verdict.REWRITE:
        return first
    clean = decision.verdict is Verdict.ALLOW and asks_enough(request.payload, first.findings, payload)
    if not clean:
        return _blocked(first)
    return replace(first, rewritten=payload)


def _blocked(decision: Decision) -> Decision:
    """The decision over what was asked, where nothing could be taken out of it."""
    findings = (
        replace(finding, verdict=Verdict.BLOCK) if finding.verdict is Verdict.REWRITE else finding
        for finding in decision.findings
    )
    return replace(decision, verdict=Verdict.BLOCK, findings=tuple(findings))


def rewritten(payload: bytes, findings: Sequence[Finding]) -> bytes | None:
    """Return a query without its findings; None where one of them has no place in the text that could be taken out."""
    details = details_of(payload, findings)
    if details is None:
        return None
    shorter = cut(payload.decode("utf-8"), details).encode("utf-8")
    return shorter if len(shorter) < len(payload) else None


def details_of(payload: bytes, findings: Sequence[Finding]) -> list[Detail] | None:
    """Return the places of findings in the text; None if one of them stands nowhere in the text as it is written."""
    written = [finding for finding in findings if _as_written(finding)]
    if not written or len(written) > _MAX_DETAILS:
        return None
    for finding in findings:
        # A second reading of places goes with them: it may take a letter beside them along ("patient Tom" holds
        # "t Tom"). That a value is whole in its pieces goes with the pieces.
        if not finding.rule.startswith("split.") and _beyond(payload, finding, written) > _BESIDE:
            return None
    return [Detail(*_place(payload, finding), class_word(finding.rule)) for finding in written]


def _beyond(payload: bytes, finding: Finding, written: Sequence[Finding]) -> int:
    """How many letters and digits of a finding lie outside of the others, in bytes."""
    return sum(
        (payload[at] > 127 or chr(payload[at]).isalnum())
        and not any(other.start <= at < other.end for other in written)
        for at in range(finding.start, finding.end)
    )


def _as_written(finding: Finding) -> bool:
    """Whether a value stands at its place as it is, and not behind a decoder or in every second letter."""
    if finding.family in ("secret", "uncertain", "canary"):
        # Its chain ends with the form and the reading; its rule with the decoder, where there is one.
        return finding.rule.endswith(_AS_WRITTEN)
    return not finding.chain


def _place(payload: bytes, finding: Finding) -> tuple[int, int]:
    """Return where a finding stands, in characters; of an account number, without the words behind it."""
    start, end = (
        at if payload.isascii() else len(payload[:at].decode("utf-8", "ignore"))
        for at in (finding.start, finding.end)
    )
    if finding.rule == "pattern.iban":
        words = payload.decode("utf-8")[start:end].split(" ")
        whole = (" ".join(words[:count]) for count in range(1, len(words) + 1))
        end = start + next((len(number) for number in whole if iban(number)), end - start)
    return start, end


def asks_enough(original: bytes, findings: Sequence[Finding], left: bytes) -> bool:
    """Whether what is left is a request still, and the same one."""
    before, after = original.decode("utf-8"), left.decode("utf-8")
    asked = subject_words(before, merged(before, details_of(original, findings) or ()))
    kept = subject_words(after)
    return len(content_words(after)) >= MIN_CONTENT_WORDS and len(kept) >= MIN_SHARE * len(asked)
