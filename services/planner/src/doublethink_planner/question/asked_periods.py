"""The periods of a question: found, put in order, and taken out of its text.

What the question says of time is either nothing, one period, a pair that is compared, or a list. The text
that is left must not say anything of time any more; else the question is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from doublethink_figures import Part, Period, PeriodKind, find_periods

from . import lexicon
from .errors import NotUnderstood
from .relative_periods import YEAR_OVER_YEAR, closing_date_in, name_same_periods, words_in

_MAX_PERIODS: Final = 32


class Shape(Enum):
    """How the question's periods stand to each other."""

    NONE = "none"
    SINGLE = "single"
    PAIR = "pair"
    """Two periods, the one that is named as "from" or "than" second or first: see `AskedPeriods.mentioned`.
    """
    SPAN = "span"
    """From one period through another, for an aggregate over all between them."""
    LIST = "list"


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """A period and the question's words for it."""

    words: str
    period: Period


@dataclass(frozen=True, slots=True)
class AskedPeriods:
    """`mentioned` is in the question's order. `rest` is the question without them."""

    shape: Shape
    mentioned: tuple[AskedPeriod, ...]
    rest: str


_P: Final = r"⟦\d+⟧"
_THE: Final = r"(?:(?:the|both|its|their) )*"
_LEAD: Final = (
    r"(?:,? ?\b(?:for|in|during|at|as of|as at|on|over|of|through|throughout|across|within|among|the|both|full"
    r"|from|respectively"
    r"|(?:the )?(?:fiscal|financial|calendar) (?:year|quarter)s?|(?:the )?(?:years?|quarters?|periods?"
    r"|three months|months)) ?)*"
)
_PAIRS: Final = (
    rf"from {_THE}(?P<a>{_P}) (?:up )?(?:to|until|till|through|into) {_THE}(?P<b>{_P})",
    rf"between {_THE}(?P<a>{_P}) and {_THE}(?P<b>{_P})",
    rf"(?P<a>{_P}),? (?:as )?(?:when )?(?:compared|relative|against|versus|vs\.?|over|than|from)"
    rf"(?: (?:to|with|in|for|at|during|on|as of))* {_THE}(?P<b>{_P})",
    rf"(?P<a>{_P}) (?:to|through|until) {_THE}(?P<b>{_P})",
    rf"(?P<a>{_P}) ?[-–—] ?(?P<b>{_P})",
)
_SPAN_WORDS: Final = re.compile(r"^(?:from )?.*⟧ (?:up )?(?:to|until|till|through|into) |^.*⟧ ?[-–—] ?⟦")
_LIST: Final = rf"{_P}(?:, {_THE}{_P})*,? (?:and|&|or) (?:for |in |during |at )?{_THE}{_P}"
_PLURALS: Final = (
    (r"\b(fiscal|financial|calendar) years (?=\D{0,3}\d)", r"\1 year "),
    (r"\b(year|quarter|half)s (ended|ending)\b", r"\1 \2"),
    (r"\b(quarter|half|halve)s of (?=\D{0,12}\d)", r"\1 of "),
    (r"\byears (?=(?:19|20)\d\d)", ""),
    (r"\bin the years? (?=(?:19|20)\d\d)", "in "),
    (
        r"\b(Q[1-4]|H[12])(,?) (and|or|to|vs\.?|versus) (Q[1-4]|H[12])( of| in|) ((?:FY ?|fiscal "
        r"|fiscal year )?'?\d{2,4})",
        r"\1\5 \6 \3 \4\5 \6",
    ),
    (
        r"\b(first|second|third|fourth) and (first|second|third|fourth) quarters?( of| in|) ((?:FY ?"
        r"|fiscal |fiscal year )?'?\d{2,4})",
        r"\1 quarter\3 \4 and \2 quarter\3 \4",
    ),
)
_PART_LEFT: Final = re.compile(r"\b(?:first|second|third|fourth|last|final|latter|former)$", re.IGNORECASE)
"""What is left of a quarter or half whose year alone was read: the year's figure would be another one."""
_YEARS: Final = re.compile(r"(?<![\w-])((?:19|20)\d\d) ?[-\u2013] ?((?:19|20)\d\d)(?![\w-])")
_BASE_FIRST: Final = rf"^(?:compared (?:to|with)|versus|relative to) {_THE}(?P<b>{_P}), (?=.*(?P<a>{_P}))"
_BASE_APART: Final = (
    r",? (?:as )?(?:when )?(?:(?:compared (?:to|with)|versus|vs\.?|relative to|than)"
    r"(?: (?:in|for|at|during|on|as of))*"
    rf" {_THE}(?P<b>{_P}))(?=,|$| )"
)
_IN_BRACKETS: Final = re.compile(rf" ?\((?:for |in |at |as of )?(?:the )?({_P})\)")
_AT: Final = r"(?:in|for|at|on|of|as of|from|during)"
_EXCEEDS: Final = re.compile(
    rf"(?:by )?how (?P<unit>much|many percentage points) did (?P<np>.+?) {_AT} {_THE}(?P<a>{_P}) exceed"
    rf" (?:those|that|(?:its|their) (?P<same>[^⟦]+?)) {_AT} {_THE}(?P<b>{_P})",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r",? ?(?:and|or|to|through|versus|vs\.?|&|,|[-–]) ?(?:the )?"
    r"|,? (?:as )?(?:compared (?:to|with)|relative to|over|than(?: in)?) (?:the )?"
)
"""Between two periods of which the second may leave out what the first has said."""
_AT_END: Final = re.compile(
    r"(?:at|as of|by|on) (?:the )?(?:year[- ]?end|end|close) (?:of )?(?:(?:the|its|their) )?$", re.IGNORECASE
)
_YEAR_IN_WORDS: Final = re.compile(r"(?:19|20|21)\d\d")


