"""T12: a page of the largest size that repeats one thing without end costs time in proportion, and hides nothing.

Each of them took the square of its length before: minutes to hours, in which the deadline of the whole
question passed. No time is measured here: such a test would not end.
"""

from __future__ import annotations

import pytest
from doublethink_reader.claims import MAX_CLAIMS_PER_PAGE
from doublethink_reader.extractive import extract
from doublethink_reader.query import understand

_QUERY = understand("Halvorsen Pumps revenue fiscal 2024", None, None)
_SENTENCE = "Über Halvorsen Pumps Inc. revenue in fiscal 2024 was €3,210 million. "
_ROW = "Revenue of Halvorsen Pumps\t€ 3,210\t€ 3,000\n"


@pytest.mark.parametrize(
    "text",
    [
        "Title\n\n" + _SENTENCE * 50_000,
        "Title\n\n" + ("Halvorsen Pumps revenue " + "1,234 million and " * 180_000) + "fiscal 2024.\n",
        "Title\n\nHalvorsen Pumps\t2024\t2023\n" + _ROW * 70_000,
        "Title\n\n" + "Halvorsen revenue 2024 1. \n\n" * 100_000,
    ],
    ids=["sentences", "one sentence", "rows", "paragraphs"],
)
def test_t12_a_page_that_repeats_itself_is_read_to_its_end(text: str) -> None:
    """The claims are few, and each quote stands where it says it does, to the byte."""
    octets = text.encode()
    claims = extract("pag_" + "a" * 26, text, _QUERY)
    assert len(claims) <= MAX_CLAIMS_PER_PAGE
    for claim in claims:
        quote = claim.quote.encode()
        assert octets[claim.offset : claim.offset + len(quote)] == quote
