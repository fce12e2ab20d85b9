"""Whether the period that a text states is the period that was wanted.

By label, never by working out dates. The decisions, and why:

* Same label, same period: `FY2024` and "fiscal 2024"; `2024` and "2024"; "Q3 2024" and "3Q24".
* Another year, another part, or a part against the whole: never. "2024" does not support "Q4 2024", "nine
  months ended" does not support the year.
* Two stated closing dates decide by themselves: the same length up to the same day is the same period,
  whatever it is called. A quarter ended July 30, 2023 is the three months, and the thirteen weeks, ended that
  day.
* A label against a closing date: `FY2024` and "fiscal year ended September 28, 2024". The year printed in the
  date is the fiscal year's number by nearly every issuer's usage when the year closes in June or later;
  closing earlier in the year it may carry either number (retailers call the year ended February 3, 2024
  fiscal 2023, chip makers fiscal 2024), so that is ambiguous. Without the word year, or for a quarter whose
  number is not said, ambiguous.
* The calendar year and the year ended on its December 31 are the same days.
* Fiscal against calendar against unsaid ("2024"), same year: ambiguous, because for some issuers they are the
  same and for others not. Where the page states that the issuer's year closes on December 31 (`year_end`),
  they are.
* "FY2024/25" and `FY2025`: ambiguous; some issuers number such a year by its first half.
* A moment never supports a length of time, nor the other way round.
"""

import calendar
from typing import Final

from .period import Match, Part, Period, PeriodKind, YearEnd

_FIRST_SAFE_MONTH: Final = 6
"""A fiscal year that closes in or after this month carries the number of the calendar year it closes in."""

_CALENDAR_END_MONTHS: Final = {
    Part.Q1: 3,
    Part.Q2: 6,
    Part.Q3: 9,
    Part.Q4: 12,
    Part.H1: 6,
    Part.H2: 12,
    Part.YEAR: 12,
    Part.NINE_MONTHS: 9,
    Part.SIX_MONTHS: 6,
    Part.THREE_MONTHS: 3,
    Part.TWELVE_MONTHS: 12,
}
_DECEMBER: Final = YearEnd(12, 31)
_LENGTHS_ONLY: Final = frozenset(
    {
        Part.THREE_MONTHS,
        Part.SIX_MONTHS,
        Part.NINE_MONTHS,
        Part.TWELVE_MONTHS,
        Part.THIRTEEN_WEEKS,
        Part.FOURTEEN_WEEKS,
        Part.TWENTY_SIX_WEEKS,
        Part.TWENTY_SEVEN_WEEKS,
        Part.THIRTY_NINE_WEEKS,
        Part.FORTY_WEEKS,
        Part.FIFTY_TWO_WEEKS,
        Part.FIFTY_THREE_WEEKS,
        Part.LTM,
    }
)
"""Parts that say how long, not which."""


def period_matches(stated: Period, wanted: Period, *, year_end: YearEnd | None = None) -> Match:
    """Whether `stated` is `wanted`. `year_end`: the issuer's closing day, only where the page itself states
    it.
    """
    if stated == wanted:
        return Match.AMBIGUOUS if _names_nothing(stated) else Match.EXACT
    if (stated.kind is PeriodKind.INSTANT) is not (wanted.kind is PeriodKind.INSTANT):
        return Match.NO
    if stated.kind is PeriodKind.INSTANT:
        return _instants(stated, wanted, year_end)
    if stated.part is Part.YTD or wanted.part is Part.YTD:
        return _year_to_date(stated, wanted)
    if stated.part.months != wanted.part.months:
        return Match.NO
    if stated.end is not None and wanted.end is not None:
        return _by_end(stated, wanted)
    if stated.year is not None and wanted.year is not None:
        return _by_label(stated, wanted, year_end)
    return _label_against_end(stated, wanted, year_end)


def _names_nothing(period: Period) -> bool:
    """A bare "LTM" or "year to date": which one is not said."""
    return period.year is None and period.end is None


