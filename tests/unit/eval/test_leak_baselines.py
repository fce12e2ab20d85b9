"""The filters beside the checks say yes and no, the outside cases are judged with reasons, and twins are told apart."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from eval.leaks import egress, presidio, twins
from eval.leaks.attempt import Attempt, query
from eval.leaks.baselines import BASELINES
from eval.leaks.case import Case, make_case


@pytest.fixture(scope="module")
def case() -> Case:
    """One invented deal."""
    return make_case(random.Random(11))  # noqa: S311 - a sample


def _stops(name: str, text: str, case: Case) -> bool:
    attempt: Attempt = [query("copper price"), query(text)]
    return BASELINES[name](attempt, case)


def test_plain_ignores_case_and_verbatim_does_not(case: Case) -> None:
    """The plain filter finds short values in any case; the other one long values, letter by letter."""
    assert _stops("plain", f"about {case.code.upper()} today", case)
    assert not _stops("verbatim", f"about {case.code} today", case)
    assert _stops("verbatim", f"pay to {case.iban} now", case)
    assert not _stops("verbatim", f"pay to {case.iban.lower()} now", case)
    assert not _stops("plain", "pump makers", case)


def test_formats_know_credentials_and_no_deal(case: Case) -> None:
    """The form of a token is found, and something random behind "secret"; a deal's name is not."""
    assert _stops("formats", "ghp_" + "a1B2" * 9, case)
    assert _stops("formats", "client_secret = " + "q8Zr2LwX9vTb4Ny", case)
    assert not _stops("formats", "the secret = confidential", case)
    assert not _stops("formats", case.code, case)


def test_presidio_says_why_it_was_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its packages are not to be had there is a reason, and no half-made environment counts as whole."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(presidio.NotRunError, match="not to be had"):
        presidio.analyze(["text"], tmp_path / "environment")
    assert not (tmp_path / "environment" / "whole").exists()


@pytest.mark.parametrize(
    ("payload", "expected", "why", "status"),
    [
        ({"text": "copper price"}, "allow", "plain", 0),
        ({"text": "copper price"}, "block", "domain_on_blocklist", 0),
        ({"text": "copper price"}, "block", "unheard_of", 1),
        ({"text": "ghp_" + "a1B2" * 9}, "allow", "unheard_of", 1),
    ],
)
def test_an_exception_needs_a_reason(
    payload: dict[str, str],
    expected: str,
    why: str,
    status: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A case that is judged otherwise than its label says ends with 1, unless it is named with a reason."""
    cases = tmp_path / "cases.jsonl"
    line = {"payload": payload, "expected": expected, "category": "url", "why": why}
    cases.write_text(json.dumps(line) + "\n", "utf-8")
    assert egress.main(["--cases", str(cases)]) == status
    assert ("exception: " in capsys.readouterr().out) is (why != "plain")


def test_cases_that_are_absent_are_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the file the status is 4, and says so."""
    assert egress.main(["--cases", str(tmp_path / "none.jsonl")]) == 4
    assert "NOT RUN" in capsys.readouterr().err


def test_written_twins_pass(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """None of the written harmless texts is stopped without a reason, with the secrets of twenty deals loaded."""
    monkeypatch.setattr(twins, "_MADE", 0)
    monkeypatch.setattr(twins, "twins_of_deals", lambda source: iter(()))
    assert twins.main(["--seed", "1"]) == 0
    assert "0 without a reason" in capsys.readouterr().out
