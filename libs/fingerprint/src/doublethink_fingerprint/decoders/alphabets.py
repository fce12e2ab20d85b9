"""Letters spelled by other signs: morse, braille, radio alphabets, "N as in Nancy", digits as words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

import numpy as np

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder, every_match
from doublethink_fingerprint.decoders.survey import survey

_MORSE_SIGNS = """
.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..
----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.
"""
MORSE = dict(zip(_MORSE_SIGNS.split(), "abcdefghijklmnopqrstuvwxyz0123456789", strict=True))
_DOTS = ".·•∙*●⋅‧"
_DASHES = "-–—−_▬━─‐‑‒―ー"
_SIGN = f"[{re.escape(_DOTS + _DASHES)}]{{1,5}}"
_MORSE_RUN = re.compile(rf"(?<!\w){_SIGN}(?:[ \t\r\n/|,]{{1,3}}{_SIGN}){{2,}}")
_TO_MORSE = str.maketrans({**dict.fromkeys(_DOTS, "."), **dict.fromkeys(_DASHES, "-")})

# Braille patterns (Unicode block U+2800): dots 1 to 6 of the letters a to z.
_BRAILLE = dict(
    zip(
        (1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61, 53),
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)
# Spoken signs, and noughts and ones for short and long.
_SPOKEN_MORSE = re.compile(
    r"(?i)(?<![a-z])(?:di|dit|dah|dot|dash)(?:[ \-,/|.]{1,4}(?:di|dit|dah|dot|dash)){5,}(?![a-z])"
)
_SPOKEN_WORDS = frozenset(["di", "dit", "dah", "dot", "dash"])
_BIT_MORSE = re.compile(r"(?<![0-9])[01]{1,5}(?:[ ,/|]{1,3}[01]{1,5}){4,}(?![0-9])")
_BRAILLE_RUN = re.compile(r"[\u2800-\u28ff](?:[\u2800-\u28ff \-.,/|])*[\u2800-\u28ff]")

# The radio alphabets of ICAO and of the allied forces of 1941, and the German postal one.
_SPELLED = """
alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa
quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu
able baker charlie dog easy fox george how item jig king love mike nan oboe peter queen roger sugar tare uncle
victor william xray yoke zebra
anton berta casar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martha nordpol otto paula
quelle richard samuel theodor ulrich viktor wilhelm xanthippe ypsilon zacharias
"""
_WORDS = {word: word[0] for word in _SPELLED.split()} | {"x-ray": "x"}
_ANY_SPELLED = "|".join(sorted(_WORDS, key=len, reverse=True))
_SPELLED_RUN = re.compile(
    rf"(?i)(?<![a-z])(?:{_ANY_SPELLED})(?:[\s,.;:/|_-]{{1,3}}(?:{_ANY_SPELLED})){{2,}}(?![a-z])"
)
_SPELLED_WORD = re.compile(r"(?i)x-ray|[a-z]+")
_FOR = (
    r"(?:\s+(?:is\s+|as\s+)?(?:as\s+in|in|for|like\s+in|like|wie|comme|de|som\s+i|som|come|of|como|van|jak|stands\s+for)\s+"
    r"|\s*(?:[-–—=:/]|->|→)\s*|\s*\()"
)
_FOR_ONE = rf"(?:(?:the|letter|buchstabe|lettre|letra)\s+)?[\"']?[a-z][\"']?{_FOR}[\"']?[^\W\d_]+\)?[\"']?"
_AS_IN = re.compile(rf"(?i)(?<![^\W_]){_FOR_ONE}(?:[\s,.;/|+]{{1,3}}(?:and\s+|then\s+)?{_FOR_ONE}){{2,}}")
_SINGLE = frozenset("abcdefghijklmnopqrstuvwxyz")
_AS_IN_LETTER = re.compile(rf"(?i)(?<![^\W_])([a-z])[\"']?{_FOR}[\"']?[^\W\d_]+")

# Digits zero to nine in the languages whose numbers are read elsewhere as values; here they stand in a row.
_DIGIT_WORDS: dict[str, str] = {}
for _row in (
    "zero one two three four five six seven eight nine",
    "null eins zwei drei vier funf sechs sieben acht neun",
    "zero un deux trois quatre cinq six sept huit neuf",
    "cero uno dos tres cuatro cinco seis siete ocho nueve",
    "zero uno due tre quattro cinque sei sette otto nove",
    "nul een twee drie vier vijf zes zeven acht negen",
    "noll ett tva tre fyra fem sex sju atta nio",
    "zero um dois tres quatro cinco seis sete oito nove",
    "nul en to tre fire fem seks syv otte ni",
    "null en to tre fire fem seks sju atte ni",
    "nolla yksi kaksi kolme nelja viisi kuusi seitseman kahdeksan yhdeksan",
    "zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec",
    "sifir bir iki uc dort bes alti yedi sekiz dokuz",
):
    for _digit, _word in enumerate(_row.split()):
        _DIGIT_WORDS.setdefault(_word, str(_digit))
_DIGIT_WORDS |= {"oh": "0", "ein": "1", "zwo": "2", "nought": "0", "fünf": "5", "två": "2", "åtta": "8"}
# With their marks too: the text is searched as it is written.
_DIGIT_WORDS |= {
    "zéro": "0",
    "três": "3",
    "één": "1",
    "neljä": "4",
    "seitsemän": "7",
    "yhdeksän": "9",
    "åtte": "8",
}
_DIGIT_WORDS |= {
    "pięć": "5",
    "sześć": "6",
    "dziewięć": "9",
    "sıfır": "0",
    "üç": "3",
    "dört": "4",
    "beş": "5",
    "altı": "6",
    "null": "0",
    "nil": "0",
    "nought": "0",
    "naught": "0",
    "niner": "9",
    # As radio operators say them (ICAO Annex 10, 5.2.1.4.3).
    "tree": "3",
    "fower": "4",
    "fife": "5",
    "ait": "8",
}
_ANY_DIGIT = "|".join(sorted(_DIGIT_WORDS, key=len, reverse=True))
_DIGIT_RUN = re.compile(
    rf"(?i)(?<![^\W\d_])(?:{_ANY_DIGIT}|\d)"
    rf"(?:[\s,.;:/_-]{{1,3}}(?:{_ANY_DIGIT}|\d(?!\d))){{3,}}(?![^\W\d_])"
)
_DIGIT_BESIDE = re.compile(
    rf"(?i)(?<![^\W_])\d[\s,.;:/_-]{{1,3}}(?:{_ANY_DIGIT})\b|\b(?:{_ANY_DIGIT})[\s,.;:/_-]{{1,3}}\d(?!\d)"
)
# A digit that stands alone, and how far around it a word for a digit has to be looked for.
_LONE_DIGIT = re.compile(r"\d(?<!\d\d)(?!\d)")
_NEAR_DIGIT = 12
_DIGIT_TOKEN = re.compile(r"[^\W\d_]+|\d")


def _morse(match: re.Match[str]) -> str | None:
    signs = re.split(r"[ \t\r\n/|,]+", match[0].translate(_TO_MORSE))
    letters = [MORSE.get(sign) for sign in signs if sign]
    if letters.count(None) * 4 > len(letters):
        return None
    return "".join(letter or "" for letter in letters)


def _spoken_morse(match: re.Match[str]) -> str | None:
    """Signs of one letter stand closer together than letters: the widest gap within is a blank or a hyphen."""
    signs = re.sub(r"(?i)di(?:t)?|dot", ".", re.sub(r"(?i)dah|dash", "=", match[0])).replace("-", "")
    readings = []
    for border in (r" {2,}|[,/|]\s*", r"[ ,/|]+"):
        parts = [re.sub(r"[^.=]", "", part).replace("=", "-") for part in re.split(border, signs)]
        letters = [MORSE.get(part) for part in parts if part]
        if letters.count(None) * 4 <= len(letters):
            readings.append("".join(letter or "" for letter in letters))
    return "\n".join(readings) or None


def _spoken_signs(text: str) -> list[Chunk]:
    return _find_spoken(text) if len(survey(text).vocabulary & _SPOKEN_WORDS) >= 2 else []


def _bit_morse(match: re.Match[str]) -> str | None:
    signs = re.findall("[01]+", match[0])
    readings = []
    for table in (str.maketrans("01", ".-"), str.maketrans("01", "-.")):
        letters = [MORSE.get(sign.translate(table)) for sign in signs]
        if letters.count(None) * 4 <= len(letters):
            readings.append("".join(letter or "" for letter in letters))
    return "\n".join(readings) or None


def _braille(match: re.Match[str]) -> str | None:
    return "".join(
        _BRAILLE.get((ord(char) - 0x2800) & 63, " ") if char > "\u27ff" else " " for char in match[0]
    )


def _spelled(match: re.Match[str]) -> str | None:
    return "".join(
        _WORDS[word[0].lower()] for word in _SPELLED_WORD.finditer(match[0]) if word[0].lower() in _WORDS
    )


def _as_in(match: re.Match[str]) -> str | None:
    return "".join(letter[1] for letter in _AS_IN_LETTER.finditer(match[0]))


def _digit_words(match: re.Match[str]) -> str | None:
    return "".join(_DIGIT_WORDS.get(token[0].lower(), token[0]) for token in _DIGIT_TOKEN.finditer(match[0]))


def _spelled_words(text: str) -> list[Chunk]:
    return _where_in_a_row(text, _WORDS, _find_spelled)


def _spelled_as_in(text: str) -> list[Chunk]:
    seen = survey(text)
    return _find_as_in(text) if len(seen.vocabulary & _SINGLE) >= 2 else []


def _digits(text: str) -> list[Chunk]:
    return [chunk for chunk in _where_in_a_row(text, _DIGIT_WORDS, _find_digits) if chunk.text.isdigit()]


def _where_in_a_row(text: str, wanted: Collection[str], find: Callable[[str], list[Chunk]]) -> list[Chunk]:
    """Search the text only if three wanted words follow each other."""
    seen = survey(text)
    if not seen.vocabulary.intersection(wanted):
        return []
    if b"\1\1\1" in bytes(map(wanted.__contains__, seen.words)):
        return find(text)
    # Digits may stand among the words ("four 2 zero").
    return find(text) if wanted is _DIGIT_WORDS and _digit_beside_a_word(text) else []


def _in_rows(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `_DIGIT_RUN`, of a long text only where four words or digits stand close together."""
    if len(text) < _LONG or not text.isascii():
        yield from _DIGIT_RUN.finditer(text)
        return
    codes = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    kinds = _KINDS[codes]
    borders = np.flatnonzero(kinds[1:] != kinds[:-1]) + 1
    starts = np.concatenate(([0], borders))
    ends = np.concatenate((borders, [len(text)]))
    kept = np.flatnonzero(kinds[starts])
    starts, ends = starts[kept], ends[kept]
    # The words of the survey are these runs of letters.
    wanted = (kinds[starts] == _OF_DIGITS) & (ends - starts == 1)
    words = survey(text).words
    wanted[kinds[starts] == _OF_LETTERS] = np.fromiter(
        map(_DIGIT_WORDS.__contains__, words), dtype=np.bool_, count=len(words)
    )
    starts, ends = starts[wanted], ends[wanted]
    # Where a row is broken off: too far from the one before.
    breaks = np.flatnonzero(starts[1:] - ends[:-1] > _MOST_BETWEEN) + 1
    firsts = np.concatenate(([0], breaks))
    lasts = np.concatenate((breaks, [len(starts)]))
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        if last - first >= _MIN_IN_ROW:
            yield from _DIGIT_RUN.finditer(text, int(starts[first]), int(ends[last - 1]))


