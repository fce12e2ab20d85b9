"""Periods: the stretch or moment of time a figure is about, as its label says it.

A period is what the label says and nothing more. "FY2024" has a year and no end date; "fiscal year ended
September 28, 2024" has an end date and no year number, because issuers do not agree on which year's name such
a year carries. Labels are never turned into dates, nor dates into labels.
"""

from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final

from .errors import PeriodError
from .span import Span


class PeriodKind(Enum):
    """What sort of time a label names."""

    CALENDAR = "calendar"
    """The label says calendar ("calendar 2024"), or names a month ("March 2024")."""
    FISCAL = "fiscal"
    """The label says fiscal or financial ("FY24"), or is a year or named quarter with its closing date."""
    INSTANT = "instant"
    """A moment: "as of June 30, 2024"."""
    TRAILING = "trailing"
    """A length that runs back from its end: "three months ended July 30, 2023", "LTM"."""
    UNSPECIFIED_YEAR = "unspecified_year"
    """A year, or a part of one, of which the label does not say whether it is fiscal: "2024", "Q3 2024"."""


class Part(Enum):
    """Which part of the year, or what length."""

    YEAR = "year"
    Q1 = "q1"
    Q2 = "q2"
    Q3 = "q3"
    Q4 = "q4"
    H1 = "h1"
    H2 = "h2"
    MONTH = "month"
    ONE_MONTH = "one_month"
    THREE_MONTHS = "three_months"
    SIX_MONTHS = "six_months"
    NINE_MONTHS = "nine_months"
    TWELVE_MONTHS = "twelve_months"
    THIRTEEN_WEEKS = "thirteen_weeks"
    FOURTEEN_WEEKS = "fourteen_weeks"
    TWENTY_SIX_WEEKS = "twenty_six_weeks"
    TWENTY_SEVEN_WEEKS = "twenty_seven_weeks"
    THIRTY_NINE_WEEKS = "thirty_nine_weeks"
    FORTY_WEEKS = "forty_weeks"
    FIFTY_TWO_WEEKS = "fifty_two_weeks"
    FIFTY_THREE_WEEKS = "fifty_three_weeks"
    YTD = "ytd"
    LTM = "ltm"
    DAY = "day"

    @property
    def months(self) -> int | None:
        """The length in months, 13 or 14 weeks being a quarter; None for a day and year to date."""
        return _MONTHS.get(self)


_MONTHS: Final = {
    Part.YEAR: 12,
    Part.TWELVE_MONTHS: 12,
    Part.FIFTY_TWO_WEEKS: 12,
    Part.FIFTY_THREE_WEEKS: 12,
    Part.LTM: 12,
    Part.NINE_MONTHS: 9,
    Part.THIRTY_NINE_WEEKS: 9,
    Part.FORTY_WEEKS: 9,
    Part.H1: 6,
    Part.H2: 6,
    Part.SIX_MONTHS: 6,
    Part.TWENTY_SIX_WEEKS: 6,
    Part.TWENTY_SEVEN_WEEKS: 6,
    Part.Q1: 3,
    Part.Q2: 3,
    Part.Q3: 3,
    Part.Q4: 3,
    Part.THREE_MONTHS: 3,
    Part.THIRTEEN_WEEKS: 3,
    Part.FOURTEEN_WEEKS: 3,
    Part.MONTH: 1,
    Part.ONE_MONTH: 1,
}
_MOMENTS: Final = (Part.DAY, Part.MONTH, Part.YEAR)


@dataclass(frozen=True, slots=True)
class Period:
    """One period.

    `year` is the year number in the label (of "FY2024/25" the later one, with `straddles` set); None where
    the label has only a closing date. `end` is the last day where the label states it (for a named calendar
    month: the month's last day). At least one of the two is set, except for a bare "LTM" or "year to date".

    Raises `PeriodError` when the fields contradict each other.
    """

    kind: PeriodKind
    year: int | None
    part: Part
    end: date | None = None
    straddles: bool = False

    def __post_init__(self) -> None:
        if self.kind is PeriodKind.INSTANT and self.part not in _MOMENTS:
            raise PeriodError("an instant is a day, or the end of a month or year")
        if self.part is Part.DAY and self.end is None:
            raise PeriodError("a day needs its date")
        if self.year is None and self.end is None and self.part not in (Part.LTM, Part.YTD):
            raise PeriodError("a period needs a year or an end date")
        if self.year is not None and not 1000 <= self.year <= 9999:
            raise PeriodError("a year has four digits")
        if self.straddles and self.kind is not PeriodKind.FISCAL:
            raise PeriodError("only a fiscal year is named after two calendar years")


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """A period and where the text names it."""

    span: Span
    period: Period


@dataclass(frozen=True, slots=True)
class YearEnd:
    """The day an issuer's fiscal year closes, where a page states it."""

    month: int
    day: int


class Match(Enum):
    """Whether a stated period is the wanted one."""

    EXACT = "exact"
    NO = "no"
    AMBIGUOUS = "ambiguous"
