"""Words of labels and headings that say a number is not a plain reported one."""

import re
from functools import lru_cache
from typing import Final

from doublethink_figures import Flag

from .blocks import Cell
from .grids import Entry

_HEADING_WORDS: Final = 16
_MAX_LINES: Final = 6
_WORDS: Final = (
    (
        Flag.GUIDANCE,
        re.compile(
            r"\b(?:guidance|outlook|forecasts?|targets?|targeted|projected|projections?|expected"
            r"|budget(?:ed)?|estimated)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Flag.NON_GAAP,
        re.compile(
            r"\bnon[ -]?(?:GAAP|IFRS)\b|\badjusted\b|\bconstant[ -]currency\b|\bunderlying\b|\borganic\b"
            r"|\bnormali[sz]ed\b|\bEBITDA\b",
            re.IGNORECASE,
        ),
    ),
    (Flag.PRO_FORMA, re.compile(r"\bpro[ -]forma\b", re.IGNORECASE)),
    (Flag.RESTATED, re.compile(r"\b(?:restated|recast|revised)\b", re.IGNORECASE)),
    (Flag.HYPOTHETICAL, re.compile(r"\bhypothetical\b|\billustrative\b|\bas if\b", re.IGNORECASE)),
)


def flags_of(entry: Entry, cell: Cell) -> tuple[frozenset[Flag], ...]:
    """The flags that a cell may carry: with the headings above the table, and without them."""
    own = _flags(
        "\n".join((entry.label, *(c.text for c in entry.over(cell)), *entry.sections, *entry.captions))
    )
    found = [own]
    above: list[str] = []
    for line in entry.grid.above[: min(_MAX_LINES, entry.grid.near)]:
        if len(line.text.split()) > _HEADING_WORDS:
            break
        above.append(line.text)
        found.append(own | _flags("\n".join(above)))
    return tuple(dict.fromkeys(reversed(found)))


@lru_cache(maxsize=16_384)
def _flags(text: str) -> frozenset[Flag]:
    return frozenset(flag for flag, words in _WORDS if words.search(text))