_LONG = 2000
_MIN_IN_ROW = 4
_MOST_BETWEEN = 3
_OF_LETTERS, _OF_DIGITS = 1, 2
_KINDS = np.fromiter(
    (_OF_LETTERS if chr(code).isalpha() else _OF_DIGITS if chr(code).isdigit() else 0 for code in range(128)),
    dtype=np.uint8,
    count=128,
)


def _digit_beside_a_word(text: str) -> bool:
    return any(
        _DIGIT_BESIDE.search(text[max(0, match.start() - _NEAR_DIGIT) : match.end() + _NEAR_DIGIT])
        for match in _LONE_DIGIT.finditer(text)
    )


_find_spelled = every_match(_SPELLED_RUN, _spelled)
# Names of pictures of letters in chats, and a word with its letter behind it.
_LETTER_NAMES = re.compile(r":regional_indicator_([a-z]):(?:\s{0,3}:regional_indicator_[a-z]:){2,}")
_LETTER_NAME = re.compile(r"indicator_([a-z]):")
_LETTER_BEHIND = re.compile(r"[^\W\d_]+ ?\([A-Za-z]\)(?:[\s,.;/|+]{1,3}[^\W\d_]+ ?\([A-Za-z]\)){2,}")
_LETTER_IN_BRACKETS = re.compile(r"\(([A-Za-z])\)")
_ENGLISH_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_ONE_DIGIT = re.compile("|".join(_ENGLISH_DIGITS))
_GLUED_DIGITS = re.compile(rf"(?i)(?:{'|'.join(_ENGLISH_DIGITS)}){{5,}}")
_MIN_GLUED = 15


