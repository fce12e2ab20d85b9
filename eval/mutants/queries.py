"""Queries that a proven claim does not answer: another company's, another line's, and one with a word exchanged."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final

from doublethink_validator.proof import Claim
from doublethink_validator.reading import Reading, agree
from doublethink_validator.words import content

from eval.mutants.claims import query_of

OTHERS: Final = ("brenner flow technology", "castellan fluid system")
"""Companies of which no saved page speaks."""
_EXCHANGED: Final = (
    ("basic", "diluted"),
    ("income", "expense"),
    ("assets", "liabilities"),
    ("current", "non-current"),
    ("gross", "net"),
    ("receivable", "payable"),
    ("short-term", "long-term"),
    ("operating", "investing"),
    ("issued", "repurchased"),
    ("interest", "dividend"),
    ("income", "loss"),
    ("products", "services"),
    ("before", "after"),
    ("cost of", "gain on"),
)
"""Words that make another line of one; each is also put for the other."""
_MOST_TRIED: Final = 20


def of_others(reading: Reading) -> Iterator[str]:
    """The row's own words, asked of companies that the page does not speak of."""
    for other in OTHERS:
        if (query := query_of(other, reading)) is not None:
            yield query


def of_other_lines(
    company: str, reading: Reading, every: Sequence[tuple[Claim, Reading]], chance: random.Random
) -> Iterator[str]:
    """A query for another row of the page with the same unit and period, and another amount."""
    mine = set(content(_own(reading)))
    for _, other in chance.sample(every, min(_MOST_TRIED, len(every))):
        same = (other.unit, other.period) == (reading.unit, reading.period) and other.source is reading.source
        query = query_of(company, other)
        theirs = set(content(_own(other)))
        if query is None or not same or agree(other, reading) or theirs == mine:
            continue
        yield query
        return


def exchanged(company: str, reading: Reading) -> Iterator[str]:
    """The row's own words with one of them turned into its counterpart."""
    query = query_of(company, reading)
    for one, other in _EXCHANGED if query is not None else ():
        for old, new in ((one, other), (other, one)):
            label = _own(reading)
            changed = re.sub(rf"(?<![\w-]){old}(?![\w-])", new, label, flags=re.IGNORECASE)
            # A label of both signs answers to both of its names, each under its own sign.
            if changed != label and not re.search(rf"\({new}|{new}\b", label, re.IGNORECASE):
                yield str(query).replace(label, changed)


def _own(reading: Reading) -> str:
    """The row's label without the sections that it stands under."""
    return reading.label.rpartition(" – ")[2].strip().rstrip(":")
