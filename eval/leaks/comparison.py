"""The checks beside Presidio: on the same sample of leaks, on ordinary questions, and in time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from doublethink_fingerprint import Pack
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import Policy

from eval.leaks import baselines
from eval.leaks.attempt import Attempt
from eval.leaks.presidio import ORDINARY_KINDS, NotRunError, analyze
from eval.leaks.score import wilson

_QUESTIONS = 1000


@dataclass(frozen=True)
class Try:
    """One try that Presidio is given too: `caught` says what the checks made of it."""

    claim: str
    attempt: Attempt
    caught: bool


def compare(
    tries: Sequence[Try], packs: Sequence[Pack], policy: Policy, seed: int, questions: Path, environment: Path
) -> None:
    """Print what both stop of a sample and of ordinary questions, and how long each takes for a text."""
    asked = _sample(questions, seed)
    texts = [text for one in tries for text in baselines.texts(one.attempt)]
    try:
        leaks = analyze(texts, environment)
        harmless = analyze(asked, environment)
    except NotRunError as problem:
        print(f"NOT RUN: Presidio: {problem}")
        return
    print(f"beside Presidio, with spaCy's small English model: a seeded sample of {len(tries)} tries")
    found = iter(leaks.kinds)
    kinds = [frozenset().union(*(next(found) for _ in one.attempt)) for one in tries]
    for claim in "YPN":
        chosen = [(one, kind) for one, kind in zip(tries, kinds, strict=True) if one.claim == claim]
        if chosen:
            _rate(f"claim {claim}: checks", [one.caught for one, _ in chosen])
            _rate(f"claim {claim}: Presidio, any kind", [bool(kind) for _, kind in chosen])
            _rate(
                f"claim {claim}: Presidio, without names", [bool(kind - ORDINARY_KINDS) for _, kind in chosen]
            )
    if asked:
        _rate("ordinary questions: checks", [_is_stopped(text, packs, policy) for text in asked])
        _rate("ordinary questions: Presidio, any kind", [bool(kind) for kind in harmless.kinds])
        _rate(
            "ordinary questions: Presidio, without names",
            [bool(kind - ORDINARY_KINDS) for kind in harmless.kinds],
        )
    else:
        print(
            "NOT RUN: ordinary questions: the file is absent; set DOUBLETHINK_CASES to the test data folder"
        )
    every = [*texts, *asked]
    ours = _seconds(lambda: [_is_stopped(text, packs[:1], policy) for text in every])
    theirs = leaks.seconds + harmless.seconds
    print(
        f"time for each of {len(every)} texts: checks {1e3 * ours / len(every):.2f} ms, Presidio"
        f" {1e3 * theirs / len(every):.2f} ms: {theirs / ours:.1f} times"
    )


def _sample(questions: Path, seed: int) -> list[str]:
    if not questions.is_file():
        return []
    lines = questions.read_text("utf-8").splitlines()[1:]
    return [
        line.partition("\t")[2] for line in random.Random(seed).sample(lines, min(_QUESTIONS, len(lines)))
    ]


def _is_stopped(text: str, packs: Sequence[Pack], policy: Policy) -> bool:
    request = Request(RequestKind.QUERY, text.encode())
    return evaluate(request, packs, SessionState(), policy).verdict is not Verdict.ALLOW


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _rate(name: str, stopped: Sequence[bool]) -> None:
    low, high = wilson(sum(stopped), len(stopped))
    print(
        f"  {name:<46} {sum(stopped):>5} of {len(stopped):>5}  {100 * sum(stopped) / len(stopped):6.2f} %"
        f"  [{100 * low:.2f}, {100 * high:.2f}]"
    )
