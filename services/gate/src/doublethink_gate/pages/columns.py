"""From a table's grid to the columns that a person sees.

The grid of a financial table has many more columns than the table: spacers, columns for currency signs and
brackets, and headings that span all of them. Columns are found in four steps: drop grid columns in which
nothing begins; join split numbers; take the narrowest cells as columns and let wider ones join the one that
they overlap or span several; join columns that are one column written in two places.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .affixes import Cell, is_value, join_affixes
from .characters import CONTINUATION

# Wider tables are not financial statements, and joining looks at every row for every pair of columns.
_MAX_JOINED = 60


@dataclass(slots=True)
class _Column:
    start: int
    end: int
    rows: set[int] = field(default_factory=set)


def to_columns(grid: list[list[Cell]]) -> tuple[tuple[str, ...], ...]:
    """The rows of the table that `grid` draws, all of one length; rows without text are left out.

    `grid` has one list of cells in order for each row; cells of one row do not overlap.
    """
    rows = [row for row in ([c for c in row if c.text] for row in grid) if row]
    rows = [join_affixes(row) for row in _without_idle_columns(rows)]
    heading = _heading_rows(rows)
    columns = _find_columns(rows)
    if columns is None:
        width = max((cell.end for row in rows for cell in row), default=0)
        columns = [_Column(c, c + 1) for c in range(width)]
    spans = {(cell.start, cell.end) for row in rows for cell in row}
    place = {span: _place(*span, columns) for span in spans}
    placed = [[(cell, *place[cell.start, cell.end]) for cell in row] for row in rows]
    if len(columns) <= _MAX_JOINED:
        placed = _join_columns(placed, len(columns), heading)
    return _write(placed)


# A cell, and the first and last column that it stands in.
_Placed = tuple[Cell, int, int]


def _without_idle_columns(rows: list[list[Cell]]) -> list[list[Cell]]:
    starts = sorted({cell.start for row in rows for cell in row})
    number: dict[int, int] = {}
    last = max((cell.end for row in rows for cell in row), default=0)
    position = 0
    for edge in range(last + 1):
        while position < len(starts) and starts[position] < edge:
            position += 1
        number[edge] = position  # how many used columns begin left of this edge
    return [
        [replace(c, start=number[c.start], end=max(number[c.end], number[c.start] + 1)) for c in row]
        for row in rows
    ]


def _heading_rows(rows: list[list[Cell]]) -> int:
    """How many rows stand above the first row with a value outside of its first cell."""
    for index, row in enumerate(rows):
        if any(is_value(cell.text) for cell in row[1:]):
            return index
    return 0


def _find_columns(rows: list[list[Cell]]) -> list[_Column] | None:
    """Columns from left to right, or None where cells of one row would fall into one column."""
    rows_of: dict[tuple[int, int], set[int]] = {}
    for index, row in enumerate(rows):
        for cell in row:
            rows_of.setdefault((cell.start, cell.end), set()).add(index)
    columns: list[_Column] = []
    for (start, end), used in sorted(rows_of.items(), key=lambda item: (item[0][1] - item[0][0], item[0])):
        met = [c for c in columns if c.start < end and start < c.end]
        if not met:
            columns.append(_Column(start, end, set(used)))
        elif len(met) == 1:
            column = met[0]
            if not column.rows & used:
                column.start, column.end = min(column.start, start), max(column.end, end)
                column.rows |= used
            elif start < column.start:
                columns.append(_Column(start, column.start, set(used)))
            elif column.end < end:
                columns.append(_Column(column.end, end, set(used)))
            else:
                return None
    return sorted(columns, key=lambda c: c.start)


def _place(start: int, end: int, columns: list[_Column]) -> tuple[int, int]:
    met = [i for i, c in enumerate(columns) if c.start < end and start < c.end]
    return met[0], met[-1]


def _join_columns(placed: list[list[_Placed]], width: int, heading: int) -> list[list[_Placed]]:
    """Join neighbours that are one column: a heading beside its figures, or halves under one heading."""
    own: list[set[int]] = [set() for _ in range(width)]  # rows in which a column has a cell of its own
    for index, row in enumerate(placed):
        for _, first, last in row:
            for column in range(first, last + 1):
                own[column].add(index)
    leader = list(range(width))
    for left, right in _one_heading(placed, heading) | _heading_beside(placed, own, heading):
        a, b = leader[left], leader[right]
        if a == b or _meet(placed, {i for i in range(width) if leader[i] in (a, b)}):
            continue
        leader = [a if column == b else column for column in leader]
    if leader == list(range(width)):
        return placed
    number = {column: index for index, column in enumerate(sorted(set(leader)))}
    return [
        [(cell, number[leader[first]], number[leader[last]]) for cell, first, last in row] for row in placed
    ]


def _one_heading(placed: list[list[_Placed]], heading: int) -> set[tuple[int, int]]:
    """Neighbours under one cell of the lowest heading above them."""
    pairs = set()
    for index, row in enumerate(placed[:heading]):
        for _, first, last in row:
            below = placed[index + 1 : heading]
            if first < last and not any(first <= b and a <= last for r in below for _, a, b in r):
                pairs |= {(column, column + 1) for column in range(first, last)}
    return pairs


def _heading_beside(placed: list[list[_Placed]], own: list[set[int]], heading: int) -> set[tuple[int, int]]:
    """A column with headings only, next to one without any."""
    top = set(range(heading))
    pairs = set()
    for column, used in enumerate(own):
        if not used or not used <= top:
            continue
        for other in (column + 1, column - 1):
            if 0 < other < len(own) and own[other] and not own[other] & top:
                pairs.add((min(column, other), max(column, other)))
                break
    return pairs


def _meet(placed: list[list[_Placed]], columns: set[int]) -> bool:
    """Whether some row has two cells in `columns`."""
    return any(
        sum(1 for _, first, last in row if not columns.isdisjoint(range(first, last + 1))) > 1
        for row in placed
    )


def _write(placed: Iterable[list[_Placed]]) -> tuple[tuple[str, ...], ...]:
    rows = list(placed)
    width = max((last + 1 for row in rows for _, _, last in row), default=0)
    out = []
    for row in rows:
        line = [""] * width
        for cell, first, last in row:
            line[first] = cell.text
            line[first + 1 : last + 1] = [CONTINUATION] * (last - first)
        out.append(tuple(line))
    return tuple(out)
