"""All readings of the dates in a text: every day that somebody could mean.

For the search of secret dates. "03/04/2024" gives both days, a two-digit year gives two centuries, and a bare
number of the right size is also read as a compact date, as a day count of spreadsheets (day 1 is 1 January
1900, with that system's leap day in 1900) or as seconds or milliseconds since 1970.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from .figure import DateReading
from .folding import fold, words_only
from .months import ENGLISH_MONTHS, OTHER_MONTHS, day, month_number, month_pattern
from .span import Span
from .word_dates import word_dates

_MONTH: Final = month_pattern({**ENGLISH_MONTHS, **OTHER_MONTHS})
_GAP: Final = r"[ \t,./_-]{0,3}"
_ORDINAL: Final = r"(?:st|nd|rd|th|er|\.)?"

_DAY_MONTH: Final = re.compile(
    rf"(?<![0-9])(?P<d>[0-3]?[0-9]){_ORDINAL}{_GAP}(?:(?:of|de|day of){_GAP})?(?P<m>{_MONTH}){_GAP}(?:(?:of"
    rf"|de){_GAP})?'?"
    r"(?P<y>[0-9]{4}|[0-9]{2})(?![0-9])",
    re.IGNORECASE,
)
_MONTH_DAY: Final = re.compile(
    rf"(?<![a-z])(?P<m>{_MONTH}){_GAP}(?:the )?(?P<d>[0-3]?[0-9]){_ORDINAL}[ \t,./_-]{{1,4}}(?:(?:of|in) )?'?"
    r"(?P<y>[0-9]{4}|[0-9]{2})(?![0-9])",
    re.IGNORECASE,
)
_YEAR_MONTH_DAY: Final = re.compile(
    rf"(?<![0-9])(?P<y>[0-9]{{4}}){_GAP}(?P<m>{_MONTH}){_GAP}(?P<d>[0-3]?[0-9])(?![0-9])", re.IGNORECASE
)
_NUMERIC: Final = re.compile(
    r"(?<![0-9])([0-9]{1,4}) ?[-./_ ] ?([0-9]{1,2}) ?[-./_ ] ?([0-9]{4}|[0-9]{1,2})(?![0-9])"
)
_CJK: Final = re.compile(r"([0-9]{4}) ?[年년] ?([0-9]{1,2}) ?[月월] ?([0-9]{1,2}) ?[日일]?")
_DAY_OF_YEAR: Final = re.compile(
    r"\bday ([0-9]{1,3})(?: of|,|/)? ?(?:the year )?([0-9]{4})\b|(?<![0-9])([0-9]{4})-([0-9]{3})(?![0-9-])",
    re.IGNORECASE,
)
_ISO_WEEK: Final = re.compile(r"(?<![0-9])([0-9]{4})-?W([0-5][0-9])-?([1-7])(?![0-9])")
_BARE: Final = re.compile(r"(?<![0-9])(-?)([0-9]{5,13})(?![0-9])")

_SPREADSHEET_DAY_ZERO: Final = date(1899, 12, 30)
_EPOCH: Final = date(1970, 1, 1)
_FIRST_YEAR, _LAST_YEAR = 1850, 2150


def all_dates(text: str) -> tuple[DateReading, ...]:
    """Every reading of every date in `text`, in order of position, without repetitions."""
    folded = words_only(fold(text))
    seen: dict[DateReading, None] = {}
    for start, end, found in _readings(folded):
        if _FIRST_YEAR <= found.year <= _LAST_YEAR:
            seen[DateReading(Span(start, end), found)] = None
    return tuple(sorted(seen, key=lambda reading: (reading.span, reading.date)))


def bare_dates(digits: str) -> tuple[date, ...]:
    """Every day that one run of ASCII digits can name by itself, with a minus sign before it too."""
    found = (*_bare("", digits), *_bare("-", digits)) if _BARE.fullmatch(digits) else ()
    return tuple(day for day in dict.fromkeys(found) if _FIRST_YEAR <= day.year <= _LAST_YEAR)


def _readings(folded: str) -> Iterator[tuple[int, int, date]]:
    yield from word_dates(folded)
    for pattern in (_DAY_MONTH, _MONTH_DAY, _YEAR_MONTH_DAY):
        for match in pattern.finditer(folded):
            month = month_number(match["m"])
            for year in _years(match["y"]):
                if found := day(year, month, int(match["d"])):
                    yield match.start(), match.end(), found
    for match in _CJK.finditer(folded):
        if found := day(int(match[1]), int(match[2]), int(match[3])):
            yield match.start(), match.end(), found
    for match in _numeric_matches(folded):
        for found in _numeric(match[1], match[2], match[3]):
            yield match.start(), match.end(), found
    for match in _DAY_OF_YEAR.finditer(folded):
        number, of_year = (match[1], match[2]) if match[1] else (match[4], match[3])
        if 1 <= int(number) <= 366 and 1 <= int(of_year) <= 9998:
            yield match.start(), match.end(), date(int(of_year), 1, 1) + timedelta(days=int(number) - 1)
    for match in _ISO_WEEK.finditer(folded):
        if 1 <= int(match[2]) <= 53 and 1 <= int(match[1]) <= 9998:
            first = date.fromisocalendar(int(match[1]), 1, int(match[3]))
            yield match.start(), match.end(), first + timedelta(weeks=int(match[2]) - 1)
    for match in _BARE.finditer(folded):
        for found in _bare(match[1], match[2]):
            yield match.start(), match.end(), found


def _numeric_matches(folded: str) -> Iterator[re.Match[str]]:
    """Matches of `_NUMERIC`, overlapping ones too: "1 14.02.1968" holds a date from its second number on."""
    position = 0
    while match := _NUMERIC.search(folded, position):
        yield match
        position = match.end(1)


def _years(digits: str) -> tuple[int, ...]:
    if len(digits) == 4:
        return (int(digits),)
    return (1900 + int(digits), 2000 + int(digits))


def _numeric(a: str, b: str, c: str) -> Iterator[date]:
    """Year first, day first and month first."""
    if len(a) >= 3 and len(c) >= 3:
        return
    orders = []
    if len(a) in (2, 4):
        orders.append((a, b, c))
    if len(a) <= 2 and len(c) in (2, 4):
        orders += [(c, b, a), (c, a, b)]
    for year_digits, month, day_of_month in orders:
        for year in _years(year_digits):
            if found := day(year, int(month), int(day_of_month)):
                yield found


def _bare(sign: str, digits: str) -> Iterator[date]:
    number = int(digits)
    if len(digits) == 5 and not sign:
        yield _SPREADSHEET_DAY_ZERO + timedelta(days=number)
    if len(digits) in (6, 8) and not sign:
        half = len(digits) - 4
        yield from _numeric(digits[:half], digits[half : half + 2], digits[half + 2 :])
        yield from _numeric(digits[:2], digits[2:4], digits[4:])
    if 7 <= len(digits) <= 10:
        yield from _since_epoch(-number if sign else number, 86_400)
    if len(digits) >= 11:
        yield from _since_epoch(-number if sign else number, 86_400_000)


def _since_epoch(amount: int, per_day: int) -> Iterator[date]:
    days = amount // per_day
    if abs(days) < 65_000:
        yield _EPOCH + timedelta(days=days)
