"""The shapes of a confirmed value that are fingerprinted: transforming the few secrets spares the long
payload.

Each function takes folded letters and gives other strings of letters; nothing here knows about keys.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
# The rows of letters of three keyboards, and what is typed right of each: a mark, or a letter as it is folded.
_ROWS = {
    "qwerty": (("qwertyuiop", "["), ("asdfghjkl", ";"), ("zxcvbnm", ",")),
    "qwertz": (("qwertzuiop", "u"), ("asdfghjkl", "o"), ("yxcvbnm", ",")),
    "azerty": (("azertyuiop", "^"), ("qsdfghjklm", "u"), ("wxcvbn", ",")),
}
# Where the umlauts of the German keyboard take part: what comes back at a row's other end.
_LONG_ROWS = ("qwertzuiopü", "asdfghjklöä", "yxcvbnm")
# The same keys, row by row, under five layouts: the American one, Dvorak's, Colemak, and the Russian and Greek ones.
_QWERTY = "qwertyuiop[]asdfghjkl;'zxcvbnm,./"
_LAYOUTS = (
    "',.pyfgcrl/=aoeuidhtns-;qjkxbmwvz",
    "qwfpgjluy;[]arstdhneio'zxcvbkm,./",
    "йцукенгшщзхъфывапролджэячсмитьбю.",
    ";ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./",
)
_VOWELS = "aeiou"
_VOWEL_RUN = re.compile("[aeiou]+")
_LAST_VOWEL = re.compile("[aeiou](?![aeiou])")
_JOINERS = ("and", "und", "et", "og", "och", "y", "e")
_TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof", "sir", "dame", "lord", "lady", "herr", "frau", "mme"])
_MAX_ORDERED_WORDS = 4
_KEYS = str.maketrans(_ALPHABET, "22233344455566677778889999")


def caesar(letters: str) -> Iterator[str]:
    """Yield the 25 shifts of the letters a to z."""
    for shift in range(1, 26):
        yield letters.translate(str.maketrans(_ALPHABET, _ALPHABET[shift:] + _ALPHABET[:shift]))


def atbash(letters: str) -> str:
    """Return the letters with a and z, b and y, ... exchanged."""
    return letters.translate(str.maketrans(_ALPHABET, _ALPHABET[::-1]))


def rail_fences(letters: str) -> Iterator[str]:
    """Yield zigzag transpositions with 2, 3 and 4 rails, and every second and third letter first."""
    for rails in (2, 3, 4):
        if rails >= len(letters):
            return
        zigzag = itertools.cycle([*range(rails), *range(rails - 2, 0, -1)])
        rows: list[list[str]] = [[] for _ in range(rails)]
        for letter, row in zip(letters, zigzag, strict=False):
            rows[row].append(letter)
        yield "".join(itertools.chain.from_iterable(rows))
        if rails in (2, 3):
            yield "".join(letters[start::rails] for start in range(rails))


def keyboard_shifts(letters: str) -> Iterator[str]:
    """Yield the letters as typed with the hands one key to the right or left, on three layouts. What leaves its row
    stays the letter that it is, comes back at the row's other end, or is what the next key has; a mark is left out.
    """
    for rows in _ROWS.values():
        for step in (1, -1):
            kept: dict[int, str] = {}
            wrapped: dict[int, str] = {}
            for row, _ in rows:
                for at, key in enumerate(row):
                    wrapped[ord(key)] = row[(at + step) % len(row)]
                    kept[ord(key)] = wrapped[ord(key)] if 0 <= at + step < len(row) else key
            yield letters.translate(kept)
            yield letters.translate(wrapped)
            if step == 1:
                beside = {ord(row[-1]): key if key.isalpha() else "" for row, key in rows}
            else:
                beside = {ord(row[0]): "" for row, _ in rows}
            yield letters.translate(kept | beside)
    for step in (1, -1):
        yield letters.translate(
            {ord(key): row[(at + step) % len(row)] for row in _LONG_ROWS for at, key in enumerate(row)}
        )


def other_layouts(letters: str) -> Iterator[str]:
    """Yield the letters as the same keys give them under another layout, either way round, and two keys to the side.
    What is a mark there is left out.
    """
    for layout in _LAYOUTS:
        for typed, read in ((_QWERTY, layout), (layout, _QWERTY)):
            table = dict(zip(typed, read, strict=True))
            moved = "".join(key for key in (table.get(letter, letter) for letter in letters) if key.isalpha())
            if moved != letters:
                yield moved
    for step in (2, -2):
        beside = {
            key: row[(at + step) % len(row)] for row, _ in _ROWS["qwerty"] for at, key in enumerate(row)
        }
        yield "".join(beside.get(letter, letter) for letter in letters)


def consonants(letters: str) -> str:
    """Return the letters without vowels."""
    return "".join(letter for letter in letters if letter not in _VOWELS)


def merged_letters(letters: str) -> Iterator[str]:
    """Yield the letters as the old squares and ciphers have them, which keep 25 or 24 letters: i for j, c for k, u
    for v; and with the z that some write for every s.
    """
    for kept_out, instead in (("j", "i"), ("k", "c"), ("jv", "iu"), ("s", "z")):
        merged = letters.translate(str.maketrans(kept_out, instead))
        if merged != letters:
            yield merged


_LEET_CLASSES = str.maketrans("ilbgq", "11999")


def leet_classes(letters: str) -> str:
    """Return the letters with those that share a digit in leet replaced by it: 1 for i and l, 9 for b, g and q.

    No word reads so; the decoder of the same name writes the digits and signs like this too.
    """
    return letters.translate(_LEET_CLASSES)


def scrambled(letters: str) -> str:
    """Return the letters with the inner ones in alphabetical order: equal for words that differ in their order."""
    return letters[0] + "".join(sorted(letters[1:-1])) + letters[-1]


def telephone_keys(letters: str) -> str:
    """Return the keys of a telephone that carry the letters (ITU-T E.161); other symbols stay."""
    return letters.translate(_KEYS)


def turned_words(words: tuple[str, ...]) -> Iterator[str]:
    """Yield a value's words run together in reversed order, each word reversed in its place, and one word
    reversed among the others.
    """
    backwards = tuple(word[::-1] for word in words)
    yield "".join(reversed(words))
    yield "".join(backwards)
    yield "".join(word if word.isdigit() else word[::-1] for word in words)
    if len(words) > 2:
        for at, word in enumerate(backwards):
            yield "".join((*words[:at], word, *words[at + 1 :]))
    else:
        yield words[0] + backwards[1]
        yield backwards[0] + words[1]


def collapsed(letters: str) -> str:
    """Return the letters with runs of one letter made single."""
    return "".join(letter for letter, _ in itertools.groupby(letters))


def swaps(letters: str) -> Iterator[str]:
    """Yield the letters with one neighbouring pair exchanged, or one letter left out, first letter kept."""
    for at in range(1, len(letters) - 1):
        yield letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :]
    for at in range(1, len(letters)):
        yield letters[:at] + letters[at + 1 :]


def digit_shifts(symbols: str) -> Iterator[str]:
    """Yield the symbols with digits shifted by five, with letters by thirteen, and with both (ROT5, ROT13, ROT18)."""
    digits = str.maketrans("0123456789", "5678901234")
    letters = str.maketrans(_ALPHABET, _ALPHABET[13:] + _ALPHABET[:13])
    yield symbols.translate(digits)
    yield symbols.translate(letters)
    yield symbols.translate(digits | letters)


def word_games(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the words in pig latin, the Scandinavian robber language, ubbi dubbi, javanais and the like, run together;
    each game played on every word.
    """
    for played in zip(*(tuple(_word_games(word)) for word in words), strict=True):
        yield "".join(played)


