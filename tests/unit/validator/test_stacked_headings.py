"""Headings in several rows: length, day and year each in a row of its own, under a row that is all title."""

from decimal import Decimal

import pytest
from doublethink_figures import UnitClass
from doublethink_validator.examination import Material, Verdict, examine
from sim.honest import claims_of

_SPAN = "\u2007"
_PAGE = "\n".join(
    [
        "Halvorsen Pumps, Inc. Reports Second Quarter 2024",
        "",
        "Halvorsen Pumps, Inc.",
        "",
        "\t".join(["Halvorsen Pumps, Inc.", "Consolidated Statement of Income (Unaudited)", *[_SPAN] * 3]),
        "\t".join(["RESULTS", "Three months ended", _SPAN, "Six months ended", _SPAN]),
        "\t".join(["Dollars in millions", "June 30", "June 30", "June 30", "June 30"]),
        "\t".join(["", "2024", "2023", "2024", "2023"]),
        "\t".join(["Revenue", "", "", "", ""]),
        "\t".join(["Net sales", "$ 310.5", "$ 290.1", "$ 604.0", "$ 571.3"]),
        "",
    ]
)


def _found(query: str) -> tuple[Verdict, set[Decimal]]:
    page = Material("pag_" + "a" * 26, _PAGE, False, claims_of(_PAGE))
    result = examine(query, None, UnitClass.CURRENCY, [page])
    return result.verdict, {p.reading.value for p in result.proven}


@pytest.mark.parametrize(
    ("period", "value"),
    [
        ("three months ended June 30, 2024", "310500000"),
        ("six months ended June 30, 2024", "604000000"),
        ("six months ended June 30, 2023", "571300000"),
    ],
)
def test_all_rows_of_a_heading_make_the_period(period: str, value: str) -> None:
    """Length, day and year are read together, and the scale in the corner counts."""
    assert _found(f"Halvorsen Pumps net sales {period}") == (Verdict.FOUND, {Decimal(value)})


@pytest.mark.parametrize("period", ["2024", "fiscal 2024", "year ended June 30, 2024"])
def test_the_year_under_a_length_is_not_the_year(period: str) -> None:
    """A figure of six months never answers for the year that stands over it."""
    verdict, values = _found(f"Halvorsen Pumps net sales {period}")
    assert verdict is not Verdict.FOUND
    assert values == set()


def test_a_page_turn_of_a_press_release_keeps_the_text_before_it_away() -> None:
    """What stands before "- more -" introduces no table of the next page, and narrows nothing on it."""
    lines = _PAGE.split("\n")
    foot = [
        "Our customers may listen to a conference call on the web.",
        "",
        "- more -",
        "",
        "Results – Page 12",
        "",
    ]
    page = "\n".join([*lines[:4], *foot, *lines[4:]])
    material = Material("pag_" + "a" * 26, page, False, claims_of(page))
    query = "Halvorsen Pumps net sales six months ended June 30, 2024"
    result = examine(query, None, UnitClass.CURRENCY, [material])
    assert (result.verdict, {p.reading.value for p in result.proven}) == (
        Verdict.FOUND,
        {Decimal("604000000")},
    )
