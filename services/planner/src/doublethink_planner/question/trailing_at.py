"""A trailing length beside the moment it runs up to: "the trailing twelve months at the end of Q2 fiscal 2023".

With a closing date the two are one period. Without one, the fiscal period is what can be typed, and the length stays
as words of the query.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from doublethink_figures import Part, PeriodMention, find_periods

_UP_TO: Final = re.compile(
    r",? ?\(?(?:(?:period|window|basis),? )?(?:that |which )?(?:ended |ending |ends )?"
    r"(?:at|as of|as at|on|to|through|up to|with|of|in|by|for)?(?: the)?(?: (?:end|close) of)?(?: the| its)?"
    r"(?: (?:first|second|third|fourth) (?:fiscal )?quarter,)? ?",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(r"(?:\b(?:for|over|in|during|on|of|within)(?: the| a| an)?|\bthe) $", re.IGNORECASE)
_AT: Final = re.compile(
    r"(?:^|,? )\b(?:at|as of|as at|for|in|by|on|through)(?: the)?(?: (?:end|close) of)?(?: the| its)? ?$",
    re.IGNORECASE,
)
_TWO: Final = re.compile(
    r"\b(?:and|to|versus|vs\.?|compared|than|between|from|until|against|over (?!the)|change|grow|increase)\b",
    re.IGNORECASE,
)
"""Words between two periods that say that they are two."""
_THE: Final = re.compile(r"^the ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Trailing:
    """A sentence, and the words of a trailing length that were taken out of it; empty where there was none."""

    sentence: str
    words: str = ""


def join_trailing(sentence: str) -> Trailing:
    """The sentence with one period where a trailing length and a moment stand side by side."""
    mentions = find_periods(sentence)
    if len(mentions) != 2:
        return Trailing(sentence)
    length, moment = mentions if _is_length(mentions[0]) else mentions[::-1]
    gap = sentence[mentions[0].span.end : mentions[1].span.start]
    dated = moment.period.year is not None or moment.period.end is not None
    if not _is_length(length) or not dated or moment.period.part in (Part.MONTH, Part.ONE_MONTH):
        return Trailing(sentence)
    words = _THE.sub("", length.span.of(sentence))
    at = _THE.sub("", moment.span.of(sentence))
    if length is mentions[0]:
        before, after = sentence[: length.span.start], sentence[moment.span.end :]
        after = re.sub(r"^\)", "", after) if "(" in gap else after
        if not _UP_TO.fullmatch(gap):
            # "What was Acme's TTM revenue as of September 30, 2023".
            led = _AT.search(gap) or re.match(r"(?:as of|as at|at)\b", at, re.IGNORECASE)
            if not led or _TWO.search(gap) or _LEAD.search(before):
                return Trailing(sentence)
            before = f"{before.rstrip()}{_AT.sub('', gap.rstrip())} for "
    else:
        # "At the end of Q2 fiscal 2023, what was Acme's return on capital for the trailing twelve months".
        before = _AT.sub("", sentence[: moment.span.start])
        led = _AT.search(sentence[: moment.span.start]) or re.match(
            r"(?:as of|as at|at|on)\b", at, re.IGNORECASE
        )
        if not led or _TWO.search(gap) or not _LEAD.search(gap):
            return Trailing(sentence)
        before = f"{before}{gap.lstrip(' ,')}".lstrip()
        after = re.sub(r"^(?:[ -]month)? (?:period|basis)\b", "", sentence[length.span.end :])
    if moment.period.end is not None:
        date = f"{moment.period.end:%B} {moment.period.end.day}, {moment.period.end.year}"
        return Trailing(f"{before}{words} ended {date}{after}")
    at = re.sub(r"^(?:as of|as at|at|on) ", "", at, flags=re.IGNORECASE)
    return Trailing(f"{_LEAD.sub('', before)}for {at}{after}", words)


def _is_length(mention: PeriodMention) -> bool:
    period = mention.period
    return period.part in (Part.LTM, Part.TWELVE_MONTHS) and period.year is None and period.end is None
