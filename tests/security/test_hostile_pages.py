"""T12: a page of the largest size that repeats one thing without end costs time in proportion, and hides nothing.

Each of them took the square of its length before: minutes to hours, in which the deadline of the whole
question passed. No time is measured here: such a test would not end.
"""

from __future__ import annotations

import re
from types import ModuleType

import pytest
from doublethink_figures import Span
from doublethink_reader import sentences as reader_sentences
from doublethink_reader.claims import MAX_CLAIMS_PER_PAGE
from doublethink_reader.extractive import extract
from doublethink_reader.query import understand
from doublethink_validator import clauses
from doublethink_validator.pagetext import Line

_QUERY = understand("Halvorsen Pumps revenue fiscal 2024", None, None)
_SENTENCE = "At Halvorsen Pumps Inc. Revenue in fiscal 2024 (über alles) was €3,210 million. "
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


class _Spy:
    """A pattern that remembers the longest text it was asked to search."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self.longest = 0

    def search(self, text: str) -> re.Match[str] | None:
        """As a pattern does."""
        self.longest = max(self.longest, len(text))
        return self._pattern.search(text)


@pytest.mark.parametrize(("module", "pattern"), [(reader_sentences, "_SHORT"), (clauses, "_ABBREVIATION")])
def test_t12_the_end_of_a_sentence_is_judged_by_what_stands_before_it_alone(
    module: ModuleType, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In reader and validator: not by all that went before, which takes the square of the page's length."""
    spy = _Spy(getattr(module, pattern))
    monkeypatch.setattr(module, pattern, spy)
    text = _SENTENCE * 200
    if module is clauses:
        found = [sentence.text for sentence in clauses.sentences(Line(text, Span(0, len(text))))]
    else:
        found = [sentence for _, sentence in reader_sentences._sentences(text)]
    assert len([sentence for sentence in found if "Inc. Revenue" in sentence]) == 200
    assert 0 < spy.longest <= 32
