"""Encoders of letters: other scripts, hidden characters, letter games. Written apart from the product's decoders."""

from __future__ import annotations

import random
import unicodedata

_LOWER = "abcdefghijklmnopqrstuvwxyz"

SMALL = dict(zip(_LOWER, "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀsᴛᴜᴠᴡxʏᴢ", strict=True))
RAISED = dict(zip(_LOWER, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ", strict=True))
TURNED = dict(zip(_LOWER, "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz", strict=True))
CYRILLIC_LOOKS = {
    "a": "а",
    "c": "с",
    "e": "е",
    "i": "і",
    "j": "ј",
    "o": "о",
    "p": "р",
    "s": "ѕ",
    "x": "х",
    "y": "у",
}
GREEK_LOOKS = {"a": "α", "i": "ι", "k": "κ", "o": "ο", "p": "ρ", "u": "υ", "v": "ν", "t": "τ", "x": "χ"}
# By sound: Russian, after the usual transcription of foreign names.
_RUSSIAN = {
    "ei": "ей", "ou": "оу", "a": "а", "b": "б", "c": "к", "d": "д", "e": "е", "f": "ф", "g": "г", "h": "х",
    "i": "и", "j": "й", "k": "к", "l": "л", "m": "м", "n": "н", "o": "о", "p": "п", "r": "р", "s": "с",
    "t": "т", "u": "у", "v": "в", "w": "в", "x": "кс", "z": "з",
}  # fmt: skip
_GREEK_SOUND = {
    "ou": "ου", "ei": "έι", "b": "μπ", "d": "ντ", "a": "α", "c": "κ", "e": "ε", "f": "φ", "g": "γκ", "h": "χ", "i": "ι",
    "j": "τζ", "k": "κ", "l": "λ", "m": "μ", "n": "ν", "o": "ο", "p": "π", "r": "ρ", "s": "σ", "t": "τ", "u": "ου",
    "v": "β", "w": "β", "x": "ξ", "z": "ζ",
}  # fmt: skip
_KANA_ROWS = {
    "": "アイウエオ", "k": "カキクケコ", "s": "サシスセソ", "t": "タティトゥテト", "n": "ナニヌネノ",
    "h": "ハヒフヘホ", "m": "マミムメモ", "r": "ラリルレロ", "g": "ガギグゲゴ", "z": "ザジズゼゾ",
    "b": "バビブベボ", "p": "パピプペポ", "d": "ダディドゥデド", "f": "ファフィフフェフォ",
    "v": "ヴァヴィヴヴェヴォ", "w": "ワウィウウェウォ", "j": "ジャジジュジェジョ",
}  # fmt: skip
_KANA_ALONE = {
    "k": "ク", "s": "ス", "t": "ト", "n": "ン", "h": "フ", "m": "ム", "r": "ル", "l": "ル", "g": "グ", "z": "ズ",
    "b": "ブ", "p": "プ", "d": "ド", "f": "フ", "v": "ヴ", "w": "ウ", "j": "ジ", "x": "クス", "c": "ク",
}  # fmt: skip


def mapped(text: str, table: dict[str, str]) -> str:
    """Replace letters by a table, whatever their case."""
    return "".join(table.get(char.lower(), char) for char in text)


def shifted_block(text: str, first_small: int, first_big: int | None = None) -> str:
    """Move letters into a run of 26 Unicode letters each for small ones and capitals."""
    big = first_small if first_big is None else first_big
    out = []
    for char in text:
        if char.lower() not in _LOWER:
            out.append(char)
        elif char.isupper():
            out.append(chr(big + ord(char) - 65))
        else:
            out.append(chr(first_small + ord(char) - 97))
    return "".join(out)


def russian(text: str) -> str:
    """Write a name in Cyrillic by sound."""
    return _by_sound(text, _RUSSIAN)


def greek(text: str) -> str:
    """Write a name in Greek by sound."""
    return unicodedata.normalize("NFC", _by_sound(text, _GREEK_SOUND))


def _by_sound(text: str, table: dict[str, str]) -> str:
    word, out, at = text.lower(), "", 0
    while at < len(word):
        size = 2 if word[at : at + 2] in table else 1
        out += table.get(word[at : at + size], word[at : at + size])
        at += size
    return out.capitalize()


def kana(text: str) -> str:
    """Write a name in katakana by sound: consonant and vowel together, other consonants with a mute vowel."""
    out, word, at = "", text.lower().replace("l", "r").replace("c", "k"), 0
    while at < len(word):
        letter = word[at]
        follows = word[at + 1] if at + 1 < len(word) else ""
        if letter in "aiueo":
            out += _KANA_ROWS[""]["aiueo".index(letter)]
            at += 1
        elif follows and follows in "aiueo" and letter in _KANA_ROWS:
            out += _kana_of(letter, "aiueo".index(follows))
            at += 2
        else:
            out += _KANA_ALONE.get(letter, " " if letter == " " else "")
            at += 1
    return out.replace(" ", "・")


def _kana_of(letter: str, vowel: int) -> str:
    row = _KANA_ROWS[letter]
    parts: list[str] = []
    for char in row:
        if char in "ァィゥェォャュョ" and parts:
            parts[-1] += char
        else:
            parts.append(char)
    return parts[vowel]


def sprinkled(text: str, marks: list[str], source: random.Random, most: int = 4) -> str:
    """Put one to `most` marks inside a text."""
    chars = list(text)
    for at in sorted(
        source.sample(range(1, len(chars)), min(source.randint(1, most), len(chars) - 1)), reverse=True
    ):
        chars.insert(at, source.choice(marks))
    return "".join(chars)


def rotated(text: str, by: int) -> str:
    """Caesar's cipher."""
    return "".join(
        chr((ord(c) - (65 if c.isupper() else 97) + by) % 26 + (65 if c.isupper() else 97))
        if c.isalpha()
        else c
        for c in text
    )


def rails(text: str, count: int) -> str:
    """The rail fence transposition."""
    rows: list[str] = [""] * count
    row, step = 0, 1
    for char in text:
        rows[row] += char
        if count > 1 and not 0 <= row + step < count:
            step = -step
        row += step
    return "".join(rows)


def robber(text: str) -> str:
    """The robber language: consonant, o, consonant."""
    return "".join(c + "o" + c.lower() if c.lower() not in "aeiou " else c for c in text)


def pig_latin(text: str) -> str:
    """Pig latin of one word."""
    word = text.lower()
    at = next((i for i, c in enumerate(word) if c in "aeiou"), 0)
    return word[at:] + word[:at] + ("ay" if at else "way")


def ubbi(text: str) -> str:
    """Ubbi dubbi: "ub" before each vowel sound."""
    out, before = "", ""
    for char in text.lower():
        out += "ub" + char if char in "aeiou" and (not before or before not in "aeiou") else char
        before = char or " "
    return out
