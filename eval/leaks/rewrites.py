"""How often a question with personal details in it goes out without them, and still asks the same thing.

    python eval/leaks/rewrites.py [--seed N] [--tries N] [--questions FILE.tsv] [--show]

Ordinary questions of three workspaces (deals, insurance claims, drug safety) get one to three details of invented
people, as people write them. Deals are judged by the shipped policy. The other two confirm the names of the people in
their case, and their policy lets confirmed values and memo words be taken out as well. Where the test data is there
(DOUBLETHINK_CASES), as many questions of it are tried too.

A question counts where it was rewritten, nothing of a detail is left in it, and every word of the question that says
something is. Without a seed a fresh one is taken and printed. Exit status: 0 at least 95 % of each set count, 1 fewer.
"""

from __future__ import annotations

import argparse
import re
import secrets
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_fingerprint import Pack, build_pack  # noqa: E402 - the project's folder must be on the path
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, decide  # noqa: E402 - as above
from doublethink_gate.policy import Policy, default_policy  # noqa: E402 - as above

from eval.leaks.alarms import default_questions  # noqa: E402 - as above
from eval.leaks.case import Secret  # noqa: E402 - as above
from eval.leaks.details import Detail, Person, details, insert, person  # noqa: E402 - as above
from eval.leaks.score import wilson  # noqa: E402 - as above

_GOAL = 0.95
_TRIES = 200
_MOST_WORDS = 30
_WORD = re.compile(r"[^\W_]{3,}")
# Small words of questions: what is left of them shows nothing.
_SMALL = frozenset(
    _WORD.findall(
        "the and for are was were how what which who whom when where why does did can could should would will may might"
        " with from that this these those his her their our your has have had been being there than then any into about"
        " you they she him its per not"
    )
)

_DEALS = """
revenue of {c} in fiscal {y}|operating margin of {c} {y}|who owns {c}|EBITDA multiples in the {s} sector
largest {s} makers in Europe by revenue|market share of {c} in {s}|how many people does {c} employ
what is the net debt of {c}?|which competitors does {c} have in {s}?|acquisitions by {c} since {y}
typical break fees in public takeovers in {l}|antitrust thresholds for mergers in {l}
"""
_CLAIMS = """
which documents does a hail damage claim need in {l}|is water damage from a burst pipe covered?
what is the notice period for a household policy in {l}?|how long does a motor insurer have to settle in {l}
depreciation table for a roof of tiles|can an insurer refuse a claim for late notice?
average repair cost of a rear bumper {y}|does liability cover damage by a dog in {l}
how is diminished value of a car computed|limitation period for injury claims in {l}
who pays the rental car after an accident in {l}?|is theft from an unlocked garage covered
"""
_DRUGS = """
interaction of {d} with {e}|maximum daily dose of {d}|does {d} raise potassium?
how often is rash reported with {d}|deep vein thrombosis under {d}: frequency
is {d} safe in the third trimester|half life of {d} in renal impairment
which antidote reverses {d}?|contraindications of {d} together with {e}
reporting period for serious adverse events in {l}|liver enzymes under {d} and {e}
can {d} be stopped abruptly after long use?|QT prolongation with {e} and {d}
"""
_WORDS = {
    "c": (
        "Halvorsen Pumps",
        "Brenner Valves",
        "Castellan Water",
        "Ardent Ceramics",
        "Pell Marrow",
        "Oxbow Rail",
    ),
    "s": ("centrifugal pump", "ball valve", "water meter", "brake disc", "dental implant"),
    "l": ("Germany", "Ohio", "France", "Ireland", "Ontario", "Denmark"),
    "d": ("warfarin", "metformin", "amiodarone", "methotrexate", "lithium", "apixaban"),
    "e": ("ibuprofen", "clarithromycin", "omeprazole", "furosemide", "fluconazole"),
    "y": ("2021", "2022", "2023", "2024"),
}


@dataclass(frozen=True)
class Workspace:
    """Who asks: questions, what the case has confirmed, and what its policy says. people: confirmed, if any are."""

    name: str
    templates: tuple[str, ...]
    pack: Pack
    policy: Policy
    people: tuple[Person, ...]


def workspaces(source: Random) -> list[Workspace]:
    """Return the three, with people of their own."""
    made = [Workspace("deals", _lines(_DEALS), _deal(), default_policy(), ())]
    for name, templates in (("claims", _CLAIMS), ("drug safety", _DRUGS)):
        people = tuple(person(source) for _ in range(12))
        confirmed = [Secret("name", one.name) for one in people]
        memo = "File notes on " + ", ".join(one.name for one in people) + "."
        given = dict(default_policy().verdicts) | dict.fromkeys(
            ("secret", "uncertain", "provenance"), "rewrite"
        )
        policy = replace(default_policy(), verdicts=tuple(given.items()))
        made.append(Workspace(name, _lines(templates), build_pack(confirmed, memo=memo), policy, people))
    return made


