"""Rule 7: ranges and bounds are no points; the hyphen of a name or a year makes no range."""

from __future__ import annotations

import pytest
from sim.rules import kept, read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3.5–4.0 billion dollars", "3500000000..4000000000 $"),
        ("between $3 and $4 billion", "3000000000..4000000000 $"),
        ("5% to 7%", "5..7 percent"),
        ("up to $5m", "<=5000000 $"),
        ("at least 5%", ">=5 percent"),
        ("about 5%", "~5 percent"),
        ("nearly $5m", "~5000000 $"),
        ("in excess of $5m", ">=5000000 $"),
        ("5% or more", ">=5 percent"),
        ("limited to $5m", "<=5000000 $"),
    ],
)
def test_ranges_and_bounds(text: str, said: str) -> None:
    """Low, high, and which way."""
    assert read(text) == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no less than 5%", ">=5 percent"),
        ("not less than $5m", ">=5000000 $"),
        ("no fewer than 500 units", ">=500 count"),
        ("never below 5%", ">=5 percent"),
        ("no lower than 5%", ">=5 percent"),
        ("not under 5%", ">=5 percent"),
        ("no more than 5%", "<=5 percent"),
        ("not over 5%", "<=5 percent"),
        ("wasn't more than 5%", "<=5 percent"),
        ("no higher than 5%", "<=5 percent"),
        ("not exceeding $5m", "<=5000000 $"),
        ("no more than about 5%", "<=5 percent"),
        ("not in excess of $5m", "<=5000000 $"),
    ],
)
def test_a_denied_bound_is_the_other_one(text: str, said: str) -> None:
    """ "No less than" ends in "less than", and means the opposite."""
    assert read(text) == [said]


@pytest.mark.parametrize("text", ["in 2023-24", "the 10-K", "COVID-19", "a 7-Eleven", "Q1-Q3"])
def test_a_hyphen_of_a_name_makes_no_range(text: str) -> None:
    """There is no figure at all."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("amount", "proven"),
    [
        ("$42.9 million", True),
        ("between $42.9 and $45.0 million", False),
        ("$42.9 million to $45.0 million", False),
        ("up to $42.9 million", False),
        ("at least $42.9 million", False),
        ("no less than $42.9 million", False),
        ("more than $42.9 million", False),
        ("less than $42.9 million", False),
        ("nearly $42.9 million", False),
    ],
)
def test_a_point_is_proven_by_a_point_alone(amount: str, proven: bool) -> None:
    """A claim of an exact amount out of a range or a bound is refused."""
    assert kept(f"Halvorsen Pumps revenue was {amount} in fiscal 2024.", "42.9") is proven
