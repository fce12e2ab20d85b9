"""Characters written by their code points or names otherwise than as an escape: Unicode names (UAX 44), glyph names,
TeX's codes, two characters to a code.
"""

from __future__ import annotations

import re
import unicodedata

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder, every_match
from doublethink_fingerprint.decoders.survey import survey

_POINT = r"(?:[Uu]\+?[0-9A-Fa-f]{4,6}[ :=-]{1,3})?"
_NAME = (
    r"(?:(?:[A-Za-z]{4,12} )?(?:CAPITAL|SMALL|capital|small|Capital|Small) (?:LETTER |letter |Letter )?"
    r"[A-Za-z]{1,8}(?: (?:WITH|with) [A-Za-z ]{4,30}?)?"
    r"|(?:DIGIT|digit|Digit) [A-Za-z]{3,5}|SPACE|space|HYPHEN-MINUS|hyphen-minus|AMPERSAND|ampersand"
    r"|APOSTROPHE|apostrophe|FULL STOP|full stop)"
)
_BETWEEN = r"[ \t]{0,2}[,;:/|+\n\r\t-]{1,2}[ \t]{0,2}"
_NAMES = re.compile(
    rf"(?<![A-Za-z0-9]){_POINT}{_NAME}(?:(?:{_BETWEEN}| ){_POINT}{_NAME}){{2,200}}(?![A-Za-z])"
)
_ONE_NAME = re.compile(rf"{_POINT}({_NAME})(?=(?:{_BETWEEN}| ){_POINT}{_NAME}|$)")
_WORDS_OF_NAMES = frozenset(["capital", "small"])
# "uni004C uni0065", "codepoint 004F codepoint 0073": one word before each code.
_SAME_BEFORE = re.compile(
    r"(?<![A-Za-z0-9])(?P<word>[A-Za-z]{2,12}[ :=#+_-]{0,2})00[2-7][0-9A-Fa-f]"
    r"(?:[ ,;/|\n-]{0,3}(?P=word)00[0-9A-Fa-f]{2}){2,400}(?![A-Za-z0-9])"
)
_LAST_FOUR = re.compile(r"00[0-9A-Fa-f]{2}(?![0-9A-Fa-f])")
_TEX = re.compile(
    r"(?:\\char[\"'`]?[0-9A-Fa-f]{2,4}|\\symbol\{[0-9A-Fa-f\"']{2,5}\})"
    r"(?:[ {}]{0,3}(?:\\char[\"'`]?[0-9A-Fa-f]{2,4}|\\symbol\{[0-9A-Fa-f\"']{2,5}\})){1,400}"
)
_TEX_CODE = re.compile(r"\\(?:char|symbol\{)([\"'`]?)([0-9A-Fa-f]{2,4})")
_TEX_BASES = {'"': 16, "'": 8, "": 10}
# Two printable characters to a code, as bytes are put into JavaScript's escapes.
_PAIRS = re.compile(r"(?:[%\\][uU](?:[2-7][0-9A-Fa-f]){2}){2,400}")
_PAIR = re.compile(r"[uU]([0-9A-Fa-f]{4})")


def _names(text: str) -> list[Chunk]:
    return _find_names(text) if not _WORDS_OF_NAMES.isdisjoint(survey(text).vocabulary) else []


def _named(match: re.Match[str]) -> str | None:
    chars = [_char_of(name[1]) for name in _ONE_NAME.finditer(match[0])]
    return "".join(chars) if sum(map(len, chars)) > 2 else None


def _char_of(name: str) -> str:
    upper = " ".join(name.upper().split())
    for full in (upper, f"LATIN {upper}", f"LATIN {upper}".replace("CAPITAL ", "CAPITAL LETTER ", 1)):
        try:
            return unicodedata.lookup(full)
        except KeyError:
            continue
    last = upper.rpartition(" ")[2]
    return last if len(last) == 1 else ""


def _same_before(match: re.Match[str]) -> str:
    return "".join(chr(int(code, 16)) for code in _LAST_FOUR.findall(match[0]))


def _tex(match: re.Match[str]) -> str:
    """The codes that are ones: one that is none must not hide the others."""
    out = []
    for mark, digits in _TEX_CODE.findall(match[0]):
        try:
            out.append(chr(int(digits, _TEX_BASES[mark])))
        except (KeyError, ValueError):
            continue
    return "".join(out)


def _pairs(match: re.Match[str]) -> str:
    """What the bytes say in either order."""
    pairs = [bytes.fromhex(code).decode("ascii") for code in _PAIR.findall(match[0])]
    return "".join(pair[::-1] for pair in pairs) + "\n" + "".join(pairs)


_find_names = every_match(_NAMES, _named)

DECODERS: tuple[Decoder, ...] = (
    Decoder("charnames", _names),
    Decoder("escapes", every_match(_SAME_BEFORE, _same_before), needs="0"),
    Decoder("escapes", every_match(_TEX, _tex, odd_only=True), needs="\\", odd_only=True),
    Decoder("escapes", every_match(_PAIRS, _pairs, odd_only=True), needs="%\\", odd_only=True),
)
