"""Proves one claim against one page: the quote is there, and what stands in it is what the claim says.

The claim only points. Number, unit, scale, period, direction and flags are read again from the page, and
the two must be the same in every part.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from doublethink_figures import (
    Direction,
    Flag,
    Match,
    Period,
    Span,
    Unit,
    find_periods,
    join_period,
    period_matches,
)
from doublethink_figures.errors import UnitError

from .errors import NotProven, Reason
from .pagetext import Line
from .reading import MAX_DIGITS, Reading, Source, significant_digits
from .survey import Examined

MIN_QUOTE: Final = 12
MAX_QUOTE: Final = 4_000
MAX_HEADINGS: Final = 3
_NUMBER: Final = re.compile(
    r"(?P<open>\()?\s*(?P<sign>[-−–+])?\s*(?P<digits>[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?"
    r"|\.[0-9]+)\s*(?P<close>\))?"
)
_DRESS: Final = re.compile(r"^(?:US|C|A|HK|NZ|S)?[$€£¥]|^[A-Z]{3}\s+|\s*%$|\s*(?:percent|x)$")
_SCALES: Final = {
    "": Decimal(1),
    "unit": Decimal(1),
    "one": Decimal(1),
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
    "k": Decimal(1000),
    "million": Decimal(10**6),
    "m": Decimal(10**6),
    "mm": Decimal(10**6),
    "mn": Decimal(10**6),
    "billion": Decimal(10**9),
    "bn": Decimal(10**9),
    "trillion": Decimal(10**12),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a reader says. `scale` None: `value` is the full value."""

    quote: str
    heading_quotes: tuple[str, ...]
    quote_offset: int
    value: str
    scale: str | None
    unit: str
    period: str
    direction: Direction
    flags: frozenset[Flag]


@dataclass(frozen=True, slots=True)
class _Said:
    """A claim's parts, parsed."""

    number: Decimal
    full: Decimal
    unit: Unit
    period: Period | None
    direction: Direction
    flags: frozenset[Flag]


def prove(examined: Examined, claim: Claim) -> Reading:
    """The reading of the page that proves `claim`.

    Raises `NotProven` with the first thing that stands against it.
    """
    said = _parse(claim)
    places = _places(examined, claim)
    for heading in claim.heading_quotes:
        if not examined.folded.find(heading):
            raise NotProven(Reason.HEADING_ABSENT)
    reasons: list[Reason] = []
    proven: dict[Span, Reading] = {}
    for place in places:
        for reading in _readings(examined, place, reasons):
            try:
                _compare(said, reading)
            except NotProven as error:
                reasons.append(error.reason)
                continue
            if len(claim.quote.strip()) < MIN_QUOTE and not _is_own_cell(place, reading):
                reasons.append(Reason.QUOTE_TOO_SHORT)
                continue
            proven.setdefault(reading.figure, reading)
    if not proven:
        raise NotProven(_worst(reasons))
    if len({(r.value, r.unit, r.period, r.flags) for r in proven.values()}) > 1:
        raise NotProven(Reason.ATTACHMENT_UNCLEAR)
    return min(proven.values(), key=lambda r: _distance(examined, claim, r))


def _worst(reasons: list[Reason]) -> Reason:
    """The reason that is nearest to a proof, so that a person learns what was missing."""
    order = [r for r in reasons if r is not Reason.VALUE_ABSENT]
    return order[0] if order else Reason.VALUE_ABSENT


def _distance(examined: Examined, claim: Claim, reading: Reading) -> int:
    if claim.quote_offset < 0:
        return reading.figure.start
    return abs(examined.page.octets(reading.quote)[0] - claim.quote_offset)


def _is_own_cell(place: Span, reading: Reading) -> bool:
    return reading.source is Source.TABLE and place == reading.figure


def _places(examined: Examined, claim: Claim) -> tuple[Span, ...]:
    if not claim.quote.strip():
        raise NotProven(Reason.QUOTE_ABSENT)
    if len(claim.quote) > MAX_QUOTE or len(claim.heading_quotes) > MAX_HEADINGS:
        raise NotProven(Reason.QUOTE_ABSENT)
    places = examined.folded.find(claim.quote)
    if not places:
        raise NotProven(Reason.QUOTE_ABSENT)
    return places


def _parse(claim: Claim) -> _Said:
    number = number_of(claim.value)
    scale = scale_of(claim.scale)
    try:
        unit = Unit.parse(claim.unit)
    except UnitError:
        raise NotProven(Reason.UNIT_UNKNOWN) from None
    full = number if scale is None else number * scale
    if significant_digits(full) > MAX_DIGITS:
        raise NotProven(Reason.VALUE_TOO_LONG)
    return _Said(number, full, unit, _period(claim.period), claim.direction, claim.flags)


