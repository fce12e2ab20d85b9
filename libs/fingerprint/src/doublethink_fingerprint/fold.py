"""Fold text to the letters a reader sees, with a map back to where each letter came from.

Sources of the tables: Unicode NFKC (UAX 15) for compatibility forms, and a hand-picked part of what UTS 39
calls confusables: Cyrillic, Greek, Armenian, Cherokee, Latin extensions and upside-down letters that pass for
ASCII letters at a glance. A look-alike outside the table is a miss, and adding it here is the fix.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# What does not fold to its own small letter; everything else is copied in stretches.
_SPECIAL = re.compile(r"[^\t\n\r -~]+")

_LOOKALIKES = {
    "a": "аαɑ4ᴀɐ⍺ꭺᗅ",
    "b": "ьвʙƅɓᏏ",
    "c": "сϲᴄɔⅽꮯ¢©",
    "d": "ԁᴅɗđⅾꭰ",
    "e": "еєεҽᴇǝℯɛə",
    "f": "ғϝƒꜰɟꞙ",
    "g": "ɡɢԍցƃ",
    "h": "һнհʜɥℎħ",
    "i": "іιıɩɪᴉӏỉ¡",
    "j": "јϳᴊɾյ",
    "k": "кκᴋʞƙⲕ",
    "l": "ʟⅼłɭƚ|",
    "m": "мᴍɯⅿ",
    "n": "пηոɴᴎռ",
    "o": "оοσօᴏøɵ०੦ⲟ",
    "p": "рρᴘþⲣ",
    "q": "ԛզɋ",
    "r": "гᴦʀɹꮁ®",
    "s": "ѕꜱʂƨꮪ",
    "t": "тτᴛʇŧ",
    "u": "υսᴜцʋ",
    "v": "ѵνᴠʌⅴ",
    "w": "ԝωᴡʍшաѡѿѽꙍꮃⲱ",
    "x": "хχⅹ×",
    "y": "уγʏʎүყ¥",
    "z": "ᴢʐʒȥ",
}
_EXCEPTIONS = frozenset("4|०੦")  # digits and marks keep their own meaning here; the leet view folds them
_VISUAL = {look: letter for letter, looks in _LOOKALIKES.items() for look in looks if look not in _EXCEPTIONS}
# What only the capital looks like: the small letter of the same name passes for another one, or for none.
_CAPITALS = {
    look: letter
    for letter, looks in {
        "a": "ΑᎪꓮⲀ", "b": "ΒᏴꓐⲂᛒ", "c": "ᏟꓚⲤⅭ", "d": "ᎠꓓᗞⅮ", "e": "ΕᎬꓰ⋿", "f": "ꓝᖴϜ", "g": "ᏀꓖᏳ",
        "h": "ΗᎻꓧⲎᕼ", "i": "ΙᏆꓲⲒ", "j": "ᎫꓙᒍͿ", "k": "ΚᏦꓗⲔK", "l": "ᏞꓡᒪⅬ", "m": "ΜᎷꓟⲘⅯ", "n": "ΝꓠⲚ", "o": "ΟꓳⲞՕ",
        "p": "ΡᏢꓑⲢᑭ", "q": "ⵕ", "r": "ᎡᏒꓣᖇ", "s": "ᏚꓢՏ", "t": "ΤᎢꓔⲦ", "u": "ꓴՍᑌ", "v": "ᏙꓦᐯⅤ", "w": "ᎳꓪԜ",
        "x": "ΧꓫⲬⅩ", "y": "ΥᎩꓬⲨϒ", "z": "ΖᏃꓜ",
    }.items()
    for look in looks
}  # fmt: skip
_EXPANSIONS = {"æ": "ae", "œ": "oe", "ß": "ss", "ð": "d", "þ": "th", "ĳ": "ij", "ŋ": "ng"}

# Transliteration, for names written in another script by sound; it disagrees with the other table on purpose.
_CYRILLIC = """
а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch
ш sh щ sch ъ - ы y ь - э e ю yu я ya і i ї i є ye ґ g ў u ј j љ lj њ nj ђ dj ћ c џ dz
"""
_GREEK = """
α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o
"""


def _pairs(table: str) -> dict[str, str]:
    items = table.split()
    return {key: "" if value == "-" else value for key, value in zip(items[::2], items[1::2], strict=True)}


_SOUND = _pairs(_CYRILLIC) | _pairs(_GREEK)
_SOUNDED = re.compile(f"[{''.join(sorted(_SOUND.keys() | {key.upper() for key in _SOUND}))}]")
_REGIONAL_A = 0x1F1E6
_NEGATIVE_SQUARED = ((0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))


def is_invisible(char: str) -> bool:
    """Whether `char` takes no room on a screen: format and control characters, selectors, Hangul fillers."""
    code = ord(char)
    if code in (0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5, 0x2800):
        return True
    if 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF:
        return True
    return unicodedata.category(char) in ("Cf", "Cc", "Cn", "Co", "Cs") and char not in "\t\n\r"


_WITH_STROKE = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z]) WITH .+")
# Suzhou numerals and the nought beside them.
_COUNTING_RODS = frozenset((0x3007, *range(0x3021, 0x302A)))


def _base_letter(char: str) -> str:
    """Return the letter that a stroke, a hook or a tail was added to; Unicode takes marks apart but not these."""
    named = None if char.isascii() or len(char) > 1 else _WITH_STROKE.fullmatch(unicodedata.name(char, ""))
    return char if named is None else named[1].lower()


class _FoldTable(dict[str, str]):
    """Character -> folded characters, filled as characters are met; bounded by the size of Unicode."""

    def __init__(self, letters: dict[str, str], capitals: dict[str, str]) -> None:
        super().__init__(capitals)
        self._letters = letters

    def __missing__(self, char: str) -> str:
        folded = self._fold(char)
        self[char] = folded
        return folded

    def _fold(self, char: str) -> str:
        if char < "\x80":
            return char.lower() if char.isprintable() or char.isspace() else ""
        code = ord(char)
        if _REGIONAL_A <= code < _REGIONAL_A + 26:
            return chr(code - _REGIONAL_A + ord("a"))
        for first, last in _NEGATIVE_SQUARED:
            if first <= code <= last and code - first < 26:
                return chr(code - first + ord("a"))
        if is_invisible(char):
            return ""
        special = self._letter(char.lower())
        if special is not None:
            return special
        digit = unicodedata.digit(char, None)
        if digit is None and code in _COUNTING_RODS:
            digit = int(unicodedata.numeric(char))
        if digit is not None:
            return str(digit)
        out = []
        for part in unicodedata.normalize("NFKD", char):
            if unicodedata.combining(part):
                continue
            lowered = part.casefold()
            special = self._letter(lowered)
            out.append(lowered if special is None else special)
        folded = "".join(map(_base_letter, out))
        # Parenthesised letters such as U+249C come apart as "(a)": only the letter counts.
        return folded[1] if len(folded) == 3 and folded[0] == "(" and folded[2] == ")" else folded

    def _letter(self, char: str) -> str | None:
        if char in self._letters:
            return self._letters[char]
        return _EXPANSIONS.get(char)


_VISUAL_TABLE = _FoldTable(_VISUAL, _CAPITALS)
_SOUND_TABLE = _FoldTable(_SOUND, {})


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text. `ends[i]` says where in it that ends which character `i` of the source gave.

    `ends` is None where every character gave exactly one.
    """

    text: str
    ends: Places | None

    def source_index(self, at: int) -> int:
        """Return the index in the source of the character that gave folded character `at`."""
        if self.ends is None:
            return at
        return int(np.searchsorted(self.ends, at, side="right"))


def fold(text: str, *, by_sound: bool = False) -> Folded:
    """Fold `text` by look (default) or by sound; the two disagree for Cyrillic and Greek."""
    if text.isascii() and not _CONTROL.search(text):
        return Folded(text.lower(), None)
    table = _SOUND_TABLE if by_sound else _VISUAL_TABLE
    parts: list[str] = []
    lengths: npt.NDArray[np.int64] | None = None
    at = 0
    for match in _SPECIAL.finditer(text):
        start, end = match.span()
        special = [table[char] for char in match[0]]
        parts += (text[at:start].lower(), *special)
        at = end
        sizes = list(map(len, special))
        if sizes.count(1) < len(sizes):
            if lengths is None:
                lengths = np.ones(len(text), dtype=np.int64)
            lengths[start:end] = sizes
    parts.append(text[at:].lower())
    return Folded("".join(parts), None if lengths is None else np.cumsum(lengths))


def folded_text(text: str) -> str:
    """Only the text of `fold`, for the side that builds fingerprints."""
    return fold(text).text


def differs_by_sound(text: str) -> bool:
    """Whether folding by sound can give anything else than folding by look."""
    return not text.isascii() and _SOUNDED.search(text) is not None