def _glued_digits(text: str) -> list[Chunk]:
    if not any(len(word) >= _MIN_GLUED and _GLUED_DIGITS.fullmatch(word) for word in survey(text).vocabulary):
        return []
    return [
        Chunk(
            match.start(),
            match.end(),
            "".join(str(_ENGLISH_DIGITS.index(word)) for word in _ONE_DIGIT.findall(match[0].lower())),
        )
        for match in _GLUED_DIGITS.finditer(text)
    ]


_GLUED_WORDS = re.compile(rf"(?i)(?<![a-z])(?:{_ANY_SPELLED}){{4,60}}(?![a-z])")
_MIN_GLUED_WORDS = 15


def _glued_words(text: str) -> list[Chunk]:
    long = (word for word in survey(text).vocabulary if len(word) >= _MIN_GLUED_WORDS)
    if not any(map(_GLUED_WORDS.fullmatch, long)):
        return []
    return [
        Chunk(
            match.start(),
            match.end(),
            "".join(_WORDS[word] for word in re.findall(_ANY_SPELLED, match[0].lower())),
        )
        for match in _GLUED_WORDS.finditer(text)
    ]


# The raised dots of a cell by number, as teachers say them: "1245", "dots 1-2-4-5".
_CELL = r"1?2?3?4?5?6?(?<=[1-6])(?![0-9])"
_CELLS = re.compile(rf"(?<![0-9]){_CELL}(?:[ ,;/|-]{{1,2}}{_CELL}){{4,200}}")
_SAID_CELL = r"dots? ?[1-6](?:[ ]?[-,][ ]?[1-6](?![0-9])){0,5}"
_SAID_CELLS = re.compile(rf"(?i)(?<![a-z]){_SAID_CELL}(?:[ ,;/|]{{1,3}}{_SAID_CELL}){{2,200}}")


