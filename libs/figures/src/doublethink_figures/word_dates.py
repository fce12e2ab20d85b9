"""Dates whose day or year is written in words: "the fourteenth of February nineteen sixty-eight"."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from .months import ENGLISH_MONTHS, day, month_number, month_pattern
from .number_words import find_word_numbers

_UNITS: Final = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_TEENS: Final = [
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
_DAY_WORDS: Final = {
    **{word: number for number, word in enumerate(_UNITS, 1)},
    **{word: number for number, word in enumerate(_TEENS, 10)},
    **{f"twenty{gap}{word}": 20 + number for number, word in enumerate(_UNITS, 1) for gap in "- "},
    "thirtieth": 30,
    "thirty-first": 31,
    "thirty first": 31,
}
_DAY: Final = "(?:" + "|".join(sorted(_DAY_WORDS, key=len, reverse=True)) + "|[0-3]?[0-9](?:st|nd|rd|th)?)"
_MONTH: Final = month_pattern(ENGLISH_MONTHS)
_WRITTEN: Final = re.compile(
    rf"\b(?:(?P<d1>{_DAY}) (?:day )?(?:of )?(?P<m1>{_MONTH})"
    rf"|(?P<m2>{_MONTH}) (?:the )?(?P<d2>{_DAY})),? (?:of |in )?(?P<rest>.{{2,60}})",
    re.IGNORECASE | re.DOTALL,
)
_YEAR: Final = re.compile(r"'?([0-9]{4}|[0-9]{2})(?![0-9])")


def word_dates(folded: str) -> Iterator[tuple[int, int, date]]:
    """Start, end and value of each date with a word in it."""
    for match in _WRITTEN.finditer(folded):
        said = (match["d1"] or match["d2"]).lower()
        number = _DAY_WORDS.get(said) or int(re.sub("[a-z]", "", said))
        month = month_number(match["m1"] or match["m2"])
        for end, year in _years(match["rest"]):
            if found := day(year, month, number):
                yield match.start(), match.start("rest") + end, found


def _years(rest: str) -> Iterator[tuple[int, int]]:
    digits = _YEAR.match(rest)
    if digits:
        value = int(digits[1])
        for year in (value,) if len(digits[1]) == 4 else (1900 + value, 2000 + value):
            yield digits.end(), year
        return
    for number in find_word_numbers(rest.lower())[:1]:
        if number.span.start == 0:
            for said in (number.value, *number.others):
                if said is not None and said == int(said) and 1000 <= said <= 2999:
                    yield number.span.end, int(said)
