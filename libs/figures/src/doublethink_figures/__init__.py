"""Numbers, units and periods in text, by one small deterministic grammar.

Two users with opposite needs. `find_figures` gives the one reading of each figure, and marks it ambiguous where two
are possible. `all_readings` and `all_dates` give every reading anybody could mean.
"""

from .attachment import bind, clauses
from .dates import all_dates
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
    "bind",
    "clauses",
    "direction",
    "find_figures",
    "find_periods",
    "heading_scale",
    "join_period",
    "modality",
    "period_matches",
]
