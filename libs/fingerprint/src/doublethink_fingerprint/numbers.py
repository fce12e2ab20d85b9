"""Figures and days in text, as values rather than spellings; both sides read them with
`doublethink_figures`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from doublethink_figures import Reading, UnitClass, all_dates, all_readings

from doublethink_fingerprint.keyed import digest

_YEARS = range(1850, 2151)
_DOLLARS = frozenset(["$", "USD", "CAD", "AUD", "HKD", "SGD", "NZD", "TWD", "MXN"])
_MAX_MEMO_FIGURES = 2000
_MIN_MEMO_DIGITS = 4
_MIN_PHRASE_DIGITS = 3
_MAX_DIGITS = 40
_HAS_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class FigureMark:
    """One reading of a figure, reduced to what is compared.

    `value` is absolute: a sign is often lost in a query. `unit` is the unit's name ("EUR", "USD_per_share",
    "percent") or None; `significant` counts digits without leading and trailing zeros.
    """

    value: Decimal
    unit: str | None
    unit_class: UnitClass | None
    magnitude_stated: bool
    significant: int
    start: int
    end: int

    @property
    def canonical(self) -> bytes:
        """The value in one spelling, independent of its size: digits and a power of ten."""
        _, digits, exponent = self.value.normalize().as_tuple()
        return f"{''.join(map(str, digits))}e{exponent}".encode()

    @property
    def digits(self) -> str:
        """The digits as written out in full without separators; empty beyond 40 digits."""
        if self.value.adjusted() >= _MAX_DIGITS:
            return ""
        return f"{self.value.normalize():f}".replace(".", "").lstrip("0")[:_MAX_DIGITS]

    @property
    def is_year(self) -> bool:
        """Whether the bare number could as well be a year."""
        if self.unit is not None or self.magnitude_stated or self.value.adjusted() != 3:
            return False
        return self.value == self.value.to_integral_value() and int(self.value) in _YEARS

    def too_weak(self, *, in_phrase: bool) -> bool:
        """Whether the figure cannot be looked for on its own (tier S0)."""
        if self.is_year:
            return True
        if in_phrase:
            per_something = self.unit_class is UnitClass.CURRENCY_PER
            return self.unit is None or (self.significant < _MIN_PHRASE_DIGITS and not per_something)
        return self.significant <= 2 and self.unit is None and not self.magnitude_stated


def read_figures(text: str) -> tuple[FigureMark, ...]:
    """Return every reading of every number in `text`; spans count characters of `text`."""
    return tuple(_mark(reading) for reading in all_readings(text))


def figures_of(text: str) -> tuple[FigureMark, ...]:
    """Return the readings of the figure that a confirmed value consists of: those that span most of it."""
    marks = read_figures(text)
    longest = max((mark.end - mark.start for mark in marks), default=0)
    return tuple(mark for mark in marks if mark.end - mark.start == longest)


def dates_in(text: str) -> tuple[date, ...]:
    """Return every calendar day that `text` can be read to name, without repetitions."""
    return tuple(dict.fromkeys(reading.date for reading in all_dates(text)))


def number_digests(key: bytes, figure: FigureMark) -> Iterator[tuple[bytes, bool]]:
    """Yield what to store for a figure: its value with each unit it may carry (True), and its bare value
    (False)."""
    for unit, factor in _units(figure.unit):
        marked = FigureMark(figure.value * factor, unit, figure.unit_class, False, figure.significant, 0, 0)
        yield digest(key, b"number+unit", marked.canonical + b"|" + unit.encode()), True
    yield digest(key, b"number", figure.canonical), False


def looked_up(key: bytes, figure: FigureMark) -> tuple[bytes | None, bytes]:
    """Return the digests under which a figure in a payload is looked up: with its unit (if any), and bare."""
    bare = digest(key, b"number", figure.canonical)
    if figure.unit is None:
        return None, bare
    return digest(key, b"number+unit", figure.canonical + b"|" + figure.unit.encode()), bare


def day_and_year(key: bytes, day: int, year: int) -> bytes:
    """Return the digest that says where to read for a day: its number in the month or year, and its year."""
    return digest(key, b"day+year", f"{day}|{year}".encode())


def memo_figures(memo: str) -> Iterator[bytes]:
    """Yield the canonical values of the memo's telling figures: four digits or more, no year; at most
    2,000."""
    count = 0
    for mark in read_figures(memo) if _HAS_DIGIT.search(memo) else ():
        if mark.significant < _MIN_MEMO_DIGITS or mark.is_year:
            continue
        yield mark.canonical
        count += 1
        if count == _MAX_MEMO_FIGURES:
            return


def _units(unit: str | None) -> Iterator[tuple[str, Decimal]]:
    if unit is None:
        return
    measure, separator, per = unit.partition("_per_")
    # A bare "$" may be any dollar, and any dollar may be written as a bare "$".
    names = _DOLLARS if measure == "$" else {measure, "$"} if measure in _DOLLARS else {measure}
    for name in sorted(names):
        yield name + separator + per, Decimal(1)
    if unit == "percent":
        yield "basis_points", Decimal(100)
        yield "percentage_points", Decimal(1)


def _mark(reading: Reading) -> FigureMark:
    unit = None if reading.unit is None or reading.unit.unit_class is UnitClass.COUNT else reading.unit
    return FigureMark(
        value=abs(reading.value),
        unit=None if unit is None else str(unit),
        unit_class=None if unit is None else unit.unit_class,
        magnitude_stated=reading.magnitude_stated,
        significant=reading.significant_digits,
        start=reading.span.start,
        end=reading.span.end,
    )
