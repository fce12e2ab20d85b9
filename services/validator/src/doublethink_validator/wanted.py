"""Whether the period of a reading is the one that a query wants, balances and events included."""

import re
from dataclasses import replace
from typing import Final

from doublethink_figures import Match, Period, PeriodKind, UnitClass
from doublethink_figures.period import Part

from .columns import is_bare_year
from .fiscal import FiscalCalendar
from .reading import Reading, Source
from .words import listed, words

_BALANCE: Final = listed(
    """
    cash asset liability receivable payable inventory debt equity goodwill property deposit loan
    note security borrowing payroll deficit store employee associate retained accrued prepaid treasury
    paper headcount
    """
)
_AT_END: Final = re.compile(r"\b(?:at|,) ?(?:the )?end of (?:the )?(?:period|quarter|year)\b", re.IGNORECASE)
_OF_COUNT: Final = re.compile(r"^(?:total )?number of (?:our )?", re.IGNORECASE)
_LAST_DAYS: Final = 6
"""A year that closes on a month's last Saturday closes at most so many days before its end."""
_STANDING: Final = re.compile(
    r"(?:\w+ )?(?:stores|restaurants|locations|branches|employees|associates|headcount)\W*(?:\(\w\))?",
    re.IGNORECASE,
)


def is_period(
    calendar: FiscalCalendar, reading: Reading, wanted: Period, *, fiscal: bool = False, month: bool = False
) -> bool:
    """Whether the reading is of the wanted period: by label, or a balance at the wanted period's last day.

    Over a table in a page of quarters or half years "2018" alone may be the part of that year that the page
    is about. `fiscal`: the query says that its year is fiscal, which the end of a year does not say itself.
    `month`: it says in which month its period ends, and no day; a year of weeks ends in that month's last days.
    """
    stated = reading.period
    if stated is None:
        return False
    if month and _ends_in(stated, wanted):
        wanted = replace(stated, kind=wanted.kind)
    if calendar.is_wanted(stated, wanted) is Match.EXACT:
        return not (
            reading.source is Source.TABLE
            and is_bare_year(stated)
            and not (calendar.annual or reading.annual)
        )
    if _happened_in(reading, stated, wanted) or _left_at_the_end(reading, stated, wanted):
        return True
    if wanted.kind is PeriodKind.INSTANT and wanted.end is None and (fiscal or calendar.all_fiscal):
        wanted = Period(PeriodKind.FISCAL, wanted.year, Part.YEAR)
    return _closing_balance(calendar, reading, stated, wanted)


def _ends_in(stated: Period, wanted: Period) -> bool:
    """Whether a period of the wanted length ends on one of the last days of the wanted month."""
    if stated.end is None or wanted.end is None or not 0 < (wanted.end - stated.end).days <= _LAST_DAYS:
        return False
    if wanted.kind is PeriodKind.INSTANT:
        return wanted.part is Part.MONTH and stated.kind is PeriodKind.INSTANT and stated.part is Part.DAY
    return wanted.part.months is not None and stated.part.months == wanted.part.months


def _left_at_the_end(reading: Reading, stated: Period, wanted: Period) -> bool:
    """Whether a column of some months shows what there was on their last day: "number of stores", "cash at end of
    period".
    """
    if wanted.kind is not PeriodKind.INSTANT or wanted.end is None or stated.kind is PeriodKind.INSTANT:
        return False
    if stated.end != wanted.end or reading.source is not Source.TABLE or wanted.part is not Part.DAY:
        return False
    if _AT_END.search(reading.label):
        return True
    plain = _OF_COUNT.sub("", reading.label.strip())
    return reading.unit.unit_class is UnitClass.COUNT and _STANDING.fullmatch(plain) is not None


def _happened_in(reading: Reading, stated: Period, wanted: Period) -> bool:
    """Whether something of a single day, such as a vote, is asked for by the month or year of that day."""
    if not reading.event or stated.end is None:
        return False
    if wanted.part is Part.MONTH and wanted.end is not None:
        return (wanted.end.year, wanted.end.month) == (stated.end.year, stated.end.month)
    year = wanted.kind in (PeriodKind.UNSPECIFIED_YEAR, PeriodKind.CALENDAR) and wanted.part is Part.YEAR
    return year and wanted.year == stated.end.year


def _closing_balance(calendar: FiscalCalendar, reading: Reading, stated: Period, wanted: Period) -> bool:
    """A balance stands under a date alone; that it is the wanted period's last day makes it that period's."""
    if (
        stated.kind is not PeriodKind.INSTANT
        or stated.part is not Part.DAY
        or wanted.kind is PeriodKind.INSTANT
    ):
        return False
    if reading.source is not Source.TABLE or not {w.stem for w in words(reading.label)} & _BALANCE:
        return False
    if wanted.end is not None:
        return stated.end == wanted.end
    if wanted.part.months is None:
        return False
    length = {3: Part.THREE_MONTHS, 6: Part.SIX_MONTHS, 9: Part.NINE_MONTHS, 12: Part.YEAR}.get(
        wanted.part.months
    )
    if length is None:
        return False
    kind = PeriodKind.FISCAL if length is Part.YEAR else PeriodKind.TRAILING
    return calendar.is_wanted(Period(kind, None, length, stated.end), wanted) is Match.EXACT