def number_of(text: str) -> Decimal:
    """The number a claim gives "as the text has it": "42,916", "(2.8)", "$ 4.65". Raises `NotProven`."""
    plain = text.strip()
    negative = plain.startswith("(") and plain.endswith((")", ")%", ") %"))
    plain = plain.rstrip("% ").strip() if plain.endswith("%") else plain
    for _ in range(2):
        inner = plain[1:-1].strip() if plain.startswith("(") and plain.endswith(")") else plain
        plain = _DRESS.sub("", inner).strip()
    match = _NUMBER.fullmatch(plain)
    if match is None or bool(match["open"]) is not bool(match["close"]):
        raise NotProven(Reason.VALUE_UNREADABLE)
    try:
        number = Decimal(match["digits"].replace(",", ""))
    except InvalidOperation:
        raise NotProven(Reason.VALUE_UNREADABLE) from None
    negative = negative or bool(match["open"]) or (match["sign"] not in (None, "+"))
    return -number if negative else number


def scale_of(text: str | None) -> Decimal | None:
    """The factor that a claim's scale names, a word or a multiplier; None where there is none. Raises
    `NotProven`.
    """
    if text is None:
        return None
    plain = text.strip().casefold()
    if plain in _SCALES:
        return _SCALES[plain] if plain else None
    if plain.endswith("s") and plain[:-1] in _SCALES:
        return _SCALES[plain[:-1]]
    if re.fullmatch(r"1(?:,?000){0,4}|10|100|1e[0-9]{1,2}", plain):
        return Decimal(plain.replace(",", ""))
    raise NotProven(Reason.SCALE_DIFFERS)


def _period(text: str) -> Period | None:
    if not text.strip():
        return None
    joined = join_period([text])
    if joined is None:
        named = {m.period for m in find_periods(text)}
        raise NotProven(Reason.PERIOD_AMBIGUOUS if len(named) > 1 else Reason.PERIOD_UNKNOWN)
    return joined


def _readings(examined: Examined, place: Span, reasons: list[Reason]) -> Iterator[Reading]:
    """The readings at a place whose number is the claim's."""
    for special in examined.specials:
        if place.contains(special.reading.figure):
            yield special.reading
    for index in examined.blocks_at(place):
        block = examined.page.blocks[index]
        if not block.span.overlaps(place):
            continue
        if isinstance(block, Line):
            yield from _in_line(examined, block, place, reasons)
        else:
            yield from _in_table(examined, index, place, reasons)


def _in_line(examined: Examined, line: Line, place: Span, reasons: list[Reason]) -> Iterator[Reading]:
    for sentence in examined.sentences_at(line, place):
        for _figure, reading in examined.read_sentence(sentence):
            if place.contains(reading.figure):
                yield reading
    reasons.append(Reason.VALUE_ABSENT)


def _in_table(examined: Examined, index: int, place: Span, reasons: list[Reason]) -> Iterator[Reading]:
    """The cells of the quoted row: the last row of a quote that runs from the heading to the row."""
    table = examined.layouts[index]
    row = table.last_row_at(place)
    if row is None:
        return
    for cell in row.values():
        if not place.contains(cell.span):
            continue
        try:
            reading = examined.read_cell(table, row, cell)
        except NotProven as error:
            reasons.append(error.reason)
            continue
        yield reading
    reasons.append(Reason.VALUE_ABSENT)


def _compare(said: _Said, reading: Reading) -> None:
    """Raises `NotProven` unless every part of the claim is what the page says."""
    full = reading.stated * reading.scale
    if said.full != full:
        same_digits = abs(said.number) == abs(reading.stated)
        raise NotProven(
            Reason.SCALE_DIFFERS if same_digits and said.number == reading.stated else Reason.VALUE_ABSENT
        )
    if said.unit != reading.unit:
        raise NotProven(Reason.UNIT_DIFFERS)
    if significant_digits(full) > MAX_DIGITS:
        raise NotProven(Reason.VALUE_TOO_LONG)
    if not _same_period(said.period, reading.period):
        raise NotProven(Reason.PERIOD_DIFFERS)
    if said.direction is not reading.direction:
        raise NotProven(Reason.DIRECTION_DIFFERS)
    if said.flags != reading.flags:
        raise NotProven(Reason.FLAGS_DIFFER)


def _same_period(said: Period | None, read: Period | None) -> bool:
    if said is None or read is None:
        return said is read
    return said == read or period_matches(read, said) is Match.EXACT
