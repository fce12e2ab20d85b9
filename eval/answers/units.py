"""Units of keys and of answers, brought to one spelling and compared.

The product's units are ISO 4217 codes, `$` (a dollar whose country the page does not say), `percent`,
`percentage_points`, `basis_points`, `multiple`, `count` and `X_per_Y`. A person who writes a key may say
`shares` or `USD/share`; those are brought to the product's words, never an answer's value to another unit.
"""

from __future__ import annotations

import re

UNKNOWN_DOLLAR = "$"
_SPELLINGS = {
    "%": "percent",
    "pct": "percent",
    "pp": "percentage_points",
    "percentage points": "percentage_points",
    "bps": "basis_points",
    "bp": "basis_points",
    "basis points": "basis_points",
    "x": "multiple",
    "times": "multiple",
    "ratio": "multiple",
    "us$": "USD",
    "number": "count",
}
_COUNTED = frozenset(
    {"shares", "share", "votes", "employees", "people", "roles", "stores", "branches", "countries", "options"}
)
_PER = re.compile(r"_per_|\s+per\s+|/")


def spelled(unit: str) -> tuple[str, ...]:
    """The unit as (measure,) or (measure, per) in the product's words; case matters for none of them."""
    measure, *per = (part.strip() for part in _PER.split(unit.strip(), maxsplit=1))
    return (_measure(measure), *(part.lower().removesuffix("s") for part in per))


def compatible(wanted: str, given: str) -> bool:
    """Whether an answer in `given` fits a key in `wanted`.

    A `$` in the key is satisfied by USD too: the page says less than the answer's reader knows. The opposite
    is not: an answer in `$` does not say that it is in USD.
    """
    wanted_measure, *wanted_per = spelled(wanted)
    given_measure, *given_per = spelled(given)
    if wanted_per != given_per:
        return False
    return wanted_measure == given_measure or (wanted_measure == UNKNOWN_DOLLAR and given_measure == "USD")


def _measure(measure: str) -> str:
    lowered = measure.lower()
    if lowered in _COUNTED:
        return "count"
    if lowered in _SPELLINGS:
        return _SPELLINGS[lowered]
    return measure.upper() if len(measure) == 3 and measure.isalpha() else lowered
