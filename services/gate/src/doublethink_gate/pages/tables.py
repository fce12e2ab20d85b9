"""What a table element is: a table, or a way to lay out paragraphs."""

import re
from dataclasses import dataclass

from .affixes import Cell, is_value
from .blocks import Block, Table, as_line
from .columns import to_columns

_BULLET = re.compile(
    r"[•·●○▪■□◦‣–—*o§¨☐☒☑✓✔►➢\-]|[(\[]?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,2})[)\].]|\(?[*†‡§]{1,3}\)?"
    r"|[⁽]?[⁰¹²³⁴⁵⁶⁷⁸⁹ᵃ-ᶻ]{1,2}[⁾]?"
)
_PROSE = 600  # characters in one cell that no table of figures holds
_MANY_BLOCKS, _BLOCKS_PROSE = 3, 300
_MAX_COLUMN_SPAN = 1000  # as HTML has it
_MAX_WIDTH = 4000


@dataclass(frozen=True, slots=True)
class SourceCell:
    """A td or th: what it holds, and its spans."""

    blocks: tuple[Block, ...]
    column_span: int
    row_span: int


class Budget:
    """How many more cells this page may have."""

    def __init__(self, cells: int) -> None:
        self.left = cells

    def take(self, cells: int) -> bool:
        self.left -= cells
        return self.left >= 0


def table_blocks(rows: list[list[SourceCell]], budget: Budget) -> list[Block]:
    """The blocks of one table element: one `Table`, or paragraphs, or the blocks of the tables in its cells.

    A table over the budget becomes paragraphs, which need no grid.
    """
    filled = [[cell for cell in row if cell.blocks] for row in rows]
    filled = [row for row in filled if row]
    if not filled:
        return []
    if all(len(row) == 1 for row in filled) or _lays_out(filled):
        return [block for row in filled for cell in row for block in cell.blocks]
    if _is_list(filled):
        return [as_line([b for cell in row for b in cell.blocks]) for row in filled]
    grid = _grid(rows, budget)
    if grid is None:
        return [block for row in filled for cell in row for block in cell.blocks]
    written = to_columns(grid)
    if len(written[0]) < 2:
        return [cell for row in written for cell in row if cell]
    return [Table(written)]


def _lays_out(rows: list[list[SourceCell]]) -> bool:
    value_rows = sum(1 for row in rows if any(is_value(as_line(cell.blocks)) for cell in row[1:]))
    nested = sum(1 for row in rows for cell in row if any(isinstance(block, Table) for block in cell.blocks))
    if nested:
        return value_rows < 3 or nested > 2
    if value_rows >= 2:
        return False
    return any(_is_prose(cell.blocks) for row in rows for cell in row)


def _is_prose(blocks: tuple[Block, ...]) -> bool:
    length = sum(len(block) for block in blocks if isinstance(block, str))
    return length >= _PROSE or (len(blocks) >= _MANY_BLOCKS and length >= _BLOCKS_PROSE)


def _is_list(rows: list[list[SourceCell]]) -> bool:
    """Bullets or numbers on the left, text on the right; rows with one cell may stand between."""
    pairs = [[as_line(cell.blocks) for cell in row] for row in rows if len(row) > 1]
    return all(len(pair) == 2 and _BULLET.fullmatch(pair[0]) and not is_value(pair[1]) for pair in pairs)


def _grid(rows: list[list[SourceCell]], budget: Budget) -> list[list[Cell]] | None:
    """Cells at their grid columns, spans carried out as in HTML's table model; None over the budget.

    Text of a cell that spans rows stands in each of them, but not in rows that only head columns: there once
    is enough, and twice would read as two headings. Prose beside the rows stands in the first alone: it names none of
    them, and would be quoted with each.
    """
    grid: list[list[Cell]] = []
    spanning: list[tuple[int, Cell]] = []  # rows left, cell
    for row in rows:
        cells = [cell for _, cell in spanning]
        taken = sorted((cell.start, cell.end) for cell in cells)
        spanning = [(left - 1, cell) for left, cell in spanning if left > 1]
        column = 0
        for source in row:
            column, room = _free(taken, column)
            end = column + min(source.column_span, _MAX_COLUMN_SPAN, room)
            if end > _MAX_WIDTH or not budget.take(end - column):
                return None
            cell = Cell(column, end, as_line(source.blocks))
            cells.append(cell)
            if source.row_span > 1:
                below = cell.text if len(cell.text) < _BLOCKS_PROSE else ""
                spanning.append((source.row_span - 1, Cell(column, end, below, repeated=True)))
            column = end
        if not budget.take(len(spanning)):
            return None
        grid.append(sorted(cells, key=lambda c: c.start))
    return [_without_repeats(row) for row in grid]


def _free(taken: list[tuple[int, int]], column: int) -> tuple[int, int]:
    """The first free column from `column` on, and how many are free there."""
    for start, end in taken:
        if start <= column < end:
            column = end
        elif column < start:
            return column, start - column
    return column, _MAX_COLUMN_SPAN


def _without_repeats(row: list[Cell]) -> list[Cell]:
    if any(is_value(cell.text) for cell in row[1:] if not cell.repeated):
        return row
    return [cell for cell in row if not cell.repeated]
