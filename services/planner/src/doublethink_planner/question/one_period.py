"""One period said twice, and periods said without a year.

"The second quarter of fiscal 2023 (three months ended July 30, 2023)" is one period with two labels: the one with a
closing date is kept. "In the second quarter" is none that could be typed: its words are taken out, and the validator
decides whether a page leaves only one figure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from doublethink_figures import Part, Period, PeriodKind, PeriodMention, find_periods

from .unit_class import stands_at_a_date

_PART_WORDS: Final = {
    Part.YEAR: "fiscal year",
    Part.Q1: "first quarter",
    Part.Q2: "second quarter",
    Part.Q3: "third quarter",
    Part.Q4: "fourth quarter",
    Part.H1: "first half",
    Part.H2: "second half",
    Part.THREE_MONTHS: "three months",
    Part.SIX_MONTHS: "six months",
    Part.NINE_MONTHS: "nine months",
}
_JOINING: Final = re.compile(
    r"\b(?:and|to|versus|vs\.?|compared|than|between|from|through|until|against|over|with)\b|&", re.IGNORECASE
)
"""Between two periods these say that they are two."""
_ENDED: Final = re.compile(r"[\s,(]*(?:which |that )?(?:ended|ending|ends)(?: on)?\s*", re.IGNORECASE)
_LEAD: Final = (
    r"(?:,? ?\(?\b(?:for|in|during|at|as of|as at|on|of|within|over|through|i\.e\.,?|or|that is,?|the|its|their|this"
    r"|full|entire|whole|said) ?)*\(?,? ?$"
)
_NUMBER: Final = r"(?:one|three|six|nine|twelve|\d{1,2})"
_VAGUE: Final = re.compile(
    r"(?:,? ?\b(?:for|in|during|at|as of|as at|on|of|by|over|within|through)(?: the| its| their| that| this| an?)?"
    r"(?: (?:end|close) of(?: the| its| their| that)?)?)?"
    rf" ?\b(?:(?:(?:first|second|third|fourth|final|1st|2nd|3rd|4th)[- ])(?:fiscal )?(?:quarter|half)(?:[- ]end)?"
    r"|(?<!\w)Q[1-4](?!\w)|(?:the )?(?:fiscal )?(?:quarter|period|year|half|half-year|month|fiscal year)(?:[- ]end)\b"
    rf"|(?:the )?(?:first |last )?{_NUMBER}[- ](?:months?|weeks?)(?:[- ]period)?(?: ended| ending)?"
    r"|(?:the|that|this|its) (?:full |whole |entire |reported |relevant |respective )?(?:fiscal )?"
    r"(?:quarter|year|period|half|half-year|month)|full year|year[- ]to[- ]date)(?![\w-])(?! of \w)(?:,(?= ))?",
    re.IGNORECASE,
)
_NOT_VAGUE: Final = re.compile(
    r"\b(?:last|latest|most recent|recent|previous|prior|past|next|current|upcoming|preceding|following|coming|same"
    r"|corresponding|comparable|year-ago|each|every|per|several|two|four|eight|ten|this|earlier|ago|before|after)\b",
    re.IGNORECASE,
)
"""Beside a period without a year these make it one of many."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A sentence whose periods are said once. `vague`: it had a period without a year, which was taken out."""

    sentence: str
    vague: bool


def say_periods_once(sentence: str) -> Timed:
    """The sentence with one mention for each period. What is not certain stays as it is."""
    sentence = _with_closing_dates(sentence)
    for _ in range(4):
        shorter = _without_one(sentence)
        if shorter == sentence:
            break
        sentence = shorter
    mentions = find_periods(sentence)
    dated = [mention for mention in mentions if mention.period.year or mention.period.end]
    if len(dated) > 1 or (mentions and not dated):
        return Timed(sentence, vague=False)
    return _without_vague(sentence, dated[0] if dated else None)


def _with_closing_dates(sentence: str) -> str:
    """ "Fiscal 2022, ended January 28, 2023" -> "fiscal year ended January 28, 2023"; likewise in brackets."""
    sentence = re.sub(
        r"\b(quarter|half|year|months|weeks|period) ?\(((?:that |which )?(?:ended|ending) [^()]+)\)",
        r"\1 \2",
        sentence,
    )
    sentence = re.sub(r"\b(quarter|half|year|months|weeks|period), (ended|ending) ", r"\1 \2 ", sentence)
    mentions = find_periods(sentence)
    for first, second in pairwise(mentions):
        gap = sentence[first.span.end : second.span.start]
        part = _PART_WORDS.get(first.period.part)
        day = second.period.part is Part.DAY and second.period.end is not None
        if part is None or not day or first.period.end is not None or not _ENDED.fullmatch(gap):
            continue
        if not _same(first.period, second.period):
            continue
        after = sentence[second.span.end :]
        if "(" in gap:
            after = re.sub(r"^\s*\)", "", after)
        date = re.sub(r"^(?:on|as of|at) ", "", second.span.of(sentence))
        return f"{sentence[: first.span.start]}{part} ended {date}{after}"
    return sentence


