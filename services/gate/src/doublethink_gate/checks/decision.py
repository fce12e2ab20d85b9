"""What the checks answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Verdict(IntEnum):
    """What happens to the payload; a larger number is a stronger verdict."""

    ALLOW = 0
    ASK = 1
    REWRITE = 2
    BLOCK = 3

    @property
    def word(self) -> str:
        """The lower-case name, as files and rows have it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason: a rule id and where in the payload (byte offsets), never the value.

    `family` is what the policy gives a verdict to.
    """

    rule: str
    family: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict with every reason.

    Attributes:
        verdict: the strongest verdict of all findings.
        rules: rule ids without repetition, strongest first.
        spans: for each finding its byte range in the payload, without repetition, in order.
        rewritten: the payload to send instead, for `REWRITE`.
        notices: rule ids of secrets that stand in text already public.
        not_evaluated: names of checks that had no input.
        findings: every finding, for the ledger and for people.
    """

    verdict: Verdict
    rules: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    rewritten: bytes | None = field(default=None, repr=False)
    notices: tuple[str, ...] = ()
    not_evaluated: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
