"""One look over a text for all decoders: which of its runs are no plain words, and which words it has.

Ordinary prose has hardly any odd run, and most decoders have nothing to do on plain words: they look at the
stretches around odd runs only, or ask once whether a word is in the vocabulary.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doublethink_fingerprint.decoders.sieve import Sieve

# "Word", "(word)," and a short word in capitals are plain. A letter alone is not, but for "a" and "I"; a word in
# capitals may be base32 or base45 from seven letters up.
_PLAIN_RUN = re.compile(
    r"[(\"'“‘]{0,2}+(?:[A-Za-z][a-z]++|[aAI]|[A-Z]{2,6}+)(?:['’][a-z]{1,2})?[.,;:!?\"')”’]{0,3}+"
)
_RUN = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]+")
_EDGES = ".,;:!?\"'()“”‘’"
_CONTEXT_WORDS = 2
_MOST_LONE_NUMBERS = 2
# A word of two letters may be a part of a code ("61 be 6 1").
_NEAR = len(" be ")
# 31, 2019, $1,234.50, (4.2%)
_PLAIN_NUMBER = re.compile(r"[$€£(]{0,2}\d{1,4}(?:,\d{3}){0,2}(?:\.\d{1,2})?[%)]{0,2}[.,;:)]?")
# The views of one payload are surveyed one after the other by all decoders, and again by what looks them through.
_KEPT_ROOM = 16 * 1024 * 1024
_ROOM_OF_ONE = 1024
_ROOM_OF_ODD = 320
_ROOM_OF_TOKEN = 64
_MANY_WORDS = 24
# From here on the places of runs are taken from an array, which costs as much as this many matches.
_MANY_RUNS = 16
_ASKED = 4
# So few are asked about at once: each scan costs more than what it leaves out.
_FEW_PARTS = 8
# Runs that were looked at, so that a word is looked at once and not in each text; long ones do not come again.
_REMEMBERED_RUNS = 1 << 16
_LONGEST_REMEMBERED = 40
# Stands between two stretches that are searched as one text: no pattern reaches over it.
_GAP = "\n" + "\0" * 8 + "\n"


IN_STRETCHES = Sieve()
"""Patterns that are looked for in the stretches around odd runs."""
IN_RUNS = Sieve()
"""Patterns that are looked for in odd runs and do not reach over white space."""
ANYWHERE = Sieve()
"""Patterns that are looked for in whole texts."""


class Odd(NamedTuple):
    """A run without white space that is no plain word: characters `start` to `end`, edge marks included."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """Parts of a text put one behind the other, so that a pattern is searched for once and not once a part.

    Attributes:
        parts: where each part stands in the text.
        text: the parts with white space between them; the only other place where it differs from the text.
        starts: where each part begins in `text`.
    """

    parts: tuple[tuple[int, int], ...]
    text: str
    starts: tuple[int, ...]

    def matches(self, pattern: re.Pattern[str], whole: str) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern in each part of `whole`, the text that the parts are of."""
        at, count = 0, len(self.parts)
        while at < count:
            found = pattern.search(self.text, self.starts[at])
            if found is None:
                return
            at = bisect_right(self.starts, found.start()) - 1
            # Where a part has one, the next ones often have too: these are asked at once.
            for part in self.parts[at : at + _ASKED]:
                yield from pattern.finditer(whole, *part)
            at += _ASKED

    def spans(self, found: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield where stretches of `text` stand in the text that the parts are of, cut where a part ends."""
        for start, end in found:
            index = max(0, bisect_right(self.starts, start) - 1)
            while index < len(self.parts) and self.starts[index] < end:
                low, high = self.parts[index]
                shift = low - self.starts[index]
                first, last = max(low, start + shift), min(high, end + shift)
                if first < last:
                    yield first, last
                index += 1


class Survey:
    """What a text consists of; what takes long to say is found at the first question.

    Attributes:
        tokens: runs without white space, in order.
        unplain: how many of them are no plain words.
        vocabulary: runs of letters in lower case, those within odd runs too, each once.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.tokens = text.split()
        self._chosen = [at for at, odd in enumerate(map(_IS_ODD.__getitem__, self.tokens)) if odd]
        self.unplain = len(self._chosen)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        # Of a long text most words come again; a run holds whole words, however its letters are lowered.
        return frozenset(_LETTERS.findall(" ".join(set(self.tokens)).lower()))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Runs of letters in lower case, in order, those within odd runs too."""
        return tuple(_LETTERS.findall(" ".join(self.tokens).lower()))

    @cached_property
    def odd(self) -> tuple[Odd, ...]:
        """The odd runs in order, without numbers as prose has them."""
        return tuple(_without_lone_numbers(_odd_runs(self._text, self.tokens, self._chosen)))

    @cached_property
    def runs(self) -> Gathered:
        """The odd runs, gathered."""
        return gathered(self._text, [(run.start, run.end) for run in self.odd], "\n")

    @cached_property
    def stretches(self) -> Gathered:
        """Where odd runs follow each other, with two plain words before and behind, gathered."""
        return gathered(self._text, _stretches(self._text, self.odd))

    @cached_property
    def named_in_stretches(self) -> list[list[int]]:
        """For each pattern of `IN_STRETCHES`, the stretches that it may match in."""
        parts = self.stretches.parts
        if len(parts) > _FEW_PARTS:
            return IN_STRETCHES.named([self._text[start:end] for start, end in parts])
        every = list(range(len(parts)))
        return [every if found else [] for found in IN_STRETCHES.named([self.stretches.text])]

    @cached_property
    def named_in_runs(self) -> list[list[int]]:
        """For each pattern of `IN_RUNS`, whether it may match in the odd runs: one place, or none."""
        return IN_RUNS.named([self.runs.text])

    def may_be_in_stretches(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern may match around odd runs; true for one that `IN_STRETCHES` does not know."""
        place = IN_STRETCHES.place(pattern)
        if not self.stretches.parts:
            return False
        return place is None or bool(self.named_in_stretches[place])

    def may_match(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern may match in the text; true for one that `ANYWHERE` does not know."""
        place = ANYWHERE.place(pattern)
        return place is None or bool(self.named_anywhere[place])

    @cached_property
    def named_anywhere(self) -> list[list[int]]:
        """For each pattern of `ANYWHERE`, whether it may match in the text: one place, or none."""
        return ANYWHERE.named([self._text])


class _Surveys:
    """The surveys of the last texts, the newest and as many others as take little room."""

    def __init__(self) -> None:
        # An ordinary dict has to look for its oldest among all that have gone before.
        self._kept: OrderedDict[str, Survey] = OrderedDict()
        self._room = 0
        self._lock = Lock()

    def of(self, text: str) -> Survey:
        known = self._kept.get(text)
        if known is not None:
            return known
        made = Survey(text)
        with self._lock:
            if text not in self._kept:
                self._kept[text] = made
                self._room += _room_of(text, made)
            while self._room > _KEPT_ROOM and len(self._kept) > 1:
                self._room -= _room_of(*self._kept.popitem(last=False))
        return made


def _room_of(text: str, made: Survey) -> int:
    """About how many bytes a survey takes."""
    return _ROOM_OF_ONE + 4 * len(text) + _ROOM_OF_ODD * made.unplain + _ROOM_OF_TOKEN * len(made.tokens)


survey = _Surveys().of
"""Return the odd runs and the words of a text."""


class _Plainness(dict[str, bool]):
    """Run -> whether it is no plain word, filled as runs are met and emptied when it is full."""

    def __missing__(self, run: str) -> bool:
        odd = _PLAIN_RUN.fullmatch(run) is None and (run.isascii() or not _is_foreign_word(run))
        if len(run) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED_RUNS:
                self.clear()
            self[run] = odd
        return odd


_IS_ODD = _Plainness()


def _odd_runs(text: str, tokens: Sequence[str], chosen: Sequence[int]) -> list[Odd]:
    """Return the `chosen` ones of `tokens`, which are all runs of the text, in order."""
    if not chosen:
        return []
    if len(tokens) < _MANY_RUNS:
        spans = [match.span() for match in _RUN.finditer(text)]
        return [Odd(*spans[at], tokens[at]) for at in chosen]
    starts = _starts(text)[chosen].tolist()
    return [Odd(start, start + len(tokens[at]), tokens[at]) for at, start in zip(chosen, starts, strict=True)]


def _starts(text: str) -> npt.NDArray[np.int64]:
    """Return where the runs of a text begin, as `str.split` parts it."""
    if text.isascii():
        blank = _BLANK[np.frombuffer(text.encode("ascii"), dtype=np.uint8)]
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        blank = _BLANK[np.minimum(codes, len(_BLANK) - 1)]
    begins = ~blank
    begins[1:] &= blank[:-1]
    return np.flatnonzero(begins)


# No white space of Unicode lies beyond U+3000.
_BLANK = np.fromiter((chr(code).isspace() for code in range(0x3002)), dtype=np.bool_, count=0x3002)


def gathered(text: str, parts: Sequence[tuple[int, int]], gap: str = _GAP) -> Gathered:
    """Put parts of a text one behind the other."""
    starts: list[int] = []
    at = 0
    for start, end in parts:
        starts.append(at)
        at += end - start + len(gap)
    return Gathered(tuple(parts), gap.join([text[start:end] for start, end in parts]), tuple(starts))


def odd_stretches(text: str) -> tuple[tuple[int, int], ...]:
    """Return where odd runs follow each other, each stretch with two plain words before and behind it."""
    return survey(text).stretches.parts


def odd_matches(pattern: re.Pattern[str], text: str) -> Iterator[Odd]:
    """Yield the matches of a pattern that does not reach over white space, nor looks beyond it, in odd runs."""
    seen = survey(text)
    runs = seen.runs
    place = IN_RUNS.place(pattern)
    if not runs.parts or (place is not None and not seen.named_in_runs[place]):
        return
    parts, starts = runs.parts, runs.starts
    index, last = 0, len(parts) - 1
    # The runs stand in one text with white space between them, as they do in their own.
    for match in pattern.finditer(runs.text):
        start, end = match.span()
        while index < last and starts[index + 1] <= start:
            index += 1
        shift = parts[index][0] - starts[index]
        yield Odd(start + shift, end + shift, match[0])


def odd_and_words(pattern: re.Pattern[str], words: Collection[str], text: str) -> Iterator[Odd]:
    """Yield in order the matches of a pattern in odd runs and in the runs that have one of some words.

    The words are in lower case, as in the vocabulary.
    """
    if not words:
        yield from odd_matches(pattern, text)
        return
    lowered = text.lower()
    if len(words) > _MANY_WORDS or len(lowered) != len(text):
        for match in pattern.finditer(text):
            yield Odd(*match.span(), match[0])
        return
    parts = set(survey(text).runs.parts)
    for word in words:
        at = lowered.find(word)
        while at >= 0:
            parts.add(_run_around(text, at))
            at = lowered.find(word, at + len(word))
    for start, end in sorted(parts):
        for match in pattern.finditer(text, start, end):
            yield Odd(*match.span(), match[0])


def _run_around(text: str, at: int) -> tuple[int, int]:
    start = end = at
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, end


def stretch_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern in the stretches around odd runs."""
    seen = survey(text)
    place = IN_STRETCHES.place(pattern)
    if place is None:
        yield from seen.stretches.matches(pattern, text)
        return
    parts = seen.stretches.parts
    for index in seen.named_in_stretches[place] if parts else ():
        yield from pattern.finditer(text, *parts[index])


def may_match(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a pattern of `ANYWHERE` may match in a text."""
    return survey(text).may_match(pattern)


def stretches_with(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches around odd runs that a pattern of `IN_STRETCHES` matches in."""
    seen = survey(text)
    place = IN_STRETCHES.place(pattern)
    parts = seen.stretches.parts
    for index in range(len(parts)) if place is None else seen.named_in_stretches[place]:
        if pattern.search(text, *parts[index]):
            yield parts[index]


def _is_foreign_word(run: str) -> bool:
    """Whether a run is a plain word of letters that are not all ASCII."""
    word = run.strip(_EDGES)
    return len(word) > 1 and word.isalpha() and (word.islower() or word[1:].islower() or not word.isascii())


def _without_lone_numbers(odd: Sequence[Odd]) -> Iterator[Odd]:
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
