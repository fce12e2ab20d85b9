"""Labels of two signs, "Operating earnings (loss)" and "Interest (income) expense", asked for by either name."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

_QUARTER = "three months ended June 30, 2024"


def _get(metric: str, *rows: str, unit_class: UnitClass = UnitClass.CURRENCY) -> Decimal | None:
    page = (
        "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF OPERATIONS\n\n"
        "(in millions, except per share data)\n\n\tThree Months Ended\t\u2007\n\tJune 30, 2024\tJune 30, 2023\n"
        "Net sales\t$ 90.5\t$ 80.5\n" + "\n".join(rows) + "\n"
    )
    return found(f"Halvorsen Pumps {metric} {_QUARTER}", page, unit_class)


@pytest.mark.parametrize(
    ("label", "metric"),
    [
        ("Operating earnings (loss)", "operating loss"),
        ("Operating (loss) earnings", "operating loss"),
        ("Income (loss) before income taxes", "loss before income taxes"),
        ("Net income/(loss)", "net loss"),
    ],
)
def test_a_loss_is_found_where_the_figure_is_one(label: str, metric: str) -> None:
    """The negative figure of such a row is the loss; a positive one is none."""
    assert _get(metric, f"{label}\t(14.4)\t4.7") == Decimal("-14400000")
    assert _get(metric, f"{label}\t14.4\t(4.7)") is None


def test_a_loss_per_share_is_found_under_both_names() -> None:
    """ "Net income (loss) per share" is the net loss per share where it is negative."""
    row = "Diluted net income (loss) per share\t$ (0.37)\t$ 0.12"
    assert _get("diluted net loss per share", row, unit_class=UnitClass.CURRENCY_PER) == Decimal("-0.37")


@pytest.mark.parametrize(
    ("label", "metric"),
    [
        ("Interest (income) expense, net", "interest income, net"),
        ("Income tax expense (benefit)", "income tax benefit"),
        ("Provision (benefit) for income taxes", "income tax benefit"),
    ],
)
def test_what_the_brackets_stand_for_is_positive_under_its_own_name(label: str, metric: str) -> None:
    """A bracketed cost is an income of that size; a plain one is none."""
    assert _get(metric, f"{label}\t(11.6)\t4.7") == Decimal("11600000")
    assert _get(metric, f"{label}\t11.6\t(4.7)") is None


def test_a_gain_is_not_asked_for_by_its_cost() -> None:
    """Interest expense is not said to be 11.6 where that much was earned."""
    assert _get("interest expense, net", "Interest (income) expense, net\t(11.6)\t4.7") is None
    assert _get("interest expense, net", "Interest (income) expense, net\t11.6\t(4.7)") == Decimal("11600000")
