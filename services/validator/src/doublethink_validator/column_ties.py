"""Which quarter closes on which day, told by columns: one table calls them "1Q22" and "4Q21", another "Three months
ended March 31, 2022" and "December 31, 2021", and lines of the same name show the same amounts in both.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Final

from doublethink_figures import Part, Period

from .fiscal_ties import Tie
from .reading import Reading, significant_digits
from .words import content

_QUARTERS: Final = {Part.Q1: 1, Part.Q2: 2, Part.Q3: 3, Part.Q4: 4}
_LEAST_DIGITS: Final = 3
_LEAST_LINES: Final = 2
_MOST: Final = 20_000
"""Figures that are compared; a page with more of them tells nothing in this way."""


def column_ties(shown: Iterable[tuple[str, Reading]]) -> tuple[Tie, ...]:
    """The ties that lines make which stand under labels and under days; none where two contradict each other.

    `shown` are labels of rows with their readings. Two lines must agree on each quarter, and two quarters at least
    must be told.
    """
    labelled: dict[tuple[object, Decimal], set[tuple[int, int]]] = defaultdict(set)
    dated: dict[tuple[object, Decimal], set[date]] = defaultdict(set)
    for number, (label, reading) in enumerate(shown):
        if number >= _MOST:
            return ()
        if reading.period is None or reading.flags or significant_digits(reading.stated) < _LEAST_DIGITS:
            continue
        line = ((frozenset(content(label)), reading.unit), reading.value)
        quarter = _quarter(reading.period)
        if quarter is not None:
            labelled[line].add(quarter)
        elif reading.period.part.months == 3 and reading.period.end is not None:
            dated[line].add(reading.period.end)
    lines: dict[Tie, set[object]] = defaultdict(set)
    for figure, quarters in labelled.items():
        if len(quarters) == 1 and len(dated.get(figure, ())) == 1:
            year, quarter_number = next(iter(quarters))
            lines[Tie(year, quarter_number, next(iter(dated[figure])))].add(figure[0])
    ties = [tie for tie, names in lines.items() if len(names) >= _LEAST_LINES]
    one_day_each = len({(t.year, t.quarter) for t in ties}) == len({t.closing for t in ties}) == len(ties)
    return tuple(ties) if one_day_each and len(ties) > 1 else ()


def _quarter(period: Period) -> tuple[int, int] | None:
    quarter = _QUARTERS.get(period.part)
    if quarter is None or period.year is None or period.end is not None or period.straddles:
        return None
    return period.year, quarter
