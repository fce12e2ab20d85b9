"""How much work a page may cost: a budget of counted steps, and where a page is cut that would need more.

A step is about ten microseconds of one processor. The steps of a block are counted from its form alone, before
anything of it is read, as if everything in it had to be compared with the query; so a page is cut at the same place
whatever is asked and whoever asks. What stands behind the cut is not read, and nothing is "not found" on such a page.
"""

import re
from collections.abc import Iterable
from typing import Final

from .clauses import MAX_NUMERALS, Sentence
from .layout import Layout

BUDGET: Final = 1_200_000
"""Steps a page. `tests/unit/validator/test_effort.py` holds what honest filings need against it."""
_NUMERAL: Final = re.compile(r"[0-9][0-9.,]*")
_SENTENCE: Final = 40
_FIGURE: Final = 20
_CELL: Final = 25
_TABLE: Final = 60


def of_text(text: str) -> int:
    """The steps of one text whose figures are read: each is looked for in all the words around it."""
    numerals = len(_NUMERAL.findall(text))
    if not numerals or numerals > MAX_NUMERALS:
        return 1 + len(text) // 50
    return _SENTENCE + numerals * (_FIGURE + len(text) // 4)


def of_line(sentences: Iterable[Sentence], length: int) -> int:
    """The steps of a line of `length` characters with its sentences."""
    return 1 + length // 50 + sum(of_text(sentence.text) for sentence in sentences)


def of_table(table: Layout) -> int:
    """The steps of a table: for each value its own text, its label, its headings, and what stands above."""
    zone = table.zone
    lines = [*zone.headings, *zone.above, *(line for line in (zone.paragraph, zone.governing) if line)]
    above = sum(len(line.text) for line in lines) + sum(len(c.text) for c in table.captions)
    steps = _TABLE + len(table.table.rows) + (table.table.span.end - table.table.span.start) // 50
    heads, spread = None, 0
    for row in table.rows:
        if row.heads is not heads:
            heads = row.heads
            spread = sum(len(c.text) for r in heads.rows for c in r.cells) + 4 * heads.size
            steps += spread
        beside = above + sum(len(c.text) for c in row.sections) + (len(row.label.text) if row.label else 0)
        values = row.values()
        each = _CELL + beside // 40 + spread // 200 + 2 * len(row.headings)
        steps += len(values) * each + sum(of_text(v.text) for v in values if len(v.text) > _SHORT)
    return steps


_SHORT: Final = 16
"""A number alone; a longer cell is read like a sentence."""
