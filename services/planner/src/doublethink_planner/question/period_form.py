"""A period of the figures library as the contract's typed message, and as what is asked about needs it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_figures import Part, Period, PeriodKind

from .asked_periods import AskedPeriod
from .errors import NotUnderstood
from .unit_class import is_balance, stands_at_a_date

_KINDS: Final = {
    PeriodKind.CALENDAR: figures.PERIOD_KIND_CALENDAR,
    PeriodKind.FISCAL: figures.PERIOD_KIND_FISCAL,
    PeriodKind.INSTANT: figures.PERIOD_KIND_INSTANT,
    PeriodKind.TRAILING: figures.PERIOD_KIND_TRAILING,
    PeriodKind.UNSPECIFIED_YEAR: figures.PERIOD_KIND_YEAR_LABEL,
}
_PARTS: Final = {
    Part.YEAR: figures.PERIOD_PART_YEAR,
    Part.Q1: figures.PERIOD_PART_Q1,
    Part.Q2: figures.PERIOD_PART_Q2,
    Part.Q3: figures.PERIOD_PART_Q3,
    Part.Q4: figures.PERIOD_PART_Q4,
    Part.H1: figures.PERIOD_PART_H1,
    Part.H2: figures.PERIOD_PART_H2,
    Part.MONTH: figures.PERIOD_PART_MONTH,
    Part.ONE_MONTH: figures.PERIOD_PART_MONTH,
    Part.THREE_MONTHS: figures.PERIOD_PART_THREE_MONTHS,
    Part.SIX_MONTHS: figures.PERIOD_PART_SIX_MONTHS,
    Part.NINE_MONTHS: figures.PERIOD_PART_NINE_MONTHS,
    Part.TWELVE_MONTHS: figures.PERIOD_PART_TWELVE_MONTHS,
    Part.THIRTEEN_WEEKS: figures.PERIOD_PART_THREE_MONTHS,
    Part.FOURTEEN_WEEKS: figures.PERIOD_PART_THREE_MONTHS,
    Part.TWENTY_SIX_WEEKS: figures.PERIOD_PART_SIX_MONTHS,
    Part.TWENTY_SEVEN_WEEKS: figures.PERIOD_PART_SIX_MONTHS,
    Part.THIRTY_NINE_WEEKS: figures.PERIOD_PART_NINE_MONTHS,
    Part.FIFTY_TWO_WEEKS: figures.PERIOD_PART_TWELVE_MONTHS,
    Part.FIFTY_THREE_WEEKS: figures.PERIOD_PART_TWELVE_MONTHS,
    Part.YTD: figures.PERIOD_PART_YEAR_TO_DATE,
    Part.LTM: figures.PERIOD_PART_TWELVE_MONTHS,
    Part.DAY: figures.PERIOD_PART_DAY,
}


def period_message(period: Period) -> figures.Period:
    """The message. Raises NotUnderstood for a length that the contract has no word for (40 weeks)."""
    part = _PARTS.get(period.part)
    years_known = period.year is None or 1900 <= period.year <= 2199
    if part is None or not years_known or (period.end and not 1900 <= period.end.year <= 2199):
        raise NotUnderstood("a period that the contract cannot carry")
    message = figures.Period(kind=_KINDS[period.kind], part=part)
    if period.year is not None:
        message.year = period.year
    if period.end is not None:
        message.end.CopyFrom(figures.Date(year=period.end.year, month=period.end.month, day=period.end.day))
    return message


def typed_period(asked: AskedPeriod) -> figures.Period | None:
    """The message, or None for a length that runs up to no date that is said: its words alone stand in the query.

    Raises NotUnderstood as `period_message`.
    """
    if asked.period.year is None and asked.period.end is None:
        return None
    return period_message(asked.period)


def at_date(asked: AskedPeriod, metric: str) -> AskedPeriod:
    """The period as a moment where the metric stands at a date: a balance has no other."""
    period = asked.period
    if period.kind is PeriodKind.INSTANT:
        return asked
    if period.part is Part.DAY and is_balance(metric):
        return AskedPeriod(asked.words, replace(period, kind=PeriodKind.INSTANT, year=None))
    if not stands_at_a_date(metric):
        return asked
    if period.end is not None and period.part is not Part.MONTH:
        day = f"as of {period.end:%B} {period.end.day}, {period.end.year}"
        return AskedPeriod(day, Period(PeriodKind.INSTANT, None, Part.DAY, period.end))
    if period.part is Part.YEAR and period.end is None and not period.straddles:
        instant = Period(PeriodKind.INSTANT, period.year, Part.YEAR)
        return AskedPeriod(f"end of {asked.words}", instant)
    return asked