def _word_games(letters: str) -> Iterator[str]:
    first_vowel = next((at for at, letter in enumerate(letters) if letter in _VOWELS), 0)
    for ending in ("ay", "way", "yay"):
        yield letters[first_vowel:] + letters[:first_vowel] + ending
    yield "".join(f"{letter}o{letter}" if letter not in _VOWELS + "y" else letter for letter in letters)
    for inserted in ("ub", "ob", "av", "ag", "op", "ab", "idig", "egg", "ib"):
        yield "".join(
            inserted + letter if letter in _VOWELS and (at == 0 or letters[at - 1] not in _VOWELS) else letter
            for at, letter in enumerate(letters)
        )
        yield "".join(inserted + letter if letter in _VOWELS else letter for letter in letters)
    # The sound of each vowel again behind a consonant: "opo", "ifi".
    for behind in ("p", "f", "b", "s", "g", "lew", "lef"):
        yield "".join(f"{letter}{behind}{letter}" if letter in _VOWELS else letter for letter in letters)
        yield _VOWEL_RUN.sub(rf"\g<0>{behind}\g<0>", letters)
        yield _LAST_VOWEL.sub(rf"\g<0>{behind}\g<0>", letters)


_SMALL = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
"""
_UNITS = _SMALL.split()
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def number_in_words(number: int) -> str:
    """Return a whole number from 0 to 999 in English words run together, without "and"."""
    if number < 20:
        return _UNITS[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return _TENS[tens - 2] + (_UNITS[rest] if rest else "")
    hundreds, rest = divmod(number, 100)
    return _UNITS[hundreds] + "hundred" + (number_in_words(rest) if rest else "")


def left_out(letters: str) -> Iterator[str]:
    """Yield the letters with each single one left out (for look-up of words one edit away)."""
    for at in range(len(letters)):
        yield letters[:at] + letters[at + 1 :]


def name_orders(words: tuple[str, ...], is_common: Callable[[str], bool]) -> Iterator[str]:
    """Yield a name's words run together in every order, with and without titles, "and" in several languages; and
    without its middle or first word, unless what is left are common words, which other names have as well."""
    variants = {words}
    plain = tuple(word for word in words if word not in _TITLES and word not in _JOINERS)
    if 1 < len(plain) < len(words):
        variants.add(plain)
    joined = [at for at, word in enumerate(words) if word == "&"]
    if joined:
        variants.discard(words)
        for joiner in ("", *_JOINERS):
            variants.add(tuple(joiner if word == "&" else word for word in words if word != "&" or joiner))
    if len(plain) > 2:
        shorter = ((plain[0], plain[-1]), plain[1:])
        variants.update(part for part in shorter if not all(map(is_common, part)))
    for variant in variants:
        if len(variant) <= _MAX_ORDERED_WORDS:
            for order in itertools.permutations(variant):
                yield "".join(order)
        else:
            yield "".join(variant)
            yield "".join(reversed(variant))
