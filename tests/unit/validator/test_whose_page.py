"""Whom a page is about that does not say so itself, or says so more than once."""

from __future__ import annotations

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from doublethink_validator.identity import identify
from doublethink_validator.pagetext import Page
from sim.honest import found

CURRENCY = UnitClass.CURRENCY
SHEET = (
    "\n\nCONSOLIDATED BALANCE SHEETS - USD ($) $ in Millions\tMay 31, 2024\tMay 31, 2023\n"
    "Total assets\t$ 140,976\t$ 134,384\n"
)
QUERY = "Corvane total assets at May 31, 2024"


@pytest.mark.parametrize(
    "title",
    [
        "Corvane balance sheets 31 May 2024 (viewer page)",
        "Corvane's note on total assets",
        "Corvane FY2024 balance sheets",
        "Corvane 10-K",
    ],
)
def test_the_search_results_title_tells_whom_a_nameless_page_is_about(title: str) -> None:
    """A name before a word of reports, where neither the page's title nor its text presents anybody."""
    assert found(QUERY, SHEET, CURRENCY, title) == Decimal("140976000000")


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Halden balance sheets",
        "Corvane",
        "Corvane rival Halden balance sheets",
        "why Corvane balance sheets",
    ],
)
def test_another_title_or_one_that_leads_elsewhere_tells_nothing(title: str) -> None:
    """Another company, no word of reports, or a name that is not what the title begins with."""
    assert found(QUERY, SHEET, CURRENCY, title) is None


@pytest.mark.parametrize(
    "page",
    [
        "Halden balance sheets" + SHEET,
        "\n\nHALDEN, INC.\n\n" + SHEET.lstrip(),
        "\n\nHalden Works\n\n(Exact name of registrant as specified in its charter)\n\n" + SHEET.lstrip(),
    ],
)
def test_a_page_that_presents_somebody_is_not_renamed(page: str) -> None:
    """Its own title, heading or cover counts, whatever a search source calls it."""
    assert found(QUERY, page, CURRENCY, "Corvane balance sheets 31 May 2024") is None


def test_such_a_name_stands_nowhere_on_the_page() -> None:
    """Its span is empty, so that no quote is made of it."""
    (name,) = identify(Page(SHEET), "Corvane balance sheets").names
    assert (name.stems, name.span.start, name.span.end) == (("corvane",), 0, 0)


def test_one_registrant_named_twice_is_one() -> None:
    """At the signature again, or in translation."""
    again = "\n\nNORVANE, INC.\n\n(Registrant)\n\n"
    cover = "x\n\nNorvane, Inc.\n\n(Exact name of registrant as specified in its charter)\n\n"
    assert not identify(Page(cover + again.lstrip())).several
    translated = (
        "x\n\nNORVANE N.V.\n\n(Exact name of registrant)\n\nRoyal Norvane\n\n(Translation of registrant)"
    )
    assert not identify(Page(translated)).several


def test_two_registrants_are_several() -> None:
    """A joint filing of two companies: a figure without a name over it may be of either."""
    cover = (
        "x\n\nNorvane Gas Company\n\n(Exact name of registrant)\n\nHalden Utilities Company\n\n(Registrant)\n"
    )
    assert identify(Page(cover)).several
