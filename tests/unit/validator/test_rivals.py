"""Figures that fit one query and differ: which of them are given, and in which order."""

from __future__ import annotations

from decimal import Decimal

from doublethink_figures import UnitClass
from doublethink_validator.composition import MAX_RIVALS as MAX_SHOWN
from doublethink_validator.examination import MAX_RIVALS, Examination, Material, Verdict, examine
from sim.honest import claims_of
from sim.pagetexts import INCOME

QUERY = "Halvorsen Pumps net sales three months ended June 30, 2024"


def _examined(*texts: str, query: str = QUERY) -> Examination:
    pages = [
        Material("pag_" + chr(ord("a") + at) * 26, text, False, claims_of(text))
        for at, text in enumerate(texts)
    ]
    return examine(query, None, UnitClass.CURRENCY, pages)


def _says(amount: str) -> str:
    return INCOME.text().replace("1,204.5", amount)


def _values(result: Examination) -> list[tuple[str, Decimal]]:
    return [(rival.page.page_id[4], rival.reading.value) for rival in result.rivals]


def test_pages_that_differ_are_given_one_by_one_in_rank_order() -> None:
    """Each page with its own amount; the verdict is that nothing was found to be so."""
    result = _examined(_says("1,204.5"), _says("1,204.9"), _says("1,204.5"))
    assert result.verdict is Verdict.CANNOT_CHECK
    assert not result.proven
    assert _values(result) == [
        ("a", Decimal("1204500000")),
        ("b", Decimal("1204900000")),
        ("c", Decimal("1204500000")),
    ]


def test_pages_that_agree_have_no_rivals() -> None:
    """Nor has a page alone, or one on which nothing is found."""
    assert _examined(_says("1,204.5"), _says("1,204.5")).rivals == ()
    assert _examined(_says("1,204.5")).rivals == ()
    assert _examined("Halvorsen Pumps\n\nNothing.\n").rivals == ()


def test_the_one_that_differs_is_given_though_many_agree() -> None:
    """Where there are more than can be given, each amount comes before any comes again."""
    pages = [*[_says("1,204.5")] * MAX_RIVALS, _says("1,204.9")]
    result = _examined(*pages)
    assert len(result.rivals) == MAX_RIVALS
    assert _values(result)[-1] == (chr(ord("a") + MAX_RIVALS), Decimal("1204900000"))
    assert _values(result)[0] == ("a", Decimal("1204500000"))


def test_several_periods_are_given_where_none_was_named() -> None:
    """Not a contradiction of sources: the question leaves open which was meant, and each stands with its own period."""
    result = _examined(INCOME.text(), query="Halvorsen Pumps net sales")
    assert result.verdict is Verdict.CANNOT_CHECK
    assert len({rival.reading.period for rival in result.rivals}) == 4


def test_what_a_query_gives_is_less_than_an_answer_shows() -> None:
    """Three queries at least can show all that they have."""
    assert MAX_SHOWN >= 3 * MAX_RIVALS
