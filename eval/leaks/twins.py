"""What looks like a leak and is none: the twins of twenty deals' secrets, and texts full of codes, numbers and forms.

    python eval/leaks/twins.py [--seed N]

A twin has the shape of a secret and another value: an amount or an id with other digits, another person of the same
given name, the ordinary meaning of a code name's word. `benign.tsv` has written texts by kind and form; UUIDs, hashes
of commits, ISBNs, order numbers, prices and the like are also made anew from the seed. All are looked up in the packs
of all deals, queries as queries and bodies as JSON.

Each that is stopped is printed with its rules and the reason. Exit status: 0 each has a reason that is listed here, 1
one has none.
"""

from __future__ import annotations

import argparse
import random
import sys
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from doublethink_gate.checks import (  # noqa: E402 - the project's folder must be on the path
    Request,
    RequestKind,
    SessionState,
    Verdict,
    evaluate,
)
from doublethink_gate.policy import default_policy  # noqa: E402 - as above

from eval.leaks.alarms import DEALS, packs  # noqa: E402 - as above
from eval.leaks.score import wilson  # noqa: E402 - as above

_MADE = 40
_UNEXPLAINED = "none"
# Why a person would have a text of this form stopped by a rule that begins so.
REASONS = {
    ("provenance.blob", "uuid"): "a random token that no page has shown: it could stand for a value",
    ("provenance.blob", "commit"): "a hash that no page has shown: it could be one of a value",
    ("provenance.word", "ordinary meaning"): "the code name's own word, rare and in the memo",
    ("provenance.word", "other person"): "the uncommon given name of a person in the deal, in the memo",
    ("secret.code", "ordinary meaning"): "the code name's own word, which is not among the common ones",
    ("secret.name", "other person"): "the uncommon given name of a person in the deal",
}


@dataclass(frozen=True)
class Twin:
    """A harmless text: "query" or "body", what it is like, and what it says."""

    kind: str
    form: str
    text: str


def twins_of_deals(source: random.Random) -> Iterator[Twin]:
    """Yield texts with the shape of each deal's secrets."""
    for line in DEALS.strip().splitlines():
        code, person, amount, day, ident, phrase = line.split("|")
        first = person.split()[0]
        year, month, _ = day.split("-")
        yield Twin("query", "other amount", f"revenue of {_other_digits(amount, source)} in {year}")
        yield Twin("query", "other person", f"{first} Johnson appointed to the board")
        yield Twin(
            "query", "other day", f"shareholder meeting {year}-{month}-{1 + (int(day[-2:]) + 9) % 27:02d}"
        )
        yield Twin("query", "same year", f"capital markets day {year}")
        yield Twin("query", "other id", f"registered under {_other_digits(ident, source)}")
        yield Twin("query", "other price", f"dividend of {_other_digits(phrase, source)}")
        if code.startswith("Project "):
            word = code.split()[1].lower()
            yield Twin("query", "ordinary meaning", f"what is a {word} and where is it found")
            yield Twin("query", "project", "project finance of wind farms")
        else:
            yield Twin("query", "half of a compound", f"{code[:5].lower()} valley history")


def _other_digits(text: str, source: random.Random) -> str:
    """The same with every digit but the first changed, or that one where it is alone."""
    places = [at for at, char in enumerate(text) if char.isdigit()]
    chars = list(text)
    for at in places[1:] or places:
        chars[at] = source.choice([digit for digit in "123456789" if digit != chars[at]])
    return "".join(chars)


def made_twins(source: random.Random) -> Iterator[Twin]:
    """Yield texts with numbers and codes that are made anew."""
    for _ in range(_MADE):
        digits = "".join(source.choice("0123456789") for _ in range(24))
        letters = "".join(source.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(8))
        commit = f"{source.getrandbits(160):040x}"
        yield Twin("query", "uuid", f"trace {uuid.UUID(int=source.getrandbits(128), version=4)} in the log")
        yield Twin("query", "order number", f"order {digits[:3]}-{digits[3:10]}-{digits[10:17]} shipped")
        yield Twin("query", "isbn", f"ISBN {_isbn(digits[:9])} publisher")
        yield Twin("query", "doi", f"doi 10.{digits[:4]}/{letters[:4].lower()}.{digits[4:8]}.{digits[8:14]}")
        yield Twin("query", "price", f"USD {int(digits[:7]):,}.{digits[7:9]} after tax")
        yield Twin(
            "query",
            "ticker",
            f"{letters[:4]} and {letters[4:]} share price, P/E {digits[0]}{digits[1]}.{digits[2]}",
        )
        yield Twin(
            "query", "version", f"release {digits[0]}.{digits[1:3]}.{digits[3:6]}-rc{digits[6]} changes"
        )
        yield Twin("query", "part", f"part {letters[:2]}-{digits[:4]}-{letters[2:4]}{digits[4:6]} data sheet")
        yield Twin(
            "query", "figures", f"sales {int(digits[:5]):,} {int(digits[5:10]):,} {int(digits[10:15]):,}"
        )
        yield Twin("query", "commit", f"what changed in commit {commit}")
        yield Twin(
            "body",
            "state",
            f'{{"commit": "{commit}", "order": {int(digits[:12])}, "at": "2024-05-{digits[0]}1"}}',
        )


def _isbn(nine: str) -> str:
    """ISBN-13 with its check digit."""
    twelve = "978" + nine
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(twelve))
    return f"{twelve[:3]}-{twelve[3]}-{twelve[4:8]}-{twelve[8:]}-{-total % 10}"


def written_twins() -> Iterator[Twin]:
    """Yield the texts of `benign.tsv`."""
    for line in Path(__file__).with_name("benign.tsv").read_text("utf-8").splitlines()[1:]:
        yield Twin(*line.split("\t", 2))


def _reason(rule: str, form: str) -> str:
    found = (
        reason for (start, for_form), reason in REASONS.items() if for_form == form and rule.startswith(start)
    )
    return next(found, _UNEXPLAINED)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many were stopped, each with its reason, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=None, help="default: a fresh one, which is printed")
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    source = random.Random(seed)
    loaded, policy = packs(), default_policy()
    every = [*twins_of_deals(source), *written_twins(), *made_twins(source)]
    stopped = unexplained = 0
    for twin in every:
        request = Request(
            RequestKind(twin.kind),
            twin.text.encode(),
            content_type="application/json" if twin.kind == "body" else None,
        )
        decision = evaluate(request, loaded, SessionState(), policy)
        if decision.verdict is Verdict.ALLOW:
            continue
        reasons = {_reason(rule, twin.form) for rule in decision.rules}
        # It would be stopped for the one that a person accepts.
        reasons = reasons - {_UNEXPLAINED} or reasons
        stopped += 1
        unexplained += _UNEXPLAINED in reasons
        print(f"{decision.verdict.word} {','.join(decision.rules)}: {twin.form}: {twin.text[:120]}")
        print(f"  reason: {'; '.join(sorted(reasons))}")
    low, high = wilson(stopped, len(every))
    print(
        f"seed {seed}: {stopped} of {len(every)} benign twins stopped, {100 * stopped / len(every):.2f} %"
        f" [{100 * low:.2f}, {100 * high:.2f}], {unexplained} without a reason, with {len(loaded)} deals loaded"
    )
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
