"""How many claims that are nearly true are proven: mutants of what is proven on real pages.

    python eval/mutants/run.py [--pages DIR] [--seed N] [--quick] [--optional] [--count-only]

Every claim that holds is changed in one respect and offered again. A mutant that happens to be true, because its
number stands in the same row under the changed period, is counted apart; `judge.py` decides that from the page text.
Mutants of the company, of the line and of a word asked for are queries that the claim does not answer. Exit status: 0
at most one of a thousand was proven, 1 more were, 4 there are no pages (0 with --optional).
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_gate.pages import extract_page  # noqa: E402 - the project's folder must be on the path
from doublethink_validator.errors import NotProven  # noqa: E402 - as above
from doublethink_validator.examination import Material, Verdict, examine  # noqa: E402 - as above
from doublethink_validator.proof import Claim, prove  # noqa: E402 - as above
from doublethink_validator.reading import Reading, Source  # noqa: E402 - as above
from doublethink_validator.survey import Examined  # noqa: E402 - as above

from eval.mutants.claims import company_of, proven_claims  # noqa: E402 - as above
from eval.mutants.judge import is_true  # noqa: E402 - as above
from eval.mutants.mutations import altered_sentences, mutants  # noqa: E402 - as above
from eval.mutants.queries import exchanged, of_other_lines, of_others  # noqa: E402 - as above

_PAGE_ID = "pag_" + "a" * 26
_SEED = 7
_MOST_PROVEN = 0.001
_TOO_MANY, _MISSING = 1, 4


@dataclass
class Tally:
    """What was tried, what was proven though it is not true, and what happens to be true."""

    claims: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    coincide: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, str, str]] = field(default_factory=list)


def default_pages() -> Path:
    """The corpus' pages in the folder of test data."""
    return Path(os.environ.get("DOUBLETHINK_CASES") or ROOT.parent / "shared" / "cases") / "corpus" / "pages"


def try_page(name: str, text: str, tally: Tally, chance: random.Random, most: int) -> None:
    """Try the mutants of at most `most` of a page's claims."""
    examined = Examined(_PAGE_ID, text)
    found = list(proven_claims(examined))
    chosen = chance.sample(found, min(most, len(found)))
    tally.claims += len(chosen)
    for claim, reading in chosen:
        for mutant in mutants(claim, chance):
            if mutant.claim == claim:
                continue
            if not _is_proven(examined, mutant.claim):
                tally.tried[mutant.kind] += 1
            elif is_true(text, mutant.kind, mutant.claim.quote, mutant.claim.value, mutant.claim.period):
                tally.coincide[mutant.kind] += 1
            else:
                tally.tried[mutant.kind] += 1
                tally.wrong.append((name, mutant.kind, _shown(claim, mutant.claim)))
        for kind, altered in _altered(claim, reading):
            tally.tried[kind] += 1
            page = f"A page\n\n{altered}\n"
            said = Claim(
                altered,
                (),
                -1,
                claim.value,
                claim.scale,
                claim.unit,
                claim.period,
                claim.direction,
                claim.flags,
            )
            if _is_proven(Examined(_PAGE_ID, page), said):
                tally.wrong.append((name, kind, altered[:200]))
    _try_queries(name, text, examined, (found, chosen[: max(1, most // 10)]), tally, chance)


def _altered(claim: Claim, reading: Reading) -> Iterator[tuple[str, str]]:
    """The sentence of a claim made to say the opposite, where the claim holds of the sentence alone."""
    if reading.source is not Source.PROSE or not _is_proven(
        Examined(_PAGE_ID, f"A page\n\n{claim.quote}\n"), claim
    ):
        return
    for kind, altered in altered_sentences(claim.quote, reading.figure.start - reading.quote.start):
        if kind != "turned" or claim.direction.value != "none":
            yield kind, altered


def _try_queries(
    name: str,
    text: str,
    examined: Examined,
    claims: tuple[Sequence[tuple[Claim, Reading]], Sequence[tuple[Claim, Reading]]],
    tally: Tally,
    chance: random.Random,
) -> None:
    """Ask the page for what a claim is not of; `claims` are all of the page, and those that are offered."""
    every, chosen = claims
    own = company_of(examined)
    for claim, reading in chosen if own is not None else ():
        asked = [("company", query) for query in of_others(reading)]
        asked += [("line", query) for query in of_other_lines(str(own), reading, every, chance)]
        asked += [("asked", query) for query in exchanged(str(own), reading)]
        page = Material(_PAGE_ID, text, False, (claim,))
        for kind, query in asked:
            tally.tried[kind] += 1
            taken = examine(query, None, reading.unit.unit_class, [page], take=lambda *_: examined)
            if taken.verdict is Verdict.FOUND:
                tally.wrong.append((name, kind, f"{query!r} by {claim.value} in {claim.quote[:120]!r}"))


def _is_proven(examined: Examined, claim: Claim) -> bool:
    try:
        prove(examined, claim)
    except NotProven:
        return False
    return True


def _shown(claim: Claim, mutant: Claim) -> str:
    parts = ("value", "scale", "unit", "period", "direction", "quote")
    changed = [p for p in parts if getattr(claim, p) != getattr(mutant, p)]
    changes = "; ".join(f"{p} {getattr(claim, p)!s:.80} -> {getattr(mutant, p)!s:.80}" for p in changed)
    return f"{changes or 'flags'} in {claim.quote[:120]!r}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rate and every mutant that was proven, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=Path, default=default_pages())
    parser.add_argument("--first", type=int, default=None, help="only so many pages, by name")
    parser.add_argument("--seed", type=int, default=_SEED, help="what claims and changes are drawn with")
    parser.add_argument("--quick", action="store_true", help="a tenth of the claims")
    parser.add_argument("--optional", action="store_true", help="end with 0 where there are no pages")
    parser.add_argument("--count-only", action="store_true", help="do not print the mutants that were proven")
    options = parser.parse_args(arguments)
    files = sorted(options.pages.glob("*.html"))[: options.first] if options.pages.is_dir() else []
    if not files:
        print("NOT RUN: there are no pages; give --pages, or set DOUBLETHINK_CASES", file=sys.stderr)
        return 0 if options.optional else _MISSING
    tally, chance = Tally(), random.Random(options.seed)
    for file in files:
        text = extract_page(file.read_bytes(), "text/html").text
        try_page(file.stem, text, tally, chance, 15 if options.quick else 150)
    tried = sum(tally.tried.values())
    print(
        f"{len(files)} pages, {tally.claims} claims, {tried} mutants, {sum(tally.coincide.values())} more are true"
    )
    for kind, count in sorted(tally.tried.items()):
        wrong = sum(1 for _, k, _ in tally.wrong if k == kind)
        print(f"  {kind:10} {count:6} tried  {wrong:4} proven  {tally.coincide[kind]:4} true besides")
    for name, kind, shown in tally.wrong if not options.count_only else ():
        print(f"  proven: {name}: {kind}: {shown}")
    rate = len(tally.wrong) / tried if tried else 1.0
    print(f"proven though not true: {len(tally.wrong)} of {tried}, {rate:.4%} (at most {_MOST_PROVEN:.1%})")
    return _TOO_MANY if rate > _MOST_PROVEN else 0


if __name__ == "__main__":
    sys.exit(main())
