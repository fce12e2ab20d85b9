"""The units that a table's cell may be in, the likeliest first."""

import re
from functools import lru_cache
from typing import Final

from doublethink_figures import UnitClass
from doublethink_figures.units import Unit

from .blocks import Cell
from .grids import Entry
from .numbers import Number, number
from .scales import places

MAX_CURRENCIES: Final = 2
_PER_SHARE: Final = re.compile(r"\bper[ -](?:[\w-]+ ){0,4}(?:share|ADS)\b|\bEPS\b", re.IGNORECASE)
_PER_OTHER: Final = re.compile(
    r"\bper[ -](?:\w+ ){0,2}?(?P<noun>metric tonn?e?|tonne|barrel|bbl|ounce|employee|customer|unit)\b",
    re.IGNORECASE,
)
_PER_NOUNS: Final = {"metric ton": "tonne", "metric tonne": "tonne", "bbl": "barrel"}
_COUNT: Final = re.compile(
    r"\bshares\b|\bnumber of\b|employees|associates|headcount|stores|restaurants|customers?|members|locations"
    r"|transactions|votes?|units|subscribers|vehicles|passengers|deliver|\bfor\b|against|abstain|withh",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"%|\bper ?cent(?:age)?\b", re.IGNORECASE)
_RATE: Final = re.compile(r"\b(?:margin|rate|ratio|yield|utili[sz]ation)s?\b", re.IGNORECASE)
_SHARE_COUNT: Final = re.compile(
    r"\(in (?:\w+ of )?shares\)|\bnumber of\b|\bshares (?:used|outstanding|issued|authori[sz]ed|repurchased|granted)\b"
    r"|\baverage\b.{0,40}\bshares\b",
    re.IGNORECASE,
)
_NAMED: Final = (
    ("USD", re.compile(r"\bUSD\b|US\$|\bU\.?S\.? dollars?\b", re.IGNORECASE)),
    ("EUR", re.compile(r"\beuros?\b|\bEUR\b|\bMEUR\b|€", re.IGNORECASE)),
    ("GBP", re.compile(r"\bGBP\b|£|\bpounds sterling\b", re.IGNORECASE)),
    ("CHF", re.compile(r"\bCHF\b|\bswiss francs?\b", re.IGNORECASE)),
    ("JPY", re.compile(r"\bJPY\b|¥|\byen\b", re.IGNORECASE)),
    ("CAD", re.compile(r"\bCAD\b|\bC\$|\bcanadian dollars?\b", re.IGNORECASE)),
    ("AUD", re.compile(r"\bAUD\b|\bA\$|\baustralian dollars?\b", re.IGNORECASE)),
    ("HKD", re.compile(r"\bHKD\b|HK\$|\bhong kong dollars?\b", re.IGNORECASE)),
    ("INR", re.compile(r"\bINR\b|₹|\brupees\b", re.IGNORECASE)),
    ("SEK", re.compile(r"\bSEK\b", re.IGNORECASE)),
    ("DKK", re.compile(r"\bDKK\b", re.IGNORECASE)),
    ("NOK", re.compile(r"\bNOK\b", re.IGNORECASE)),
)


def units_of(entry: Entry, cell: Cell, own: Number) -> tuple[str, ...]:
    """The units that a cell may be in."""
    stated = own.unit
    if stated and class_of(stated) not in (UnitClass.CURRENCY, UnitClass.COUNT):
        return (stated,)
    around = " ".join((entry.label, *entry.sections[-1:], *(c.text for c in entry.over(cell))))
    currencies = _currencies(entry, cell, stated)
    money = list(currencies)
    other = _PER_OTHER.search(around)
    noun = "share" if other is None else _PER_NOUNS.get(other["noun"].casefold(), other["noun"].casefold())
    per = [f"{c}_per_{noun}" for c in currencies]
    counts = [] if class_of(stated) is UnitClass.CURRENCY else ["count"]
    percent = ["percent"] if counts else []
    if _SHARE_COUNT.search(entry.label):
        order = [*counts, *per, *money]
    elif _PERCENT.search(around):
        order = [*percent, *money, *counts, *per[:1]]
    elif _PER_SHARE.search(around) or other is not None:
        order = [*per, *money, *counts, *percent]
    elif _COUNT.search(around):
        order = [*counts, *money]
    else:
        order = [*money, *counts]
    if _RATE.search(around) or _percent_column(entry, cell):
        order[1:1] = percent
    return tuple(dict.fromkeys(order))


@lru_cache(maxsize=256)
def class_of(unit: str) -> UnitClass | None:
    """The class of a unit's name, None for no name."""
    return Unit.parse(unit).unit_class if unit else None


def _percent_column(entry: Entry, cell: Cell) -> bool:
    """Whether a cell above in the same column shows a percent sign."""
    first = entry.grid.percents.get(cell.column)
    return first is not None and first < entry.row.offset


def _currencies(entry: Entry, cell: Cell, stated: str) -> list[str]:
    """The currency of a cell: what stands over it names, its own sign, its column's, its table's."""
    named: list[str] = []
    for text, _quote in places(entry, cell):
        if len(text) > 200:
            continue
        named += [code for code in _named(text) if code not in named]
        if len(named) >= MAX_CURRENCIES:
            break
    shown = stated if class_of(stated) is UnitClass.CURRENCY else _shown(entry, cell)
    if shown and shown != "$":
        named = [shown, *named]
        return list(dict.fromkeys(named))[:MAX_CURRENCIES]
    return list(dict.fromkeys([*named[: MAX_CURRENCIES - 1], "$"]))


@lru_cache(maxsize=16_384)
def _named(text: str) -> tuple[str, ...]:
    """The codes of the currencies that a text names."""
    return tuple(code for code, pattern in _NAMED if pattern.search(text))


def _shown(entry: Entry, cell: Cell) -> str:
    """The currency in the cell's column, else the first in the table."""
    signs = entry.grid.signs
    for text in (
        *(signs[c] for c in range(cell.column, cell.column + cell.width) if c in signs),
        *signs.values(),
    ):
        read = number(text)
        if read is not None and class_of(read.unit) is UnitClass.CURRENCY:
            return read.unit
    return ""
