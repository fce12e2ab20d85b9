"""What the checks answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from doublethink_fingerprint import Tier


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

    Attributes:
        family: what the policy gives a verdict to.
        chain: how one gets from the payload to what was found: decoders from the outside in, then the form in which
            a value stands there and the reading by which it was found.
        calls: earlier payloads of the session that take part, as `SessionState` counts them.
        size: the class of the value's size, which is all that is said of it; empty where there is no value.
        elsewhere: the value is of another open session.
        verdict: what the policy says of it.
    """

    rule: str
    family: str
    start: int
    end: int
    chain: tuple[str, ...] = ()
    calls: tuple[int, ...] = ()
    size: str = ""
    elsewhere: bool = False
    verdict: Verdict = Verdict.ALLOW


SIZES: Final = {Tier.S1: "short", Tier.S2: "medium", Tier.S3: "long"}
"""Classes of sizes: 3 or 4 letters or digits, 5 or 6, more."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict with every reason.

    Attributes:
        verdict: the strongest verdict of all findings.
        rules: rule ids without repetition, strongest first.
        spans: for each finding its byte range in the payload, without repetition, in order.
        rewritten: the payload to send instead, for `REWRITE`; None where nobody has tried yet.
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
