"""A page text ("page-text/1") as the extractive back end sees it: lines, and tables as grids.

The reader takes pages apart for itself, and the validator does so again: a fault on one side must not be
able to confirm itself on the other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

_SPANNED: Final = "\u2007"
_MAX_ABOVE: Final = 40
_MAX_REMARK: Final = 240
_MAX_REMARKS: Final = 3
_REMARK: Final = re.compile(
    r"\bin (?:[\w.$€£]+ (?:of )?)?(?:thousand|million|billion)s?\b|\b000s?\b|\bUSD\b|US\$|U\.?S\.? dollars?\b",
    re.IGNORECASE,
)
_CURRENCY: Final = re.compile(r"[$€£¥₹].*[0-9]|\b[A-Z]{3}\b.*[0-9]")
_PERCENT: Final = re.compile(r"%")
_MAX_NUMBER: Final = 30
MAX_COLUMNS: Final = 400
"""Cells of a row behind this many are left out."""
_FOOTER_ROWS: Final = 1
_MAX_FOOT: Final = 4
_MAX_FOOT_LINE: Final = 80


@dataclass(frozen=True, slots=True)
class Text:
    """A heading or paragraph and the byte offset where it starts."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell and the columns `column` to `column + width - 1` that it covers."""

    text: str
    column: int
    width: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the page, its byte offset, and its cells."""

    line: str
    offset: int
    cells: tuple[Cell, ...]

    @property
    def label(self) -> str:
        """The text of the first column."""
        return self.cells[0].text

    @property
    def filled(self) -> tuple[Cell, ...]:
        """The cells beside the first column that hold text."""
        return tuple(c for c in self.cells if c.column and c.text)

    @property
    def columns(self) -> int:
        """How many columns the row has."""
        return self.cells[-1].column + self.cells[-1].width

    def over(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells with text that stand over or under the columns of `cell`."""
        return tuple(
            c
            for c in self.cells
            if c.text and c.column < cell.column + cell.width and cell.column < c.column + c.width
        )


@dataclass(frozen=True, eq=False)
class Grid:
    """A table, and what stands above it. Without slots, so that what is worked out of it is kept.

    `above`: up to forty lines, nearest first, of which the first `near` have no other table below them.
    `remarks`: the nearest short lines anywhere above that say how amounts are stated. `follows`: between
    this table and the one before there is nothing but what a page's end may hold.
    """

    rows: tuple[Row, ...]
    above: tuple[Text, ...]
    near: int
    remarks: tuple[str, ...]
    follows: bool

    @cached_property
    def signs(self) -> dict[int, str]:
        """The first cell of each column that shows a currency."""
        return {column: cell.text for column, (_, cell) in self._first(_CURRENCY).items()}

    @cached_property
    def percents(self) -> dict[int, int]:
        """The byte offset of the first row of each column that shows a percent sign."""
        return {column: row.offset for column, (row, _) in self._first(_PERCENT).items()}

    def _first(self, pattern: re.Pattern[str]) -> dict[int, tuple[Row, Cell]]:
        found: dict[int, tuple[Row, Cell]] = {}
        for row in self.rows:
            for cell in row.cells:
                if len(cell.text) <= _MAX_NUMBER and pattern.search(cell.text):
                    for column in range(cell.column, cell.column + cell.width):
                        found.setdefault(column, (row, cell))
        return found


def blocks(text: str) -> Iterator[Text | Grid]:
    """The blocks of a page text after its title, in order."""
    above: list[Text] = []
    remarks: list[str] = []
    rows: list[Row] = []
    follows = False
    near = 0

    def grid() -> Grid:
        nearest = tuple(reversed(above[-_MAX_ABOVE:]))
        return Grid(tuple(rows), nearest, min(near, len(nearest)), tuple(reversed(remarks)), follows)

    offset = 0
    for number, line in enumerate(text.split("\n")):
        if "\t" in line and number:
            rows.append(_row(line, offset))
        else:
            if rows:
                yield grid()
                # A single row between two tables is as a rule a page's foot.
                if len(rows) > _FOOTER_ROWS:
                    near, follows = 0, True
                rows = []
            if number and line.strip():
                near += 1
                follows = follows and near <= _MAX_FOOT and len(line) <= _MAX_FOOT_LINE
                piece = Text(line, offset)
                above.append(piece)
                if len(line) < _MAX_REMARK and _REMARK.search(line):
                    remarks = [*[r for r in remarks if r != line][1 - _MAX_REMARKS :], line]
                yield piece
        offset += len(line.encode()) + 1
    if rows:
        yield grid()


def _row(line: str, offset: int) -> Row:
    cells: list[Cell] = []
    for column, text in enumerate(line.split("\t", MAX_COLUMNS)[:MAX_COLUMNS]):
        if text == _SPANNED and cells:
            last = cells[-1]
            cells[-1] = Cell(last.text, last.column, last.width + 1)
        else:
            cells.append(Cell(text.strip(), column, 1))
    return Row(line, offset, tuple(cells))
