"""Roman numerals in capitals, for the gate's readings: "XLII per share"."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN: Final = re.compile(
    r"(?<![A-Za-z0-9])(?=[IVXLCDM]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV"
    r"|V?I{0,3})(?![A-Za-z0-9])"
)


def roman_numbers(folded: str) -> Iterator[tuple[int, int, Decimal]]:
    """Start, end and value of each numeral of two letters or more."""
    for match in _ROMAN.finditer(folded):
        total = 0
        numbers = [_VALUES[letter] for letter in match.group()]
        for number, following in zip(numbers, [*numbers[1:], 0], strict=True):
            total += -number if number < following else number
        yield match.start(), match.end(), Decimal(total)
