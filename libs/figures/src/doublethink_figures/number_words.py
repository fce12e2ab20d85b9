"""English number words: "four point two billion", "one and a half", "twenty twenty-four", "two-thirds".

`find_word_numbers` gives each run of number words with the value that grammar gives it, and the other values
somebody could mean by it (digits one by one, two halves of a year).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from .span import Span

_UNITS: Final = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_DIGITS: Final = {
    **{word: value for word, value in _UNITS.items() if value < 10},
    "oh": 0,
    "nought": 0,
    "nil": 0,
}
_TENS: Final = {
    word: value
    for value, word in zip(
        range(20, 100, 10),
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        strict=True,
    )
}
_SCALES: Final = {
    "thousand": Decimal(1_000),
    "lakh": Decimal(100_000),
    "lac": Decimal(100_000),
    "million": Decimal(10) ** 6,
    "crore": Decimal(10) ** 7,
    "milliard": Decimal(10) ** 9,
    "billion": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12,
    "quadrillion": Decimal(10) ** 15,
}
_SCALE_FORMS: Final = {**_SCALES, **{word + "s": value for word, value in _SCALES.items()}}
_FRACTIONS: Final = {
    "half": Decimal("0.5"),
    "quarter": Decimal("0.25"),
    "quarters": Decimal("0.25"),
    "third": None,
    "thirds": None,
    "fifth": Decimal("0.2"),
    "fifths": Decimal("0.2"),
    "tenth": Decimal("0.1"),
    "tenths": Decimal("0.1"),
    "eighth": Decimal("0.125"),
    "eighths": Decimal("0.125"),
}
"""Fractions with a finite decimal form; thirds have none and give no value."""

_WORDS: Final = "|".join(
    sorted(
        {*_UNITS, *_DIGITS, *_TENS, *_SCALE_FORMS, "hundred", "hundreds", "dozen", "half"},
        key=len,
        reverse=True,
    )
)
_JOIN: Final = (
    r"(?:[ \u00a0\t]*[-,][ \u00a0]*|[ \u00a0\t]+)"
    r"(?:and[ \u00a0-]+(?:a[ \u00a0-]+)?|of[ \u00a0]+)?(?:an?[ \u00a0-]+)?"
)
_RUN: Final = re.compile(
    rf"(?<![a-z])(?:an?[ \u00a0-])?(?:{_WORDS})(?:{_JOIN}(?:{_WORDS}|point|comma|quarters?|thirds?|fifths?"
    rf"|tenths?|eighths?))*(?![a-z])"
)
_TOKEN: Final = re.compile(r"[a-z]+|[0-9]+|,")
_ANY: Final = re.compile(rf"(?<![a-z])(?:{_WORDS})(?![a-z])")
_SCALE_ALONE: Final = re.compile(
    rf"(?:{'|'.join(_SCALE_FORMS)}|hundreds?|dozen)(?:[ \u00a0-]+(?:{'|'.join(_SCALE_FORMS)}))*"
)

_MAX_PART: Final = 16
"""How many words of an unreadable run are tried together."""
MAX_TOKENS: Final = 64
"""A run of more words than this is read in parts."""


@dataclass(frozen=True, slots=True)
class WordNumber:
    """A run of number words. `value` is None where grammar gives none; `others` never holds `value`."""

    span: Span
    value: Decimal | None
    others: tuple[Decimal, ...]
    scaled: bool
    tokens: int


def find_word_numbers(lowered: str) -> tuple[WordNumber, ...]:
    """The runs of English number words in a lower-cased, folded text."""
    if not _ANY.search(lowered):
        return ()
    found = []
    for match in _RUN.finditer(lowered):
        if _SCALE_ALONE.fullmatch(match.group()):
            continue
        words = [(token.group(), token.start()) for token in _TOKEN.finditer(match.group())]
        for part in (words[i : i + MAX_TOKENS] for i in range(0, len(words), MAX_TOKENS)):
            start = match.start() + part[0][1]
            end = match.start() + part[-1][1] + len(part[-1][0])
            found.append(_read(Span(start, end), [word for word, _ in part]))
    return tuple(found)


def _read(span: Span, tokens: Sequence[str]) -> WordNumber:
    words = [piece for piece in tokens if piece != ","]
    value = parse_number(words) if words and words[0][0].isalpha() else None
    others = dict.fromkeys(other for other in _other_values(words) if other != value)
    if value is None:
        for cut in _partial_values(words):
            others[cut] = None
    scaled = any(word in _SCALE_FORMS or word == "dozen" for word in words)
    return WordNumber(span, value, tuple(others), scaled, len(words))


def parse_number(words: Sequence[str]) -> Decimal | None:
    """The value that English grammar gives to the whole of `words`, or None."""
    reader = _Reader(words)
    value = reader.number()
    return value if value is not None and reader.at_end else None


class _Reader:
    """A recursive-descent reader of one run of words."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._at = 0

    @property
    def at_end(self) -> bool:
        """Whether every word was used."""
        return self._at == len(self._words)

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._words[at] if at < len(self._words) else ""

    def _take(self, *expected: str) -> bool:
        if tuple(self._words[self._at : self._at + len(expected)]) == expected:
            self._at += len(expected)
            return True
        return False

    def number(self) -> Decimal | None:
        """A number: fraction, decimal or whole, with its scales."""
        if self._peek() == "half" or self._words[self._at : self._at + 2] == ["half", "a"]:
            return self._half()
        whole = self._whole()
        if whole is None:
            return None
        if self._take("point") or self._take("comma"):
            return self._decimals(whole)
        if (
            self._peek() == "and"
            and self._peek(1) in ("a", "an", "one", "three")
            and self._peek(2) in _FRACTIONS
        ):
            return self._and_fraction(whole)
        if self._peek() in _FRACTIONS:
            fraction = _FRACTIONS[self._peek()]
            self._at += 1
            if fraction is None:
                return None
            return self._scaled(whole * fraction)
        return whole

    def _half(self) -> Decimal | None:
        self._at += 1
        self._take("of")
        self._take("a")
        if self.at_end:
            return Decimal("0.5")
        return self._scaled(Decimal("0.5"))

    def _and_fraction(self, whole: Decimal) -> Decimal | None:
        self._at += 1
        count = 3 if self._peek() == "three" else 1
        self._at += 1
        fraction = _FRACTIONS[self._peek()]
        self._at += 1
        if fraction is None:
            return None
        return self._scaled(whole + count * fraction)

    def _decimals(self, whole: Decimal) -> Decimal | None:
        digits = ""
        while (word := self._peek()) in _UNITS or word in _DIGITS or word in _TENS:
            if word in _TENS:
                unit = _DIGITS.get(self._peek(1), 0)
                digits += str(_TENS[word] + unit)
                self._at += 1 + (unit > 0)
                continue
            digits += str(_UNITS.get(word, _DIGITS.get(word, 0)))
            self._at += 1
        if not digits:
            return None
        return self._scaled(Decimal(f"{whole}.{digits}"))

    def _scaled(self, value: Decimal) -> Decimal | None:
        """`value` times the scale words that follow, if they end the run."""
        self._take("of")
        self._take("a")
        while not self.at_end:
            word = self._peek()
            if word == "hundred":
                value *= 100
            elif word == "dozen":
                value *= 12
            elif word in _SCALE_FORMS:
                value *= _SCALE_FORMS[word]
            else:
                return None
            self._at += 1
        return value

    def _whole(self) -> Decimal | None:
        total: Decimal | None = None
        limit = Decimal("Infinity")
        while not self.at_end:
            before = self._at
            if total is not None:
                self._take("and")
            small = self._small()
            if small is None:
                self._at = before
                break
            scale = Decimal(1)
            while self._peek() in _SCALE_FORMS:
                scale *= _SCALE_FORMS[self._peek()]
                self._at += 1
            if scale == 1 and self._peek() == "dozen":
                self._at += 1
                small *= 12
            amount = small * scale
            if amount >= limit:
                self._at = before
                break
            total = amount if total is None else total + amount
            if scale == 1:
                break
            limit = scale
        return total

    def _small(self) -> Decimal | None:
        """A number below ten thousand, "a" before a hundred or a scale word included."""
        word = self._peek()
        if word in ("a", "an"):
            following = self._peek(1)
            if following == "dozen":
                self._at += 1
                return Decimal(1)
            if following in _SCALE_FORMS:
                self._at += 1
                return Decimal(1)
            if following != "hundred":
                return None
            self._at += 1
            value: Decimal | None = Decimal(1)
        else:
            value = self._below_hundred()
        if value is None:
            return None
        if self._peek() == "hundred" and value > 0:
            self._at += 1
            value *= 100
            before = self._at
            self._take("and")
            rest = self._below_hundred()
            if rest is None:
                self._at = before
            else:
                value += rest
        return value

    def _below_hundred(self) -> Decimal | None:
        word = self._peek()
        if word in _TENS:
            self._at += 1
            unit = _UNITS.get(self._peek(), 0)
            if 1 <= unit <= 9:
                self._at += 1
                return Decimal(_TENS[word] + unit)
            return Decimal(_TENS[word])
        if word in _UNITS:
            self._at += 1
            return Decimal(_UNITS[word])
        return None


def _other_values(words: Sequence[str]) -> list[Decimal]:
    """Digits one by one ("four two zero zero"), pairs ("nineteen ninety-nine", "forty-two fifty")."""
    pieces: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word in _TENS:
            unit = _UNITS.get(words[at + 1], 0) if at + 1 < len(words) else 0
            step = 1 <= unit <= 9
            pieces.append(str(_TENS[word] + (unit if step else 0)))
            at += 1 + step
        elif word in _UNITS or word in _DIGITS:
            pieces.append(str(_UNITS.get(word, _DIGITS.get(word, 0))))
            at += 1
        elif word in ("hundred", "hundreds") and pieces:
            pieces.append("00")
            at += 1
        else:
            return []
    if len(pieces) < 2 or sum(map(len, pieces)) > 30:
        return []
    return [Decimal("".join(pieces))]


def _partial_values(words: Sequence[str]) -> list[Decimal]:
    """Where the whole run is no number: the numbers of its longest readable stretches, from the left."""
    values = []
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + _MAX_PART), at, -1):
            value = parse_number(words[at:end])
            if value is not None:
                values.append(value)
                at = end
                break
        else:
            at += 1
    return values
