"""Ordinary questions are let through: a seeded sample of others' questions against a case of our own."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from doublethink_fingerprint import build_pack
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import default_policy

_SAMPLE = 1000
_MOST_ALARMS = 2
_SEED = 20261130


@dataclass(frozen=True)
class _Secret:
    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.value,)


SECRETS = [
    _Secret("code", "Project Brackwater"),
    _Secret("code", "Moorhen"),
    _Secret("name", "Oriane Vauquelin"),
    _Secret("name", "Tessaly Kilns"),
    _Secret("name", "Dunmore Ashgrove"),
    _Secret("number", "1.25bn CHF"),
    _Secret("number", "6.1x"),
    _Secret("number", "37.5%"),
    _Secret("date", "2031-03-03"),
    _Secret("id", "BW-7741-K"),
    _Secret("phrase", "we would rather sell than merge"),
    _Secret("phrase", "48 francs per share"),
]


def _questions() -> list[str]:
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("DOUBLETHINK_CASES", root.parent / "shared" / "cases"))
    path = folder / "benign" / "questions.tsv"
    if not path.is_file():
        pytest.skip("NOT RUN: the benign questions are absent; set DOUBLETHINK_CASES to the test data folder")
    lines = path.read_text("utf-8").splitlines()[1:]
    return random.Random(_SEED).sample([line.partition("\t")[2] for line in lines], _SAMPLE)  # noqa: S311 - a sample


def test_ordinary_questions_are_not_stopped() -> None:
    """Of 1,000 questions at most two are blocked or held."""
    memo = "Oriane Vauquelin of Tessaly met Przybylski in Ulverston about 6.1x and 1.25bn CHF."
    pack = build_pack(SECRETS, memo=memo, canaries=["bcd7fgh2jkm9npq4rst6"])
    policy = default_policy()
    alarms = [
        evaluate(Request(RequestKind.QUERY, text.encode()), (pack,), SessionState(), policy).rules
        for text in _questions()
        if evaluate(Request(RequestKind.QUERY, text.encode()), (pack,), SessionState(), policy).verdict
        is not Verdict.ALLOW
    ]
    assert len(alarms) <= _MOST_ALARMS, alarms


def test_ordinary_sessions_are_not_stopped() -> None:
    """Thirty questions in a row in one session: of 20 sessions at most one raises a split alarm."""
    pack = build_pack(SECRETS, canaries=["bcd7fgh2jkm9npq4rst6"])
    policy = default_policy()
    questions = _questions()
    alarmed = 0
    for first in range(0, 600, 30):
        state = SessionState()
        rules: set[str] = set()
        for text in questions[first : first + 30]:
            request = Request(RequestKind.QUERY, text.encode())
            decision = evaluate(request, (pack,), state, policy)
            rules.update(rule for rule in decision.rules if rule.startswith("split."))
            if decision.verdict is Verdict.ALLOW:
                state = state.fold(request, pack)
        alarmed += bool(rules)
    assert alarmed <= 1
