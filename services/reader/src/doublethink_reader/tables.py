"""Claims from tables: rows that answer to the query's words, each cell in each way it may be meant."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from doublethink_figures import Flag, Match, Period, UnitClass, period_matches

from .blocks import Cell, Grid, Row
from .claims import MAX_QUOTE_BYTES, Claim
from .flags import flags_of
from .grids import Entry, entries
from .numbers import Number, number
from .periods import Said, periods_of
from .query import Query, score, stems
from .scales import Scale, money_scales, share_scales
from .units import class_of, units_of

MAX_READINGS: Final = 12
"""The most claims about one cell."""
_LEAST_QUOTE: Final = 12
_MAX_HEADING: Final = 600
_MAX_CONTEXT: Final = 2_000
_NEXT_BEST: Final = 0.3
"""How much less likely each way to read a cell is than the one before it."""
_UNSCALED: Final = 1.0
"""How much less likely a cell has no scale where one is stated over it."""


def ranked(grid: Grid, query: Query, inherited: Sequence[Row]) -> tuple[list[tuple[float, Entry]], list[Row]]:
    """The rows of a table that may answer, with their points, and the headings that it ends under."""
    found: list[tuple[float, Entry]] = []
    headings: Sequence[Row] = ()
    over = ""
    nearest = [line.text[:_MAX_CONTEXT] for line in grid.above[: min(3, max(1, grid.near))]]
    for entry in entries(grid, inherited):
        if entry.headings != headings:
            headings = entry.headings
            over = " ".join(c.text for row in headings for c in row.cells)[:_MAX_CONTEXT]
        around = " ".join((*entry.sections, *entry.captions, over, *nearest))
        points = score(query, entry.label, around)
        if points > 0:
            found.append((points, entry))
    return found, list(headings)


def entry_claims(page_id: str, entry: Entry, query: Query) -> Iterator[tuple[float, Claim]]:
    """The claims about the cells of a row, with what they add to the row's points."""
    for cell in entry.values():
        own = number(cell.text)
        if own is None:
            continue
        words = stems(" ".join(c.text for c in entry.over(cell)))
        column = len(words & query.words) - 0.25 * min(4, len(words - query.words))
        for points, claim in _readings(page_id, entry, cell, own, query):
            yield points + column, claim


def _readings(
    page_id: str, entry: Entry, cell: Cell, own: Number, query: Query
) -> Iterator[tuple[float, Claim]]:
    """Each way the cell may be meant, the likeliest first, at most `MAX_READINGS`."""
    quote, offset = _quote(entry, cell)
    ways: list[tuple[float, Said, str, Scale, frozenset[Flag]]] = []
    periods, flags = periods_of(entry, cell), flags_of(entry, cell)
    for rank, unit in enumerate(units_of(entry, cell, own)):
        scales = _scales(entry, cell, own, unit)
        for (p, said), (s, scale), (f, flag) in product(
            enumerate(periods), enumerate(scales), enumerate(flags)
        ):
            points = _of_period(said.period, query.period) + _of_class(unit, query.unit_class)
            if s and not scale.word:
                points -= _UNSCALED
            ways.append((points - _NEXT_BEST * (rank + p + s + f), said, unit, scale, flag))
    ways.sort(key=lambda way: -way[0])
    for points, said, unit, scale, flag in ways[:MAX_READINGS]:
        yield (
            points,
            Claim(
                page_id=page_id,
                quote=quote,
                headings=tuple(
                    q
                    for q in dict.fromkeys((*said.quotes, scale.quote))
                    if q and len(q.encode()) <= _MAX_HEADING
                ),
                offset=offset,
                value=own.value,
                scale=scale.word,
                unit=unit,
                period=said.text,
                flags=flag,
            ),
        )


def _scales(entry: Entry, cell: Cell, own: Number, unit: str) -> tuple[Scale, ...]:
    if own.scale:
        return (Scale(own.scale, ""),)
    if unit == "count":
        return share_scales(entry, cell)
    return money_scales(entry, cell) if class_of(unit) is UnitClass.CURRENCY else (Scale("", ""),)


def _quote(entry: Entry, cell: Cell) -> tuple[str, int]:
    """The row; with the one before it where it is too short to be found, the cell where it is too long."""
    row, before = entry.row, entry.previous
    if len(row.line.encode()) > MAX_QUOTE_BYTES:
        return cell.text, row.offset
    if len(row.line.strip()) < _LEAST_QUOTE and before is not None:
        return f"{before.line}\n{row.line}", before.offset
    return row.line, row.offset


def _of_period(stated: Period | None, wanted: Period | None) -> float:
    if wanted is None or stated is None:
        return 0.0 if wanted is None else -0.5
    match = period_matches(stated, wanted)
    if match is Match.EXACT:
        return 3.0
    if wanted.end is not None and stated.end == wanted.end:
        return 2.0
    return 1.0 if match is Match.AMBIGUOUS else -1.0


def _of_class(unit: str, wanted: UnitClass | None) -> float:
    if wanted is None:
        return 0.0
    return 1.0 if class_of(unit) is wanted else -3.0
