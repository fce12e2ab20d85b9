"""Claims that are nearly true: one claim that is, changed in one respect."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from doublethink_figures import Direction, Flag
from doublethink_validator.proof import Claim

_WORD = re.compile(r"[A-Za-z]{4,}")
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_LENGTHS = {"three months": "nine months", "six months": "three months", "nine months": "six months"}
_ORDINALS = {"first": "second", "second": "third", "third": "fourth", "fourth": "first"}
_CURRENCIES = {"$": "EUR", "USD": "CAD", "EUR": "GBP", "GBP": "USD"}
_TURNS = {
    "increased": "decreased",
    "decreased": "increased",
    "increase": "decrease",
    "decrease": "increase",
    "grew": "fell",
    "rose": "fell",
    "declined": "rose",
    "up": "down",
    "down": "up",
}
_VERB = re.compile(r"\b(was|were|is|are|had|totaled|increased|decreased|grew|rose|declined)\b")
_BREAK = re.compile(r"[0-9;—]|\bcompared\b|\bversus\b|\bfrom\b|\bwhile\b|\bbut\b")
_TURNED = re.compile(rf"\b({'|'.join(_TURNS)})\b")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A claim changed in one respect: the name of the respect, and the claim."""

    kind: str
    claim: Claim


def mutants(claim: Claim, chance: random.Random) -> Iterator[Mutant]:
    """Every kind of mutant that the claim has, at least one of each."""
    value = _other_digit(claim.value, chance)
    yield Mutant("digit", replace(claim, value=value))
    yield Mutant("digit", replace(claim, value=value, quote=claim.quote.replace(claim.value, value, 1)))
    bare = claim.value.strip("()")
    if bare.strip("0.,"):
        yield Mutant("sign", replace(claim, value=bare if claim.value != bare else f"({bare})"))
        scale = {"1000000": "1000", "1000": "1000000", "1000000000": "1000000"}.get(claim.scale or "", "1000")
        yield Mutant("scale", replace(claim, scale=scale))
        if claim.scale:
            yield Mutant("scale", replace(claim, scale=None))
    yield from _units(claim)
    for label in _periods(claim.period):
        yield Mutant("period", replace(claim, period=label))
    turned = Direction.INCREASE if claim.direction is Direction.DECREASE else Direction.DECREASE
    yield Mutant("direction", replace(claim, direction=turned))
    yield Mutant("flag", replace(claim, flags=claim.flags ^ {chance.choice((Flag.NON_GAAP, Flag.GUIDANCE))}))
    places = list(_WORD.finditer(claim.quote))
    if places:
        place = chance.choice(places)
        quote = f"{claim.quote[: place.start()]}{_other_word(place.group())}{claim.quote[place.end() :]}"
        yield Mutant("word", replace(claim, quote=quote))


def _units(claim: Claim) -> Iterator[Mutant]:
    money, per, of = claim.unit.partition("_per_")
    if money in _CURRENCIES:
        yield Mutant("currency", replace(claim, unit=_CURRENCIES[money] + per + of))
        yield Mutant("unit", replace(claim, unit=money if per else f"{money}_per_share"))
    yield Mutant("unit", replace(claim, unit="count" if claim.unit == "percent" else "percent"))


def _periods(label: str) -> Iterator[str]:
    years = _YEAR.findall(label)
    if years:
        yield label.replace(years[-1], str(int(years[-1]) - 1))
        yield label.replace(years[-1], str(int(years[-1]) + 1))
    for table in (_LENGTHS, _ORDINALS):
        for one, other in table.items():
            if label.startswith(one):
                yield label.replace(one, other, 1)
    yield "" if label else "2019"


def altered_sentences(text: str, figure: int) -> Iterator[tuple[str, str]]:
    """A sentence made to say the opposite of its figure at `figure`: denied, and turned. Each with its kind.

    It is denied at the verb, and turned at the word, that the figure is the first number after: further on another
    statement may begin.
    """
    verbs = [m for m in _VERB.finditer(text, 0, figure) if not _BREAK.search(text, m.end(), figure)]
    if verbs:
        verb = verbs[-1]
        plain = verb.group() in ("was", "were", "is", "are", "had")
        denied = f"{verb.group()} not" if plain else f"never {verb.group()}"
        yield "negation", f"{text[: verb.start()]}{denied}{text[verb.end() :]}"
    turning = _TURNED.search(text)
    alone = len(_TURNED.findall(text)) == 1
    if (
        turning is not None
        and alone
        and turning.end() <= figure
        and not _BREAK.search(text, turning.end(), figure)
    ):
        yield "turned", _TURNED.sub(lambda m: _TURNS[m.group()], text)


def _other_digit(value: str, chance: random.Random) -> str:
    at = chance.choice([i for i, c in enumerate(value) if c.isdigit()])
    return value[:at] + chance.choice([d for d in "123456789" if d != value[at]]) + value[at + 1 :]


def _other_word(word: str) -> str:
    return "gross" if word.casefold() != "gross" else "net"
