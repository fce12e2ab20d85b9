"""Lines of statements by their other names, for the queries after the first."""

from __future__ import annotations

from collections import Counter

import pytest
from doublethink.planner.v1 import research_pb2 as research
from doublethink_planner.question.other_names import MOST, _lines, other_names
from doublethink_planner.rules import plan_by_rules


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("operating profit", "operating income"),
        ("operating income", "income from operations"),
        ("total revenue", "net sales"),
        ("turnover", "revenue"),
        ("Pumps operating profit", "Pumps operating income"),
        ("adjusted operating profit", "adjusted operating income"),
        ("operating profit in the Pumps segment", "operating income in the Pumps segment"),
        ("R&D expense", "research and development"),
        ("capex", "capital expenditures"),
        ("profit before tax", "income before income taxes"),
        ("stockholders' equity", "shareholders' equity"),
        ("net cash provided by operating activities", "operating activities"),
        ("CET1 ratio", "common equity tier 1 capital ratio"),
        ("depreciation and amortisation", "depreciation and amortization"),
    ],
)
def test_a_line_is_looked_for_by_its_other_names(asked: str, first: str) -> None:
    """The likeliest first, parts and bases kept, never the name that was asked already."""
    names = other_names(asked)
    assert names[0] == first
    assert len(names) <= MOST
    assert asked not in names


@pytest.mark.parametrize(
    "asked",
    [
        "net sales",
        "EBIT",
        "net debt",
        "deferred income taxes paid",
        "restricted cash",
        "Services revenue",
        "cost of maintenance revenue",
        "cash paid for income taxes",
        "gross margin",
        "interest income on loans",
        "non-operating income",
    ],
)
def test_what_may_be_another_figure_keeps_its_name(asked: str) -> None:
    """Net sales may be a part of revenue, a margin a percentage, a line with a word before it another line."""
    assert other_names(asked) == ()


def test_no_name_stands_on_two_lines() -> None:
    """A name that meant two lines would be asked for as the first of them."""
    lines = Counter(name for names in set(_lines().values()) for name in set(names))
    assert [name for name, count in lines.items() if count > 1] == []


def test_a_query_in_another_order_is_not_asked_again() -> None:
    """Every search costs a credit: the same words in another order find the same pages."""
    request = research.ResearchRequest(question="What was Veldt's goodwill at June 30, 2023?")
    (figure,) = plan_by_rules(request).figures
    assert figure.queries == ("Veldt goodwill at June 30, 2023",)


def test_other_names_come_after_the_questions_own_words() -> None:
    """First what was asked, then what reports may call it."""
    request = research.ResearchRequest(question="What was Veldt's operating profit in fiscal 2023?")
    (figure,) = plan_by_rules(request).figures
    assert figure.queries == (
        "Veldt operating profit fiscal 2023",
        "Veldt operating income fiscal 2023",
        "Veldt income from operations fiscal 2023",
    )
