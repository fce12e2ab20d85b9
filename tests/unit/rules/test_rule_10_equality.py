"""Rule 10: equal means equal; fewer digits only where the quote rounds to them and the claim says about."""

from __future__ import annotations

import pytest
from doublethink_figures import Flag
from sim.rules import kept

SENTENCE = "Halvorsen Pumps revenue was $42.96 million in fiscal 2024."
ABOUT = frozenset({Flag.ABOUT})


@pytest.mark.parametrize("value", ["42.96", "42.960"])
def test_the_same_number_is_proven(value: str) -> None:
    """However many zeros follow."""
    assert kept(SENTENCE, value)


@pytest.mark.parametrize("value", ["42.95", "42.97", "42.9", "43", "42", "42.96000001", "42960", "4.296"])
def test_any_other_number_is_not(value: str) -> None:
    """The nearest included, and the rounded one."""
    assert not kept(SENTENCE, value)


def test_the_same_amount_in_another_scale_is_proven() -> None:
    """The full values are compared, not how they are written."""
    assert kept(SENTENCE, "42960", scale="thousand")
    assert kept(SENTENCE, "42960000", scale=None)
    assert not kept(SENTENCE, "42961", scale="thousand")


@pytest.mark.parametrize("value", ["42.9", "42", "43.5", "42.95"])
def test_about_is_no_licence(value: str) -> None:
    """What the quote does not round to stays refused, flag or not."""
    assert not kept(SENTENCE, value, flags=ABOUT)


def test_a_quote_that_says_about_needs_the_flag() -> None:
    """And then the number itself."""
    about = SENTENCE.replace("$42.96", "about $42.96")
    assert kept(about, "42.96", flags=ABOUT)
    assert not kept(about, "42.96")
