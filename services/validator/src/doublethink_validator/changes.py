"""The period of a column of changes: "Change" beside the two periods that it compares.

Such a column has no period of its own. It belongs to the later of the two columns that stand directly before it,
or, in a table where columns of periods and of changes take turns, to the later of those on its two sides. Any
other order of columns leaves it open.
"""

import re
from collections.abc import Callable
from typing import Final

from doublethink_figures import Period

from .layout import DataRow
from .pagetext import Cell

_HEAD: Final = re.compile(
    r"\W*(?:(?:\$|%|percent(?:age)?|dollar|amount|net|total|year[- ]over[- ]year|y/y|yoy)\W*){0,3}"
    r"(?:change|variance|growth|increase\W*(?:/|or|and)?\W*(?:\(?decrease\)?)?|inc\W*/?\W*\(?dec\)?)"
    r"\W*(?:\$|%|in percent|percent|in dollars|in \$|in %|amount|y/y|yoy)?\W*",
    re.IGNORECASE,
)
_YEAR: Final = r"((?:19|20)[0-9]{2})"
_PAIR: Final = re.compile(
    rf"\W*(?:fiscal )?{_YEAR}\W*(?:vs|versus|to|over|compared (?:to|with)|/)\W*(?:fiscal )?{_YEAR}\W*(?:change)?\W*",
    re.IGNORECASE,
)
"""A heading that says which two years its column compares: "2020 vs. 2019"."""
LEAST_DAYS: Final = 350
MOST_DAYS: Final = 380
_WHOLE: Final = 12
_MOST_COLUMNS: Final = 60
"""How far apart the ends of two periods lie that a year's change compares."""


def is_change(text: str) -> bool:
    """Whether a heading says that its column is one of changes and nothing else."""
    return _HEAD.fullmatch(text.strip()) is not None or _PAIR.fullmatch(text.strip()) is not None


def compared(row: DataRow, cell: Cell, of: Callable[[Cell], Period | None]) -> tuple[Cell, Period] | None:
    """The column, as one of its cells, and the period that the change in `cell` is of.

    `of` gives the period over a column. None where the order of the columns leaves it open.
    """
    runs = row.heads.once("runs", lambda: _runs(row, of))
    at = next(
        (i for i, (first, last, _) in enumerate(runs) if first.column <= cell.column <= last.column), None
    )
    if at is None or runs[at][2] is not None:
        return None
    pairs = [
        m for cells in row.over(cell) for h in cells if (m := _PAIR.fullmatch(h.text.strip())) is not None
    ]
    if pairs:
        return _of_years(runs, {int(year) for year in pairs[0].groups()}) if len(pairs) == 1 else None
    kinds = "".join("x" if period is None else "d" for _, _, period in runs)
    if re.fullmatch(r"(?:ddx)+", kinds):
        sides = (runs[at - 2], runs[at - 1])
    elif re.fullmatch(r"d(?:xd)+", kinds):
        sides = (runs[at - 1], runs[at + 1])
    else:
        return None
    (one, _, earlier), (other, _, later) = sides
    if earlier is None or later is None or not _a_year_apart(earlier, later):
        return None
    return (one, earlier) if _rank(earlier) > _rank(later) else (other, later)


def _of_years(runs: list[tuple[Cell, Cell, Period | None]], years: set[int]) -> tuple[Cell, Period] | None:
    """The later of the two years that a heading names, where the table has one column for each of them."""
    found = [
        (first, p) for first, _, p in runs if p is not None and _year(p) in years and p.part.months == _WHOLE
    ]
    if (
        len(found) != 2
        or len({_year(p) for _, p in found}) != 2
        or not _a_year_apart(found[0][1], found[1][1])
    ):
        return None
    return max(found, key=lambda pair: _rank(pair[1]))


def _year(period: Period) -> int | None:
    return period.year if period.year is not None else period.end.year if period.end is not None else None


def _runs(row: DataRow, of: Callable[[Cell], Period | None]) -> list[tuple[Cell, Cell, Period | None]]:
    """The columns with headings from left to right as (first, last, period), neighbours alike made one; a period of
    None is a change. Empty where a column between them is neither.
    """
    last = max((r.cells[-1].column + r.cells[-1].width for r in row.headings), default=0)
    if last > _MOST_COLUMNS:
        return []
    found: list[tuple[Cell, Cell, Period | None]] = []
    for column in range(1, last):
        place = Cell("", row.row.span, column, 1)
        heads = [h for cells in row.over(place) for h in cells]
        if not heads:
            continue
        period = None if any(is_change(h.text) for h in heads) else of(place)
        if period is None and not any(is_change(h.text) for h in heads):
            if _only_wide(heads):
                continue
            return []
        if found and found[-1][2] == period:
            found[-1] = (found[-1][0], place, period)
        else:
            found.append((place, place, period))
    return found


def _only_wide(heads: list[Cell]) -> bool:
    """Whether nothing but a heading over several columns stands over a column: one that is left blank."""
    return all(h.width > 1 for h in heads)


def _rank(period: Period) -> tuple[int, int]:
    return (period.year or 0, period.end.toordinal() if period.end is not None else 0)


def _a_year_apart(one: Period, other: Period) -> bool:
    if one.kind is not other.kind or one.part.months != other.part.months:
        return False
    if one.end is not None and other.end is not None:
        return LEAST_DAYS <= abs((one.end - other.end).days) <= MOST_DAYS
    if one.end is None and other.end is None and one.year is not None and other.year is not None:
        return abs(one.year - other.year) == 1
    return False
