"""The one reading of each figure in a text, for whoever must be certain.

A number is read with what stands directly around it. Where two values are possible both are kept and the
figure is ambiguous; where the digits are a name, a date, an identifier or cannot be parsed, there is no
figure.

Longer than most modules, because sign, scale and unit of one figure are decided together.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import Final

from .bounds import join_ranges, with_bound
from .exclusions import excluded_spans
from .figure import Bound, Context, Figure
from .folding import fold, lowered
from .language import plain_language
from .lexicon import BILLION, TRILLION
from .number_words import WordNumber, find_word_numbers
from .numerals import NUMERAL, SPACED, convention_sign, read_numeral, shown_conventions
from .span import Span
from .surroundings import After, Before, per_share_before, read_after, read_before
from .units import COUNT, CURRENCIES, Measure, Unit

MAX_TEXT: Final = 1_000_000
"""Longer texts are refused: a quote or page is far shorter."""

_YEAR: Final = re.compile(r"(?:19|20|21)[0-9]{2}")
_FRACTIONS: Final = {
    "½": "0.5", "¼": "0.25", "¾": "0.75", "⅕": "0.2", "⅖": "0.4", "⅗": "0.6", "⅘": "0.8", "⅛": "0.125",
    "⅜": "0.375", "⅝": "0.625", "⅞": "0.875",
}  # fmt: skip
_VULGAR: Final = re.compile(
    rf"(?<![0-9.,/])(?<![0-9][ \u00a0])(?:(?:(?P<whole>[0-9]{{1,3}})[ \u00a0]?)?"
    rf"(?P<sign>[{''.join(_FRACTIONS)}])"
    r"|(?P<whole2>[0-9]{1,3})[ \u00a0-](?P<top>[1-7])/(?P<bottom>[248])(?![0-9/]))"
)
_ORDINAL_END: Final = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_DOLLARS: Final = frozenset(
    {Measure.USD, Measure.CAD, Measure.AUD, Measure.NZD, Measure.HKD, Measure.SGD, Measure.TWD, Measure.MXN}
)
_ENGLISH_CURRENCIES: Final = frozenset(
    {Measure.USD, Measure.UNKNOWN_DOLLAR, Measure.GBP, Measure.AUD, Measure.HKD, Measure.JPY, Measure.INR}
)
_SENTENCE_END: Final = re.compile(r"[.;][ \u00a0]+[A-Z]|[\n\t]")
_COMPARED_WITH: Final = re.compile(
    r"\b(?:compared (?:to|with)|versus|vs\.?|from)[ \u00a0]"
    r"(?:an? |diluted |basic |earnings |loss |income |of )*\Z",
    re.IGNORECASE,
)
_SAME_SENTENCE: Final = 400
_CELL: Final = 64
"""How far back the start of a cell is looked for."""
_RANGE_FOLLOWS: Final = re.compile(r"[ \u00a0](?:to|and|or)[ \u00a0]|[ \u00a0]?-[ \u00a0]?")
_MYRIADS: Final = frozenset("万萬億亿兆")
_CREDIT_DEBIT: Final = re.compile(r"[ \u00a0]?(?:CR|DR|Cr|Dr)\.?(?![A-Za-z])")
_PRECEDES_YEAR: Final = re.compile(
    r"\b(?:in|since|by|for|of|during|until|from|to|through|and|before|after|than)[ \u00a0]\Z", re.IGNORECASE
)


def find_figures(text: str, *, context: Context | None = None) -> tuple[Figure, ...]:
    """The figures of `text`, in order of position.

    Raises `ValueError` for a text of more than `MAX_TEXT` characters.
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"a text of at most {MAX_TEXT} characters can be read")
    reader = _Reader(text, context or Context())
    figures = sorted(reader.figures(), key=lambda figure: figure.span)
    kept: list[Figure] = []
    for figure in figures:
        if not kept or figure.span.start >= kept[-1].span.end:
            kept.append(with_bound(reader.folded, figure))
    read = [
        figure
        for figure in join_ranges(reader.folded, kept)
        if figure.number_span not in reader.tentative and not _second_half(reader.folded, figure)
    ]
    return tuple(_per_share_too(reader.folded, read, at) for at in range(len(read)))


def _per_share_too(folded: str, figures: Sequence[Figure], at: int) -> Figure:
    """ "$4.65 per share ... compared to $5.05 for ...": what an amount per share is compared with is one as
    well.
    """
    figure = figures[at]
    unit = figure.unit
    if unit is None or unit.measure not in CURRENCIES or unit.per is not None or figure.scale != 1:
        return figure
    for previous in reversed(figures[max(0, at - 8) : at]):
        if figure.span.start - previous.span.end > _SAME_SENTENCE:
            return figure
        between = folded[previous.span.end : figure.span.start]
        if _SENTENCE_END.search(between):
            return figure
        if previous.unit is not None and previous.unit.measure is unit.measure:
            compared = previous.unit.per is Measure.SHARE and _COMPARED_WITH.search(between)
            return replace(figure, unit=Unit(unit.measure, Measure.SHARE)) if compared else figure
    return figure