def _deal() -> Pack:
    confirmed = [
        Secret("code", "Vantorquill"),
        Secret("name", "Oriane Vauquelin"),
        Secret("number", "1.25bn CHF"),
    ]
    return build_pack(confirmed, memo="Vantorquill is to bid for it, says Oriane Vauquelin.")


def _lines(text: str) -> tuple[str, ...]:
    return tuple(part for line in text.strip().splitlines() for part in line.split("|"))


def filled(template: str, source: Random) -> str:
    """Return a question made from a template."""
    return re.sub(r"\{(\w)\}", lambda match: source.choice(_WORDS[match[1]]), template)


def outcome(workspace: Workspace, question: str, asked: str, added: Sequence[Detail]) -> tuple[str, str]:
    """Return what became of a question ("clean" is what counts), and what went out."""
    decision = decide(
        Request(RequestKind.QUERY, asked.encode()), (workspace.pack,), SessionState(), workspace.policy
    )
    if decision.verdict is Verdict.ALLOW:
        return "details not seen", asked
    if decision.rewritten is None:
        return f"{decision.verdict.word}: {','.join(decision.rules)[:60]}", ""
    left = decision.rewritten.decode()
    low = left.lower()
    if any(part.lower() in low for detail in added for part in detail.parts):
        return "a part of a detail left", left
    if not said(question) <= said(left):
        return "a word of the question lost", left
    return "clean", left


def said(text: str) -> set[str]:
    """Return the words of a text that say something."""
    return {word.lower() for word in _WORD.findall(text)} - _SMALL


def run(title: str, tries: list[tuple[Workspace, str]], source: Random, *, show: bool) -> bool:
    """Add details to each question, print what came of them, and return whether enough count."""
    results: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for workspace, question in tries:
        added = details(source, workspace.people)
        asked = insert(question, added, source)
        result, left = outcome(workspace, question, asked, added)
        results[result.partition(":")[0]] += 1
        for detail in added:
            kinds[detail.kind] += 1
            missed[detail.kind] += result != "clean"
        if show and result != "clean":
            print(f"  {workspace.name}: {result}\n    asked: {asked}\n    left:  {left}")
    clean, total = results["clean"], len(tries)
    low, high = wilson(clean, total)
    print(
        f"{title}: {clean} of {total} clean, {100 * clean / total:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
    )
    for result, count in results.most_common():
        print(f"  {count:>4}  {result}")
    print(
        "  missed by detail: " + ", ".join(f"{kind} {missed[kind]}/{kinds[kind]}" for kind in sorted(kinds))
    )
    return clean >= _GOAL * total


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, help="repeat a run")
    parser.add_argument("--tries", type=int, default=_TRIES, help="questions of each set")
    parser.add_argument("--questions", type=Path, default=default_questions())
    parser.add_argument("--show", action="store_true", help="print each question that does not count")
    options = parser.parse_args(arguments)
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    source = Random(seed)
    print(f"seed {seed}")
    spaces = workspaces(source)
    invented = [
        (space, filled(source.choice(space.templates), source))
        for space in (spaces[number % len(spaces)] for number in range(options.tries))
    ]
    enough = run("invented questions", invented, source, show=options.show)
    if options.questions.is_file():
        lines = options.questions.read_text("utf-8").splitlines()[1:]
        source.shuffle(lines)
        outside: list[tuple[Workspace, str]] = []
        for line in lines:
            space, question = spaces[len(outside) % len(spaces)], line.partition("\t")[2]
            alone = decide(
                Request(RequestKind.QUERY, question.encode()), (space.pack,), SessionState(), space.policy
            )
            # What is stopped without any detail is a false alarm, which is counted elsewhere.
            if (
                alone.verdict is Verdict.ALLOW
                and 3 <= len(question.split()) <= _MOST_WORDS
                and len(said(question)) > 1
            ):
                outside.append((space, question))
            if len(outside) == options.tries:
                break
        enough &= run("questions of other people", outside, source, show=options.show)
    else:
        print("NOT RUN: questions of other people are absent; set DOUBLETHINK_CASES to the test data folder")
    return int(not enough)


if __name__ == "__main__":
    sys.exit(main())
