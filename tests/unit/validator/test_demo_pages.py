"""The demo's pages as the gate stores them: what each proves for the questions that the demo asks."""

from decimal import Decimal
from pathlib import Path

import pytest
from doublethink_figures import UnitClass, find_periods
from doublethink_gate.pages import extract_page
from doublethink_validator.subject import understand
from doublethink_validator.survey import Examined, best, survey

_PAGES = Path(__file__).parents[3] / "demo" / "pages"


def _fitting(page: str, query: str, unit_class: UnitClass) -> set[tuple[Decimal, str]]:
    """Every amount on the page that fits the query, with its unit."""
    text = extract_page((_PAGES / f"{page}.html").read_bytes(), "text/html").text
    subject = understand(query, find_periods(query)[-1].period, unit_class)
    found = best(survey(Examined("pag_" + "a" * 26, text), subject))
    return {(f.reading.stated * f.reading.scale, str(f.reading.unit)) for f in found}


@pytest.mark.parametrize(
    ("page", "query", "unit_class", "value", "unit"),
    [
        ("halvorsen-results-2024", "Halvorsen Pumps revenue fiscal 2024", "currency", "1284600000", "EUR"),
        ("halvorsen-results-2024", "Halvorsen Pumps revenue fiscal 2023", "currency", "1196300000", "EUR"),
        (
            "halvorsen-results-2024",
            "Halvorsen Pumps operating margin fiscal 2024",
            "percent",
            "11.8",
            "percent",
        ),
        (
            "brenner-annual-2024",
            "Brenner Flow Technology revenue fiscal 2024",
            "currency",
            "972318000",
            "EUR",
        ),
        (
            "brenner-annual-2024",
            "Brenner Flow Technology revenue fiscal 2023",
            "currency",
            "931442000",
            "EUR",
        ),
        (
            "castellan-release-2024",
            "Castellan Fluid Systems revenue fiscal 2024",
            "currency",
            "1107400000",
            "EUR",
        ),
        (
            "castellan-release-2024",
            "Castellan Fluid Systems operating profit fiscal 2024",
            "currency",
            "124000000",
            "EUR",
        ),
    ],
)
def test_a_page_proves_its_own_figures(page: str, query: str, unit_class: str, value: str, unit: str) -> None:
    """A company without a legal suffix, named in title and headings, is whom the page is about."""
    assert _fitting(page, query, UnitClass(unit_class)) == {(Decimal(value), unit)}


@pytest.mark.parametrize(
    ("page", "query", "unit_class"),
    [
        ("pump-makers-digest", "Halvorsen Pumps revenue fiscal 2024", "currency"),
        ("castellan-quarter-2024", "Castellan Fluid Systems revenue fiscal 2024", "currency"),
        ("pell-marrow-filing-2024", "Halvorsen Pumps revenue fiscal 2024", "currency"),
        ("brenner-annual-2024", "Brenner Flow Technology research and development fiscal 2024", "currency"),
    ],
)
def test_a_page_proves_nothing_that_it_does_not_say(page: str, query: str, unit_class: str) -> None:
    """Another company, another period, a row that is not there, a page that only gives orders: nothing
    fits.
    """
    assert _fitting(page, query, UnitClass(unit_class)) == set()
