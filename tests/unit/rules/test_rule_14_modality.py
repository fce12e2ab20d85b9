"""Rule 14: what the words around a figure make of it; a claim without the flag fails."""

from __future__ import annotations

import pytest
from doublethink_figures import Flag, find_figures, modality
from sim.rules import NONE, kept

SAID = {
    "We expect revenue of $5m in fiscal 2025.": Flag.GUIDANCE,
    "Our guidance is revenue of $5m.": Flag.GUIDANCE,
    "The forecast is revenue of $5m.": Flag.GUIDANCE,
    "Revenue should reach $5m.": Flag.GUIDANCE,
    "Revenue should be $5m.": Flag.GUIDANCE,
    "The consensus is revenue of $5m.": Flag.GUIDANCE,
    "Revenue is seen at $5m.": Flag.GUIDANCE,
    "Revenue is estimated at $5m.": Flag.GUIDANCE,
    "Revenue could be $5m.": Flag.HYPOTHETICAL,
    "If it closes, revenue is $5m.": Flag.HYPOTHETICAL,
    "Pro forma revenue was $5m.": Flag.PRO_FORMA,
    "Adjusted operating income was $5m.": Flag.NON_GAAP,
    "Non-GAAP operating income was $5m.": Flag.NON_GAAP,
    "Restated revenue was $5m.": Flag.RESTATED,
    "The company denied that revenue was $5m.": Flag.NEGATED,
    "Revenue was not $5m.": Flag.NEGATED,
    "About $5m was earned.": Flag.ABOUT,
}


@pytest.mark.parametrize("text", SAID)
def test_the_words_give_the_flag(text: str) -> None:
    """One each."""
    (figure,) = find_figures(text)
    assert modality(text, figure.span) == {SAID[text]}


def test_a_plain_statement_has_none() -> None:
    """Nor has one in which such a word speaks of something else."""
    for text in (
        "Revenue was $5m.",
        "Revenue was $5m, more than expected.",
        "Expected credit losses were $5m.",
    ):
        (figure,) = find_figures(text)
        assert modality(text, figure.span) == NONE


@pytest.mark.parametrize(
    ("sentence", "flag"),
    [
        ("Halvorsen Pumps expects revenue of $42.9 million in fiscal 2024.", Flag.GUIDANCE),
        ("Halvorsen Pumps pro forma revenue was $42.9 million in fiscal 2024.", Flag.PRO_FORMA),
        ("Halvorsen Pumps adjusted operating income was $42.9 million in fiscal 2024.", Flag.NON_GAAP),
        ("Halvorsen Pumps restated revenue was $42.9 million in fiscal 2024.", Flag.RESTATED),
        ("Halvorsen Pumps revenue could be $42.9 million in fiscal 2024.", Flag.HYPOTHETICAL),
        ("Halvorsen Pumps revenue was about $42.9 million in fiscal 2024.", Flag.ABOUT),
    ],
)
def test_a_claim_carries_the_quotes_flag(sentence: str, flag: Flag) -> None:
    """Without it, and with another, it fails."""
    assert kept(sentence, "42.9", flags=frozenset({flag}))
    assert not kept(sentence, "42.9")
    other = Flag.RESTATED if flag is not Flag.RESTATED else Flag.GUIDANCE
    assert not kept(sentence, "42.9", flags=frozenset({other}))


@pytest.mark.parametrize("words", ["was not", "was never", "wasn't"])
def test_a_denied_figure_proves_nothing(words: str) -> None:
    """Whatever the claim carries."""
    sentence = f"Halvorsen Pumps revenue {words} $42.9 million in fiscal 2024."
    for flags in (NONE, *(frozenset({flag}) for flag in Flag)):
        assert not kept(sentence, "42.9", flags=flags)
