"""Streams: a view reduced to the symbols that matter, so that separators, order and noise do not hide a
value.

Every stream keeps the positions of its symbols in the folded view. All streams of a view are laid into one
array with a gap between them, so that the prefilter runs once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
import numpy.typing as npt

from doublethink_fingerprint.fold import Folded, fold
from doublethink_fingerprint.keyed import GRAM
from doublethink_fingerprint.tokens import TOKEN
from doublethink_fingerprint.view import View
from doublethink_fingerprint.work import FOREIGN_CHAR, MATCH, spend

Codes = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_LETTER, _DIGIT = 1, 2
# Wide enough for a token that begins before a decoded stretch or ends behind it.
_NEIGHBOURHOOD = 32
_ASCII_CLASS = np.zeros(128, dtype=np.uint8)
_ASCII_CLASS[[*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1)]] = _LETTER
_ASCII_CLASS[range(ord("0"), ord("9") + 1)] = _DIGIT


class Stream(Enum):
    """Which symbols of a view, in which order."""

    LETTERS = "letters"
    SYMBOLS = "symbols"
    DIGITS = "digits"
    COLLAPSED = "collapsed"
    FIRST_LETTERS = "first"
    SECOND_LETTERS = "second"
    LAST_LETTERS = "last"
    CAPITALS = "capitals"
    LINE_STARTS = "lines"
    EVERY_SECOND = "alternate"
    EVERY_THIRD = "thirds"


DIRECT = frozenset({Stream.LETTERS, Stream.SYMBOLS, Stream.DIGITS, Stream.COLLAPSED})
"""Streams that keep neighbours together; in the others a value must be spelled by scattered letters."""


@dataclass(frozen=True, slots=True)
class Laid:
    """All streams of one view in one array.

    Attributes:
        view: the view they were taken from.
        folded: its folded text.
        codes: code points of all streams, a zero between two of them.
        places: for each code point, its index in the folded text; -1 for the gaps.
        starts, kinds: where each stream begins in `codes`, and which one it is.
    """

    view: View
    folded: Folded
    codes: Codes
    places: Places
    starts: tuple[int, ...]
    kinds: tuple[Stream, ...]
    _vocabulary: list[str] = field(default_factory=list, repr=False, compare=False)

    def stream_at(self, at: int) -> tuple[Stream, int]:
        """Return the stream that holds position `at` of `codes`, and where that stream ends."""
        index = bisect_right(self.starts, at) - 1
        end = self.starts[index + 1] - 1 if index + 1 < len(self.starts) else len(self.codes)
        return self.kinds[index], end

    def decoders(self, first: int, last: int) -> tuple[str, ...] | None:
        """Return the decoders behind folded characters `first` to `last` (both included).

        None where neither these nor their neighbours were changed by this view's own decoder: what is there
        is seen in the view's parent already.
        """
        start = self.folded.source_index(first)
        end = self.folded.source_index(last) + 1
        if self.view.repeats(start - 1, end + 1):
            return None
        return self.view.decoders(start, end)

    def tokens(self, pattern: re.Pattern[str], wanted: Callable[[str], bool]) -> Iterator[re.Match[str]]:
        """Yield the matches of `pattern`, all within tokens, that are `wanted`, in what this view has that its
        parent has not.

        Every different token is asked about once, however often it stands in a long text.
        """
        if not self._vocabulary:
            text = self.folded.text
            parts = self._new_parts()
            tokens = {token for start, end in parts for token in TOKEN.findall(text, start, end)}
            self._vocabulary.append(" ".join(tokens))
        found = {token for token in set(pattern.findall(self._vocabulary[0])) if wanted(token)}
        if found:
            for start, end in self._new_parts():
                for match in pattern.finditer(self.folded.text, start, end):
                    if match[0] in found:
                        spend(MATCH)
                        yield match

    def _new_parts(self) -> Iterator[tuple[int, int]]:
        text = self.folded.text
        if self.view.parent is None or self.view.first or self.folded.ends is not None:
            yield 0, len(text)
            return
        for start, end in self.view.changed_parts(_NEIGHBOURHOOD):
            # Not into the middle of a token.
            while start > 0 and text[start - 1].isalnum():
                start -= 1
            while end < len(text) and text[end].isalnum():
                end += 1
            yield start, end

    def source_span(self, first: int, last: int) -> tuple[int, int]:
        """Return the payload span of folded characters `first` to `last` (both included)."""
        start = self.folded.source_index(first)
        end = self.folded.source_index(last) + 1
        return self.view.span(start, end)


def lay(view: View, *, scattered: bool, by_sound: bool = False) -> Laid:
    """Take the streams of a view. `scattered` adds acrostics, every second letter and the like. Raises
    WorkSpent.
    """
    # Characters beyond ASCII are folded one by one.
    spend(len(view.text) if view.text.isascii() else FOREIGN_CHAR * len(view.text))
    folded = fold(view.text, by_sound=by_sound)
    codes = np.frombuffer(folded.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    classes = _classes(codes)
    letters = np.flatnonzero(classes == _LETTER)
    digits = np.flatnonzero(classes == _DIGIT)
    parts: list[tuple[Stream, Places]] = [(Stream.LETTERS, letters)]
    if len(digits):
        parts.append((Stream.SYMBOLS, np.flatnonzero(classes)))
        if len(digits) >= GRAM:
            parts.append((Stream.DIGITS, digits))
    if len(letters) > GRAM:
        run = codes[letters]
        kept = np.concatenate(([True], run[1:] != run[:-1]))
        if not kept.all():
            parts.append((Stream.COLLAPSED, letters[kept]))
    if scattered and len(letters):
        parts.extend(_scattered(view, folded, codes, classes, letters))
    return _laid(view, folded, codes, parts)


def _scattered(
    view: View, folded: Folded, codes: Codes, classes: npt.NDArray[np.uint8], letters: Places
) -> list[tuple[Stream, Places]]:
    is_letter = classes == _LETTER
    before = np.concatenate(([False], is_letter[:-1]))
    after = np.concatenate((is_letter[1:], [False]))
    firsts = np.flatnonzero(is_letter & ~before)
    parts = [
        (Stream.FIRST_LETTERS, firsts),
        (Stream.LAST_LETTERS, np.flatnonzero(is_letter & ~after)),
        (Stream.SECOND_LETTERS, firsts[after[firsts]] + 1 if len(firsts) else firsts),
        (Stream.EVERY_SECOND, letters[0::2]),
        (Stream.EVERY_SECOND, letters[1::2]),
        *((Stream.EVERY_THIRD, letters[start::3]) for start in range(3)),
    ]
    if "\n" in view.text:
        line_of = np.cumsum(codes == ord("\n"))[letters]
        parts.append((Stream.LINE_STARTS, letters[np.concatenate(([True], line_of[1:] != line_of[:-1]))]))
    if folded.ends is None and not view.text.islower() and not view.text.isupper():
        source = np.frombuffer(view.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        if len(source) == len(codes):
            parts.append((Stream.CAPITALS, np.flatnonzero((source != codes) & is_letter)))
    return parts


def _laid(view: View, folded: Folded, codes: Codes, parts: list[tuple[Stream, Places]]) -> Laid:
    arrays: list[Codes] = []
    places: list[Places] = []
    starts: list[int] = []
    kinds: list[Stream] = []
    gap_code, gap_place = np.zeros(1, dtype=np.uint32), np.full(1, -1, dtype=np.int64)
    at = 0
    for kind, indices in parts:
        if len(indices) < GRAM:
            continue
        starts.append(at)
        kinds.append(kind)
        arrays += [codes[indices], gap_code]
        places += [indices, gap_place]
        at += len(indices) + 1
    if not arrays:
        return Laid(view, folded, np.empty(0, np.uint32), np.empty(0, np.int64), (), ())
    return Laid(view, folded, np.concatenate(arrays), np.concatenate(places), tuple(starts), tuple(kinds))


def _classes(codes: Codes) -> npt.NDArray[np.uint8]:
    if not len(codes) or int(codes.max()) < 128:
        return _ASCII_CLASS[codes]
    classes = np.zeros(len(codes), dtype=np.uint8)
    plain = codes < 128
    classes[plain] = _ASCII_CLASS[codes[plain]]
    for code in np.unique(codes[~plain]).tolist():
        char = chr(code)
        if char.isalpha():
            classes[codes == code] = _LETTER
        elif char.isdigit():
            classes[codes == code] = _DIGIT
    return classes
