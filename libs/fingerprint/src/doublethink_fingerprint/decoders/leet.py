"""Digits and symbols written for letters, and ROT47, which turns letters into such symbols."""

from __future__ import annotations

import re

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder
from doublethink_fingerprint.decoders.survey import odd_matches

_PICTURES = re.compile(r"/\\/|\|\\\||\\/\\/|\|-\||\|_\||\|<|\|\)|\|>|/\\|\\/|\(\)|\[\)|\|\*|\|=|\]\[|><")
_PICTURE_LETTERS = {
    "/\\/": "n", "|\\|": "n", "\\/\\/": "w", "|-|": "h", "|_|": "u", "|<": "k", "|)": "d", "|>": "p",
    "/\\": "a", "\\/": "v", "()": "o", "[)": "d", "|*": "p", "|=": "f", "][": "i", "><": "x",
}  # fmt: skip
_SIGNS = "0134567892@$!|+€(®^§<£"
_FIRST = str.maketrans(_SIGNS, "oieasgtbgzasiltecrascl")
# The same sign may stand for two letters in one word: both become one digit (`spelling.leet_classes`).
_SECOND = str.maketrans(_SIGNS + "iIlLbBgGqQ", "o1eas9t99zas11tecrasc1" + "1111" + "999999")
_MIXED = re.compile(
    r"(?<![^\s\"'=/&?,;:.])(?=\S{0,63}[A-Za-z®])(?=\S{0,63}[0-9@$!|+€(®/\\^§£])[A-Za-z0-9@$!|+€()®/\\<>\[\]_*=^§£-]{3,64}"
)
_ROT47 = {code: 33 + (code - 33 + 47) % 94 for code in range(33, 127)}
_SYMBOLIC = re.compile(r"(?<!\S)(?=\S*[^\w\s]\S*)\S{4,200}(?!\S)")
_MIN_SYMBOL_SHARE = 0.2
# A year at the end of a sentence would make four letters, and so would a time or a ratio; words joined by hyphens,
# apostrophes or strokes are no ROT47, which has digits and signs for the letters up to "o".
_PROSE = re.compile(
    r"[($€£]{0,2}\d{1,4}(?:[,./:-]\d{1,4}){0,3}%?[)?!.,;:]{0,2}|[(\"]?[A-Za-z]+(?:[-'/][A-Za-z]+)*[/)\"?!.,;:]{0,3}"
)
_ORDINAL = re.compile(r"\d{1,4}(?:st|nd|rd|th|s)")


def _first(text: str) -> list[Chunk]:
    return _fold(text, _FIRST)


def _second(text: str) -> list[Chunk]:
    return _fold(text, _SECOND)


def _fold(text: str, table: dict[int, int]) -> list[Chunk]:
    chunks = []
    for match in odd_matches(_MIXED, text):
        if _ORDINAL.fullmatch(match[0]):
            continue
        letters = _PICTURES.sub(lambda picture: _PICTURE_LETTERS[picture[0]], match[0]).translate(table)
        if letters != match[0]:
            chunks.append(Chunk(match.start(), match.end(), letters))
    return chunks


def _rot47(text: str) -> list[Chunk]:
    chunks = []
    for match in odd_matches(_SYMBOLIC, text):
        if _PROSE.fullmatch(match[0]):
            continue
        symbols = sum(not char.isalnum() for char in match[0])
        if symbols >= _MIN_SYMBOL_SHARE * len(match[0]) or len(match[0]) >= 8:
            chunks.append(Chunk(match.start(), match.end(), match[0].translate(_ROT47)))
    return chunks


# Letters turned upside down; the line then reads from the right.
_TURNED = dict(zip("ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎzıןʃ", "abcdefghijklmnopqrstuvwxyzill", strict=True))
_TURNED_ONLY = "ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎıןʃ"
_TURNED_RUN = re.compile(
    rf"(?i)(?<![a-z{_TURNED_ONLY}])[a-z{_TURNED_ONLY}]*[{_TURNED_ONLY}][a-z{_TURNED_ONLY} ]*"
)


def _turned(text: str) -> list[Chunk]:
    return [
        Chunk(match.start(), match.end(), "".join(_TURNED.get(char, char) for char in reversed(match[0])))
        for match in _TURNED_RUN.finditer(text)
    ]


DECODERS: tuple[Decoder, ...] = (
    Decoder("turned", _turned, needs=_TURNED_ONLY, top_only=2, terminal=True),
    Decoder("leet", _first, top_only=2, terminal=True, odd_only=True),
    Decoder("leet2", _second, top_only=2, terminal=True, odd_only=True),
    Decoder("rot47", _rot47, top_only=2, terminal=True, odd_only=True),
)
