"""How fast does the validator prove: claims on an honest page, and seconds a megabyte of hostile ones.

The baseline is a plain scan of the same text for numbers, one regular expression and nothing understood. Hostile pages
are those of the tests, a million characters each, as many as a page may have; the budget cuts most of them. Times are
processor time.

    python eval/bench/validator.py [--quick]
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from doublethink_figures import Direction, UnitClass
from doublethink_validator import effort
from doublethink_validator.examination import Material, examine
from doublethink_validator.proof import Claim, prove
from doublethink_validator.survey import Examined
from sim.hostile_pages import HOSTILE
from sim.pagetexts import Truth, statements

_PAGE_ID = "pag_" + "a" * 26
_NUMBERS = re.compile(r"[-(]?[$€£]? ?[0-9][0-9.,]*")
_WHOLE = 1_000_000
_QUICK = 100_000


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def scanned(text: str) -> float:
    """Seconds that the plain scan takes, the mean of ten."""
    return max(timed(lambda: [sum(1 for _ in _NUMBERS.finditer(text)) for _ in range(10)]) / 10, 1e-6)


def claim_of(truth: Truth) -> Claim:
    """A true claim of the simulator's page."""
    return Claim(
        truth.quote,
        truth.headings,
        -1,
        truth.value,
        truth.scale,
        truth.unit,
        truth.period,
        Direction.NONE,
        frozenset(),
    )


def honest(rounds: int) -> None:
    """Claims a second on statements as companies publish them, each page taken apart anew."""
    truths: dict[str, list[Truth]] = {}
    for statement in statements(0):
        for truth in statement.truths():
            if truth.direction == "none" and not truth.flags:
                truths.setdefault(truth.page, []).append(truth)
    count = rounds * sum(len(of_page) for of_page in truths.values())

    def work() -> None:
        for _ in range(rounds):
            for page, of_page in truths.items():
                examined = Examined(_PAGE_ID, page)
                for truth in of_page:
                    prove(examined, claim_of(truth))

    took = timed(work)
    scan = rounds * sum(scanned(page) for page in truths)
    print(f"honest pages: {count / took:,.0f} claims/s; {took / scan:,.0f} times a plain scan of the pages")


def hostile(length: int) -> None:
    """Seconds of each hostile page, and how much of it was read."""
    claims = tuple(
        Claim(quote, (), -1, "4.2", "million", "$", "2024", Direction.NONE, frozenset())
        for quote in ("Net sales", "net sales", "Acme Corp")
    )
    worst = 0.0
    for make in HOSTILE:
        text = make(length)[:_WHOLE]
        page = Material(_PAGE_ID, text, False, claims * 85)
        took = timed(
            lambda page=page: examine("Acme Corp net sales 2024", None, UnitClass.CURRENCY, [page])  # type: ignore[misc]
        )
        worst = max(worst, took)
        read = len(Examined(_PAGE_ID, text).page.text) / len(text)
        megabytes = len(text) / 1e6
        print(
            f"{make.__name__:20} {took:6.2f} s, {took / megabytes:6.1f} s/MB, {read:4.0%} read, "
            f"{took / scanned(text):8,.0f} times a plain scan"
        )
    print(f"worst {worst:.2f} s of {length:,} characters, budget {effort.BUDGET:,} steps")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="pages of a tenth of the length")
    quick = parser.parse_args().quick
    honest(2 if quick else 20)
    hostile(_QUICK if quick else _WHOLE)


if __name__ == "__main__":
    main()
