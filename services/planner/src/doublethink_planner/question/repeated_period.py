"""A period that is pointed back to: "in that quarter", "for the period", "its fiscal third quarter" behind its dates.

The question has said it before, so that the words add nothing, as long as they can mean nothing else: "for the year"
beside a quarter is another period.
"""

from __future__ import annotations

import re
from typing import Final

from doublethink_figures import Part, Period, PeriodKind, find_periods

_POINTING: Final = re.compile(
    r",? (?:in|for|during|over|at|on|as of|at the end of) (?:the same|that same|that|this|the|said)"
    r" (?:fiscal |financial |calendar )?(?P<length>quarter|period|year|half|date|day)"
    r"(?=$|[,;?)]| (?:came|come|comes|was|were|is|are|did|does|had|has|represented|made|went)\b)",
    re.IGNORECASE,
)
_NAMED_AFTER: Final = re.compile(
    r",? (?:its|their|the company's|the) (?:(?:fiscal|financial) )?(?:first|second|third|fourth)"
    r" (?:(?:fiscal|financial) )?(?P<length>quarter|half)(?=$|[,;?)])",
    re.IGNORECASE,
)
_QUARTERS: Final = frozenset(
    {Part.Q1, Part.Q2, Part.Q3, Part.Q4, Part.THREE_MONTHS, Part.THIRTEEN_WEEKS, Part.FOURTEEN_WEEKS}
)
_HALVES: Final = frozenset(
    {Part.H1, Part.H2, Part.SIX_MONTHS, Part.TWENTY_SIX_WEEKS, Part.TWENTY_SEVEN_WEEKS}
)
_YEARS: Final = frozenset({Part.YEAR, Part.TWELVE_MONTHS, Part.FIFTY_TWO_WEEKS, Part.FIFTY_THREE_WEEKS})


def without_repeats(sentence: str) -> str:
    """The sentence without words that point back to its one period."""
    mentions = find_periods(sentence)
    if len(mentions) != 1:
        return sentence
    (mention,) = mentions
    before, after = sentence[: mention.span.end], sentence[mention.span.end :]
    if mention.period.end is not None:
        named = _NAMED_AFTER.match(after)
        if named and _is_of_length(mention.period, named["length"]):
            after = after[named.end() :]
    return before + _POINTING.sub(
        lambda found: "" if _is_of_length(mention.period, found["length"]) else found[0], after
    )


def _is_of_length(period: Period, length: str) -> bool:
    length = length.lower()
    if length in ("date", "day"):
        return period.kind is PeriodKind.INSTANT
    if period.kind is PeriodKind.INSTANT:
        return False
    return (
        length == "period" or period.part in {"quarter": _QUARTERS, "half": _HALVES, "year": _YEARS}[length]
    )
