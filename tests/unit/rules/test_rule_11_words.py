"""Rule 11: numbers in words and fractions; half and quarter may be periods; "twenty twenty-four" is a year."""

from __future__ import annotations

import pytest
from sim.rules import kept, read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("half a billion dollars", "500000000 $"),
        ("one and a half million dollars", "1500000 $"),
        ("a dozen units", "12 count"),
        ("two dozen stores", "24 count"),
        ("twenty-five percent", "25 percent"),
        ("½ percent", "0.5 percent"),
        ("3 ¼ percent", "3.25 percent"),
        ("3 1/2 percent", "3.5 percent"),
        ("one hundred and five stores", "105 count"),
    ],
)
def test_words_and_fractions(text: str, said: str) -> None:
    """Exactly, and with their unit."""
    assert read(text) == [said]


@pytest.mark.parametrize(
    "text",
    [
        "twenty twenty-four",
        "the third quarter",
        "in the first half",
        "a quarter of its sales",
        "half of its sales",
    ],
)
def test_what_is_no_number(text: str) -> None:
    """A year, a period, or a share of something that is not said in numbers: nothing to prove."""
    assert read(text) == []


def test_words_prove_what_they_say() -> None:
    """And nothing beside it."""
    sentence = "Halvorsen Pumps revenue was one and a half million dollars in fiscal 2024."
    assert kept(sentence, "1.5")
    for value in ("1", "0.5", "1.05", "15"):
        assert not kept(sentence, value)
