"""Where in a text a confirmed figure or day could stand at all: cheap to ask, so that only that much is read.

Reading every number of a long text as everything it could mean is slow. Scales, units and grouping never
change a figure's significand, the digits without separators and outer zeros: 4.2bn, 4,200 million and 420
crore all have 42. So digits are read only if their significand is one of the pack's; numbers in words, in
other scripts, in hexadecimal or as fractions are always read. Over-approximates; a stem missing here hides a
number word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from doublethink_figures import bare_dates, roman_numbers

from doublethink_fingerprint.commonwords import is_common
from doublethink_fingerprint.decoders.survey import survey

_GROUP_SPACES = " \u00a0\u2007\u2009\u202f"
_DIGIT_RUN = re.compile(rf"\d(?:[\d.,'’{_GROUP_SPACES}_]*\d)?")
_SPLIT = re.compile(rf"[{_GROUP_SPACES}]+|,(?=\D)|(?<=\d)[.,](?=\d)|['’_]")
_MAX_GROUPS = 8
_YEAR_DIGITS = 4
# Milliseconds since 1970.
_LONGEST_DAY = 13
_MOST_DAYS = 366
# Other days are not read.
_YEARS = range(1850, 2151)
_MAX_DIGITS = 40

# Stems of number words from a hundred up and of the tens, and of decimal points, in the languages
# whose number words are read; and other ways to write a number that have no plain digits.
_WORDS = (
    "hund(?:red|ert|erd)|hundr|honderd|cent|cien|cem|sto|sata|sat[oa]|hundra|y[uü]z|sz[aá]z"
    "|thousand|tausend|tusen|tusind|duizend|mille|mil(?:a)?|tysi|tis[ií]c|tuhat|tuhan|bin|ezer|ribu"
    "|millon|milh|milli|mili|miljo|miljar|milyo|milya|mlrd|mld|mln|mrd|mio|bn|tn|bilh|bilion|billi|trilli|trili"
    "|crore|lakh|lac|dozen|douzaine|dutzend|docena|dussin"
    "|point|komma|comma|virgule|coma|virgola|v[ií]rgula"
    "|eleven|twelve|elf|zw[oö]lf|onze|douze|once|doce|undici|dodici|twaalf|elva|tolv"
    "|\\w+teen|\\w+zehn|\\w*(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    "|\\w*(?:zwan|vier|f[uü]nf|sech|sieb|acht|neun)zig|\\w*drei[sß]+ig"
    "|vingt|trente|quarante|cinquante|soixante|veint|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa"
    "|venti|vent[uo]|trent[ao]|quaranta|cinquanta|sessanta|settanta|ottanta|novanta|vinte|trinta|quarenta|cinquenta"
    "|\\w*(?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig)"
    "|tjugo|trettio|fyrtio|femtio|sextio|sjuttio|[aå]ttio|nittio|tyve|tredive|fyrre|halvtreds|tres|halvfjerds|firs"
    "|\\w*kymment\\w*|\\w*dzie[sś]ci|\\w*dziesi[aą]t"
)
_NUMBER_WORD = re.compile(rf"(?:{_WORDS})\w*")
# Many a stem begins an ordinary English word too ("stock", "first"): of these only what is a number in English.
_ENGLISH_NUMBER = re.compile(
    r"(?:hundred|thousand|million|billion|trillion|dozen|point|comma|crore|lakh)s?$|eleven|twelve|\w+teen|\w+ty(?:$|-)"
)
_FEW_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_ORDINALS = {word: day for day, word in enumerate(_FEW_ORDINALS, 1)}
_OTHER_ORDINAL = re.compile(rf"(?:{'|'.join(_ORDINALS)}|\w+teenth|\w+tieth)")
_WORD = re.compile(r"[^\W\d_]{2,40}")
_NUMBER = re.compile(r"\d+")
_PAIRED = 4
_MANY_WORDS = 12
# Each begins with a set of characters, which the engine skips to.
_OTHER_NUMBERS = (re.compile(r"\d(?:(?<=0)[xX][0-9a-fA-F]+|\s?[/⁄]\s?\d|\s?(?:bn|tn|m|k|mn)\W+\d)"),)
_FOREIGN_NUMBER = re.compile(r"[¼-¾⅐-⅞\u0370-\u1fff\u3040-\u9fff\uac00-\ud7af]+")
_MONTHS = (
    "jan(?:uary|uar|vier|uari|eiro|vir)?|ener[o]?|genn?a?i?o?|feb(?:ruary|ruar|ruari|rero|braio)?|f[eé]vr?(?:ier|ereiro)?"
    "|mar(?:ch|s|zo|ço|co|ca)?|m[aä]rz|maart|mrz|apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|ma[iyj]|mayo|maggio|maio|mei|maja"
    "|june?i?|juin|giu(?:gno)?|junho|junio|july?i?|juil(?:let)?|lug(?:lio)?|julho|julio|aug(?:ust|ustus|usti)?|ao[uû]t"
    "|ago(?:sto)?|sept?(?:ember|embre|iembre|tember)?|set(?:tembre|embro)?|o[ck]t(?:ober|obre|ubre)?|out(?:ubro)?"
    "|ott(?:obre)?|nov(?:ember|embre|iembre|embro)?|de[cz](?:ember|iembre|embro|embre)?|dic(?:iembre|embre)?|d[eé]c(?:embre)?"
    "|\\w+kuuta|stycz\\w+|luteg\\w+|kwiet\\w+|czerw\\w+|lipc\\w+|sierp\\w+|wrze[sś]\\w+|pa[zź]dz\\w+|listop\\w+|grud\\w+"
)
_MONTH = re.compile(_MONTHS)
_DAY_DIGITS = re.compile(
    r"\d(?:\d{0,3}\s?[./\-–]\s?\d{1,2}\s?[./\-–]\s?\d{2,4}|\d{0,3}-\d{3}|\d{0,3}\s\d{1,2}\s\d{2,4}|(?<!\d\d)\d{4,11}(?!\d))"
)
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1fff\u3040-\u9fff]+")
_CACHED_WORDS = 1 << 15


@lru_cache(maxsize=_CACHED_WORDS)
def _is_number_word(word: str) -> bool:
    if is_common(word) and not _ENGLISH_NUMBER.match(word):
        return False
    return _NUMBER_WORD.match(word) is not None


@lru_cache(maxsize=_CACHED_WORDS)
def _is_month(word: str) -> bool:
    return word == "day" or _MONTH.fullmatch(word) is not None


@lru_cache(maxsize=_CACHED_WORDS)
def _bare_days(digits: str) -> tuple[tuple[int, int], ...]:
    """Return the days and years that one run of digits can name, before or since an epoch too."""
    return tuple((day.day, day.year) for day in bare_dates(digits))


class _DayWords(dict[str, int]):
    """Word -> the day that it alone names in English, 0 where it may name any, -1 where it is a number word of any
    other kind, -2 where it is none. Filled as words are met, and emptied when it is full.
    """

    def __missing__(self, word: str) -> int:
        day = _ordinal(word)
        kind = -1 if _is_number_word(word) else -2 if day is None else day
        if len(self) >= _CACHED_WORDS:
            self.clear()
        self[word] = kind
        return kind


_DAY_WORDS = _DayWords()


def _ordinal(word: str) -> int | None:
    """Return the day that a word alone names in English, 0 where it may name any, None where it names none."""
    day = _ORDINALS.get(word)
    return 0 if day is None and _OTHER_ORDINAL.match(word) else day


def _may_be_year(value: int) -> bool:
    return value < 100 or value in _YEARS


def significand(digits: str) -> str:
    """Return the digits of a run without separators and outer zeros, in ASCII; empty for zero."""
    plain = digits if digits.isascii() else "".join(str(unicodedata.digit(char, 0)) for char in digits)
    return plain.strip("0")


def number_stretches(text: str, margin: int, wanted: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield where a figure whose significand is `wanted` could stand, widened by `margin` and merged."""
    places = list(_places_of(text, _is_number_word))
    for pattern in _OTHER_NUMBERS if text.isascii() else (*_OTHER_NUMBERS, _FOREIGN_NUMBER):
        places += [match.span() for match in pattern.finditer(text)]
    for start, end, value in roman_numbers(text):
        if wanted(significand(f"{value:f}")):
            places.append((start, end))
    for match in _DIGIT_RUN.finditer(text):
        if any(wanted(digits) for digits in _significands(match[0])):
            places.append(match.span())
    yield from _merged(sorted(places), margin, len(text))


