"""A page text ("page-text/1") as the extractive back end sees it: lines, and tables as grids.

The reader takes pages apart for itself, and the validator does so again: a fault on one side must not be
able to confirm itself on the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_SPANNED: Final = "\u2007"


@dataclass(frozen=True, slots=True)
class Text:
    """A heading or paragraph and the byte offset where it starts."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the page, its byte offset, and its cells; a spanned column repeats the
    spanning cell.
    """

    line: str
    offset: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table, up to forty lines that stand above it, nearest first, and the rows of a table directly
    before it.
    """

    rows: tuple[Row, ...]
    above: tuple[Text, ...]
    before: tuple[Row, ...] = ()


def blocks(text: str) -> Iterator[Text | Grid]:
    """The blocks of a page text after its title, in order."""
    above: list[Text] = []
    rows: list[Row] = []
    before: tuple[Row, ...] = ()
    offset = 0
    for number, line in enumerate(text.split("\n")):
        if "\t" in line and number:
            rows.append(Row(line, offset, _cells(line)))
        else:
            if rows:
                yield Grid(tuple(rows), tuple(reversed(above[-40:])), before)
                before, rows = tuple(rows), []
            if number and line.strip():
                before = ()
                piece = Text(line, offset)
                above.append(piece)
                yield piece
        offset += len(line.encode()) + 1
    if rows:
        yield Grid(tuple(rows), tuple(reversed(above[-40:])), before)


def _cells(line: str) -> tuple[str, ...]:
    cells: list[str] = []
    for text in line.split("\t"):
        cells.append(cells[-1] if text == _SPANNED and cells else text.strip())
    return tuple(cells)
