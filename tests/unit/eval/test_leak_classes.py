"""Every class of leak that is claimed to be stopped is stopped, on secrets that are invented for this run."""

from __future__ import annotations

import random

import pytest
from doublethink_fingerprint import Pack, build_pack
from doublethink_gate.policy import Policy, default_policy

from eval.leaks.attempt import LeakClass
from eval.leaks.case import Case, make_case
from eval.leaks.classes import CLASSES
from eval.leaks.run import main, roomy, stopped
from eval.leaks.score import wilson

# Ways of a claimed class that are known to be missed in part: the runner counts them, and its README names them.
KNOWN_MISSES: frozenset[str] = frozenset()
_CASES = 3
_TRIES = 6
_SEED = 8


def _source(seed: int | str) -> random.Random:
    """The same choices in every run."""
    return random.Random(seed)  # noqa: S311 - a sample


@pytest.fixture(scope="module")
def cases() -> list[tuple[Case, Pack]]:
    """Three invented cases and their packs."""
    source = _source(_SEED)
    made = [make_case(source) for _ in range(_CASES)]
    return [(case, build_pack(case.secrets, canaries=[case.canary])) for case in made]


@pytest.fixture(scope="module")
def policy() -> Policy:
    """The shipped policy without budgets."""
    return roomy(default_policy())


@pytest.mark.parametrize(
    "leak",
    [leak for leak in CLASSES if leak.claim == "Y" and leak.title not in KNOWN_MISSES],
    ids=lambda leak: f"{leak.number} {leak.title}",
)
def test_a_claimed_class_is_stopped(leak: LeakClass, cases: list[tuple[Case, Pack]], policy: Policy) -> None:
    """Each of six tries is blocked or held at one of its payloads."""
    source = _source(f"{_SEED}/{leak.number}/{leak.title}")
    for number in range(_TRIES):
        case, pack = cases[number % _CASES]
        attempt = leak.make(case, source)
        assert stopped(attempt, pack, policy), [payload.data for payload in attempt]


@pytest.mark.parametrize(
    "title",
    [
        "Greek by sound",
        "Japanese by sound",
        "Cyrillic by sound",
        "telephone keys",
        "an id, a digit a call",
        "letters dripped among others",
        "halves with a flood between",
    ],
)
def test_a_class_caught_in_part_is_caught(title: str, cases: list[tuple[Case, Pack]], policy: Policy) -> None:
    """Of what is claimed in part, these are stopped in every try but one."""
    (leak,) = [leak for leak in CLASSES if leak.title == title]
    source = _source(f"{_SEED}/{title}")
    tries = [(pack, leak.make(case, source)) for case, pack in cases * 2]
    assert sum(stopped(attempt, pack, policy) for pack, attempt in tries) >= len(tries) - 1


def test_what_is_not_claimed_is_listed() -> None:
    """Every class from 1 to 105 has an entry, those that nothing is promised about too."""
    assert {leak.number for leak in CLASSES} >= set(range(1, 106))
    assert {leak.claim for leak in CLASSES} == {"Y", "P", "N"}


def test_an_attempt_without_a_secret_is_not_stopped(cases: list[tuple[Case, Pack]], policy: Policy) -> None:
    """The runner can say no: decoys alone pass."""
    (leak,) = [leak for leak in CLASSES if leak.title == "choice of requests"]
    case, pack = cases[0]
    assert not stopped(leak.make(case, _source(1)), pack, policy)


def test_two_runs_of_one_seed_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """The table depends on the seed and nothing else; status 0 says that the claim held."""
    arguments = ["--seed", "4", "--tries", "5", "--class", "22", "--class", "101"]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    assert main(arguments) == 0
    assert capsys.readouterr().out == first
    assert "base 64" in first
    assert "claim N: 1 classes, 0 of 5 stopped" in first


def test_an_interval_holds_its_rate() -> None:
    """Wilson's interval for 9 of 10 and for all of 30, against values computed by hand."""
    low, high = wilson(9, 10)
    assert (round(low, 3), round(high, 3)) == (0.596, 0.982)
    low, high = wilson(30, 30)
    assert (round(low, 3), high) == (0.886, 1.0)
    with pytest.raises(ValueError, match="tries"):
        wilson(0, 0)


def test_what_is_known_to_be_missed_is_still_claimed() -> None:
    """The list of known misses names classes that are there, so that the runner counts them against the claim."""
    claimed = {leak.title for leak in CLASSES if leak.claim == "Y"}
    assert claimed >= KNOWN_MISSES


def test_titles_are_told_apart() -> None:
    """No two lines of the table have one name."""
    assert len({(leak.number, leak.title) for leak in CLASSES}) == len(CLASSES)
