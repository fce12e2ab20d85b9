"""Rule 9: digits that are no value."""

from __future__ import annotations

import pytest
from sim.rules import kept, read


@pytest.mark.parametrize(
    "text",
    [
        "in 2024",
        "on page 12",
        "see Note 7",
        "ISIN US0378331005",
        "call +1 212 555 0100",
        "on 3 March 2024",
        "2024-05-03",
        "version 3.2",
        "software version 10.4",
        "Version 4",
        "release 2.1",
        "the 3rd plant",
        "Fortune 500",
        "the S&P 500",
        "3M",
        "7-Eleven",
        "Form 8-K",
        "a 401(k) plan",
        "Rule 10b-5",
        "Item 7",
        "at 12:30",
        "Phase 3",
        "Q3 2024",
    ],
)
def test_there_is_no_figure(text: str) -> None:
    """Years, pages, notes, identifiers, telephone numbers, dates, versions, ordinals, names."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("page after page of 500 pumps", "500 -"),
        ("3M paid $5m", "5000000 $"),
        ("in 2024 it had 2,024,000 employees", "2024000 count"),
    ],
)
def test_a_figure_beside_them_is_one(text: str, said: str) -> None:
    """Nothing else is lost."""
    assert said in read(text)


@pytest.mark.parametrize("value", ["500", "2024", "8"])
def test_no_claim_rests_on_one(value: str) -> None:
    """A company of the Fortune 500 has not five hundred of anything."""
    sentence = "Halvorsen Pumps, a Fortune 500 company, filed its Form 8-K in fiscal 2024."
    assert not kept(sentence, value, unit="count", scale=None)
    assert not kept(sentence, value)
