"""Rule 5: brackets are a minus in tables, not in prose; words carry a direction, and the claim carries it too."""

from __future__ import annotations

import pytest
from doublethink_figures import Context, Direction, direction, find_figures
from sim.rules import kept, read

CELL = Context(table_cell=True)


@pytest.mark.parametrize("text", ["(1,234.5)", "1,234.5-", "−1,234.5", "-1,234.5"])
def test_a_cell_is_negative(text: str) -> None:
    """In brackets, or with a sign on either side."""
    assert read(text, CELL) == ["-1234.5 -"]


@pytest.mark.parametrize(
    "text",
    [
        "net income (1,234.5) rose",
        "a balance of 1,234.5- at year end",
        "a balance of 1,234.5 CR",
        "1,234.5 DR",
    ],
)
def test_in_prose_the_same_marks_stay_open(text: str) -> None:
    """They may be a remark, a dash, a short form: both signs stay, and none is proven."""
    assert read(text) == ["-1234.5|1234.5 -"]


@pytest.mark.parametrize("text", ["1,234.5 CR", "1,234.5 DR"])
def test_credit_and_debit_stay_open(text: str) -> None:
    """Which of the two is negative depends on the account."""
    assert read(text, CELL) == ["-1234.5|1234.5 -"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a loss of $5 million", Direction.DECREASE),
        ("sales were down 5%", Direction.DECREASE),
        ("sales decreased by $5m", Direction.DECREASE),
        ("sales were up 5%", Direction.INCREASE),
        ("sales of $5m", Direction.NONE),
    ],
)
def test_words_carry_a_direction(text: str, said: Direction) -> None:
    """The number itself stays positive."""
    (figure,) = find_figures(text)
    assert figure.low > 0
    assert direction(text, figure.span) is said


def test_a_claim_without_the_direction_is_not_proven() -> None:
    """A loss that is claimed as a profit, and the other way round."""
    loss = "Halvorsen Pumps reported a net loss of $42.9 million in fiscal 2024."
    assert kept(loss, "42.9", direction=Direction.DECREASE)
    assert not kept(loss, "42.9")
    assert not kept(loss, "42.9", direction=Direction.INCREASE)
    profit = "Halvorsen Pumps net income was $42.9 million in fiscal 2024."
    assert kept(profit, "42.9")
    assert not kept(profit, "42.9", direction=Direction.DECREASE)
