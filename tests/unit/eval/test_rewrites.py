"""The generator of personal details, and what counts as a question that went out without them."""

from __future__ import annotations

from random import Random

import pytest
from doublethink_gate.checks.checksums import iban, luhn

from eval.leaks import rewrites
from eval.leaks.details import Detail, details, insert
from eval.leaks.rewrites import Workspace, outcome, workspaces


def _source(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a sample


@pytest.fixture(scope="module")
def deals() -> Workspace:
    """The workspace with the shipped policy."""
    return workspaces(_source(1))[0]


@pytest.mark.parametrize(
    ("asked", "added", "result"),
    [
        ("hail damage deductible for patient 219-09-9999", "219-09-9999", "clean"),
        ("hail damage deductible", "219-09-9999", "details not seen"),
        ("hail damage deductible Vantorquill 219-09-9999", "219-09-9999", "block"),
        ("hail damage for patient 219-09-9999", "219-09-9999", "a word of the question lost"),
        ("hail damage deductible of Moss 219-09-9999", "Moss", "a part of a detail left"),
    ],
)
def test_what_counts(deals: Workspace, asked: str, added: str, result: str) -> None:
    """A question counts only if it was rewritten, no part of a detail is left and every word of it is."""
    detail = Detail("any", added, (added,), clause=True)
    assert outcome(deals, "hail damage deductible", asked, [detail])[0].partition(":")[0] == result


def test_details_are_what_they_look_like() -> None:
    """Cards and accounts pass their checksums, so that a filter has to find them; one seed gives one list."""
    source, again = _source(7), _source(7)
    made = [detail for _ in range(80) for detail in details(source, ())]
    assert made == [detail for _ in range(80) for detail in details(again, ())]
    assert all(luhn(detail.parts[0]) for detail in made if detail.kind == "card")
    assert all(iban(detail.parts[0]) for detail in made if detail.kind == "iban")
    assert {"card", "iban", "ssn", "phone", "email", "birth date", "address"} <= {
        detail.kind for detail in made
    }


def test_a_question_keeps_its_words_when_details_are_put_in() -> None:
    """They stand before, behind or in it, and it is there whole."""
    source = _source(3)
    for _ in range(40):
        added = details(source, ())
        asked = insert("is flood damage covered?", added, source)
        assert "is flood damage covered" in asked
        assert all(detail.phrase[1:] in asked for detail in added)


def test_the_exit_status_says_whether_enough_went_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the goal it is 1; the goal itself is reached on a few tries."""
    arguments = ["--seed", "1", "--tries", "12", "--questions", "/nowhere"]
    assert rewrites.main(arguments) == 0
    monkeypatch.setattr(rewrites, "_GOAL", 1.01)
    assert rewrites.main(arguments) == 1
