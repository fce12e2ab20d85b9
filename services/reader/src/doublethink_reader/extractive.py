"""The back end without a model: finds rows and sentences that may answer, and says how it reads them.

It is generous: a claim costs little, and one that does not hold is refused. What it cannot do: it knows no
synonyms beyond a few of financial reporting, reads no language but English, and takes nothing from charts
or running text that needs understanding.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final, TypeVar

from doublethink_figures import UnitClass

from .blocks import Grid, Row, Text, blocks
from .claims import MAX_CLAIMS_PER_PAGE, Claim
from .forms import Piece, event_days, form_claims, line_pieces, points, row_pieces
from .grids import Entry
from .query import Query
from .sentences import Sentence, likely, scored, sentence_claims
from .tables import entry_claims, ranked

__all__ = ["UnitClass", "extract"]

MAX_ENTRIES: Final = 64
"""Rows of a page that are read."""
MAX_SENTENCES: Final = 32
"""Sentences of a page that are read."""
MAX_PIECES: Final = 16
"""Lines and rows of a page that are read as a form."""
MAX_DAYS: Final = 2
_T = TypeVar("_T")


def extract(page_id: str, text: str, query: Query, most: int = MAX_CLAIMS_PER_PAGE) -> tuple[Claim, ...]:
    """At most `most` claims of a page, the likeliest first; up to a quarter of them is kept for running
    text.
    """
    page = _Page()
    for block in blocks(text):
        page.take(block, query)
    of_rows = _sorted(
        (score + more, claim)
        for score, entry in _most(MAX_ENTRIES, page.entries)
        for more, claim in entry_claims(page_id, entry, query)
    )
    of_lines = _sorted(
        (score, claim)
        for score, sentence in _most(MAX_SENTENCES, scored(page.sentences))
        for claim in sentence_claims(page_id, sentence)
    )
    octets = text.encode()
    of_lines = _sorted(
        [
            *of_lines,
            *(
                (score, claim)
                for score, piece in _most(MAX_PIECES, page.pieces)
                for claim in form_claims(page_id, octets, piece, page.days)
            ),
        ]
    )
    spoken = min(len(of_lines), max(most // 4, most - len(of_rows)))
    return tuple(claim for _, claim in _sorted([*of_rows[: most - spoken], *of_lines[:spoken]]))


@dataclass(slots=True)
class _Page:
    """What of a page may answer, with its points."""

    entries: list[tuple[float, Entry]] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    pieces: list[tuple[float, Piece]] = field(default_factory=list)
    days: list[str] = field(default_factory=list)
    headings: Sequence[Row] = ()
    columns: int = 0
    before: Text | Row | None = None

    def take(self, block: Text | Grid, query: Query) -> None:
        """Looks at the next block."""
        if isinstance(block, Text):
            self.sentences += likely(block, query)
            found = line_pieces(block, self.before)
            if len(self.days) < MAX_DAYS and isinstance(self.before, Text):
                self.days += event_days(block, self.before)
            self.before = block
        else:
            columns = block.rows[0].columns
            continued = block.follows and columns == self.columns
            entries, self.headings = ranked(block, query, self.headings if continued else ())
            self.entries += entries
            found = row_pieces(block.rows)
            self.columns, self.before = columns, block.rows[-1]
        self.pieces += [(score, piece) for piece in found if (score := points(piece, query)) > 0]


def _most(count: int, pairs: Iterable[tuple[float, _T]]) -> list[tuple[float, _T]]:
    return nlargest(count, pairs, key=lambda pair: pair[0])


def _sorted(claims: Iterable[tuple[float, Claim]]) -> list[tuple[float, Claim]]:
    return sorted(claims, key=lambda pair: -pair[0])
