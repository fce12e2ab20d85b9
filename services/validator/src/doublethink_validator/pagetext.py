"""The structure of a stored page text ("page-text/1"): title, lines, tables with rows and cells.

Line 1 is the title. Blocks are separated by one empty line. A table is a run of lines that hold TABs; a
cell that spans n columns is followed by n-1 cells that are U+2007 alone. Positions are characters of the
text; `Page.octets` turns them into the byte offsets that are stored.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeVar

from doublethink_figures import Span

_T = TypeVar("_T")
_ENGLISH: Final = re.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]|(?<![0-9.,])[0-9]{1,3},[0-9]{3},[0-9]{3}(?![0-9])"
)
_CONTINENTAL: Final = re.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]|(?<![0-9.,])[0-9]{1,3}\.[0-9]{3}\.[0-9]{3}(?![0-9.])"
)
_ENOUGH_ENGLISH: Final = 6
_ENGLISH_WORDS: Final = re.compile(
    r"\b(?:the|of|and|for|total|net|ended|in|cash|assets|statements?|sheets?|income|sales"
    r"|january|february|march|may|june|july|october|december)\b",
    re.IGNORECASE,
)
CONTINUATION: Final = "\u2007"
MAX_COLUMNS: Final = 400
MAX_ROWS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, its place in the page, and the columns `column` to `column + width - 1` that it
    covers.
    """

    text: str
    span: Span
    column: int
    width: int

    def covers(self, column: int) -> bool:
        """Whether the cell stands over, or in, that column."""
        return self.column <= column < self.column + self.width


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table without its continuation cells."""

    span: Span
    cells: tuple[Cell, ...]

    @property
    def label(self) -> Cell | None:
        """The first cell if it is in the first column and holds text."""
        first = self.cells[0]
        return first if first.column == 0 and first.text.strip() else None

    @property
    def filled(self) -> tuple[Cell, ...]:
        """The cells beside the first column that hold text."""
        return tuple(c for c in self.cells if c.column > 0 and c.text.strip())


@dataclass(frozen=True, slots=True)
class Line:
    """A heading or paragraph."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    """A run of rows."""

    rows: tuple[Row, ...]
    span: Span


Block = Line | Table


class Page:
    """A page text taken apart once. Raises `ValueError` for a table out of all bounds."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.title, self.blocks = _blocks(text)
        self._kept: dict[object, object] = {}

    @cached_property
    def first_table(self) -> int:
        """The number of the first block that is a table; the number of blocks where there is none."""
        return next((i for i, b in enumerate(self.blocks) if isinstance(b, Table)), len(self.blocks))

    @cached_property
    def _starts(self) -> list[tuple[int, int]]:
        """(character, byte) at the start of each line: from there the rest is short enough to encode."""
        starts, octets = [(0, 0)], 0
        position = 0
        for line in self.text.splitlines(keepends=True):
            octets += len(line.encode())
            position += len(line)
            starts.append((position, octets))
        return starts

    @cached_property
    def convention(self) -> Literal["en"] | None:
        """ "en" where the page plainly writes numbers as English does; None leaves "1,234" ambiguous."""
        if _CONTINENTAL.search(self.text):
            return None
        if _ENGLISH.search(self.text):
            return "en"
        return (
            "en" if sum(1 for _ in _ENGLISH_WORDS.finditer(self.text[:20_000])) >= _ENOUGH_ENGLISH else None
        )

    def once(self, key: object, make: Callable[[], _T]) -> _T:
        """What `make` gives, worked out once for `key`; a key belongs to one place of the code alone."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]  # type: ignore[return-value]  # the key tells the type

    def octets(self, span: Span) -> tuple[int, int]:
        """The byte offsets of `span` in the UTF-8 text."""
        return self._octet(span.start), self._octet(span.end)

    def _octet(self, character: int) -> int:
        at = bisect_right(self._starts, (character, 1 << 62)) - 1
        start, octets = self._starts[at]
        return octets + len(self.text[start:character].encode())


def _row(line: str, start: int) -> Row:
    cells: list[Cell] = []
    position = start
    for column, text in enumerate(line.split("\t")):
        if column >= MAX_COLUMNS:
            raise ValueError("a row has too many columns")
        if text == CONTINUATION and cells:
            last = cells[-1]
            cells[-1] = Cell(last.text, last.span, last.column, last.width + 1)
        else:
            cells.append(Cell(text, Span(position, position + len(text)), column, 1))
        position += len(text) + 1
    return Row(Span(start, start + len(line)), tuple(cells))


def _blocks(text: str) -> tuple[Line, tuple[Block, ...]]:
    title: Line | None = None
    blocks: list[Block] = []
    rows: list[Row] = []

    def close() -> None:
        if rows:
            blocks.append(Table(tuple(rows), Span(rows[0].span.start, rows[-1].span.end)))
            rows.clear()

    position = 0
    for line in text.split("\n"):
        if title is None:
            title = Line(line, Span(0, len(line)))
        elif "\t" in line:
            if len(rows) >= MAX_ROWS:
                raise ValueError("a table has too many rows")
            rows.append(_row(line, position))
        else:
            close()
            if line.strip():
                blocks.append(Line(line, Span(position, position + len(line))))
        position += len(line) + 1
    close()
    return title or Line("", Span(0, 0)), tuple(blocks)