def _dots(numbers: list[str]) -> str | None:
    letters = [_BRAILLE.get(sum(1 << int(dot) - 1 for dot in set(cell))) for cell in numbers]
    return "".join(filter(None, letters)) if letters.count(None) * 4 <= len(letters) else None


def _cells(match: re.Match[str]) -> str | None:
    return _dots(re.findall("[1-6]+", match[0]))


def _said_cells(match: re.Match[str]) -> str | None:
    said = re.split(r"(?i)dots?", match[0])[1:]
    return _dots(["".join(re.findall("[1-6]", cell)) for cell in said])


_find_spoken = every_match(_SPOKEN_MORSE, _spoken_morse)
_find_as_in = every_match(_AS_IN, _as_in)


def _find_digits(text: str) -> list[Chunk]:
    return [
        Chunk(match.start(), match.end(), decoded)
        for match in _in_rows(text)
        if (decoded := _digit_words(match)) is not None and decoded != match[0]
    ]


DECODERS: tuple[Decoder, ...] = (
    Decoder("morse", every_match(_MORSE_RUN, _morse, odd_only=True), needs=_DOTS + _DASHES, odd_only=True),
    Decoder("morse", every_match(_BIT_MORSE, _bit_morse, odd_only=True), needs="01", odd_only=True),
    Decoder("morse", _spoken_signs),
    Decoder(
        "spelled",
        every_match(_LETTER_NAMES, lambda match: "".join(_LETTER_NAME.findall(match[0])), odd_only=True),
        needs=":",
        odd_only=True,
    ),
    Decoder(
        "asin",
        every_match(
            _LETTER_BEHIND, lambda match: "".join(_LETTER_IN_BRACKETS.findall(match[0])), odd_only=True
        ),
        needs="(",
        odd_only=True,
    ),
    Decoder("digitwords", _glued_digits),
    Decoder("braille", every_match(_BRAILLE_RUN, _braille), needs="".join(map(chr, range(0x2801, 0x2900)))),
    Decoder("braille", every_match(_CELLS, _cells, odd_only=True), needs="123456", odd_only=True),
    Decoder("braille", every_match(_SAID_CELLS, _said_cells, odd_only=True), needs="123456", odd_only=True),
    Decoder("spelled", _spelled_words),
    Decoder("spelled", _glued_words),
    Decoder("asin", _spelled_as_in),
    Decoder("digitwords", _digits),
)
