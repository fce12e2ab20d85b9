"""Rule 13: number, unit and period stand in one clause, or in one row and column; two bindings prove nothing."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import PeriodMention, UnitClass, bind, find_figures, find_periods
from sim.honest import found
from sim.rules import TITLE, kept


def bound(text: str) -> list[tuple[str, str]]:
    """Each figure with its period, or with what stands in the way."""
    periods = find_periods(text)
    found = []
    for figure in find_figures(text):
        to = bind(text, figure, periods)
        found.append(
            (figure.span.of(text), to.span.of(text) if isinstance(to, PeriodMention) else type(to).__name__)
        )
    return found


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Sales were $4bn in 2024, up from $3.6bn in 2023.", [("$4bn", "2024"), ("$3.6bn", "2023")]),
        (
            "Sales were $4bn and $3.6bn in 2024 and 2023, respectively.",
            [("$4bn", "2024"), ("$3.6bn", "2023")],
        ),
        ("Sales in 2024 were $4bn; costs in 2023 were $1bn.", [("$4bn", "2024"), ("$1bn", "2023")]),
        ("Sales of $4bn compared with $3.6bn in 2023.", [("$4bn", "NoneType"), ("$3.6bn", "2023")]),
        (
            "Sales were $4bn, $3.6bn and $3bn in 2024 and 2023, respectively.",
            [("$4bn", "Ambiguous"), ("$3.6bn", "Ambiguous"), ("$3bn", "Ambiguous")],
        ),
        ("In 2024 and 2023 sales of $4bn were seen.", [("$4bn", "Ambiguous")]),
    ],
)
def test_each_figure_has_its_own_period(text: str, pairs: list[tuple[str, str]]) -> None:
    """Pairs in order where the counts agree, and nothing where they do not."""
    assert bound(text) == pairs


TWO = "Halvorsen Pumps revenue was $42.9 million in fiscal 2024, up from $40.1 million in fiscal 2023."


@pytest.mark.parametrize(
    ("value", "period", "proven"),
    [("42.9", "fiscal 2024", True), ("42.9", "fiscal 2023", False), ("40.1", "fiscal 2024", False)],
)
def test_a_claim_does_not_cross_pairs(value: str, period: str, proven: bool) -> None:
    """The right number of the wrong year is refused."""
    assert kept(TWO, value, period=period) is proven


TABLE = (
    "(in millions of US dollars)\n\nYear ended\tfiscal 2024\tfiscal 2023\n"
    "Revenue\t42.9\t40.1\nCost of sales\t30.2\t29.8\n"
)


@pytest.mark.parametrize(
    ("value", "period", "proven"),
    [
        ("42.9", "fiscal 2024", True),
        ("40.1", "fiscal 2023", True),
        ("42.9", "fiscal 2023", False),
        ("40.1", "fiscal 2024", False),
        ("30.2", "fiscal 2024", False),
    ],
)
def test_a_cell_is_of_its_row_and_column(value: str, period: str, proven: bool) -> None:
    """Neither another column's period nor another row's number."""
    assert kept("", value, unit="USD", period=period, quote="Revenue\t42.9\t40.1", page=TABLE) is proven


def test_two_columns_under_one_heading_prove_nothing() -> None:
    """Which of them is meant, nobody can tell."""
    page = f"{TITLE}\n\n{TABLE}"
    query = "Halvorsen Pumps revenue fiscal 2024"
    assert found(query, page, UnitClass.CURRENCY) == Decimal("42900000")
    assert found(query, page.replace("fiscal 2023", "fiscal 2024"), UnitClass.CURRENCY) is None
