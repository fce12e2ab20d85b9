"""All readings of the numbers in a text, for whoever must not miss one.

Every grouping, every decimal sign, every scale near by, digits set apart, digits of any script, number words.
More readings than anybody meant are fine here; a missing one is the fault. Work grows with the length of the
text alone: what is joined or looked back over is bounded by constants.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import Final

from .cjk_numbers import cjk_numbers
from .figure import Reading
from .folding import fold, lowered
from .french_words import french_numbers
from .german_words import german_numbers
from .lexicon import CJK_SCALES, SCALE_WORDS, alternation
from .number_words import find_word_numbers
from .numerals import MAX_DIGITS, NUMERAL, read_numeral
from .roman import roman_numbers
from .span import Span
from .surroundings import After, Before, read_after, read_before
from .units import COUNT, CURRENCIES, Measure, Unit

_NEAR: Final = 28
"""How far from a number, in characters, a scale word may stand."""
_PIECES: Final = 24
"""How many pieces, set apart by spaces or hyphens, may belong to one number."""

_APART: Final = re.compile(r"(?<![0-9])[0-9]+(?:[ \u00a0_./,'-]{1,3}[0-9]+)+")
_DIGIT: Final = re.compile("[0-9½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
_PIECE: Final = re.compile(r"[0-9]+")
_POWER: Final = re.compile(
    r"(?<![0-9])([0-9]{1,40}(?:[.,][0-9]{1,40})?)(?:[ \u00a0]?[eE]\+?(-?[0-9]{1,2})(?![0-9])"
    r"|[ \u00a0]?[x×*·.][ \u00a0]?10[ \u00a0]?(?:\^|\*\*|\^\{)?[ \u00a0]?\+?(-?[0-9]{1,2}"
    r"|[⁰¹²³⁴-⁹]{1,2})(?![0-9]))"
    r"|(?<![0-9.,])(10)(?:\^|\*\*)\+?([0-9]{1,2})(?![0-9])"
)
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SPOKEN: Final = re.compile(
    r"(?<![0-9])([0-9]{1,40})[ \u00a0-](?:point|dot|comma|komma|virgule|coma|virgola"
    r"|punto)[ \u00a0-]([0-9](?:[ \u00a0-]?[0-9])*)"
)
_FRACTION: Final = re.compile(r"(?<![0-9/])(?:([0-9]{1,6})[ \u00a0-])?([0-9]{1,3})/([0-9]{1,3})(?![0-9/])")
_VULGAR: Final = re.compile("(?:([0-9]{1,12})[ \u00a0]?)?([½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])")
_SCALE_NEAR: Final = re.compile(
    rf"(?<![a-z])(?:{alternation(SCALE_WORDS)}|cr|tril|bill)(?![a-z])"
    r"|(?<=[0-9 $€£¥\u00a0(])(?:k|m|mm|b|t)(?![a-z0-9])"
    rf"|[{''.join(CJK_SCALES)}]"
)
_NEAR_FACTORS: Final = {
    **SCALE_WORDS,
    **{sign: (factor,) for sign, factor in CJK_SCALES.items()},
    "cr": (Decimal(10) ** 7,),
    "tril": (Decimal(10) ** 12,),
    "bill": (Decimal(10) ** 9,),
    "k": (Decimal(1000),),
    "m": (Decimal(10) ** 6,),
    "mm": (Decimal(10) ** 6,),
    "b": (Decimal(10) ** 9,),
    "t": (Decimal(10) ** 12,),
}
_NEGATIVE_AFTER: Final = re.compile(r"-|[ \u00a0]?(?:CR|DR|Cr|Dr)(?![A-Za-z])")
_ADDITION: Final = re.compile(r"(?:,|[ \u00a0]and|[ \u00a0]plus|[ \u00a0]und|[ \u00a0]et)?[ \u00a0]")
_WRITTEN_OUT: Final = Decimal(10_000)
"""From this size on, digits without a scale state their magnitude themselves."""

_Scale = tuple[int, int, tuple[Decimal, ...]]
_LONGEST_SCALE: Final = max(map(len, _NEAR_FACTORS))


def _scale_start(scale: _Scale) -> int:
    return scale[0]


def all_readings(text: str) -> tuple[Reading, ...]:
    """Every reading of every number in `text`, in order of position, without repetitions."""
    collector = _Collector(text)
    return tuple(sorted(collector.readings(), key=lambda reading: (reading.span, reading.value)))


def significant_digits(value: Decimal) -> int:
    """The digits of `value` without leading and trailing zeros; 1 for zero."""
    digits = "".join(map(str, value.as_tuple().digits)).strip("0")
    return len(digits) or 1


class _Collector:
    """One text, and the readings found in it."""

    def __init__(self, text: str) -> None:
        self._found: dict[Reading, None] = {}
        self._read_around: dict[tuple[str, int, int], tuple[Before, After]] = {}
        self._texts = [fold(text)]
        if not text.isascii():
            shown = _all_digits(self._texts[0])
            if shown != self._texts[0]:
                self._texts.append(shown)

    def readings(self) -> Iterable[Reading]:
        """All readings, unordered."""
        for folded in self._texts:
            self._read(folded)
        return self._found

    def _read(self, folded: str) -> None:
        small = lowered(folded)
        words = find_word_numbers(small)
        digits = _DIGIT.search(folded) is not None
        scales: list[_Scale] = []
        if digits or words:
            scales = [(m.start(), m.end(), _NEAR_FACTORS[m.group()]) for m in _SCALE_NEAR.finditer(small)]
        if digits:
            for start, end, values in _merge(_digit_candidates(folded)):
                self._emit(folded, start, end, values, scales, stated=False)
            self._sums(folded)
        for found in words:
            said = ((found.value,) if found.value is not None else ()) + found.others
            self._emit(folded, found.span.start, found.span.end, said, scales, stated=True)
        for numbers in (
            german_numbers(small),
            french_numbers(small),
            cjk_numbers(folded),
            roman_numbers(folded),
        ):
            for start, end, value in numbers:
                self._emit(folded, start, end, (value,), (), stated=True)

    def _emit(
        self,
        folded: str,
        start: int,
        end: int,
        values: Iterable[Decimal],
        scales: Sequence[_Scale],
        *,
        stated: bool,
    ) -> None:
        before, after = self._around(folded, start, end)
        units = _units(before.currency, after.currency)
        if after.measure is not None:
            units = [Unit(after.measure)]
        elif after.per is not None:
            units += [Unit(u.measure, after.per) for u in units if u is not None and u.measure in CURRENCIES]
        elif after.counted:
            units = [COUNT]
        factors: dict[Decimal, None] = dict.fromkeys(after.scales)
        first = bisect_left(scales, start - _NEAR - _LONGEST_SCALE, key=_scale_start)
        for scale_start, scale_end, choices in islice(scales, first, None):
            if scale_start - end > _NEAR:
                break
            if start - scale_end <= _NEAR:
                factors.update(dict.fromkeys(choices))
        if after.minor:
            factors[Decimal("0.01")] = None
        span = Span(min(before.start, start), max(after.end, end))
        negative = (
            _NEGATIVE_AFTER.match(folded, after.consumed) is not None
            or before.sign in ("-", "minus", "negative", "±")
            or (before.parenthesis and after.closed)
        )
        for value in values:
            for factor in (None, *factors):
                amount = value if factor is None else value * factor
                magnitude = stated or factor is not None or abs(amount) >= _WRITTEN_OUT
                for unit in units:
                    digits = significant_digits(amount)
                    self._found[Reading(span, amount, unit, magnitude, digits)] = None
                    if negative and amount:
                        self._found[Reading(span, -amount, unit, magnitude, digits)] = None

    def _around(self, folded: str, start: int, end: int) -> tuple[Before, After]:
        """What stands around a number, read once for each stretch of the text at hand."""
        key = (folded, start, end)
        if key not in self._read_around:
            before = read_before(folded, start)
            self._read_around[key] = before, read_after(folded, end, currency_before=before.currency_said)
        return self._read_around[key]

    def _sums(self, folded: str) -> None:
        """ "4 billion 200 million": neighbours with falling scales also mean their sum."""
        previous: tuple[int, int, Decimal, Decimal] | None = None
        for match in NUMERAL.finditer(folded):
            values = read_numeral(match.group(), frozenset()).values
            before, after = self._around(folded, match.start(), match.end())
            factor = after.scales[0] if after.scales else Decimal(1)
            joined = (
                previous is not None and _ADDITION.fullmatch(folded, previous[1], match.start()) is not None
            )
            if values and previous is not None and joined and previous[3] > factor > 0:
                total = previous[2] + values[0] * factor
                for unit in _units(before.currency, after.currency):
                    span = Span(previous[0], max(after.end, match.end()))
                    self._found[Reading(span, total, unit, True, significant_digits(total))] = None
                previous = (previous[0], after.end, total, factor)
            elif values and factor > 1:
                previous = (match.start(), after.end, values[0] * factor, factor)
            else:
                previous = None


def _units(before: Iterable[Measure], after: Iterable[Measure]) -> list[Unit | None]:
    measures = dict.fromkeys([*before, *after])
    return [Unit(measure) for measure in measures] or [None]


def _merge(candidates: Iterator[tuple[int, int, Decimal]]) -> Iterator[tuple[int, int, list[Decimal]]]:
    by_span: dict[tuple[int, int], dict[Decimal, None]] = {}
    for start, end, value in candidates:
        by_span.setdefault((start, end), {})[value] = None
    for (start, end), values in by_span.items():
        yield start, end, list(values)


def _digit_candidates(folded: str) -> Iterator[tuple[int, int, Decimal]]:
    """Every stretch of digits that can be one number, and every value it can have."""
    for match in NUMERAL.finditer(folded):
        for value in _numeral_values(match.group()):
            yield match.start(), match.end(), value
    for match in _APART.finditer(folded):
        yield from _apart(folded, match)
    for match in _POWER.finditer(folded):
        yield from _power(match)
    for match in _SPOKEN.finditer(lowered(folded)):
        digits = re.sub("[^0-9]", "", match[2])
        yield match.start(), match.end(), Decimal(f"{match[1][-MAX_DIGITS:]}.{digits[:MAX_DIGITS]}")
    for match in _FRACTION.finditer(folded):
        fraction = _finite(int(match[2]), int(match[3]))
        if fraction is not None:
            yield match.start(), match.end(), Decimal(match[1] or 0) + fraction
            yield match.start(2), match.end(), fraction
    for match in _VULGAR.finditer(folded):
        top, _, bottom = unicodedata.normalize("NFKC", match[2]).partition("\u2044")
        fraction = _finite(int(top), int(bottom))
        if fraction is not None:
            yield match.start(), match.end(), Decimal(match[1] or 0) + fraction
            yield match.start(2), match.end(), fraction


def _numeral_values(token: str) -> Iterator[Decimal]:
    """The values grammar allows, all digits run together, and each separator as the decimal sign."""
    yield from read_numeral(token, frozenset()).values
    digits = re.sub("[^0-9]", "", token)
    if len(digits) > MAX_DIGITS * 4:
        return
    yield Decimal(digits)
    seen = 0
    positions = []
    for character in token:
        if character.isdigit():
            seen += 1
        else:
            positions.append(seen)
    for position in {positions[0], positions[-1]} if positions else ():
        yield Decimal(f"{digits[:position] or '0'}.{digits[position:]}")


def _apart(folded: str, match: re.Match[str]) -> Iterator[tuple[int, int, Decimal]]:
    """Pieces with something between them: all as one number, groups of three, single digits."""
    pieces = [(m.start(), m.end()) for m in _PIECE.finditer(folded, match.start(), match.end())]
    if len(pieces) <= _PIECES:
        yield from _joined(folded, pieces)
    else:
        for at in range(0, len(pieces), _PIECES // 2):
            yield from _joined(folded, pieces[at : at + _PIECES])
    start = 0
    while start < len(pieces):
        end = start + 1
        grouped = pieces[start][1] - pieces[start][0] <= 3
        while (
            grouped and end < len(pieces) and pieces[end][1] - pieces[end][0] == 3 and end - start < _PIECES
        ):
            end += 1
        if end - start > 1:
            whole = "".join(folded[a:b] for a, b in pieces[start:end])
            yield pieces[start][0], pieces[end - 1][1], Decimal(whole)
            if end < len(pieces) and folded[pieces[end - 1][1] : pieces[end][0]] in (",", "."):
                a, b = pieces[end]
                yield pieces[start][0], b, Decimal(f"{whole}.{folded[a:b]}")
        start += 1
    yield from _single_digits(folded, pieces)


def _single_digits(folded: str, pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int, Decimal]]:
    run: list[tuple[int, int]] = []
    for piece in [*pieces, (0, 0)]:
        if piece[1] - piece[0] == 1 and len(run) < _PIECES * 2:
            run.append(piece)
            continue
        if len(run) > 1:
            yield from _joined(folded, run)
        run = []


def _joined(folded: str, pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int, Decimal]]:
    if len(pieces) < 2:
        return
    digits = "".join(folded[a:b] for a, b in pieces)
    if len(digits) <= MAX_DIGITS * 4:
        yield pieces[0][0], pieces[-1][1], Decimal(digits)


def _power(match: re.Match[str]) -> Iterator[tuple[int, int, Decimal]]:
    if match[4]:
        yield match.start(), match.end(), Decimal(10) ** int(match[5])
        return
    exponent = int((match[2] or match[3]).translate(_SUPERSCRIPTS))
    for mantissa in {match[1].replace(",", "."), match[1].replace(",", "").replace(".", "")}:
        yield match.start(), match.end(), Decimal(mantissa).scaleb(exponent)


def _finite(top: int, bottom: int) -> Decimal | None:
    """The fraction as a decimal, None where it has no finite form."""
    if bottom == 0:
        return None
    rest = bottom
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return Decimal(top) / Decimal(bottom) if rest == 1 or top % rest == 0 else None


def _all_digits(folded: str) -> str:
    """Superscript, subscript and circled digits as plain ones too."""
    return "".join(c if c.isascii() or (d := unicodedata.digit(c, -1)) < 0 else str(d) for c in folded)
