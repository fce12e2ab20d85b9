"""One look over a text for all decoders: which of its runs are no plain words, and which plain words it has.

Ordinary prose has hardly any odd run, and most decoders have nothing to do on plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_RUN = re.compile(r"\S+")
_EDGES = ".,;:!?\"'()"
# The views of one payload are surveyed one after the other, each by all decoders.
_KEPT = 4


@dataclass(frozen=True, slots=True)
class Odd:
    """A run without white space that is no plain word: characters `start` to `end`, edge marks included."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Survey:
    """The odd runs of a text in order, and its plain words in lower case, in order."""

    odd: tuple[Odd, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=_KEPT)
def survey(text: str) -> Survey:
    """Return the odd runs and plain words of a text: "Word," and "(Word)" are plain, "wOrd" and "w-2" odd."""
    odd: list[Odd] = []
    words: list[str] = []
    for match in _RUN.finditer(text):
        run = match[0]
        word = run if run.isalpha() else run.strip(_EDGES)
        # A word in capitals may be base32 or base45 from seven letters up.
        if word.isalpha() and (word.islower() or word[1:].islower() or (word.isupper() and len(word) < 7)):
            words.append(word.lower())
        elif word:
            odd.append(Odd(match.start(), match.end(), run))
    return Survey(tuple(odd), tuple(words))


def odd_stretches(text: str) -> tuple[tuple[int, int], ...]:
    """Return where odd runs follow each other, each stretch with the plain word before and behind it."""
    runs = survey(text).odd
    stretches: list[tuple[int, int]] = []
    for run in runs:
        start = text.rfind(" ", 0, max(0, run.start - 1)) + 1
        end = text.find(" ", run.end + 1)
        end = len(text) if end < 0 else end
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(end, stretches[-1][1]))
        else:
            stretches.append((start, end))
    return tuple(stretches)


def odd_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin in an odd run and do not reach over white space."""
    for run in survey(text).odd:
        yield from pattern.finditer(text, run.start, run.end)
