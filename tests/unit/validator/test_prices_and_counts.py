"""Prices are never in the millions of their table, counts only where a statement says so of them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

CURRENCY = UnitClass.CURRENCY
COUNT = UnitClass.COUNT
QUARTER = "three months ended July 30, 2023"


def _page(scale: str, *rows: str) -> str:
    table = "\n".join(["\tThree Months Ended\t\u2007", "\tJuly 30, 2023\tJuly 31, 2022", *rows])
    return (
        "Corvane Stores, Inc.\n\nCORVANE STORES, INC.\n\nSelected Sales Performance Data\n\n"
        f"{scale}\n\n{table}\n"
    )


ROWS = (
    "Net sales\t$ 42,916\t$ 43,792",
    "Gross profit\t14,158\t14,480",
    "Average ticket\t$ 90.07\t$ 90.02",
    "Number of stores\t2,326\t2,316",
    "Customer transactions (in millions)\t459.1\t467.4",
)


def test_each_row_of_a_table_of_mixed_things_has_its_own_scale() -> None:
    """Money in millions, the ticket in dollars, stores one by one, transactions as their label says."""
    page = _page("(dollars in millions)", *ROWS)
    assert found(f"Corvane Stores net sales {QUARTER}", page, CURRENCY) == Decimal("42916000000")
    assert found(f"Corvane Stores average ticket {QUARTER}", page, CURRENCY) == Decimal("90.07")
    assert found(f"Corvane Stores number of stores {QUARTER}", page, COUNT) == Decimal("2326")
    assert found("Corvane Stores stores July 30, 2023", page, COUNT) == Decimal("2326")
    assert found("Corvane Stores stores July 31, 2022", page, COUNT) == Decimal("2316")
    assert found("Corvane Stores stores July 29, 2023", page, COUNT) is None
    assert found(f"Corvane Stores customer transactions {QUARTER}", page, COUNT) == Decimal("459100000")


def test_a_scale_of_everything_leaves_counts_open() -> None:
    """ "In millions" without a word of money may be of the stores too."""
    page = _page("(in millions)", *ROWS)
    assert found(f"Corvane Stores number of stores {QUARTER}", page, COUNT) is None


@pytest.mark.parametrize(
    "rows",
    [
        ("Net sales\t$ 42,916\t$ 43,792", "Average ticket\t90.07\t90.02"),
        (
            "Net sales\t$ 42,916.25\t$ 43,792.11",
            "Gross profit\t1.25\t1.50",
            "Average ticket\t$ 90.07\t$ 90.02",
        ),
        ("Net sales\t$ 42,916\t$ 43,792", "Average ticket\t$ 90\t$ 91"),
    ],
)
def test_a_price_that_does_not_stand_out_is_left_open(rows: tuple[str, ...]) -> None:
    """Without its own sign, among amounts that show cents too, or without cents: neither 90 nor 90 million."""
    page = _page("(dollars in millions)", *rows)
    assert found(f"Corvane Stores average ticket {QUARTER}", page, CURRENCY) is None


def test_counts_and_prices_stand_side_by_side() -> None:
    """A column of numbers in thousands beside one of prices: each keeps its own."""
    page = (
        "Corvane Stores, Inc.\n\nCORVANE STORES, INC.\n\nRestricted Stock Units\n\n"
        "A summary of the activity for the six months ended July 29, 2023 is as follows:\n\n"
        "\tNumber of RSUs (in thousands)\tWeighted-Average Grant-Date Fair Value Per RSU\n"
        "RSUs granted\t63,378\t$ 228.10\nRSUs vested\t(39,177)\t$ 148.90\n"
    )
    half = "six months ended July 29, 2023"
    assert found(f"Corvane Stores RSUs granted {half}", page, COUNT) == Decimal("63378000")
    price = f"Corvane Stores weighted-average grant-date fair value per RSU granted {half}"
    assert found(price, page, CURRENCY) == Decimal("228.10")
    assert found(price.replace("granted", "vested"), page, CURRENCY) == Decimal("148.90")
    assert found(price, page, COUNT) is None