def dated_parts(text: str, wanted: Callable[[int, int], bool], margin: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a stretch that can name a `wanted` day: one with this day of the month or year, and this
    year; widened by `margin` and merged.

    Only numbers near each other are asked about. Of days in words all is read, and what is in another script.
    """
    lowered = text.lower()
    days = set(map(_DAY_WORDS.__getitem__, _WORD.findall(lowered)))
    if -1 in days or (not text.isascii() and _OTHER_SCRIPT.search(text)):
        yield 0, len(text)
        return
    numbers = [
        (match.start(), match.end(), match[0])
        for match in _NUMBER.finditer(text)
        if match.end() - match.start() <= _LONGEST_DAY
    ]
    values = [int(number) for _, _, number in numbers]
    days.discard(-2)
    # A day in a word alone has its year in digits: then the two are asked about as below.
    if 0 in days or any(wanted(day, value) for day in days for value in values if _may_be_year(value)):
        yield 0, len(text)
        return
    yield from _merged(sorted(_dated(text, lowered, numbers, values, wanted)), margin, len(text))


def _dated(
    text: str,
    lowered: str,
    numbers: Sequence[tuple[int, int, str]],
    values: Sequence[int],
    wanted: Callable[[int, int], bool],
) -> Iterator[tuple[int, int]]:
    for at, (start, end, number) in enumerate(numbers):
        if len(number) > _YEAR_DIGITS and (
            # Beside this word a run may hold the number of a day and a year.
            "day" in lowered
            or not text.isascii()
            or any(wanted(day, year) for day, year in _bare_days(number))
        ):
            yield start, end
        if not _may_be_year(values[at]):
            continue
        for other in range(max(0, at - _PAIRED), min(len(values), at + _PAIRED + 1)):
            if 0 < values[other] <= _MOST_DAYS and wanted(values[other], values[at]):
                yield min(start, numbers[other][0]), max(end, numbers[other][1])


def day_stretches(text: str, margin: int) -> Iterator[tuple[int, int]]:
    """Yield where a calendar day could stand, widened by `margin` and merged."""
    places = list(_places_of(text, _is_month))
    places += [match.span() for match in _DAY_DIGITS.finditer(text)]
    if not text.isascii():
        places += [match.span() for match in _OTHER_SCRIPT.finditer(text)]
    yield from _merged(sorted(places), margin, len(text))


def _places_of(text: str, wanted: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Where the wanted words stand; every different word is asked about once."""
    found = [word for word in survey(text).vocabulary if len(word) > 1 and wanted(word)]
    if len(found) > _MANY_WORDS or not text.isascii():
        chosen = frozenset(found)
        for match in _WORD.finditer(text) if found else ():
            if match[0].lower() in chosen:
                yield match.span()
        return
    lowered = text.lower()
    for word in found:
        at = lowered.find(word)
        while at >= 0:
            end = at + len(word)
            if not (lowered[at - 1 : at].isalpha() or lowered[end : end + 1].isalpha()):
                yield at, end
            at = lowered.find(word, end)


def _significands(run: str) -> Iterator[str]:
    """The significands that a run of digits and separators can have: of every sequence of its groups."""
    if run.isdigit():
        yield significand(run)
        return
    groups = [group for group in _SPLIT.split(run) if group]
    if len(groups) == 1:
        yield significand(groups[0])
        return
    for first in range(len(groups)):
        joined = ""
        for group in groups[first : first + _MAX_GROUPS]:
            joined += group
            if len(joined) > _MAX_DIGITS:
                break
            yield significand(joined)


def _merged(places: list[tuple[int, int]], margin: int, size: int) -> Iterator[tuple[int, int]]:
    start = end = -1
    for low, high in places:
        low, high = max(0, low - margin), min(size, high + margin)
        if end >= 0 and low <= end:
            end = max(end, high)
            continue
        if end >= 0:
            yield start, end
        start, end = low, high
    if end >= 0:
        yield start, end
