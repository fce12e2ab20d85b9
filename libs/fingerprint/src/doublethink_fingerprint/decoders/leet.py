"""Digits and symbols written for letters, and ROT47, which turns letters into such symbols."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder, every_match
from doublethink_fingerprint.decoders.spacing import SPACED
from doublethink_fingerprint.decoders.survey import IN_RUNS, Odd, odd_matches, survey

_PICTURES = re.compile(r"/\\/|\|\\\||\\/\\/|\|-\||\|_\||\|<|\|\)|\|>|/\\|\\/|\(\)|\[\)|\|\*|\|=|\]\[|><")
_PICTURE_LETTERS = {
    "/\\/": "n", "|\\|": "n", "\\/\\/": "w", "|-|": "h", "|_|": "u", "|<": "k", "|)": "d", "|>": "p",
    "/\\": "a", "\\/": "v", "()": "o", "[)": "d", "|*": "p", "|=": "f", "][": "i", "><": "x",
}  # fmt: skip
_SIGNS = "0134567892@$!|+€(®^§<£"
_FIRST = str.maketrans(_SIGNS, "oieasgtbgzasiltecrascl")
_ONLY_SIGNS = {sign: letter for sign, letter in _FIRST.items() if not chr(sign).isdigit()}
# The same sign may stand for two letters in one word: both become one digit (`spelling.leet_classes`).
_SECOND = str.maketrans(_SIGNS + "iIlLbBgGqQ", "o1eas9t99zas11tecrasc1" + "1111" + "999999")
_MIXED = re.compile(
    r"(?<![^\s\"'=/&?,;:.])(?=\S{0,63}[A-Za-z®])(?=\S{0,63}[0-9@$!|+€(®/\\^§£])[A-Za-z0-9@$!|+€()®/\\<>\[\]_*=^§£-]{3,64}"
)
_ROT47 = {code: 33 + (code - 33 + 47) % 94 for code in range(33, 127)}
_SYMBOLIC = re.compile(r"(?<!\S)(?=\S*[^\w\s]\S*)\S{4,200}(?!\S)")
_MIN_SYMBOL_SHARE = 0.2
_MIN_TOLD = 8
# A year at the end of a sentence would make four letters, and so would a time or a ratio; words joined by hyphens,
# apostrophes or strokes are no ROT47, which has digits and signs for the letters up to "o".
_PROSE = re.compile(
    r"[($€£]{0,2}\d{1,4}(?:[,./:-]\d{1,4}){0,3}%?[)?!.,;:]{0,2}|[(\"]?[A-Za-z]+(?:[-'/][A-Za-z]+)*[/)\"?!.,;:]{0,3}"
)
_ORDINAL = re.compile(r"\d{1,4}(?:st|nd|rd|th|s)")


def _first(text: str) -> list[Chunk]:
    """With the digits as letters, and where a value has digits of its own, with the signs alone."""
    return [
        chunk
        if (signs := text[chunk.start : chunk.end].translate(_ONLY_SIGNS)) == text[chunk.start : chunk.end]
        or signs == chunk.text
        else Chunk(chunk.start, chunk.end, f"{chunk.text}\n{signs}")
        for chunk in _fold(text, _FIRST)
    ]


def _spaced(match: re.Match[str]) -> str:
    return "".join(match[0].split(match["gap"])).translate(_FIRST)


def _second(text: str) -> list[Chunk]:
    return _fold(text, _SECOND)


def _fold(text: str, table: dict[int, int]) -> list[Chunk]:
    mixed = _mixed(text)
    # All of them at once: no sign of a table gives white space.
    folded = "\n".join([letters for _, _, _, letters in mixed]).translate(table).split("\n")
    return [
        Chunk(start, end, letters)
        for (start, end, written, _), letters in zip(mixed, folded, strict=False)
        if letters != written
    ]


@lru_cache(maxsize=4)
def _mixed(text: str) -> tuple[tuple[int, int, str, str], ...]:
    """Return what is mixed of letters and signs: start, end, as it is written, and with its pictures read."""
    return tuple(
        (start, end, mixed, _PICTURES.sub(lambda picture: _PICTURE_LETTERS[picture[0]], mixed))
        for start, end, mixed in odd_matches(_MIXED, text)
        if not _ORDINAL.fullmatch(mixed)
    )


def _rot47(text: str) -> list[Chunk]:
    chunks = []
    for start, end, symbolic in odd_matches(_SYMBOLIC, text):
        if _PROSE.fullmatch(symbolic):
            continue
        if len(symbolic) >= _MIN_TOLD or sum(
            not char.isalnum() for char in symbolic
        ) >= _MIN_SYMBOL_SHARE * len(symbolic):
            chunks.append(Chunk(start, end, symbolic.translate(_ROT47)))
    # Short words between them are too short to tell what they are, and belong to them.
    known = {chunk.start for chunk in chunks}
    beside: list[Chunk] = []
    runs = survey(text).odd if chunks else ()
    for at, run in enumerate(runs):
        near = (*runs[max(0, at - 1) : at], *runs[at + 1 : at + 2])
        if (
            run.start not in known
            and len(run.text) < _MIN_TOLD
            and not _PROSE.fullmatch(run.text)
            and any(other.start in known for other in near)
        ):
            beside.append(Chunk(run.start, run.end, run.text.translate(_ROT47)))
    return sorted((*chunks, *beside), key=lambda chunk: chunk.start)


# Digits as ROT47 writes them: a row of letters from a to h with two marks.
_DIGITS_47 = re.compile(r"(?<![^\s\"'=(:,])[a-h_`]{8,20}(?![^\s\"'&),.])")
_LETTERS_47 = frozenset("abcdefgh")


def _rot47_digits(text: str) -> list[Chunk]:
    words = (word for word in survey(text).vocabulary if len(word) >= _MIN_TOLD)
    found = list(odd_matches(_DIGITS_47, text))
    if any(map(_LETTERS_47.issuperset, words)):
        found = [Odd(*match.span(), match[0]) for match in _DIGITS_47.finditer(text)]
    return [Chunk(start, end, letters.translate(_ROT47)) for start, end, letters in found]


# Letters that pass for digits, in a figure that is mostly digits.
_LOOKS = str.maketrans("OoIlL|SsBZz", "00111155822")
_FIGURE = re.compile(r"(?<![^\s\"'=(:,])(?=[0-9]*[OoIlL|SsBZz])[0-9OoIlL|SsBZz]{6,20}(?![^\s\"'&),.])")
_DIGIT_SHARE = 0.6


def _digit_looks(text: str) -> list[Chunk]:
    return [
        Chunk(start, end, figure.translate(_LOOKS))
        for start, end, figure in odd_matches(_FIGURE, text)
        if sum(map(str.isdigit, figure)) >= _DIGIT_SHARE * len(figure)
    ]


# Letters turned upside down; the line then reads from the right.
def _by_look(looks_of: dict[str, str]) -> dict[str, str]:
    return {look: letter for letter, looks in looks_of.items() for look in looks}


_TURNED = _by_look(
    {
        "a": "ɐ∀", "b": "qꓭ", "c": "ɔƆ", "d": "pᗡꓷ", "e": "ǝƎ", "f": "ɟℲ", "g": "ƃɓᵷ⅁", "h": "ɥ", "i": "ᴉı!", "j": "ɾſ",
        "k": "ʞꓘꞰ", "l": "ןʃʅ˥⅂Ꞁ", "m": "ɯ", "n": "u", "o": "o", "p": "dԀꓒ", "q": "bΌ", "r": "ɹᴚꓤ", "s": "s",
        "t": "ʇ⊥ꓕ", "u": "n∩Ոꓵ", "v": "ʌΛ", "w": "ʍ", "x": "x", "y": "ʎ⅄", "z": "z",
    }
)  # fmt: skip
_TURNED_CAPITALS = {"M": "w", "W": "m"}
# Letters in a mirror, small and capital.
_MIRRORED = _by_look(
    {
        "a": "ɒ", "b": "dᙠ", "c": "ɔƆ", "d": "bᗡ", "e": "ɘƎ", "f": "ꟻᎸʇ", "g": "ǫϱӘ", "h": "ʜ", "i": "i", "j": "įꞁلႱ",
        "k": "ʞ⋊", "l": "l⅃", "m": "m", "n": "nИ", "o": "o", "p": "qꟼ", "q": "pỌ", "r": "ɿяЯ", "s": "ꙅƨƧ", "t": "ƚɈ",
        "u": "u", "v": "v", "w": "w", "x": "x", "y": "y", "z": "zƸ",
    }
)  # fmt: skip


def _only(table: dict[str, str]) -> str:
    """The signs that are no letters of ordinary text."""
    return "".join(sign for sign in table if not sign.isascii())


def _backwards(table: dict[str, str]) -> Callable[[str], list[Chunk]]:
    only = _only(table)
    marks = re.escape("".join(sign for sign in table if sign.isascii() and not sign.isalpha()))
    run = re.compile(rf"(?i)(?<![a-z0-9{only}])[a-z0-9{only}{marks}]*[{only}][a-z0-9{only}{marks} ]*")

    def find(text: str) -> list[Chunk]:
        return [
            Chunk(match.start(), match.end(), "".join(table.get(char, char) for char in reversed(match[0])))
            for match in run.finditer(text)
        ]

    return find


for _form in (_MIXED, _SYMBOLIC):
    IN_RUNS.add(_form)

DECODERS: tuple[Decoder, ...] = (
    Decoder(
        "turned", _backwards(_TURNED | _TURNED_CAPITALS), needs=_only(_TURNED), top_only=2, terminal=True
    ),
    Decoder("mirrored", _backwards(_MIRRORED), needs=_only(_MIRRORED), top_only=2, terminal=True),
    Decoder("leet", _first, top_only=2, terminal=True, odd_only=True),
    # In fields of a form it is spaced and escaped besides.
    Decoder("leet", every_match(SPACED, _spaced, odd_only=True), top_only=3, terminal=True, odd_only=True),
    Decoder("leet2", _second, top_only=2, terminal=True, odd_only=True),
    Decoder("rot47", _rot47, top_only=2, terminal=True, odd_only=True),
    Decoder("rot47", _rot47_digits, top_only=2, terminal=True),
    Decoder("digitlooks", _digit_looks, needs="OoIlL|SsBZz", top_only=2, terminal=True, odd_only=True),
)
