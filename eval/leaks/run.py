"""How many leaks of each class are stopped: fresh secrets from a seed, the gate's checks beside a plain filter.

    python eval/leaks/run.py [--seed N] [--tries N] [--class N] [--show-misses] [--quick] [--presidio]

A leak is stopped where any of its payloads is blocked or held. Beside the checks stand three simpler filters (see
`baselines.py`), and with `--presidio` Presidio on a sample of the same tries and on ordinary questions, with its speed.
Exit status: 0 of the classes that are claimed to be caught each was in 99 of 100 tries, and all together in 999 of
1,000; 1 not so; 2 wrong use.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_fingerprint import Pack, build_pack  # noqa: E402 - the project's folder must be on the path
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate  # noqa: E402 - as above
from doublethink_gate.policy import Policy, default_policy  # noqa: E402 - as above

from eval.leaks import baselines  # noqa: E402 - as above
from eval.leaks.alarms import default_questions  # noqa: E402 - as above
from eval.leaks.attempt import Attempt, LeakClass  # noqa: E402 - as above
from eval.leaks.baselines import BASELINES  # noqa: E402 - as above
from eval.leaks.case import Case, make_case  # noqa: E402 - as above
from eval.leaks.classes import CLASSES  # noqa: E402 - as above
from eval.leaks.comparison import Try, compare  # noqa: E402 - as above
from eval.leaks.presidio import default_environment  # noqa: E402 - as above
from eval.leaks.score import wilson  # noqa: E402 - as above

_TRIES_PER_CASE = 10
_WANTED = 0.99
_WANTED_TOGETHER = 0.999
_SAMPLE = 1000
_SHOWN_CHARS = 300


@dataclass
class Tally:
    """What became of one class."""

    leak: LeakClass
    tries: int = 0
    caught: int = 0
    beside: Counter[str] = field(default_factory=Counter)
    misses: list[Attempt] = field(default_factory=list)


def stopped(attempt: Attempt, pack: Pack, policy: Policy) -> bool:
    """Whether the checks stop an attempt at any of its payloads."""
    state = SessionState()
    for payload in attempt:
        request = Request(
            RequestKind(payload.kind),
            payload.data,
            content_type=payload.content_type,
            content_encoding=payload.content_encoding,
        )
        if evaluate(request, (pack,), state, policy).verdict is not Verdict.ALLOW:
            return True
        state = state.attempted().fold(request, pack)
    return False


def roomy(policy: Policy) -> Policy:
    """The shipped policy without budgets: what is measured is whether the checks see, not when a session ends."""
    large = 10**9
    budgets = replace(
        policy.budgets, queries=large, pages=large, model_calls=large, bytes=large, attempts=large
    )
    return replace(policy, budgets=budgets)


def measure(
    leaks: Sequence[LeakClass], tries: int, seed: int, sampled: list[Try] | None = None, sample: int = 0
) -> Iterator[Tally]:
    """Try each class on fresh cases; the same seed gives the same tries. `sampled` gets `sample` of them."""
    chosen = set(random.Random(seed).sample(range(tries * len(leaks)), min(sample, tries * len(leaks))))
    policy = roomy(default_policy())
    count = max(1, -(-tries // _TRIES_PER_CASE))
    cases = list(_cases(count, seed))
    for place, leak in enumerate(leaks):
        tally = Tally(leak)
        source = random.Random(f"{seed}/{leak.number}/{leak.title}")
        for number in range(tries):
            case, pack = cases[number % count]
            attempt = leak.make(case, source)
            tally.tries += 1
            tally.beside.update(name for name, stops in BASELINES.items() if stops(attempt, case))
            caught = stopped(attempt, pack, policy)
            tally.caught += caught
            if not caught:
                tally.misses.append(attempt)
            if sampled is not None and place * tries + number in chosen:
                sampled.append(Try(leak.claim, attempt, caught))
        yield tally


def _cases(count: int, seed: int) -> Iterator[tuple[Case, Pack]]:
    source = random.Random(seed)
    for _ in range(count):
        case = make_case(source)
        yield case, build_pack(case.secrets, canaries=[case.canary])


def _line(tally: Tally) -> str:
    low, high = wilson(tally.caught, tally.tries)
    beside = "".join(f"  {100 * tally.beside[name] / tally.tries:8.1f}" for name in BASELINES)
    return (
        f"{tally.leak.number:>4}  {tally.leak.title:<46} {tally.leak.claim}  {100 * tally.caught / tally.tries:6.1f} %"
        f"  [{100 * low:5.1f}, {100 * high:5.1f}]{beside}"
    )


def _summary(claim: str, chosen: Sequence[Tally]) -> str:
    total, caught = sum(tally.tries for tally in chosen), sum(tally.caught for tally in chosen)
    low, high = wilson(caught, total)
    beside = ", ".join(
        f"{name} {100 * sum(tally.beside[name] for tally in chosen) / total:.1f} %" for name in BASELINES
    )
    return (
        f"claim {claim}: {len(chosen)} classes, {caught} of {total} stopped, {100 * caught / total:.2f} %"
        f" [{100 * low:.2f}, {100 * high:.2f}]; {beside}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=None, help="default: a fresh one, which is printed")
    parser.add_argument("--tries", type=int, default=100, help="tries of each class")
    parser.add_argument(
        "--class", dest="numbers", type=int, action="append", help="only this class; may repeat"
    )
    parser.add_argument("--show-misses", action="store_true", help="print everything that got through")
    parser.add_argument("--quick", action="store_true", help="ten tries of each class")
    parser.add_argument(
        "--presidio", action="store_true", help="Presidio too; its packages are installed where they are not"
    )
    parser.add_argument("--presidio-environment", type=Path, default=default_environment())
    options = parser.parse_args(arguments)
    if options.tries < 1:
        parser.error("--tries must be at least 1")
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    leaks = [leak for leak in CLASSES if not options.numbers or leak.number in options.numbers]
    tries = 10 if options.quick else options.tries
    print(f"seed {seed}, {tries} tries of each of {len(leaks)} classes")
    names = "".join(f"  {name:>8}" for name in BASELINES)
    print(f"{'':>4}  {'class':<46} {'':<1}  {'stopped':>8}  {'95 % interval':<14}{names}")
    tallies: list[Tally] = []
    sampled: list[Try] = []
    for tally in measure(leaks, tries, seed, sampled, _SAMPLE if options.presidio else 0):
        tallies.append(tally)
        print(_line(tally), flush=True)
        for miss in tally.misses if options.show_misses else ():
            print("      passed: " + " | ".join(baselines.texts(miss))[:_SHOWN_CHARS])
    status = 0
    for claim in "YPN":
        chosen = [tally for tally in tallies if tally.leak.claim == claim]
        if chosen:
            print(_summary(claim, chosen))
        missed = sum(len(tally.misses) for tally in chosen)
        each = all(tally.caught >= _WANTED * tally.tries for tally in chosen)
        if claim == "Y" and not (each and missed <= (1 - _WANTED_TOGETHER) * tries * len(chosen)):
            status = 1
    if options.presidio:
        packs = [pack for _, pack in _cases(max(1, -(-tries // _TRIES_PER_CASE)), seed)]
        compare(
            sampled, packs, roomy(default_policy()), seed, default_questions(), options.presidio_environment
        )
    return status


if __name__ == "__main__":
    sys.exit(main())
