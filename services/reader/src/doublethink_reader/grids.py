"""The rows of a table that hold values, each with the headings over it and the sections it stands in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from .blocks import Cell, Grid, Row
from .numbers import is_number, is_year
from .period_labels import names_time

_BLANK: Final = re.compile(r"^(?:[-—–−]+|\$ ?[-—–]+|[-—–]+ ?%|N/?A|n/?a|n/?m|NM|\*+|nil)$")
_HOW: Final = re.compile(
    r"\b(?:thousands?|millions?|billions?|dollars|USD|EUR|€|\$000)\b|\bper share\b|:$", re.IGNORECASE
)
_TOTAL: Final = re.compile(
    r"\s*(?:total\b|(?:net )?cash (?:flows? )?\(?(?:provided|used|from)\b)", re.IGNORECASE
)
_MAX_CAPTIONS: Final = 6
MAX_HEADING_ROWS: Final = 10
MAX_VALUES: Final = 40
"""Values of a row that are read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row with values.

    `label` is empty where the first column holds a number or nothing. `sections`: outermost first.
    `captions`: rows over the whole table, top first. `previous`: the row before it in the page.
    """

    row: Row
    label: str
    headings: tuple[Row, ...]
    sections: tuple[str, ...]
    captions: tuple[str, ...]
    previous: Row | None
    grid: Grid

    def over(self, cell: Cell) -> tuple[Cell, ...]:
        """The heading cells over `cell`, top first."""
        return tuple(c for row in self.headings for c in row.over(cell))

    def values(self) -> tuple[Cell, ...]:
        """The cells that may hold a value."""
        found = (
            c
            for c in self.row.cells
            if (c.column or not self.label) and any(map(str.isdigit, c.text)) and not _BLANK.match(c.text)
        )
        return tuple(islice(found, MAX_VALUES))


def entries(grid: Grid, inherited: Sequence[Row] = ()) -> Iterator[Entry]:
    """The rows with values of a table; `inherited` are the headings of a table that it continues."""
    headings = list(inherited)
    sections: list[str] = []
    captions: list[str] = []
    begun = open_group = False
    previous: Row | None = None
    for row in grid.rows:
        kind = _kind(row, begun=begun)
        if kind == "heading":
            if not open_group:
                headings = [r for r in headings if begun and not any(names_time(c.text) for c in r.cells)]
            headings = [*headings[1 - MAX_HEADING_ROWS :], row]
            open_group = True
        elif kind == "section":
            if not begun and not headings and len(captions) < _MAX_CAPTIONS:
                captions.append(row.label)
            else:
                sections = _entered(sections, row.label)
        elif kind == "values":
            begun, open_group = True, False
            label = "" if is_number(row.label) and not is_year(row.label) else row.label
            yield Entry(row, label, tuple(headings), tuple(sections), tuple(captions), previous, grid)
            if _TOTAL.match(label) and sections and sections[-1].endswith(":"):
                sections = sections[:-1]
        previous = row


def _kind(row: Row, *, begun: bool) -> str:
    label, filled = row.label, row.filled
    if not filled:
        if not label:
            return "empty"
        return "values" if is_number(label) and not is_year(label) else "section"
    if any(is_number(c.text) and not is_year(c.text) for c in filled):
        return "values"
    if all(_BLANK.match(c.text) for c in filled):
        return "empty"
    says_how = bool(_HOW.search(label)) or names_time(label)
    if not label or (begun and says_how and all(names_time(c.text) for c in filled)):
        return "heading"
    if not begun and (len(filled) > 1 or says_how or filled[0].width > 1 or is_year(filled[0].text)):
        return "heading"
    return "values"


def _entered(sections: Sequence[str], label: str) -> list[str]:
    """A section that ends in a colon stands below one that does not, and beside the one before it."""
    if not label.endswith(":"):
        return [label]
    return [*(s for s in sections if not s.endswith(":")), label]