def take_periods(question: str) -> AskedPeriods:
    """Find the question's periods and take them, with the words that lead to them, out of its text.

    Raises NotUnderstood where words of time are left, or where two groups of periods stand apart.
    """
    text, year_over_year = YEAR_OVER_YEAR.subn(" ", name_same_periods(question))
    for pattern, replacement in _PLURALS:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    text = _YEARS.sub(_span_of_years, " ".join(text.split()))
    marked, periods = _mark(text)
    if year_over_year:
        marked = re.sub(r"\b(?:between|from|to|and) (?:the )?(?=⟦)", "in ", marked, flags=re.IGNORECASE)
    shape, order, rest = _shape(_exceeds_itself(marked))
    _refuse_leftovers(rest)
    mentioned = tuple(periods[index] for index in order)
    if year_over_year:
        if shape is not Shape.SINGLE:
            raise NotUnderstood("a year-over-year question names one period")
        shape, mentioned = Shape.PAIR, (year_before(mentioned[0]), mentioned[0])
    return AskedPeriods(shape, mentioned, rest)


def _span_of_years(found: re.Match[str]) -> str:
    """ "2020-2023" as "from 2020 to 2023"; two years that follow each other may be one fiscal year."""
    return f"from {found[1]} to {found[2]}" if int(found[2]) - int(found[1]) > 1 else found[0]


def marked_periods(question: str) -> tuple[str, tuple[AskedPeriod, ...]]:
    """The question with "⟦k⟧" in the place of its k-th period, and the periods. Raises NotUnderstood."""
    text = question
    for pattern, replacement in _PLURALS:
        text = re.sub(pattern, replacement, text, flags=re.IGNORECASE)
    marked, periods = _mark(" ".join(text.split()))
    marked = _IN_BRACKETS.sub(r" for \1", marked)
    _refuse_leftovers(re.sub(_P, " ", marked))
    return marked, tuple(periods)


def year_before(asked: AskedPeriod) -> AskedPeriod:
    """The same period one year earlier. Raises NotUnderstood where a date would have to be guessed."""
    end, year = asked.period.end, asked.period.year
    own = end.year if end else year
    if own is None:
        raise NotUnderstood("a period without a year")
    return _with_year(asked, own - 1)


