"""Names written in another script by sound: Cyrillic, Greek, and Japanese kana.

Both sides are reduced to a skeleton, the consonants in coarse classes, so that it does not matter how a vowel was
heard. For Cyrillic and Greek a run of vowels stays as one mark; kana put vowels where there are none, and lose them
all. A Latin name has several skeletons, since its letters can be heard in several ways.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator

_MOST_SKELETONS = 48
_VOWEL = "a"
_FINE, _COARSE = "1", "2"
_MIN_FINE, _MIN_COARSE = 6, 4
_SURE_FINE, _SURE_COARSE = 7, 5

# Latin spellings, longest first, with how each may sound: "S" is any hushing sound.
_LATIN = {
    "sch": ("S", "sk"), "ch": ("S", "k", "h"), "sh": ("S",), "zh": ("S",), "ph": ("f",), "th": ("t",), "ck": ("k",),
    "dt": ("t", "d"), "qu": ("kv",), "tz": ("ts",), "x": ("ks",), "c": ("k", "s", "ts"), "q": ("k",), "w": ("v",),
    "z": ("z", "ts"),
    "j": (_VOWEL, "S"), "h": ("h", "g", ""), "y": (_VOWEL,),
}  # fmt: skip
_LATIN_COARSE = {
    "sch": ("s",), "ch": ("t", "k", "h"), "sh": ("s",), "zh": ("z",), "ph": ("h",), "th": ("s", "t"), "ck": ("k",),
    "qu": ("k",), "tz": ("t",), "x": ("ks",), "c": ("k", "s"), "q": ("k",), "w": ("", "b"), "z": ("z", "t"),
    "j": ("z", ""), "h": ("h",), "y": ("",), "f": ("h",), "v": ("b",), "l": ("r",), "r": ("r", ""),
}  # fmt: skip
_VOWELS = frozenset("aeiou")
_GREEK_PAIRS = {"μπ": ("b", "mb", "mp"), "ντ": ("d", "nd", "nt"), "γκ": ("g", "ng", "nk")}
_MOST_HEARD = 27


def _pairs(table: str) -> dict[str, str]:
    items = table.split()
    return {key: "" if sound == "-" else sound for key, sound in zip(items[::2], items[1::2], strict=True)}


_CYRILLIC = _pairs(
    "дж S кс ks б b в v г g ґ g д d ж S з z к k л l м m н n п p р r с s т t ф f х h ц ts ч S ш S щ S ъ - ь - љ l њ n"
    " ђ d ћ S џ S ј a"
) | dict.fromkeys("аеёиійоуыэюяєїў", _VOWEL)
_GREEK = _pairs(
    "μπ b ντ d γκ g γγ g τζ S τσ ts β v γ g δ d ζ z θ t κ k λ l μ m ν n ξ ks π p ρ r σ s ς s τ t φ f χ h ψ ps"
) | dict.fromkeys("αεηιουω", _VOWEL)
_KANA = {
    kana: sound
    for sound, row in (
        ("k", "カキクケコ"), ("g", "ガギグゲゴ"), ("s", "サシスセソ"), ("z", "ザジズゼゾ"), ("t", "タチツテト"),
        ("d", "ダヂヅデド"), ("n", "ナニヌネノン"), ("h", "ハヒフヘホ"), ("b", "バビブベボヴ"), ("p", "パピプペポ"),
        ("m", "マミムメモ"), ("r", "ラリルレロ"),
        ("", "アイウエオヤユヨワヲァィゥェォャュョッーヶ"),
    )
    for kana in row
}  # fmt: skip
_FOREIGN = re.compile(
    r"[\u0370-\u03ff\u1f00-\u1fff]{4,40}|[\u0400-\u04ff]{4,40}"
    r"|[\u3041-\u3096\u30a1-\u30fa\u30fc]{3,40}"
)
_SCRIPT = re.compile("[\u0370-\u04ff\u1f00-\u1fff\u3041-\u30fc]")
_HIRAGANA_TO_KATAKANA = 0x60


def skeletons(word: str) -> Iterator[str]:
    """Yield what a name of folded Latin letters can sound like, at most 48 skeletons of either kind."""
    letters = re.sub(r"([^aeiou])\1", r"\1", word)
    for kind, table, least in ((_FINE, _LATIN, _MIN_FINE), (_COARSE, _LATIN_COARSE, _MIN_COARSE)):
        heard = list(_heard(letters, table, vowels=kind == _FINE))
        found = {
            _smooth("".join(parts)) for parts in itertools.islice(itertools.product(*heard), _MOST_SKELETONS)
        }
        yield from sorted(kind + skeleton for skeleton in found if len(skeleton) >= least)


def foreign_words(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the start and end of each word of another script, a skeleton of it, and whether that says enough alone.

    A Greek word may have several: its pairs for b, d and g are also heard as two sounds.
    """
    if _SCRIPT.search(text) is None:
        return
    for match in _FOREIGN.finditer(text):
        for skeleton in _skeletons_of(match[0]):
            least, sure = (_MIN_FINE, _SURE_FINE) if skeleton[0] == _FINE else (_MIN_COARSE, _SURE_COARSE)
            if len(skeleton) > least:
                yield match.start(), match.end(), skeleton, len(skeleton) > sure


def _skeletons_of(word: str) -> Iterator[str]:
    if word[0] >= "\u3041":
        kana = (chr(ord(char) + _HIRAGANA_TO_KATAKANA) if char < "\u3097" else char for char in word)
        yield _COARSE + "".join(_KANA.get(char, "") for char in kana)
        return
    plain = "".join(
        char
        for char in unicodedata.normalize("NFD", word.lower().replace("й", "и"))
        if not unicodedata.combining(char)
    )
    table = _CYRILLIC if plain[:1] >= "\u0400" else _GREEK
    heard: list[tuple[str, ...]] = []
    at = 0
    while at < len(plain):
        size = 2 if plain[at : at + 2] in table else 1
        part = plain[at : at + size]
        heard.append(_GREEK_PAIRS.get(part, (table.get(part, ""),)))
        at += size
    ways = itertools.islice(itertools.product(*heard), _MOST_HEARD)
    yield from sorted({_FINE + _smooth("".join(way)) for way in ways})


def _heard(letters: str, table: dict[str, tuple[str, ...]], *, vowels: bool) -> Iterator[tuple[str, ...]]:
    at = 0
    while at < len(letters):
        size = next((size for size in (3, 2) if letters[at : at + size] in table), 1)
        part = letters[at : at + size]
        if part in table:
            yield table[part]
        elif part in _VOWELS:
            yield (_VOWEL if vowels else "",)
        else:
            yield (part,)
        at += size


def _smooth(skeleton: str) -> str:
    """Runs of one sound as one."""
    return re.sub(r"(.)\1+", r"\1", skeleton)
