"""Of claims that are true all are kept, and of claims that are nearly true none."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from doublethink_figures import Direction, Flag
from doublethink_validator.errors import NotProven
from doublethink_validator.proof import Claim, prove
from doublethink_validator.survey import Examined
from sim.pagetexts import Truth, prose, statements

LEAST_MUTANTS = 2_000


@cache
def _truths() -> tuple[Truth, ...]:
    made: list[Truth] = []
    for seed in range(3):
        for statement in statements(seed):
            made += statement.truths()
        made += prose(seed)
    return tuple(made)


@cache
def _examined(page: str) -> Examined:
    return Examined("pag_" + "a" * 26, page)


def _claim(truth: Truth) -> Claim:
    return Claim(
        quote=truth.quote,
        heading_quotes=truth.headings,
        quote_offset=-1,
        value=truth.value,
        scale=truth.scale,
        unit=truth.unit,
        period=truth.period,
        direction=Direction(truth.direction),
        flags=frozenset(Flag(f) for f in truth.flags),
    )


def _kept(truth: Truth, claim: Claim) -> bool:
    try:
        prove(_examined(truth.page), claim)
    except NotProven:
        return False
    return True


def test_true_claims_are_kept() -> None:
    """At least 98 of 100 true claims are proven."""
    lost = [(t.quote, t.value, t.period) for t in _truths() if not _kept(t, _claim(t))]
    assert len(lost) <= 0.02 * len(_truths()), lost[:5]


def test_claims_that_are_nearly_true_are_refused() -> None:
    """Of mutants of every kind at least 99.9 of 100 are refused."""
    chance = random.Random(7)  # noqa: S311 - test data, no secret
    tried: Counter[str] = Counter()
    survived: list[tuple[str, Claim]] = []
    for truth in _truths():
        for kind, mutant in _mutants(truth, chance):
            tried[kind] += 1
            if _kept(truth, mutant):
                survived.append((kind, mutant))
    assert sum(tried.values()) >= LEAST_MUTANTS
    assert set(tried) == {
        "digit",
        "sign",
        "scale",
        "currency",
        "unit",
        "period",
        "negation",
        "word",
        "direction",
        "flag",
    }
    assert len(survived) <= 0.001 * sum(tried.values()), survived[:5]


def _mutants(truth: Truth, chance: random.Random) -> Iterator[tuple[str, Claim]]:
    claim = _claim(truth)
    yield "digit", replace(claim, value=_other_digit(truth.value, chance))
    changed = _other_digit(truth.value, chance)
    yield "digit", replace(claim, value=changed, quote=truth.quote.replace(truth.value, changed, 1))
    bare = truth.value.strip("()")
    yield "sign", replace(claim, value=bare if truth.value.startswith("(") else f"({bare})")
    yield (
        "scale",
        replace(claim, scale={"million": "billion", "billion": "thousand"}.get(truth.scale or "", "million")),
    )
    if truth.scale:
        yield "scale", replace(claim, scale=None)
    per = "_per_share" if truth.unit.endswith("_per_share") else ""
    if truth.unit != "percent":
        yield (
            "currency",
            replace(claim, unit={"$": "USD", "EUR": "GBP", "GBP": "EUR"}[truth.unit.removesuffix(per)] + per),
        )
    yield "unit", replace(claim, unit="count" if truth.unit == "percent" else "percent")
    yield (
        "unit",
        replace(
            claim,
            unit="percentage_points"
            if truth.unit == "percent"
            else truth.unit.removesuffix(per) + ("" if per else "_per_share"),
        ),
    )
    for label in _other_periods(truth.period):
        yield "period", replace(claim, period=label)
    at = truth.quote.find(" ") + 1
    yield "negation", replace(claim, quote=f"{truth.quote[:at]}not {truth.quote[at:]}")
    yield "word", replace(claim, quote=_other_word(truth.quote, chance))
    yield "direction", replace(claim, direction=Direction.DECREASE)
    yield (
        "flag",
        replace(claim, flags=frozenset({chance.choice([Flag.GUIDANCE, Flag.NON_GAAP, Flag.PRO_FORMA])})),
    )


def _other_digit(value: str, chance: random.Random) -> str:
    places = [i for i, c in enumerate(value) if c.isdigit()]
    at = chance.choice(places)
    return value[:at] + chance.choice([d for d in "123456789" if d != value[at]]) + value[at + 1 :]


def _other_periods(label: str) -> Iterator[str]:
    if "2024" in label:
        yield label.replace("2024", "2023")
        yield label.replace("2024", "2025")
    if "2023" in label:
        yield label.replace("2023", "2022")
    if "Three" in label or "Six" in label:
        yield label.replace("Three", "Nine").replace("Six", "Nine")
    if "quarter" in label:
        yield label.replace("second quarter", "third quarter")
        yield label.replace("second quarter of ", "")
    yield ""


def _other_word(quote: str, chance: random.Random) -> str:
    words = quote.split(" ")
    at = chance.choice([i for i, w in enumerate(words) if w.isalpha() or i == 0])
    return " ".join([*words[:at], "Xylophone", *words[at + 1 :]])