def _instants(stated: Period, wanted: Period, year_end: YearEnd | None) -> Match:
    if stated.end is not None and wanted.end is not None:
        if stated.end == wanted.end:
            return Match.EXACT
        month_only = Part.MONTH in (stated.part, wanted.part)
        same_month = (stated.end.year, stated.end.month) == (wanted.end.year, wanted.end.month)
        return Match.AMBIGUOUS if month_only and same_month else Match.NO
    if stated.year is not None and wanted.year is not None:
        return Match.EXACT if stated.year == wanted.year else Match.NO
    label, dated = (stated, wanted) if stated.year is not None else (wanted, stated)
    if label.year is None or dated.end is None:
        return Match.AMBIGUOUS
    if year_end is not None and (dated.end.month, dated.end.day) == (year_end.month, year_end.day):
        safe = year_end.month >= _FIRST_SAFE_MONTH
        if safe:
            return Match.EXACT if dated.end.year == label.year else Match.NO
    return Match.AMBIGUOUS if 0 <= dated.end.year - label.year <= 1 else Match.NO


def _year_to_date(stated: Period, wanted: Period) -> Match:
    if stated.part is not wanted.part:
        return Match.NO
    if stated.year != wanted.year and None not in (stated.year, wanted.year):
        return Match.NO
    return Match.AMBIGUOUS


def _by_end(stated: Period, wanted: Period) -> Match:
    """Equal lengths up to the same stated day; two labels that contradict each other still do."""
    if stated.end != wanted.end:
        return Match.NO
    if None not in (stated.year, wanted.year) and stated.year != wanted.year:
        return Match.NO
    if stated.part is not wanted.part and not (
        {stated.part, wanted.part} & (_LENGTHS_ONLY | {Part.MONTH, Part.YEAR})
    ):
        return Match.NO
    return Match.EXACT


def _by_label(stated: Period, wanted: Period, year_end: YearEnd | None) -> Match:
    if stated.straddles is not wanted.straddles:
        later, other = (stated, wanted) if stated.straddles else (wanted, stated)
        return Match.AMBIGUOUS if 0 <= (later.year or 0) - (other.year or 0) <= 1 else Match.NO
    if stated.year != wanted.year:
        return Match.NO
    if stated.part is not wanted.part:
        return _same_length(stated.part, wanted.part)
    if stated.kind is wanted.kind or year_end == _DECEMBER:
        return Match.EXACT
    return Match.AMBIGUOUS


def _same_length(stated: Part, wanted: Part) -> Match:
    """Two parts of equal length and unequal name, in one year: six months may be its first half."""
    firsts = ({Part.H1, Part.SIX_MONTHS}, {Part.Q1, Part.THREE_MONTHS})
    if {stated, wanted} in firsts:
        return Match.AMBIGUOUS
    return Match.AMBIGUOUS if {stated, wanted} & _LENGTHS_ONLY else Match.NO


def _label_against_end(stated: Period, wanted: Period, year_end: YearEnd | None) -> Match:
    label, dated = (stated, wanted) if stated.year is not None and stated.end is None else (wanted, stated)
    if label.year is None or dated.end is None:
        return Match.AMBIGUOUS
    if dated.year is not None:
        return _by_label(label, Period(dated.kind, dated.year, dated.part, None, dated.straddles), year_end)
    distance = dated.end.year - label.year
    if label.kind is PeriodKind.CALENDAR or year_end == _DECEMBER:
        return _calendar_against_end(label, dated)
    if not -1 <= distance <= 1:
        return Match.NO
    whole_year = label.part is Part.YEAR and dated.part in (
        Part.YEAR,
        Part.FIFTY_TWO_WEEKS,
        Part.FIFTY_THREE_WEEKS,
    )
    if whole_year:
        if distance < 0:
            return Match.NO
        if label.kind is PeriodKind.FISCAL and not label.straddles and dated.end.month >= _FIRST_SAFE_MONTH:
            return Match.EXACT if distance == 0 else Match.NO
    return Match.AMBIGUOUS


def _calendar_against_end(label: Period, dated: Period) -> Match:
    month = _CALENDAR_END_MONTHS.get(label.part)
    if month is None or label.year is None or dated.end is None:
        return Match.AMBIGUOUS
    last = calendar.monthrange(label.year, month)[1]
    if (dated.end.year, dated.end.month, dated.end.day) != (label.year, month, last):
        return Match.NO
    same = dated.part is label.part or dated.part in _LENGTHS_ONLY or label.part in _LENGTHS_ONLY
    return Match.EXACT if same else Match.NO
