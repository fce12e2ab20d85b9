"""A page costs no more than its budget, honest pages stay far below it, and what is cut off counts as unread."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from doublethink_figures import Direction, UnitClass
from doublethink_gate.pages import extract_page
from doublethink_validator import effort
from doublethink_validator.errors import Reason
from doublethink_validator.examination import Examination, Material, Verdict, examine
from doublethink_validator.proof import Claim
from doublethink_validator.survey import Examined
from sim.hostile_pages import HOSTILE, giant_table, short_lines
from sim.pagetexts import statements

_CASES = Path(os.environ.get("DOUBLETHINK_CASES", Path(__file__).parents[4] / "shared" / "cases"))
_PAGES = _CASES / "corpus" / "pages"
_DEVELOPMENT = 18
_PAGE = "pag_" + "a" * 26
_QUERY = "Acme Corp net sales 2024"
_LENGTH = 40_000


def _examined(text: str, claims: tuple[Claim, ...] = ()) -> Examination:
    return examine(_QUERY, None, UnitClass.CURRENCY, [Material(_PAGE, text, False, claims)])


def _claim(quote: str, value: str) -> Claim:
    return Claim(quote, (), -1, value, "million", "$", "2024", Direction.NONE, frozenset())


def _calls(work: Callable[[], object]) -> int:
    """How many calls of functions a piece of work makes: the same number on every machine and under any load."""
    made = 0

    def count(_frame: object, _event: str, _argument: object) -> None:
        nonlocal made
        made += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_hostile_page_costs_in_proportion_to_its_length_or_its_steps(make: Callable[[int], str]) -> None:
    """Four times the page takes about four times the calls, or as much more as the steps grow that are counted."""
    claims = tuple(_claim(quote, "4.2") for quote in ("Net sales", "net sales", "Acme Corp")) * 20
    took, steps = [], []
    for length in (_LENGTH // 4, _LENGTH):
        text = make(length)
        took.append(_calls(lambda text=text: _examined(text, claims)))  # type: ignore[misc]  # bound at once
        steps.append(Examined(_PAGE, text).steps)
    assert took[1] < 1.5 * max(4, steps[1] / max(1, steps[0])) * took[0]


def test_honest_pages_of_the_simulator_are_read_whole() -> None:
    """Statements as companies publish them need a small part of the budget."""
    for statement in statements(0):
        examined = Examined(_PAGE, next(statement.truths()).page)
        assert not examined.cut
        assert examined.steps * 10 < effort.BUDGET


def test_saved_filings_are_read_whole_with_room_to_spare(capsys: pytest.CaptureFixture[str]) -> None:
    """The longest of the saved filings needs less than a fifth of the budget."""
    if not _PAGES.is_dir():
        pytest.skip(
            "NOT RUN: the saved pages are absent; set DOUBLETHINK_CASES to the folder that holds them"
        )
    needed: dict[str, int] = {}
    for file in sorted(_PAGES.glob("*.html"))[:_DEVELOPMENT]:
        examined = Examined(_PAGE, extract_page(file.read_bytes(), "text/html").text)
        assert not examined.cut, file.name
        needed[file.name] = examined.steps
    most = max(needed, key=lambda name: needed[name])
    with capsys.disabled():
        print(
            f"\n{most} needs {needed[most]:,} of {effort.BUDGET:,} steps, 1 of {effort.BUDGET / needed[most]:.1f}"
        )
    assert needed[most] * 5 < effort.BUDGET


def test_a_page_beyond_the_budget_is_cut_at_a_block_and_the_same_again() -> None:
    """What is read ends where a block ends, within the budget, and at the same place each time."""
    text = short_lines(1_000_000)
    first, second = Examined(_PAGE, text), Examined(_PAGE, text)
    assert first.cut
    assert 0 < first.steps <= effort.BUDGET
    assert text.startswith(first.page.text)
    assert first.page.text.endswith("\n")
    assert first.page.text == second.page.text


def test_nothing_is_not_found_on_a_page_that_is_not_read_to_its_end() -> None:
    """A figure behind the cut is not proven, and the verdict says that it could not be checked, and why."""
    text = giant_table(1_000_000) + "\nAcme Corp gross margin was 12.5% in 2024.\n"
    result = _examined(text)
    assert result.verdict is Verdict.CANNOT_CHECK
    assert result.reasons[Reason.PAGE_TOO_LONG] == 1


def test_a_figure_before_the_cut_is_still_proven() -> None:
    """An honest figure ahead of more than can be read is found, as it is on a page that the source cut off."""
    said = "Acme Corp net sales were $4.2 million in 2024."
    filler = "Total assets were $7.{} million in 2024.\n"
    text = f"Acme Corp\n\n{said}\n" + "".join(filler.format(n) for n in range(25_000))
    result = _examined(text, (_claim(said, "4.2"),))
    assert result.reasons[Reason.PAGE_TOO_LONG] == 1
    assert result.verdict is Verdict.FOUND


def test_a_page_that_cannot_be_taken_apart_is_not_one_without_the_figure() -> None:
    """A table out of all bounds leaves the page unread: it cannot be checked."""
    result = _examined("Acme Corp\n\n" + "a\t" * 500 + "\n")
    assert result.verdict is Verdict.CANNOT_CHECK
    assert result.reasons == {Reason.PAGE_TOO_LONG: 1}


def test_a_list_of_figures_says_of_none_what_it_is_of() -> None:
    """A sentence of more than sixty numerals gives no reading; one of a few does."""
    from doublethink_validator.clauses import MAX_NUMERALS

    few = "Acme Corp net sales were $4.2 million in 2024."
    many = "Acme Corp net sales were $4.2 million in 2024, " + "1 " * MAX_NUMERALS + "."
    assert [
        len(examined.read_sentence(sentence))
        for text in (few, many)
        for examined in [Examined(_PAGE, f"Acme Corp\n\n{text}\n")]
        for block in examined.page.blocks
        for sentence in examined.sentences(block)  # type: ignore[arg-type]  # the page has no table
    ] == [1, 0]
