"""What is kept of a decision's findings, and its one form at rest: a JSON object in ASCII."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Final

from doublethink_gate.checks import Finding

MAX_REASONS: Final = 64
MAX_CALLS: Final = 64
"""Earlier calls that are named of one reason; of more, the newest."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A finding as its session's owner may know it. start, end: bytes of what was checked. calls: numbers of earlier
    attempts of the session, among those that were let go, from 0. elsewhere: the value is of another open session.
    """

    rule: str
    family: str
    verdict: str
    start: int
    end: int
    chain: tuple[str, ...]
    calls: tuple[int, ...]
    size: str
    elsewhere: bool


@dataclass(frozen=True, slots=True)
class Reasons:
    """All reasons of one decision, the strongest first. checked: the bytes of what was checked."""

    checked: int
    reasons: tuple[Reason, ...]

    def encode(self) -> bytes:
        """Return the form at rest."""
        return json.dumps(asdict(self), separators=(",", ":")).encode("ascii")

    @staticmethod
    def decode(encoded: bytes) -> Reasons:
        """Return what `encode` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        fields = json.loads(encoded)
        return Reasons(fields["checked"], tuple(_reason(each) for each in fields["reasons"]))


def reasons_of(findings: tuple[Finding, ...], checked: int) -> Reasons:
    """Return what the owner of the session may know of findings over `checked` bytes.

    Of another session's value neither the place nor the form is told: with them its owner's secret could be read off
    the payload. Where this session has the same finding of its own, the other one's says nothing more.
    """
    own = {(finding.rule, finding.start, finding.end) for finding in findings if not finding.elsewhere}
    kept: dict[Reason, None] = {}
    for finding in findings:
        if not finding.elsewhere:
            kept.setdefault(_of(finding))
        elif (finding.rule, finding.start, finding.end) not in own:
            kept.setdefault(_of(replace(finding, start=0, end=checked, chain=(), calls=(), size="")))
    return Reasons(checked, tuple(kept)[:MAX_REASONS])


def _of(finding: Finding) -> Reason:
    return Reason(
        finding.rule,
        finding.family,
        finding.verdict.word,
        finding.start,
        finding.end,
        finding.chain,
        finding.calls[-MAX_CALLS:],
        finding.size,
        finding.elsewhere,
    )


def _reason(fields: dict[str, object]) -> Reason:
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    return Reason(**values)  # type: ignore[arg-type]  # the store gives back only what it was given
