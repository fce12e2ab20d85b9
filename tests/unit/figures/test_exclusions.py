"""Digits that are no figure."""

import pytest
from doublethink_figures import Context, find_figures


@pytest.mark.parametrize(
    "text",
    [
        "in 2024 and 2023",
        "FY2024/25",
        "2023-24",
        "2019-2023",
        "Q3 FY25",
        "three months ended July 30, 2023",
        "13 weeks ended",
        "September 28, 2024",
        "30.06.2024",
        "2024-06-30",
        "by June 30",
        "Form 10-K",
        "Form 8-K and Form 10-Q/A",
        "a 10-K filing",
        "its 401(k) plan",
        "Section 13 or 15(d)",
        "SECTION 13 OR 15(d)",
        "Rule 10b5-1",
        "Note 5",
        "Notes 5 and 6",
        "see page 12",
        "Item 1A",
        "Exhibit 99.1",
        "ASC 606 and IFRS 16",
        "17 CFR 230.425",
        "the S&P 500",
        "a Fortune 500 company",
        "the Russell 2000",
        "3M and 7-Eleven",
        "COVID-19",
        "the A380, a 5G phone and an MP3 player",
        "GPT-4",
        "a 5-year note",
        "a 12-month term",
        "the 10th and 21st",
        "the 1990s",
        "ISIN US0378331005",
        "DE0007164600",
        "call +1 (408) 996-1010",
        "408-996-1010",
        "at 10:30 a.m.",
        "a 4-for-1 split",
        "https://example.com/2024/123",
        "mail 12@example.com",
        "version 2.1.3",
        "0001193125-18-236766",
        "No. 2024-03",
        "24/7",
        "a 7-3 vote",
        "fiscal '24",
        "twenty twenty-four",
        "one of the banks",
        "the first half",
    ],
)
def test_digits_that_are_no_figure(text: str) -> None:
    """Years, dates, names, references, identifiers and marks are not values."""
    assert find_figures(text) == ()


def test_a_heading_year_in_a_cell_is_no_amount() -> None:
    """A cell that holds four digits of a year stays out."""
    assert find_figures("2024", context=Context(table_cell=True)) == ()


@pytest.mark.parametrize("text", ["$2024", "2024 employees", "2,024.5", "€2010 million"])
def test_four_digits_can_be_an_amount_when_the_text_says_so(text: str) -> None:
    """Money, counted things and separators make an amount of what could be a year."""
    assert len(find_figures(text)) == 1


def test_a_year_before_a_noun_is_a_year_after_a_preposition() -> None:
    """ "in 2024 customers bought" counts nobody."""
    assert find_figures("in 2024 customers bought more") == ()
