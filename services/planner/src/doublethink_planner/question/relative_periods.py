"""Periods that are said by another one: "the same quarter a year earlier", "the same period of 2022".

A closing date one year earlier is certain only where the date is the last day of its month, as of a year that always
ends so; a year of 52 or 53 weeks closes on another day each year.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Final

from doublethink_figures import Part, Period, find_periods

from .errors import NotUnderstood

AGAINST: Final = (
    r"(?:(?:as )?compared (?:to|with)|in comparison (?:to|with)|from|over|versus|vs\.?|relative to|against|than)"
    r"(?: (?:in|for|at|during|on))?"
)
_SAME: Final = r"(?:same|corresponding|comparable|equivalent|like)"
_LENGTH: Final = r"(?:quarter|period|half|date|time|point|(?:three|six|nine|twelve)[- ]months?(?: period)?)"
_EARLIER: Final = (
    r"(?:(?:a|one) (?:fiscal )?year (?:earlier|ago|before|prior|previously)|the year (?:before|earlier))"
)
_PRIOR: Final = r"(?:previous|prior|preceding)"
_YEAR_AGO: Final = (
    rf"(?:the )?{_SAME} {_LENGTH}(?: {_EARLIER}| (?:of|in|from) (?:the |a )?{_PRIOR} (?:fiscal )?year"
    rf"|,? (?:last|{_PRIOR}) year| of the (?:year (?:before|earlier)|{_PRIOR} year))"
    rf"|(?:the |its )?(?:{_PRIOR}[- ]year(?:'s)?|year[- ](?:ago|earlier)) (?:{_SAME} )?{_LENGTH}"
    rf"|(?:the )?{_PRIOR} (?:fiscal )?year|{_EARLIER}"
)
YEAR_OVER_YEAR: Final = re.compile(
    rf",? ?\b(?:(?:on an? )?(?:year[- ](?:over|on)[- ]year|yoy|y/y)(?: basis)?"
    rf"|(?:{AGAINST}|and|to) (?:{_YEAR_AGO})(?= |$|,)"
    rf"|{AGAINST} (?:the )?{_SAME} (?:quarter|period)(?! (?:of|in|from|a|one|the|last)\b)"
    rf"|from (?:{_YEAR_AGO}) (?=to\b)|between (?:{_YEAR_AGO}) (?=and\b))(?=\W|$|to\b|and\b)",
    re.IGNORECASE,
)
_OF_YEAR: Final = re.compile(
    rf"\b(?:the )?{_SAME} {_LENGTH} (?:of|in) (?:(?:fiscal|calendar) (?:year )?)?(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SEVERAL_QUARTERS: Final = re.compile(
    r"\b(?:two|three|four|five|six|eight|[2-9]) (?:fiscal |consecutive )?quarters\b", re.IGNORECASE
)
_QUARTER_OF: Final = re.compile(r"\bquarters? (?:of|in|for) (?:the )?$", re.IGNORECASE)
_DAY: Final = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, (?:19|20)\d\d"
    r"|\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December),? (?:19|20)\d\d"
)
_WEEKS_OF_A_YEAR: Final = 52 * 7
_WEEKS: Final = frozenset(
    {
        Part.THIRTEEN_WEEKS,
        Part.FOURTEEN_WEEKS,
        Part.TWENTY_SIX_WEEKS,
        Part.TWENTY_SEVEN_WEEKS,
        Part.THIRTY_NINE_WEEKS,
        Part.FIFTY_TWO_WEEKS,
        Part.FIFTY_THREE_WEEKS,
    }
)


def closing_date_in(period: Period, year: int) -> date | None:
    """The period's closing date in another year; None for a period without one.

    A month's last day stays one. Any other day is taken for a year of 52 weeks, which closes on the same day of the
    week 364 days away: after one of 53 weeks no page has that date. Raises NotUnderstood beyond the next year, and
    for a length in weeks or a February where it is not certain.
    """
    end = period.end
    if end is None:
        return None
    last = end.day == monthrange(end.year, end.month)[1]
    if last and period.part not in _WEEKS:
        if end.day != monthrange(year, end.month)[1]:
            raise NotUnderstood("a closing date in February of a leap year")
        return end.replace(year=year)
    if abs(year - end.year) != 1:
        raise NotUnderstood("the closing date of another year is not certain")
    return end + timedelta(days=_WEEKS_OF_A_YEAR if year > end.year else -_WEEKS_OF_A_YEAR)


def words_in(words: str, end: date | None, moved: date | None, old: int, year: int) -> str:
    """A period's words with another year, and with its closing date moved. Raises NotUnderstood."""
    if end is not None and moved is not None and (end.month, end.day) != (moved.month, moved.day):
        said, found = _DAY.subn(f"{moved:%B} {moved.day}, {moved.year}", words)
        if found != 1:
            raise NotUnderstood("a closing date that is not written out")
        return said
    said, found = re.subn(str(old), str(year), words)
    if not found:
        said, found = re.subn(rf"{old % 100:02d}(?!\d)", f"{year % 100:02d}", words)
    if found != 1:
        raise NotUnderstood("the period's words do not name its year once")
    return said


def name_same_periods(text: str) -> str:
    """ "Q2 2023 ... the same quarter of 2022" with the second in the first one's words.

    Raises NotUnderstood where the label in the other year is not certain.
    """
    said = _OF_YEAR.search(text)
    if said is None:
        return text
    mentions = find_periods(f"{text[: said.start()]}{'_' * len(said[0])}{text[said.end() :]}")
    if len(mentions) != 1:
        raise NotUnderstood("the same period as one of several")
    period, words = mentions[0].period, mentions[0].span.of(text)
    own = period.end.year if period.end else period.year
    year = int(said["year"])
    if own is None or own == year or words.count(str(own)) != 1:
        raise NotUnderstood("the same period of the same year")
    named = words_in(words, period.end, closing_date_in(period, year), own, year)
    return f"{text[: said.start()]}{named}{text[said.end() :]}"


_MONTH_QUARTER: Final = re.compile(
    r"\b(?P<month>January|February|March|April|May|June|July|August|September|October|November|December),? "
    r"(?P<year>(?:19|20)\d\d) quarter(?!s|ly|-)\b"
)


def name_month_quarters(text: str) -> str:
    """ "The June 2023 quarter" as "the quarter ended June 2023": only one that closes with its month answers.

    Raises NotUnderstood for a quarter by a month in other words, and for several quarters under one date: "the trailing
    four quarters ended July 30, 2023".
    """
    text = _MONTH_QUARTER.sub(r"quarter ended \g<month> \g<year>", text)
    if _SEVERAL_QUARTERS.search(text):
        raise NotUnderstood("several quarters as one period")
    for mention in find_periods(text):
        if mention.period.part not in (Part.MONTH, Part.ONE_MONTH):
            continue
        before, after = text[: mention.span.start], text[mention.span.end :]
        if re.match(r",? (?:fiscal )?quarters?\b", after, re.IGNORECASE) or _QUARTER_OF.search(before):
            raise NotUnderstood("a quarter named by a month")
    return text