def years_between(first: AskedPeriod, last: AskedPeriod) -> tuple[AskedPeriod, ...]:
    """All years from the first to the last. Raises NotUnderstood unless both are years of one kind."""
    a, b = first.period, last.period
    if a.kind is not b.kind or a.part is not Part.YEAR or b.part is not Part.YEAR or a.end or b.end:
        raise NotUnderstood("only whole years can be counted through")
    if a.year is None or b.year is None or not 0 < b.year - a.year < _MAX_PERIODS:
        raise NotUnderstood("the years do not follow each other")
    return tuple(_with_year(first, year) for year in range(a.year, b.year + 1))


def in_time_order(pair: Sequence[AskedPeriod]) -> tuple[AskedPeriod, AskedPeriod]:
    """The earlier and the later of two periods of one kind and length. Raises NotUnderstood otherwise."""
    first, second = pair
    a, b = _moment(first.period), _moment(second.period)
    if a is None or b is None or a[0] != b[0] or a[1] == b[1]:
        raise NotUnderstood("the two periods cannot be put in order")
    return (first, second) if a[1] < b[1] else (second, first)


_QUARTER_ORDER: Final = {Part.Q1: 1, Part.Q2: 2, Part.Q3: 3, Part.Q4: 4, Part.H1: 1, Part.H2: 2}


def _moment(period: Period) -> tuple[str, tuple[int, int, int]] | None:
    """What must be alike, and what is compared."""
    part = "quarter" if period.part in (Part.Q1, Part.Q2, Part.Q3, Part.Q4) else period.part.value
    part = "half" if period.part in (Part.H1, Part.H2) else part
    if period.end is not None:
        return f"end {part}", (period.end.year, period.end.month, period.end.day)
    if period.year is not None:
        return f"{period.kind.value} {part}", (period.year, _QUARTER_ORDER.get(period.part, 0), 0)
    return None


def _mark(text: str) -> tuple[str, list[AskedPeriod]]:
    """The text with "⟦k⟧" for its k-th period."""
    mentions = find_periods(text)
    if len(mentions) > _MAX_PERIODS:
        raise NotUnderstood("too many periods")
    periods: list[AskedPeriod] = []
    parts: list[str] = []
    position = 0
    for mention in mentions:
        if mention.span.start < position:
            raise NotUnderstood("two periods in one place")
        before = text[position : mention.span.start]
        asked = AskedPeriod(re.sub(r"^the ", "", mention.span.of(text), flags=re.IGNORECASE), mention.period)
        at_end = _AT_END.search(before)
        if at_end:
            before = before[: at_end.start()] + "at "
            asked = _at_end(asked)
        elif periods and _JOINED.fullmatch(before):
            asked = _inherit(periods[-1], asked)
        parts += [before, f"⟦{len(periods)}⟧"]
        periods.append(asked)
        position = mention.span.end
    parts.append(text[position:])
    return "".join(parts), periods


def _at_end(asked: AskedPeriod) -> AskedPeriod:
    period = asked.period
    if period.kind is PeriodKind.INSTANT:
        return asked
    if period.part is Part.YEAR:
        instant = Period(PeriodKind.INSTANT, period.year, Part.YEAR, period.end)
        return AskedPeriod(f"end of {asked.words}", instant)
    # A quarter's end has no label of its own: the quarter is what a balance sheet's heading is matched to.
    return AskedPeriod(f"end of {asked.words}", period)


