"""The scales that may stand over a table's cell: for money, and for counts of shares."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doublethink_figures import heading_scale

from .blocks import Cell
from .grids import Entry
from .numbers import scale_word

MAX_SCALES: Final = 3
_MAX_PLACE: Final = 600
_WORD: Final = re.compile(r"\b(?P<word>thousand|million|billion)s?\b", re.IGNORECASE)
_SAYS: Final = re.compile(
    r"thousand|million|billion|lakh|crore|\b000|[$€£] ?m\b|\bmm\b|\bMEUR\b|\b(?:EUR|USD|GBP) ?(?:m|bn|k)\b",
    re.IGNORECASE,
)
_IN: Final = re.compile(
    r"\b(?:in|of)\s+(?:\w+\s+of\s+)?(?P<word>thousand|million|billion)s?\b|^\W*(?P<bare>thousand|million"
    r"|billion)s\b",
    re.IGNORECASE,
)
_MONEY_IN: Final = re.compile(
    r"(?:[$€£]|\bdollars|\bUSD)\s+(?:amounts )?in (?P<word>thousand|million|billion)s?\b", re.IGNORECASE
)
_SHARES_IN: Final = re.compile(
    r"\bshares?\b[^.;]{0,60}?\bin (?P<a>thousand|million|billion)s?\b|\bin (?P<b>thousand|million|billion)s? of shares",
    re.IGNORECASE,
)
_LAST_BRACKET: Final = re.compile(r"\([^()]{0,160}\)[\s:.]*$")


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale's word, empty for none, and the line that says it, empty where that is the label itself."""

    word: str
    quote: str


def money_scales(entry: Entry, cell: Cell) -> tuple[Scale, ...]:
    """The scales of an amount, nearest statement first, none at all last."""
    return _nearest(entry, cell, 0)


def share_scales(entry: Entry, cell: Cell) -> tuple[Scale, ...]:
    """The scales of a count: that of shares, that of all amounts, none."""
    shares = _nearest(entry, cell, 1)
    return tuple({s.word: s for s in (*shares, *_nearest(entry, cell, 0))}.values())


def _nearest(entry: Entry, cell: Cell, which: int) -> tuple[Scale, ...]:
    found: dict[str, Scale] = {}
    for text, quote in places(entry, cell):
        word = _stated(text)[which]
        if word and word not in found:
            found[word] = Scale(word, quote)
            if len(found) == MAX_SCALES - 1:
                break
    return (*found.values(), Scale("", ""))


def places(entry: Entry, cell: Cell) -> Iterator[tuple[str, str]]:
    """Where a scale or currency may be stated, nearest first, with what to quote."""
    if "(" in entry.label or "," in entry.label:
        yield entry.label, ""
    for text in (c.text for c in reversed(entry.over(cell))):
        yield text, text
    for row in reversed(entry.headings):
        yield row.label, row.label
    for row in reversed(entry.headings):
        for other in row.cells:
            if other.column and other.width > 1:
                yield other.text, other.text
    for text in (*reversed(entry.captions), *reversed(entry.sections)):
        yield text, text
    grid = entry.grid
    for line in grid.above[: grid.near]:
        bracket = _LAST_BRACKET.search(line.text)
        if bracket is not None:
            yield bracket.group(), line.text if len(line.text) <= _MAX_PLACE else bracket.group()
        if len(line.text) <= _MAX_PLACE:
            yield line.text, line.text
    for remark in grid.remarks:
        yield remark, remark


@lru_cache(maxsize=16_384)
def _stated(text: str) -> tuple[str, str]:
    """The words of the scales that a text states for money and for shares, empty where it states none."""
    if not _SAYS.search(text):
        return "", ""
    money = _MONEY_IN.search(text)
    stated = heading_scale(text)
    plain = _IN.search(text)
    if money is not None:
        word = money["word"]
    elif stated is not None:
        word = scale_word(stated.scale.adjusted()) or f"{stated.scale:f}"
    else:
        word = (plain["word"] or plain["bare"]) if plain is not None else ""
    shares = _SHARES_IN.search(text)
    return word.casefold(), ((shares["a"] or shares["b"]) if shares is not None else "").casefold()
