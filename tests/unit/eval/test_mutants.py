"""The mutants differ from what is true, and the judge of what happens to be true reads rows and columns."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from doublethink_figures import Direction

from eval.mutants.judge import is_true
from eval.mutants.mutations import altered_sentences, mutants
from eval.mutants.run import Tally, main, try_page

_CHANCE = random.Random(1)  # noqa: S311 - test data, no secret
_PAGE = "Acme Corp\n\nin millions\t2024\t2023\nNet sales\t4.2\t4.3\nCosts\t(1.0)\t(1.0)\n"


@pytest.mark.parametrize(
    ("kind", "quote", "value", "period", "true"),
    [
        ("digit", "Net sales\t4.2\t4.3", "4.3", "2024", True),
        ("digit", "Net sales\t4.2\t4.3", "4.4", "2024", False),
        ("digit", "Net sales\t4.2\t4.3", "4", "2024", False),
        ("sign", "Costs\t(1.0)\t(1.0)", "1.0", "2024", False),
        ("period", "Costs\t(1.0)\t(1.0)", "(1.0)", "2023", True),
        ("period", "Net sales\t4.2\t4.3", "4.2", "2023", False),
        ("period", "Net sales\t4.2\t4.3", "4.2", "", False),
        ("unit", "Net sales\t4.2\t4.3", "4.2", "2024", False),
        ("flag", "Net sales\t4.2\t4.3", "4.2", "2024", False),
        ("flag", "Costs\t(1.0)\t(1.0)", "(1.0)", "2024", True),
        ("direction", "Net sales\t4.2\t4.3", "4.2", "2024", False),
    ],
)
def test_the_judge_reads_row_and_column(kind: str, quote: str, value: str, period: str, true: bool) -> None:
    """Only a number of the quoted row, with its sign, under the years of the label makes a mutant true."""
    assert is_true(_PAGE, kind, quote, value, period) is true


def test_every_mutant_differs_from_its_claim() -> None:
    """All kinds are made of a row's claim, and none is the claim itself."""
    from doublethink_validator.proof import Claim

    claim = Claim("Net sales\t4.2\t4.3", (), -1, "4.2", "1000000", "$", "2024", Direction.NONE, frozenset())
    made = list(mutants(claim, _CHANCE))
    assert {m.kind for m in made} == {
        "digit", "sign", "scale", "currency", "unit", "period", "direction", "flag", "word",
    }  # fmt: skip
    assert all(m.claim != claim for m in made)


def test_a_sentence_is_denied_at_the_verb_of_its_figure() -> None:
    """Not where another number stands between, and turned where one word tells the direction."""
    text = "Net sales were $4.2 million, compared with $3.6 million."
    assert dict(altered_sentences(text, text.index("$4.2")))["negation"].startswith("Net sales were not $4.2")
    assert not dict(altered_sentences(text, text.index("$3.6")))
    rose = "Net sales increased 5% in 2024."
    assert dict(altered_sentences(rose, rose.index("5%")))["turned"] == "Net sales decreased 5% in 2024."


def test_a_page_is_tried_and_nothing_false_is_proven() -> None:
    """The claims of a small page give mutants of every kind that a table has."""
    tally = Tally()
    page = "Acme Corp\n\nAcme Corp\n\nResults\n\n(in millions)\t2024\t2023\n"
    page += "Net sales\t$ 4.2\t$ 4.3\nNet income\t1.7\t1.9\n"
    try_page("acme", page, tally, _CHANCE, 20)
    assert tally.claims >= 4
    assert {"digit", "period", "unit", "company"} <= set(tally.tried)
    assert tally.wrong == []


def test_without_pages_it_says_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 4, or 0 where it is optional."""
    assert main(["--pages", str(tmp_path)]) == 4
    assert main(["--pages", str(tmp_path), "--optional"]) == 0
    assert capsys.readouterr().err.count("NOT RUN") == 2
