"""The back end without a model: finds rows and sentences that may answer, and says how it reads them.

It is generous: a claim costs little, and one that does not hold is refused. What it cannot do: it knows no
synonyms beyond a few of financial reporting, reads no language but English, and takes nothing from charts
or running text that needs understanding.
"""

from doublethink_figures import UnitClass

from .blocks import Text, blocks
from .claims import MAX_CLAIMS_PER_PAGE, Claim
from .query import Query
from .sentences import sentence_claims
from .tables import table_claims

__all__ = ["UnitClass", "extract"]


def extract(page_id: str, text: str, query: Query) -> tuple[Claim, ...]:
    """At most `MAX_CLAIMS_PER_PAGE` claims of a page, the likeliest first."""
    found: list[tuple[float, Claim]] = []
    for block in blocks(text):
        if isinstance(block, Text):
            found += sentence_claims(page_id, block, query)
        else:
            found += table_claims(page_id, block, query)
    found.sort(key=lambda pair: -pair[0])
    return tuple(claim for _, claim in found[:MAX_CLAIMS_PER_PAGE])
