"""The periods that a text names, and a period's label as a claim gives it: the page's own words where they
name it alone, else a plain form.
"""

import re
from functools import lru_cache
from typing import Final

from doublethink_figures import Part, Period, PeriodKind, PeriodMention, find_periods, join_period

MAX_LABEL_BYTES: Final = 200
_LENGTHS: Final = {
    Part.ONE_MONTH: "one month",
    Part.THREE_MONTHS: "three months",
    Part.SIX_MONTHS: "six months",
    Part.NINE_MONTHS: "nine months",
    Part.TWELVE_MONTHS: "twelve months",
    Part.THIRTEEN_WEEKS: "13 weeks",
    Part.FOURTEEN_WEEKS: "14 weeks",
    Part.TWENTY_SIX_WEEKS: "26 weeks",
    Part.TWENTY_SEVEN_WEEKS: "27 weeks",
    Part.THIRTY_NINE_WEEKS: "39 weeks",
    Part.FORTY_WEEKS: "40 weeks",
    Part.FIFTY_TWO_WEEKS: "52 weeks",
    Part.FIFTY_THREE_WEEKS: "53 weeks",
    Part.YEAR: "fiscal year",
    Part.Q1: "first quarter",
    Part.Q2: "second quarter",
    Part.Q3: "third quarter",
    Part.Q4: "fourth quarter",
    Part.H1: "first half",
    Part.H2: "second half",
    Part.LTM: "LTM",
}
_MAY_NAME: Final = re.compile(
    r"[0-9]|\b(?:LTM|TTM|YTD|to[ -]date|(?:last|trailing|latest)[ -]twelve)\b", re.IGNORECASE
)
_TIME: Final = re.compile(
    r"\b(?:ended|ending|months?|weeks?|quarters?|years?|halves|half|as of|as at|at|year[ -]to[ -]date|periods?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? [0-3]?[0-9]"
    r"|[0-3]?[0-9]\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*)\b",
    re.IGNORECASE,
)
_KINDS: Final = {PeriodKind.FISCAL: "fiscal ", PeriodKind.CALENDAR: "calendar "}


@lru_cache(maxsize=32_768)
def named(text: str) -> tuple[PeriodMention, ...]:
    """The periods that a text names."""
    return find_periods(text) if _MAY_NAME.search(text) else ()


@lru_cache(maxsize=32_768)
def joined(text: str) -> Period | None:
    """The one period that a text names."""
    return join_period([text]) if _MAY_NAME.search(text) else None


@lru_cache(maxsize=32_768)
def names_time(text: str) -> bool:
    """Whether a heading speaks of time."""
    return speaks_of_time(text) or bool(named(text))


def speaks_of_time(text: str) -> bool:
    """Whether a text has a word of time: a length, a month with its day, "as of"."""
    return _TIME.search(text) is not None


@lru_cache(maxsize=16_384)
def label_of(period: Period, text: str) -> str | None:
    """`text` if it names just this period, else a form that does, None where there is none."""
    for candidate in (text.strip(), *_forms(period)):
        if len(candidate.encode()) <= MAX_LABEL_BYTES and join_period([candidate]) == period:
            return candidate
    return None


def _forms(period: Period) -> tuple[str, ...]:
    length = _LENGTHS.get(period.part, "")
    if period.end is not None:
        day = f"{period.end:%B} {period.end.day}, {period.end.year}"
        month = f"{period.end:%B} {period.end.year}"
        return (f"{length} ended {day}", f"{length} {day}".strip(), day, f"as of {month}", month)
    if period.year is None:
        return (length, "year to date")
    year = f"{_KINDS.get(period.kind, '')}{period.year}"
    return (
        year,
        f"{length} of {year}",
        f"first {length} of {year}",
        f"end of {year}",
        f"year to date {year}",
        f"fiscal {period.year - 1}/{period.year}",
        f"{length} of fiscal {period.year - 1}/{period.year}",
    )
