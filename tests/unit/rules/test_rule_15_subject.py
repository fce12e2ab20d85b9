"""Rule 15: metric and company come from the approved query; what fits equally well twice is not decided."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from sim.honest import found

PAGE = (
    "Halvorsen Pumps, Inc.\n\nHALVORSEN PUMPS, INC.\n\nCONSOLIDATED STATEMENTS OF INCOME\n\n"
    "(in millions of US dollars)\n\nYear ended\tfiscal 2024\tfiscal 2023\n"
    "Revenue\t42.9\t40.1\nCost of sales\t30.2\t29.8\n"
    "Gross profit\t12.7\t10.3\nOperating income\t5.5\t4.4\n"
)


@pytest.mark.parametrize(
    ("metric", "value"),
    [("revenue", "42.9"), ("cost of sales", "30.2"), ("gross profit", "12.7"), ("operating income", "5.5")],
)
def test_the_row_whose_label_has_the_words(metric: str, value: str) -> None:
    """Each its own number."""
    assert found(f"Halvorsen Pumps {metric} fiscal 2024", PAGE, UnitClass.CURRENCY) == Decimal(value) * 10**6


@pytest.mark.parametrize(
    "query",
    [
        "Halvorsen Pumps net income fiscal 2024",
        "Halvorsen Pumps segment operating income fiscal 2024",
        "Halvorsen Pumps deferred revenue fiscal 2024",
        "Tessaline Stores revenue fiscal 2024",
        "Halvorsen Valves revenue fiscal 2024",
        "Halvorsen Pumps Europe revenue fiscal 2024",
        "Halvorsen Pumps fiscal 2024",
    ],
)
def test_another_metric_or_company_is_not_there(query: str) -> None:
    """A right number of the wrong thing is a wrong number."""
    assert found(query, PAGE, UnitClass.CURRENCY) is None


def test_two_rows_that_fit_equally_decide_nothing() -> None:
    """Unless they say the same."""
    twice = (
        PAGE
        + "\nCONSOLIDATED STATEMENTS OF INCOME\n\n(in millions of US dollars)\n\nYear ended\tfiscal 2024\nRevenue\t{}\n"
    )
    query = "Halvorsen Pumps revenue fiscal 2024"
    assert found(query, twice.format("43.9"), UnitClass.CURRENCY) is None
    assert found(query, twice.format("42.9"), UnitClass.CURRENCY) == Decimal("42900000")


def test_a_sentence_about_another_company_is_not_the_pages() -> None:
    """The clause names whom it speaks of."""
    page = "Halvorsen Pumps, Inc.\n\nRevenue of Tessaline Stores was $42.9 million in fiscal 2024.\n"
    assert found("Halvorsen Pumps revenue fiscal 2024", page, UnitClass.CURRENCY) is None
    own = page.replace("Tessaline Stores", "Halvorsen Pumps")
    assert found("Halvorsen Pumps revenue fiscal 2024", own, UnitClass.CURRENCY) == Decimal("42900000")
