"""Seed phrases of wallets: twelve to twenty-four words of one list, whose last bits are a checksum (BIP-39)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256

from mnemonic import Mnemonic

# Languages that are written in letters with blanks between the words.
_LANGUAGES = ("english", "french", "italian", "spanish", "portuguese", "czech")
_LEAST = 12
_COUNTS = (24, 21, 18, 15, 12)
_BITS_A_WORD = 11
_REMEMBERED = 1 << 16
_LONGEST_REMEMBERED = 40
_FEW = 4
# Twelve words may be less runs than twelve only where a run has several.
_ROW = re.compile(rb"[\x01\x02]{12,}+[^\x00]*+|[\x01\x02]{0,11}+[\x03\x04][^\x00]*+")
_WORD = re.compile(r"[^\W\d_]+")


def has_seed_words(runs: Sequence[str]) -> bool:
    """Whether at least twelve words, one after the other, stand in one of the lists; `runs` are those without white
    space of a text, in order.
    """
    marks = bytes(map(_marks().__getitem__, runs))
    return any(_has_many(row[0]) and _in_a_row(runs[row.start() : row.end()]) for row in _ROW.finditer(marks))


def _has_many(marks: bytes) -> bool:
    return len(marks) + (_FEW - 1) * marks.count(3) >= _LEAST or 4 in marks


def _in_a_row(runs: Sequence[str]) -> bool:
    known = _all_words()
    row = 0
    for word in _WORD.findall(" ".join(runs).lower()):
        row = row + 1 if word in known else 0
        if row >= _LEAST:
            return True
    return False


class _Marks(dict[str, int]):
    """Run -> 0 for none of whose words is known, 1 for one word that is, 2 for no words, 3 for up to four words of
    which one is, 4 for more. Filled as runs are met, and emptied when it is full.
    """

    def __missing__(self, run: str) -> int:
        words = _WORD.findall(run.lower())
        known = not _all_words().isdisjoint(words)
        mark = (
            2 if not words else 0 if not known else 1 if len(words) == 1 else 3 if len(words) <= _FEW else 4
        )
        if len(run) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[run] = mark
        return mark


@cache
def _marks() -> _Marks:
    return _Marks()


def seed_phrase(text: str) -> bool:
    """Whether some of the words of `text`, one after the other, are a phrase with the right checksum."""
    words = [_plain(word) for word in _WORD.findall(text)]
    for places in _lists():
        numbers = [places.get(word, -1) for word in words]
        for start in range(len(numbers) - _LEAST + 1):
            for count in _COUNTS:
                chosen = numbers[start : start + count]
                if len(chosen) == count and min(chosen) >= 0 and _is_whole(chosen):
                    return True
    return False


def _is_whole(numbers: list[int]) -> bool:
    total = _BITS_A_WORD * len(numbers)
    check_bits = total // 33
    value = 0
    for number in numbers:
        value = value << _BITS_A_WORD | number
    entropy = (value >> check_bits).to_bytes((total - check_bits) // 8, "big")
    return sha256(entropy).digest()[0] >> (8 - check_bits) == value & ((1 << check_bits) - 1)


def _plain(word: str) -> str:
    """A word in lower case without marks on its letters, as it is often typed."""
    parts = unicodedata.normalize("NFKD", word.lower())
    return "".join(char for char in parts if not unicodedata.combining(char))


@cache
def _lists() -> tuple[Mapping[str, int], ...]:
    return tuple(
        {_plain(word): place for place, word in enumerate(Mnemonic(language).wordlist)}
        for language in _LANGUAGES
    )


@cache
def _all_words() -> frozenset[str]:
    """Every word with its marks and without."""
    return frozenset(
        form
        for language in _LANGUAGES
        for word in Mnemonic(language).wordlist
        for form in (unicodedata.normalize("NFC", word), _plain(word))
    )