def _inherit(left: AskedPeriod, right: AskedPeriod) -> AskedPeriod:
    """ "fiscal 2022 and 2023": the second is a fiscal year too, and its words say so; likewise "quarter
    ended", also before a date alone.
    """
    a, b = left.period, right.period
    if (
        a.kind is PeriodKind.TRAILING
        and (a.end and b.end)
        and (b.kind, b.part, b.end.month, b.end.day) == (PeriodKind.INSTANT, Part.DAY, a.end.month, a.end.day)
    ):
        b = replace(a, end=b.end)
    if a.kind is PeriodKind.TRAILING and b.kind is a.kind and b.part is a.part and b.end is not None:
        lead = re.match(r"^.*\b(?:ended|ending) (?:on )?", left.words, re.IGNORECASE)
        if lead and right.words[:1].isalpha() and " end" not in right.words:
            return AskedPeriod(f"{lead[0]}{right.words}", b)
    if re.fullmatch(r"\d{4}", right.words) is None or re.fullmatch(r"\d{4}", left.words):
        return right
    return _with_year(left, int(right.words))


def _with_year(asked: AskedPeriod, year: int) -> AskedPeriod:
    period = asked.period
    old = period.year if period.year is not None else period.end.year if period.end else None
    if old is None or period.straddles:
        raise NotUnderstood("the period has no single year to replace")
    if period.end is not None and period.year is not None and period.end.year != period.year:
        raise NotUnderstood("the period's year and its end differ")
    end = closing_date_in(period, year)
    words = words_in(asked.words, period.end, end, old, year)
    return AskedPeriod(words, replace(period, year=None if period.year is None else year, end=end))


def _exceeds_itself(marked: str) -> str:
    """ "How much did net sales in P exceed those in Q" as "how much higher were net sales in P than in Q"."""
    found = _EXCEEDS.fullmatch(marked)
    if found is None or (found["same"] and not found["np"].lower().endswith(found["same"].lower())):
        return marked
    return f"how {found['unit']} higher was {found['np']} in {found['a']} than in {found['b']}"


def _shape(marked: str) -> tuple[Shape, list[int], str]:
    for pattern in _PAIRS:
        found = re.search(rf"{_LEAD}(?P<all>{pattern})", marked, re.IGNORECASE)
        if found:
            shape = Shape.SPAN if _SPAN_WORDS.search(found["all"]) else Shape.PAIR
            return shape, [_index(found["a"]), _index(found["b"])], _without(marked, found)
    if len(re.findall(_P, marked)) == 2:
        found = re.search(_BASE_FIRST, marked, re.IGNORECASE) or re.search(_BASE_APART, marked, re.IGNORECASE)
        if found:
            rest = f"{marked[: found.start()]} {marked[found.end() :]}"
            shape, order, rest = _shape(" ".join(rest.split()))
            return Shape.PAIR, [*order, _index(found["b"])], rest
    found = re.search(rf"{_LEAD}(?P<all>{_LIST})", marked, re.IGNORECASE)
    if found:
        return Shape.LIST, [_index(mark) for mark in re.findall(_P, found["all"])], _without(marked, found)
    found = re.search(rf"{_LEAD}(?P<all>{_P})", marked, re.IGNORECASE)
    if found:
        return Shape.SINGLE, [_index(found["all"])], _without(marked, found)
    return Shape.NONE, [], marked


def _index(mark: str) -> int:
    return int(mark.strip("⟦⟧"))


def _without(marked: str, found: re.Match[str]) -> str:
    before, after = marked[: found.start()].rstrip(), marked[found.end() :].lstrip()
    joined = before if not after else after if not before else f"{before} {after}"
    if _PART_LEFT.search(before):
        raise NotUnderstood("a part of a period without the period")
    rest = " ".join(joined.replace(" ,", ",").split()).strip(" ,")
    if re.search(_P, rest):
        raise NotUnderstood("periods stand in two places")
    return rest


def _refuse_leftovers(rest: str) -> None:
    lowered = rest.lower()
    for phrase in lexicon.PERIOD_WORDS_IN_METRICS:
        lowered = lowered.replace(phrase, " ")
    words = re.findall(r"[a-z'-]+", lowered)
    if any(word in lexicon.VAGUE_PERIOD for word in words) or _YEAR_IN_WORDS.search(lowered):
        raise NotUnderstood("a period without a date or year")
