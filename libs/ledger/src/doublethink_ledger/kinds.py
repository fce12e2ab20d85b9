"""The closed sets of words that a row may use for what happened."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a row records."""

    SESSION_OPEN = "session.open"
    ATTEMPT = "attempt"
    HELD = "held"
    APPROVAL = "approval"
    OUTCOME = "outcome"
    FACT = "fact"
    SESSION_CLOSE = "session.close"
    REDACTION = "redaction"
    OPENING = "opening"


class Verdict(StrEnum):
    """What the checks said about an attempt. `ALLOW` and `REWRITE` are the two that may be sent."""

    ALLOW = "allow"
    REWRITE = "rewrite"
    ASK = "ask"
    BLOCK = "block"