def _without_one(sentence: str) -> str:
    """The sentence without one mention that says what another says. The other stands in the first one's place."""
    mentions = find_periods(sentence)
    if len({mention.span for mention in mentions}) < 2:
        return sentence
    if any(not _same(first.period, second.period) for first in mentions for second in mentions):
        return sentence
    first, second = mentions[0], mentions[1]
    gap = sentence[first.span.end : second.span.start]
    if _JOINING.search(gap) and len(gap) < 20:
        return sentence
    kept = _kept(first, second, sentence)
    words = re.sub(r"^the ", "", kept.span.of(sentence), flags=re.IGNORECASE)
    between = re.sub(_LEAD, "", sentence[first.span.end : second.span.start], flags=re.IGNORECASE)
    after = sentence[second.span.end :]
    if after.lstrip().startswith(")") and "(" not in between:
        after = after.lstrip()[1:]
    before = sentence[: first.span.start]
    if before.endswith("(") and not between.startswith(")"):
        before = before[:-1]
    joined = f"{before}{words}{between}{after}"
    return re.sub(r" ,", ",", " ".join(joined.split()))


def _kept(first: PeriodMention, second: PeriodMention, sentence: str) -> PeriodMention:
    """The mention with a closing date; of a moment and a length, what the thing asked about has."""
    moments = [mention for mention in (first, second) if mention.period.kind is PeriodKind.INSTANT]
    if len(moments) == 1:
        at_end = re.search(r"\b(?:end|close) of (?:the )?$", sentence[: first.span.start], re.IGNORECASE)
        if at_end or stands_at_a_date(sentence):
            return moments[0]
        return second if moments[0] is first else first
    return second if first.period.end is None and second.period.end is not None else first


def _same(a: Period, b: Period) -> bool:
    """Whether two labels can be of one period: alike in length, and in year as far as both say it."""
    if a == b:
        return True
    if {a.kind, b.kind} == {PeriodKind.CALENDAR, PeriodKind.FISCAL}:
        return False
    moments = PeriodKind.INSTANT in (a.kind, b.kind)
    if not moments and a.part.months != b.part.months:
        return False
    if a.end is not None and b.end is not None:
        return a.end == b.end
    years = [
        period.year if period.year is not None else period.end.year if period.end else None
        for period in (a, b)
    ]
    if years[0] is None or years[1] is None:
        return False
    if a.end is None and b.end is None:
        return years[0] == years[1] and (a.part is b.part)
    return abs(years[0] - years[1]) <= 1


def _without_vague(sentence: str, dated: PeriodMention | None) -> Timed:
    """The sentence without its period that has no year; beside a dated one only where that can be its closing date."""
    marked, date = sentence, ""
    if dated is not None:
        date = dated.span.of(sentence)
        marked = f"{sentence[: dated.span.start]}\u2020{sentence[dated.span.end :]}"
    found = [mark for mark in _VAGUE.finditer(marked) if mark[0].strip(" ,")]
    if dated is None and len(found) == 2 and len({_ordinal(mark[0]) for mark in found} - {""}) <= 1:
        # "For the quarter, ... in the second quarter": the same one twice.
        marked = marked[: found[1].start()] + marked[found[1].end() :]
        found = found[:1]
    if len(found) != 1 or _NOT_VAGUE.search(found[0][0]):
        return Timed(sentence, vague=False)
    before, after = marked[: found[0].start()], marked[found[0].end() :]
    if _NOT_VAGUE.search(before[-18:]):
        return Timed(sentence, vague=False)
    if dated is None:
        return Timed(" ".join(f"{before} {after}".split()).replace(" ,", ",").strip(" ,"), vague=True)
    near = re.fullmatch(r"[\s,(]*(?:the |for |at |on |as of |or |i\.e\.,? |ended )*\u2020\)?.*", after)
    if near is None:
        return Timed(sentence, vague=False)
    after = re.sub(r"^[\s,(]*(?:or |i\.e\.,? )?", "", after)
    after = re.sub(r"\u2020\)", "\u2020", after)
    lead = re.match(r"^,? ?(?:for|in|during|at|as of|on)\b", found[0][0].strip(), re.IGNORECASE)
    glue = "" if lead is None or after[:1] != "\u2020" else (lead[0].strip(" ,") + " ")
    return Timed(" ".join(f"{before} {glue}{after}".split()).replace("\u2020", date), vague=False)


def _ordinal(words: str) -> str:
    said = re.search(
        r"first|second|third|fourth|final|[1-4](?:st|nd|rd|th)|(?<=[qQ])[1-4]", words, re.IGNORECASE
    )
    return said[0].lower() if said else ""