def _second_half(folded: str, figure: Figure) -> bool:
    """Whether the figure is the end of a range whose beginning could not be read ("2000-2500 employees")."""
    start = figure.span.start
    return start > 1 and folded[start - 1] == "-" and folded[start - 2].isalnum()


class _Reader:
    """One text with what is known about it."""

    def __init__(self, text: str, context: Context) -> None:
        self.folded = fold(text)
        self._context = context
        self._lowered = lowered(self.folded)
        self._taken = [False] * (len(text) + 1)
        excluded = excluded_spans(text, self.folded)
        for span in excluded:
            self._take(span)
        self.tentative: set[Span] = set()
        """Number words that count only as one end of a range ("three to five million")."""
        self._tabular = context.table_cell or "\t" in text
        self._language = context.decimal_convention or plain_language(self._lowered)
        shown = shown_conventions(
            "".join(" " if taken else c for c, taken in zip(self.folded, self._taken, strict=False))
        )
        self._conventions = shown | convention_sign(context.decimal_convention)

    def _take(self, span: Span) -> None:
        self._taken[span.start : span.end] = [True] * (span.end - span.start)

    def _free(self, start: int, end: int) -> bool:
        return not any(self._taken[start:end])

    def figures(self) -> Iterator[Figure]:
        """Figures of fractions first, then spaced groups, digits, and words; each takes its characters."""
        for match in _VULGAR.finditer(self.folded):
            if self._free(match.start(), match.end()):
                yield from self._number(match.start(), match.end(), (_fraction(match),))
        for match in SPACED.finditer(self.folded):
            if self._free(match.start(), match.end()):
                yield from self._number(match.start(), match.end(), self._spaced(match.group()))
        for match in NUMERAL.finditer(self.folded):
            if self._free(match.start(), match.end()):
                yield from self._digits(match)
        for word_number in find_word_numbers(self._lowered):
            if self._free(word_number.span.start, word_number.span.end):
                yield from self._words(word_number)

    def _spaced(self, token: str) -> tuple[Decimal, ...]:
        """ "1 234": one number in French and Swedish print, in English perhaps the last of several."""
        grouped = read_numeral(token, self._conventions).values
        if self._language in ("fr", "de") or token.count(" ") == 0:
            return grouped
        return (*grouped, Decimal(token.rpartition(" ")[2].replace(",", ".")))

    def _digits(self, match: re.Match[str]) -> Iterator[Figure]:
        start, end, token = match.start(), match.end(), match.group()
        if start and self.folded[start - 1] in "'_/\\@#":
            return
        numeral = read_numeral(token, self._conventions)
        values = numeral.values
        if not values:
            return
        if numeral.ambiguous:
            values = self._settle(token, values, start, end)
        if len(values) == 1 and _YEAR.fullmatch(token) and not self._year_is_amount(start, end):
            return
        yield from self._number(start, end, values)

    def _settle(self, token: str, values: tuple[Decimal, ...], start: int, end: int) -> tuple[Decimal, ...]:
        """What currency and language say about a lone separator before three digits."""
        if len(self._conventions) > 1:
            return values
        grouped, decimal = values[0], values[-1]
        before = read_before(self.folded, start)
        english_money = (
            before.currency_said and len(before.currency) == 1 and before.currency[0] in _ENGLISH_CURRENCIES
        )
        if "," in token and (self._language == "en" or english_money) and self._language not in ("de", "fr"):
            return (grouped,)
        if "." in token and english_money and self._language in ("en", None):
            return (decimal,)
        return values

    def _year_is_amount(self, start: int, end: int) -> bool:
        """Whether four digits that look like a year are an amount: money, a rate, counted things."""
        before = read_before(self.folded, start)
        after = read_after(self.folded, end, currency_before=before.currency_said)
        if before.currency_said or after.currency_said or after.scales or after.measure:
            return True
        return after.counted and not _PRECEDES_YEAR.search(self.folded[max(0, start - 12) : start])

    def _number(self, start: int, end: int, values: tuple[Decimal, ...]) -> Iterator[Figure]:
        before = read_before(self.folded, start)
        after = read_after(self.folded, end, currency_before=before.currency_said)
        if not self._stands_alone(start, end, before, after):
            return
        figure = self._assemble(Span(start, end), values, before, after, words=False)
        if figure is not None:
            self._take(Span(figure.span.start, max(figure.span.end, after.consumed)))
            yield figure

    def _words(self, found: WordNumber) -> Iterator[Figure]:
        """Number words count where they are plainly an amount: several words, or one before a unit."""
        if found.value is None:
            return
        before = read_before(self.folded, found.span.start)
        after = read_after(
            self.folded, found.span.end, currency_before=before.currency_said, minor_allowed=True
        )
        amount = before.currency_said or after.currency_said or after.measure or after.scales or found.scaled
        one = found.value == 1 and not amount
        vague = found.value < 1 and not found.scaled
        if one or (vague and not amount) or (found.tokens == 1 and not (amount or after.counted)):
            if not _RANGE_FOLLOWS.match(self.folded, found.span.end):
                return
            self.tentative.add(found.span)
        elif self.folded[found.span.end : found.span.end + 1] == "-" and not amount:
            return
        values = (
            (found.value, *found.others)
            if found.others and not found.scaled and not amount
            else (found.value,)
        )
        figure = self._assemble(found.span, values, before, after, words=True, scaled=found.scaled)
        if figure is not None:
            self._take(figure.span)
            yield figure

    def _stands_alone(self, start: int, end: int, before: Before, after: After) -> bool:
        """Whether the digits are not part of a longer name: "A380", "5G", "5-year", "COVID-19", "10th"."""
        if before.start == start and start and not before.sign:
            previous = self.folded[start - 1]
            if previous.isalpha():
                return False
            if previous == "-" and start > 1 and self.folded[start - 2].isalpha():
                return False
        if after.end > end:
            return True
        rest = self.folded[after.consumed : after.consumed + 8]
        if _CREDIT_DEBIT.match(rest) and self._tabular:
            return True
        if _ORDINAL_END.match(rest):
            return False
        if rest[:1] == "-" and rest[1:2].isalpha():
            return False
        if rest[:1] in ("/", "'") and rest[1:2].isdigit():
            return False
        return not rest[:1].isalpha() or not rest[:1].isascii()

    def _assemble(
        self,
        number: Span,
        values: tuple[Decimal, ...],
        before: Before,
        after: After,
        *,
        words: bool,
        scaled: bool = False,
    ) -> Figure | None:
        unit, known = self._unit(number, before, after)
        scales = self._scales(after, currency=before.currency_said or after.currency_said)
        factors: tuple[Decimal, ...] = scales or (Decimal(1),)
        minor = Decimal("0.01") if after.minor else Decimal(1)
        heading = None
        if not scales and not scaled and minor == 1:
            heading = self._heading_scale(unit)
            if heading is not None:
                factors = (heading,)
        closed = before.parenthesis and after.closed
        start = before.start
        if before.parenthesis and not closed:
            start = self._without_parenthesis(before.start, number.start)
            if before.currency_outside:
                return None
        signs = self._signs(before, after, closed, number)
        if signs is None:
            return None
        end = after.end
        if after.closed and not before.parenthesis:
            end = self.folded.rfind(")", number.end, end) if self.folded[end - 1] == ")" else end
        candidates = tuple(
            dict.fromkeys(
                sign * value * factor * minor for sign, value, factor in product(signs, values, factors)
            )
        )
        if unit is None and known is False and not candidates:
            return None
        if self._trailing_minus(after) and signs == (-1,):
            end = after.consumed + 1
        if self.folded[max(end, number.end) - 1] in _MYRIADS and self.folded[end : end + 1].isdigit():
            return None  # the number goes on in the next lower step, "12億3,456万": its first part is another value
        negative_parentheses = closed and signs == (-1,)
        if closed and not negative_parentheses and signs == (1,):
            start, end = self._inside(start, end)
        return Figure(
            span=Span(start, max(end, number.end)),
            number_span=number,
            low=min(candidates),
            high=max(candidates),
            bound=Bound.EXACT,
            unit=unit,
            scale=factors[0] * minor,
            scale_span=after.scale_span if scales else None,
            stated_scale=bool(scales) or scaled,
            negative_parentheses=negative_parentheses,
            ambiguous=candidates if len(candidates) > 1 else (),
        )

    def _without_parenthesis(self, start: int, stop: int) -> int:
        at = self.folded.find("(", start, stop)
        start = at + 1 if at >= 0 else start
        while start < stop and self.folded[start] in " \u00a0":
            start += 1
        return start

    def _inside(self, start: int, end: int) -> tuple[int, int]:
        return self._without_parenthesis(start, end), end - 1 if self.folded[end - 1] == ")" else end

    def _signs(self, before: Before, after: After, closed: bool, number: Span) -> tuple[int, ...] | None:
        """The signs the figure can have; None where a parenthesis makes it a mark rather than a figure."""
        rest = self.folded[after.consumed : after.consumed + 8]
        if before.sign == "±":
            return (1, -1)
        unclosed = before.sign_outside and not closed
        if before.sign in ("-", "minus", "negative") and not unclosed:
            return (1, -1) if before.spaced_minus or closed else (-1,)
        if closed:
            if self._is_mark(number, before, after):
                return None
            if self._tabular or before.currency_outside or (after.closed_first and after.measure):
                return (-1,)
            return (1, -1)
        if self._tabular:
            if _CREDIT_DEBIT.match(rest):
                return (1, -1)
            if self._trailing_minus(after):
                return (-1,)
        elif _CREDIT_DEBIT.match(rest) or (rest[:1] == "-" and not rest[1:2].strip()):
            # In running text the signs of a ledger may be other things: a short form, half a word.
            return (1, -1)
        return (1,)

    def _trailing_minus(self, after: After) -> bool:
        """Whether a table's figure ends in a minus sign: "1,234-"."""
        at = after.consumed
        return self._tabular and self.folded[at : at + 1] == "-" and not self.folded[at + 1 : at + 2].strip()

    def _is_mark(self, number: Span, before: Before, after: After) -> bool:
        """Whether "(2)" is a mark or a list number: in prose, or behind a number in the same cell."""
        plain = self.folded[number.start : number.end]
        if not plain.isdigit() or len(plain) > 2 or before.currency_said or after.measure or after.scales:
            return False
        if not self._tabular:
            return True
        cell = self.folded[max(0, before.start - _CELL) : before.start].rpartition("\t")[2]
        return bool(cell.strip(" \u00a0$€£¥"))

    def _scales(self, after: After, *, currency: bool) -> tuple[Decimal, ...]:
        scales = after.scales
        if not scales:
            return ()
        if after.letter_scale and not currency:
            return (Decimal(1), *scales)
        if len(scales) > 1 and set(scales) & {BILLION, TRILLION}:
            if self._language in ("de", "fr"):
                return (max(scales),)
            if self._language == "en" or (self._context.decimal_convention is None and not self._foreign()):
                return (min(scales),)
        return scales

    def _foreign(self) -> bool:
        return bool(
            re.search(r"\b(?:milliarden?|milliards?|mrd|mio|euros? |d'euros)\b", self._lowered)
        ) or any(c in self._lowered for c in "äöüßéèàç")

    def _heading_scale(self, unit: Unit | None) -> Decimal | None:
        """The heading's scale, for amounts of money and bare numbers; never for rates and amounts per
        something.
        """
        if self._context.heading_scale is None:
            return None
        if unit is None or (unit.per is None and (unit.measure in CURRENCIES or unit == COUNT)):
            return self._context.heading_scale
        return None

    def _unit(self, number: Span, before: Before, after: After) -> tuple[Unit | None, bool]:
        """The unit, and whether the text names one that is understood."""
        if after.measure is not None:
            if before.currency_said:
                return None, False
            return Unit(after.measure), True
        if before.currency_said or after.currency_said:
            measure = self._currency(before, after)
            if measure is None:
                return None, False
            per = after.per
            if per is None and not after.scales and per_share_before(self.folded, before.start):
                per = Measure.SHARE
            return Unit(measure, per), True
        if after.counted:
            return COUNT, True
        return self._context.heading_unit, True

    def _currency(self, before: Before, after: After) -> Measure | None:
        first = self._one_currency(before.currency) if before.currency_said else None
        second = self._one_currency(after.currency) if after.currency_said else None
        if before.currency_said and after.currency_said:
            if first is Measure.UNKNOWN_DOLLAR and second in _DOLLARS:
                return second
            if second is Measure.UNKNOWN_DOLLAR and first in _DOLLARS:
                return first
            return first if first is second else None
        measure = first if before.currency_said else second
        if measure is not Measure.UNKNOWN_DOLLAR:
            return measure
        if self._context.dollar is not Measure.UNKNOWN_DOLLAR:
            return self._context.dollar
        heading = self._context.heading_unit
        return heading.measure if heading is not None and heading.measure in _DOLLARS else measure

    def _one_currency(self, measures: tuple[Measure, ...]) -> Measure | None:
        if len(measures) == 1:
            return measures[0]
        heading = self._context.heading_unit
        if heading is not None and heading.measure in measures:
            return heading.measure
        return None


def _fraction(match: re.Match[str]) -> Decimal:
    if match["sign"]:
        return Decimal(match["whole"] or 0) + Decimal(_FRACTIONS[match["sign"]])
    return Decimal(match["whole2"]) + Decimal(match["top"]) / Decimal(match["bottom"])
