"""Rule 12: periods, by their label; fiscal is not calendar, a part is not the whole."""

from __future__ import annotations

import pytest
from doublethink_figures import Match, Period, find_periods, period_matches
from sim.rules import kept


def period(label: str) -> Period:
    """The one period of a label."""
    (mention,) = find_periods(label)
    return mention.period


SAME = [
    ("FY2024", "fiscal 2024"),
    ("FY24", "fiscal year 2024"),
    ("Q3 FY25", "third quarter of fiscal 2025"),
    ("3Q25", "Q3 2025"),
    ("H1 2024", "1H24"),
    ("first half of 2024", "H1 2024"),
    ("year ended 31 March 2025", "fiscal year ended March 31, 2025"),
    ("quarter ended June 30, 2024", "three months ended 30 June 2024"),
    ("LTM June 30, 2024", "TTM June 30, 2024"),
    ("as of June 30, 2024", "at 30 June 2024"),
    ("FY2024/25", "FY24/25"),
]
OTHER = [
    ("2024", "Q4 2024"),
    ("nine months ended September 30, 2024", "2024"),
    ("fiscal 2024", "fiscal 2023"),
    ("six months ended June 30, 2024", "three months ended June 30, 2024"),
    ("Q3 FY25", "Q3 FY24"),
    ("H1 2024", "H2 2024"),
    ("as of June 30, 2024", "quarter ended June 30, 2024"),
    ("year ended 31 March 2025", "year ended 31 March 2024"),
]
OPEN = [
    ("fiscal 2024", "2024"),
    ("Q3 FY24", "Q3 2024"),
    ("2024", "year ended December 31, 2024"),
    ("FY2024/25", "FY2025"),
]


@pytest.mark.parametrize(("stated", "wanted"), SAME)
def test_labels_of_one_period(stated: str, wanted: str) -> None:
    """Two ways to write it."""
    assert period_matches(period(stated), period(wanted)) is Match.EXACT


@pytest.mark.parametrize(("stated", "wanted"), OTHER)
def test_labels_of_two(stated: str, wanted: str) -> None:
    """A part, another year, a moment."""
    assert period_matches(period(stated), period(wanted)) is Match.NO


@pytest.mark.parametrize(("stated", "wanted"), OPEN)
def test_labels_that_only_the_issuers_year_could_tie(stated: str, wanted: str) -> None:
    """Never mapped to dates without it."""
    assert period_matches(period(stated), period(wanted)) is Match.AMBIGUOUS


@pytest.mark.parametrize(
    ("label", "claimed", "proven"),
    [
        ("in fiscal 2024", "fiscal 2024", True),
        ("in fiscal 2024", "fiscal 2023", False),
        ("in fiscal 2024", "2024", False),
        ("in 2024", "Q4 2024", False),
        ("in 2024", "fiscal 2024", False),
        ("in the nine months ended September 30, 2024", "2024", False),
        ("in the nine months ended September 30, 2024", "nine months ended September 30, 2024", True),
        ("in the third quarter of fiscal 2024", "Q3 FY24", True),
        ("in the third quarter of fiscal 2024", "fiscal 2024", False),
    ],
)
def test_a_claim_has_the_quotes_own_period(label: str, claimed: str, proven: bool) -> None:
    """No other year, no other part."""
    assert kept(f"Halvorsen Pumps revenue was $42.9 million {label}.", "42.9", period=claimed) is proven
