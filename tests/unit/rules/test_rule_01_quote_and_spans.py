"""Rule 1: work on the exact quote and keep spans.

Marks above the line are no digits, and a dash is a minus only before a digit that stands alone.
"""

from __future__ import annotations

import pytest
from doublethink_figures import find_figures
from sim.rules import kept, read

SENTENCE = "Halvorsen Pumps revenue was $42.9 million in fiscal 2024."


@pytest.mark.parametrize(
    "text",
    ["Umsätze ﬁelen: −3 %", "revenue\u00a0of\u00a0US$ 4.2 bn", "１２ pumps at €3", "“$7m” — said twice: $8m"],
)
def test_spans_are_of_the_text_that_was_given(text: str) -> None:
    """However much is folded to read it, what is cut out by the span is the figure as it stands there."""
    for figure in find_figures(text):
        assert figure.number_span.of(text).strip()[0] in "0123456789０１２３"
        assert figure.span.start <= figure.number_span.start < figure.number_span.end <= figure.span.end


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("orders of 1,234.5² units", ["1234.5 count"]),
        ("a margin of 12.5¹", ["12.5 -"]),
        ("a margin of −3%", ["-3 percent"]),
        ("a margin of \u20113%", ["-3 percent"]),
        ("a change of –3%", ["-3 percent"]),
        ("between 5 and 7 pumps: 5–7", ["5..7 -", "5..7 -"]),
        ("form T-12 has 9 pages", ["9 -"]),
    ],
)
def test_marks_and_dashes(text: str, said: list[str]) -> None:
    """A superscript is no digit; a dash between two numbers or behind a letter is no sign."""
    assert read(text)[-1:] == said[-1:]


def test_a_quote_is_accepted_only_as_it_stands() -> None:
    """White space, curly quotes and dashes may differ; one letter, digit or word may not."""
    assert kept(SENTENCE, "42.9", quote=SENTENCE)
    assert kept(SENTENCE, "42.9", quote=SENTENCE.replace(" ", "\u00a0", 2))
    for other in (
        SENTENCE.replace("42.9", "42.8"),
        SENTENCE.replace("was", "were"),
        SENTENCE.replace(" revenue", ""),
        SENTENCE.replace("Pumps", "Pump"),
    ):
        assert not kept(SENTENCE, "42.9", quote=other)


def test_a_quote_of_a_few_letters_is_none() -> None:
    """Below twelve characters a quote points anywhere."""
    assert not kept(SENTENCE, "42.9", quote="$42.9")
