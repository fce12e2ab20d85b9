"""One look over a text for all decoders: which of its runs are no plain words, and which words it has.

Ordinary prose has hardly any odd run, and most decoders have nothing to do on plain words: they look at the
stretches around odd runs only, or ask once whether a word is in the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

# "Word", "(word)," and a short word in capitals are plain. A letter alone is not, but for "a" and "I"; a word in
# capitals may be base32 or base45 from seven letters up.
_ODD_RUN = re.compile(
    r"(?<!\S)(?![(\"'“‘]{0,2}+(?:[A-Za-z][a-z]++|[aAI]|[A-Z]{2,6}+)(?:['’][a-z]{1,2})?[.,;:!?\"')”’]{0,3}+(?:\s|$))\S+"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_EDGES = ".,;:!?\"'()“”‘’"
_CONTEXT_WORDS = 2
_MOST_LONE_NUMBERS = 2
# A word of two letters may be a part of a code ("61 be 6 1").
_NEAR = len(" be ")
# 31, 2019, $1,234.50, (4.2%)
_PLAIN_NUMBER = re.compile(r"[$€£(]{0,2}\d{1,4}(?:,\d{3}){0,2}(?:\.\d{1,2})?[%)]{0,2}[.,;:)]?")
# The views of one payload are surveyed one after the other, each by all decoders.
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Odd:
    """A run without white space that is no plain word: characters `start` to `end`, edge marks included."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What a text consists of.

    Attributes:
        odd: the odd runs in order.
        stretches: where odd runs follow each other, with two plain words before and behind.
        words: runs of letters in lower case, in order, those within odd runs too.
        vocabulary: the same, each once.
    """

    odd: tuple[Odd, ...]
    stretches: tuple[tuple[int, int], ...]
    words: tuple[str, ...]
    vocabulary: frozenset[str]


@lru_cache(maxsize=_KEPT)
def survey(text: str) -> Survey:
    """Return the odd runs and the words of a text."""
    found = (Odd(match.start(), match.end(), match[0]) for match in _ODD_RUN.finditer(text))
    odd = tuple(found) if text.isascii() else tuple(run for run in found if not _is_foreign_word(run.text))
    words = tuple(_LETTERS.findall(text.lower()))
    odd = tuple(_without_lone_numbers(text, odd))
    return Survey(odd, _stretches(text, odd), words, frozenset(words))


def odd_stretches(text: str) -> tuple[tuple[int, int], ...]:
    """Return where odd runs follow each other, each stretch with two plain words before and behind it."""
    return survey(text).stretches


def odd_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin in an odd run and do not reach over white space."""
    for run in survey(text).odd:
        yield from pattern.finditer(text, run.start, run.end)


def stretch_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern in the stretches around odd runs."""
    for start, end in survey(text).stretches:
        yield from pattern.finditer(text, start, end)


def _is_foreign_word(run: str) -> bool:
    """Whether a run is a plain word of letters that are not all ASCII."""
    word = run.strip(_EDGES)
    return len(word) > 1 and word.isalpha() and (word.islower() or word[1:].islower() or not word.isascii())


def _without_lone_numbers(text: str, odd: tuple[Odd, ...]) -> Iterator[Odd]:
    """Leave out numbers as prose has them, up to two in a row between plain words: no code is so short."""
    group: list[Odd] = []
    only_numbers = True
    for run in odd:
        if group and run.start - group[-1].end > _NEAR:
            if not only_numbers or len(group) > _MOST_LONE_NUMBERS:
                yield from group
            group, only_numbers = [], True
        group.append(run)
        only_numbers = only_numbers and _PLAIN_NUMBER.fullmatch(run.text) is not None
    if not only_numbers or len(group) > _MOST_LONE_NUMBERS:
        yield from group


def _stretches(text: str, odd: tuple[Odd, ...]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for run in odd:
        end = run.end
        for _ in range(_CONTEXT_WORDS):
            end = text.find(" ", end + 1)
            if end < 0:
                end = len(text)
        if merged and run.start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            continue
        start = run.start
        for _ in range(_CONTEXT_WORDS):
            start = text.rfind(" ", 0, max(0, start - 1)) + 1
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
