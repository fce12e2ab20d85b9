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


_COVER = (
    "\n\nCorvane, Inc.\n\n(Exact name of registrant as specified in its charter)\n\n"
    "Title of each class\tTrading symbol(s)\tName of each exchange\nCommon Stock\t{sign}\tNYSE\n"
)


@pytest.mark.parametrize(
    ("sign", "after", "value"),
    [
        ("CRV", "", "140976000000"),
        ("HAL", "", None),
        ("CRV", "\nA crv is a vehicle.\n", None),
    ],
)
def test_a_sign_at_an_exchange_names_the_company(sign: str, after: str, value: str | None) -> None:
    """The cover's own sign; not another's, and not one that the page uses as a word."""
    page = _COVER.format(sign=sign) + after + SHEET
    asked = QUERY.replace("Corvane", "CRV")
    assert found(asked, page, CURRENCY) == (None if value is None else Decimal(value))


def test_a_sign_in_brackets_after_the_name_names_the_company() -> None:
    """ "Corvane, Inc. (NYSE: CRV) today announced"."""
    page = (
        "\n\nBOSTON, April 14, 2024 – Corvane, Inc. (NYSE: CRV) today announced its results.\n\nFinancial Summary\n"
        + SHEET
    )
    assert found(QUERY.replace("Corvane", "CRV"), page, CURRENCY) == Decimal("140976000000")


def test_who_announces_something_is_whom_a_release_is_about() -> None:
    """A name without a legal form counts where its sign and what it did follow it; one in passing does not."""
    opening = "\n\nST. PAUL, Minn., March 8, 2024 – 5C (NYSE: FVC) announced today that it will split.\n"
    asked = QUERY.replace("Corvane", "5C")
    assert found(asked, opening + SHEET, CURRENCY) == Decimal("140976000000")
    passing = "\n\nAnalysts compare it with 5C (NYSE: FVC) and others.\n"
    assert found(asked, passing + SHEET, CURRENCY) is None


@pytest.mark.parametrize("title", ["Document", "NOTE 7 — PROPERTY AND EQUIPMENT"])
def test_a_title_of_a_part_names_nobody(title: str) -> None:
    """What a filing system calls a file, or the heading of a note, is no company."""
    assert identify(Page(title + SHEET)).names == ()
