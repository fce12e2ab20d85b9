"""The back end without a model: finds rows and sentences that may answer, and says how it reads them.

It is generous: a claim costs little, and one that does not hold is refused. What it cannot do: it knows no
synonyms beyond a few of financial reporting, reads no language but English, and takes nothing from charts
or running text that needs understanding.
"""

from collections.abc import Iterable
from heapq import nlargest
from typing import Final

from doublethink_figures import UnitClass

from .blocks import Row, Text, blocks
from .claims import MAX_CLAIMS_PER_PAGE, Claim
from .grids import Entry
from .query import Query
from .sentences import Sentence, likely, sentence_claims
from .tables import entry_claims, ranked

__all__ = ["UnitClass", "extract"]

MAX_ENTRIES: Final = 64
"""Rows of a page that are read."""
MAX_SENTENCES: Final = 32
"""Sentences of a page that are read."""


def extract(page_id: str, text: str, query: Query, most: int = MAX_CLAIMS_PER_PAGE) -> tuple[Claim, ...]:
    """At most `most` claims of a page, the likeliest first; a quarter of them is kept for sentences."""
    rows: list[tuple[float, Entry]] = []
    lines: list[tuple[float, Sentence]] = []
    headings: list[Row] = []
    width = 0
    for block in blocks(text):
        if isinstance(block, Text):
            lines += likely(block, query)
            continue
        same = block.follows and width == block.rows[0].columns
        found, headings = ranked(block, query, headings if same else ())
        width = block.rows[0].columns
        rows += found
    of_rows = _sorted(
        (points + more, claim)
        for points, entry in nlargest(MAX_ENTRIES, rows, key=lambda pair: pair[0])
        for more, claim in entry_claims(page_id, entry, query)
    )
    of_lines = _sorted(
        (points, claim)
        for points, sentence in nlargest(MAX_SENTENCES, lines, key=lambda pair: pair[0])
        for claim in sentence_claims(page_id, sentence)
    )
    spoken = min(len(of_lines), max(most // 4, most - len(of_rows)))
    return tuple(claim for _, claim in _sorted([*of_rows[: most - spoken], *of_lines[:spoken]]))


def _sorted(claims: Iterable[tuple[float, Claim]]) -> list[tuple[float, Claim]]:
    return sorted(claims, key=lambda pair: -pair[0])
