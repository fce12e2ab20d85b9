"""Abbreviations that a page defines, in rows and in queries."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from doublethink_validator.abbreviations import abbreviations
from sim.honest import found

_ROWS = "\tThree Months Ended\t\u2007\n\tJune 30, 2024\tJune 30, 2023\n{label}\t41.5 %\t40.1 %\n"


def _page(definition: str, label: str) -> str:
    return (
        f"Corvane, Inc.\n\nCORVANE, INC.\n\n{definition}\n\nReturn on Invested Capital\n\n"
        f"The following table presents our returns beside the comparable GAAP measure:\n\n{_ROWS.format(label=label)}"
    )


@pytest.mark.parametrize("label", ["ROIC", "Return on invested capital"])
@pytest.mark.parametrize("asked", ["ROIC", "return on invested capital"])
def test_a_row_is_found_under_either_name(label: str, asked: str) -> None:
    """What the page defines is one thing, in whatever way row and query write it."""
    page = _page("We believe that return on invested capital (“ROIC”) is meaningful.", label)
    query = f"Corvane {asked} three months ended June 30, 2024"
    assert found(query, page, UnitClass.PERCENT) == Decimal("41.5")


def test_an_abbreviation_that_the_page_does_not_define_is_a_word_of_its_own() -> None:
    """Nobody says that ROIC is a return on invested capital."""
    page = _page("We believe that returns are meaningful.", "ROIC")
    assert (
        found("Corvane return on invested capital three months ended June 30, 2024", page, UnitClass.PERCENT)
        is None
    )


@pytest.mark.parametrize(
    ("text", "short", "stems"),
    [
        ("net operating profit after tax (NOPAT)", "nopat", {"net", "operat", "profit", "after", "tax"}),
        ("the Common Equity Tier (“CET,”) ratio", "cet", {"common", "equity", "tier"}),
        ("our largest customer (ROIC)", "roic", None),
        ("Term\tMeaning\nROIC\tReturn on invested capital\n", "roic", {"return", "invested", "capital"}),
        ("ROIC\tSee page 12\n", "roic", None),
        ("return on invested capital (ROIC) or rate of internal cost (ROIC)", "roic", None),
    ],
)
def test_initials_define(text: str, short: str, stems: set[str] | None) -> None:
    """The words right before the bracket, by their initials; two meanings are none."""
    assert abbreviations(text, frozenset()).get(short) == (None if stems is None else frozenset(stems))


def test_a_name_is_no_abbreviation() -> None:
    """A company that is called by its initials keeps its name."""
    assert abbreviations("Common Routing Vehicles (CRV)", frozenset({"crv"})) == {}
