"""Names: runs of capitalised words, cut where a list, a sentence or a line ends, and kept whole to their legal form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from doublethink_casefile.proposing.shapes import Span
from doublethink_casefile.proposing.words import (
    BEFORE_OF,
    FULL_LINE,
    KIND,
    LEGAL,
    ORDINARY,
    TITLES,
    Word,
    words_of,
)

_MAX_WORDS: Final = 8
# Below what a public term may have in bytes.
_MAX_CHARS: Final = 100


@dataclass(frozen=True, slots=True)
class Name:
    """A run of words that may be a name. `titled`: a title such as "Mr" stands before it."""

    words: tuple[Word, ...]
    titled: bool

    @property
    def span(self) -> Span:
        """From its first word to its last."""
        return self.words[0].start, self.words[-1].end

    @property
    def company(self) -> bool:
        """Whether a word of it says so."""
        return any(word.text in KIND or word.text == "&" for word in self.words[1:])


def names(memo: str, taken: Iterable[Span]) -> Iterator[Name]:
    """All names of a memo, single words included, in order. What lies in `taken` is part of none."""
    blocked = sorted(taken)
    run: list[Word] = []
    for word in words_of(memo):
        if run and not _joins(memo, run[-1], word, blocked):
            yield from _name(run)
            run = []
        if _overlaps(word, blocked):
            yield from _name(run)
            run = []
        elif word.capitalised or (run and (_particle(run[-1], word) or word.text in LEGAL)):
            run.append(word)
        else:
            yield from _name(run)
            run = []
    yield from _name(run)


def _particle(left: Word, word: Word) -> bool:
    """Whether a small word goes on with a name: "Bank of", but not "Anna Lindqvist of"."""
    return word.particle and (word.text != "of" or left.text in BEFORE_OF)


def _joins(memo: str, left: Word, right: Word, blocked: list[Span]) -> bool:
    gap = memo[left.end : right.start]
    if gap == "" or gap.strip(" \t\u00a0") == "":
        return len(gap) <= 3
    if gap in (", ", ",") and right.text in LEGAL and left.text not in LEGAL - {"Co"}:
        return True
    if gap in (".", ". ", "., "):
        return left.abbreviated and (left.text not in LEGAL or right.text in LEGAL)
    if gap.strip(" \t") == "\n":
        # Wrapped text goes on; a short line, a heading or an entry of a list does not.
        begin = memo.rfind("\n", 0, left.end) + 1
        return left.end - begin >= FULL_LINE
    return False


def _overlaps(word: Word, blocked: list[Span]) -> bool:
    return any(start < word.end and word.start < end for start, end in blocked)


def _name(run: list[Word]) -> Iterator[Name]:
    """The names in a run: words that no name has are cut out, at its ends the ordinary ones too."""
    part: list[Word] = []
    titled = False
    for word in [*run, None]:
        if word is not None and not word.breaks and word.text not in TITLES:
            part.append(word)
            continue
        yield from _trimmed(part, titled=titled)
        part, titled = [], word is not None and word.text in TITLES


def _trimmed(part: list[Word], *, titled: bool) -> Iterator[Name]:
    while part and (part[0].particle or part[0].text in ORDINARY or not part[0].capitalised):
        part = part[1:]
    while part and part[-1].particle:
        part = part[:-1]
    long = part and part[-1].end - part[0].start > _MAX_CHARS
    if part and not long and len(part) <= _MAX_WORDS and any(len(word.text) > 1 for word in part):
        yield Name(tuple(part), titled)
