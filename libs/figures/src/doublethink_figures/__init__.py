"""Numbers, units and periods in text, by one small deterministic grammar.

Two users with opposite needs. `find_figures` gives the one reading of each figure, and marks it ambiguous
where two are possible. `all_readings` and `all_dates` give every reading anybody could mean.

    find_figures(text, *, context: Context | None = None) -> tuple[Figure, ...]
    find_periods(text) -> tuple[PeriodMention, ...]
    join_period(parts: Sequence[str]) -> Period | None          a table's heading and its column's date,
    together period_matches(stated: Period, wanted: Period, *, year_end: YearEnd | None = None) -> Match
    heading_scale(text) -> HeadingScale | None modality(text, span) -> frozenset[Flag] direction(text, span)
    -> Direction clauses(text) -> tuple[Span, ...] bind(text, figure: Figure, periods:
    Sequence[PeriodMention]) -> PeriodMention | Ambiguous | None all_readings(text) -> tuple[Reading, ...]
    all_dates(text) -> tuple[DateReading, ...]
    bare_dates(digits) -> tuple[date, ...]
    roman_numbers(text) -> Iterator[tuple[int, int, Decimal]]

Arithmetic over typed operands is in `doublethink_figures.operations`, errors in `doublethink_figures.errors`.
"""

from .attachment import bind
from .clauses import clauses
from .dates import all_dates, bare_dates
from .figure import (
    Ambiguous,
    Bound,
    Context,
    DateReading,
    Direction,
    Figure,
    Flag,
    HeadingScale,
    Reading,
)
from .headings import heading_scale
from .matching import period_matches
from .modality import direction, modality
from .one_reading import find_figures
from .period import Match, Part, Period, PeriodKind, PeriodMention, YearEnd
from .period_grammar import find_periods, join_period
from .readings import all_readings
from .roman import roman_numbers
from .span import Span
from .units import Measure, Unit, UnitClass

__all__ = [
    "Ambiguous",
    "Bound",
    "Context",
    "DateReading",
    "Direction",
    "Figure",
    "Flag",
    "HeadingScale",
    "Match",
    "Measure",
    "Part",
    "Period",
    "PeriodKind",
    "PeriodMention",
    "Reading",
    "Span",
    "Unit",
    "UnitClass",
    "YearEnd",
    "all_dates",
    "all_readings",
    "bare_dates",
    "bind",
    "clauses",
    "direction",
    "find_figures",
    "find_periods",
    "heading_scale",
    "join_period",
    "modality",
    "period_matches",
    "roman_numbers",
]
