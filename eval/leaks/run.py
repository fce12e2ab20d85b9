"""How many leaks of each class are stopped: fresh secrets from a seed, the gate's checks beside a plain filter.

    python eval/leaks/run.py [--seed N] [--tries N] [--class N] [--show-misses] [--quick]

A leak is stopped where any of its payloads is blocked or held. The plain filter looks for the same values,
literally and without regard to case. Exit status: 0 every class that is claimed to be caught was caught in at
least 99 of 100 tries, 1 one was not, 2 wrong use.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_fingerprint import Pack, build_pack  # noqa: E402 - the project's folder must be on the path
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate  # noqa: E402 - as above
from doublethink_gate.policy import Policy, default_policy  # noqa: E402 - as above

from eval.leaks.attempt import Attempt, LeakClass  # noqa: E402 - as above
from eval.leaks.case import Case, make_case  # noqa: E402 - as above
from eval.leaks.classes import CLASSES  # noqa: E402 - as above
from eval.leaks.score import wilson  # noqa: E402 - as above

_TRIES_PER_CASE = 10
_WANTED = 0.99


@dataclass
class Tally:
    """What became of one class."""

    leak: LeakClass
    tries: int = 0
    caught: int = 0
    plain: int = 0
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


def measure(leaks: Sequence[LeakClass], tries: int, seed: int) -> Iterator[Tally]:
    """Try each class on fresh cases; the same seed gives the same tries."""
    policy = roomy(default_policy())
    count = max(1, -(-tries // _TRIES_PER_CASE))
    cases = list(_cases(count, seed))
    for leak in leaks:
        tally = Tally(leak)
        source = random.Random(f"{seed}/{leak.number}/{leak.title}")
        for number in range(tries):
            case, pack, plain = cases[number % count]
            attempt = leak.make(case, source)
            tally.tries += 1
            tally.plain += any(plain.search(payload.data.decode("utf-8", "replace")) for payload in attempt)
            if stopped(attempt, pack, policy):
                tally.caught += 1
            else:
                tally.misses.append(attempt)
        yield tally


def _cases(count: int, seed: int) -> Iterator[tuple[Case, Pack, re.Pattern[str]]]:
    source = random.Random(seed)
    for _ in range(count):
        case = make_case(source)
        plain = re.compile("|".join(re.escape(text) for text in case.literals), re.IGNORECASE)
        yield case, build_pack(case.secrets, canaries=[case.canary]), plain


def _line(tally: Tally) -> str:
    low, high = wilson(tally.caught, tally.tries)
    share, plain = 100 * tally.caught / tally.tries, 100 * tally.plain / tally.tries
    return (
        f"{tally.leak.number:>4}  {tally.leak.title:<46} {tally.leak.claim}  {share:6.1f} %"
        f"  [{100 * low:5.1f}, {100 * high:5.1f}]  {plain:6.1f} %"
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
    parser.add_argument(
        "--show-misses", action="store_true", help="print what got through, at most three a class"
    )
    parser.add_argument("--quick", action="store_true", help="ten tries of each class")
    options = parser.parse_args(arguments)
    if options.tries < 1:
        parser.error("--tries must be at least 1")
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    leaks = [leak for leak in CLASSES if not options.numbers or leak.number in options.numbers]
    tries = 10 if options.quick else options.tries
    print(f"seed {seed}, {tries} tries of each of {len(leaks)} classes")
    print(f"{'':>4}  {'class':<46} {'':<1}  {'stopped':>8}  {'95 % interval':<15}  {'plain filter':>8}")
    tallies: list[Tally] = []
    for tally in measure(leaks, tries, seed):
        tallies.append(tally)
        print(_line(tally), flush=True)
        for miss in tally.misses[:3] if options.show_misses else ():
            print(
                "      passed: "
                + " | ".join(payload.data.decode("utf-8", "replace") for payload in miss)[:300]
            )
    status = 0
    for claim in "YPN":
        chosen = [tally for tally in tallies if tally.leak.claim == claim]
        total = sum(tally.tries for tally in chosen)
        if total:
            caught, plain = sum(t.caught for t in chosen), sum(t.plain for t in chosen)
            low, high = wilson(caught, total)
            print(
                f"claim {claim}: {len(chosen)} classes, {caught} of {total} stopped, {100 * caught / total:.2f} %"
                f" [{100 * low:.2f}, {100 * high:.2f}]; plain filter {100 * plain / total:.1f} %"
            )
        if claim == "Y" and any(tally.caught < _WANTED * tally.tries for tally in chosen):
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
