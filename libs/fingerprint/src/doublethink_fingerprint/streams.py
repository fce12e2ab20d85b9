"""Streams: a view reduced to the symbols that matter, so that separators, order and noise do not hide a
value.

Every stream keeps the positions of its symbols in the folded text. All streams of all views are laid into one
array with a gap between them, so that the prefilter runs once for a payload and not once for each view.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
import numpy.typing as npt

from doublethink_fingerprint.decoders.survey import Gathered, gathered
from doublethink_fingerprint.fold import Folded, fold
from doublethink_fingerprint.keyed import GRAM
from doublethink_fingerprint.tokens import TOKEN, TokenForm
from doublethink_fingerprint.view import View
from doublethink_fingerprint.work import FOREIGN_CHAR, MATCH, spend

Codes = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_LETTER, _DIGIT, _BORDER = 1, 2, 4
_NOWHERE = np.full(1, -1, dtype=np.int64)
# Wide enough for a token that begins before a decoded stretch or ends behind it.
_NEIGHBOURHOOD = 32
_LONG = 2000
# So many tokens are looked for one by one.
_MANY_TOKENS = 16
_ASCII_CLASS = np.zeros(128, dtype=np.uint8)
# Folded text has no zero of its own: one stands between two views.
_ASCII_CLASS[0] = _BORDER
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
    """A view and its folded text.

    `start` is where that text begins in the folded text of the whole payload.
    """

    view: View
    folded: Folded
    start: int = 0
    _vocabulary: list[frozenset[str]] = field(default_factory=list, repr=False, compare=False)
    _new: list[Gathered] = field(default_factory=list, repr=False, compare=False)

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

    def tokens(self, form: TokenForm, wanted: Callable[[str], bool]) -> Iterator[re.Match[str]]:
        """Yield the tokens of a form that are `wanted`, in what this view has that its parent has not.

        Every different token is asked about once, however often it stands in a long text.
        """
        found = frozenset(filter(wanted, form.of(self.vocabulary)))
        return self.places_of(form, found) if found else iter(())

    @property
    def vocabulary(self) -> frozenset[str]:
        """Every different token of what this view has that its parent has not."""
        if not self._vocabulary:
            text = self.folded.text if self._is_whole else self._news().text
            if len(text) > _LONG:
                # Most words of a long text come again, and no token reaches over white space.
                text = " ".join(set(text.split()))
            self._vocabulary.append(frozenset(TOKEN.findall(text)))
        return self._vocabulary[0]

    def places_of(self, form: TokenForm, found: frozenset[str]) -> Iterator[re.Match[str]]:
        """Yield the tokens of a form that are in `found`, in what this view has that its parent has not."""
        holders = found & self.vocabulary if form.whole else self._holding(form, found)
        for start, end in self._places(holders):
            for match in form.pattern.finditer(self.folded.text, start, end):
                if match[0] in found:
                    spend(MATCH)
                    yield match

    def _holding(self, form: TokenForm, found: frozenset[str]) -> frozenset[str]:
        """Return the tokens of which a part of a form is in `found`."""
        return frozenset(token for token in self.vocabulary if not found.isdisjoint(form.of([token])))

    def _places(self, tokens: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Yield where some tokens stand in what is new, in order."""
        text = self.folded.text
        parts = self._parts()
        if len(tokens) > _MANY_TOKENS:
            for low, high in parts:
                for match in TOKEN.finditer(text, low, high):
                    if match[0] in tokens:
                        yield match.span()
            return
        places: list[tuple[int, int]] = []
        for token in tokens:
            at = text.find(token)
            while at >= 0:
                end = at + len(token)
                if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
                    places.append((at, end))
                at = text.find(token, end)
        places.sort()
        starts = [low for low, _ in parts]
        for start, end in places:
            index = bisect_right(starts, start) - 1
            if index >= 0 and end <= parts[index][1]:
                yield start, end

    def matches(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern in what this view has that its parent has not, and a little around it."""
        if self._is_whole:
            yield from pattern.finditer(self.folded.text)
        else:
            yield from self._news().matches(pattern, self.folded.text)

    @property
    def _is_whole(self) -> bool:
        return self.view.parent is None or self.view.first or self.folded.ends is not None

    def _news(self) -> Gathered:
        """Return what is new, with the whole of each token, put one behind the other."""
        if not self._new:
            self._new.append(gathered(self.folded.text, list(self._new_parts())))
        return self._new[0]

    def _parts(self) -> Sequence[tuple[int, int]]:
        return ((0, len(self.folded.text)),) if self._is_whole else self._news().parts

    def _new_parts(self) -> Iterator[tuple[int, int]]:
        text = self.folded.text
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


@dataclass(frozen=True, slots=True)
class Streams:
    """All streams of all views of a payload in one array, so that a prefilter runs once over all of it.

    Attributes:
        laid: the views.
        codes: code points of all streams, a zero between two views and between two streams.
        places: for each code point, its index in the folded text of the whole payload.
        starts, kinds: where each stream begins in `codes`, and which one it is.
    """

    laid: tuple[Laid, ...]
    codes: Codes
    places: Places
    starts: tuple[int, ...]
    kinds: tuple[Stream, ...]

    def at(self, first: int, length: int) -> tuple[Laid, Stream, Places] | None:
        """Return in which view and stream `length` symbols from position `first` of `codes` stand, and where in
        the folded text of the view. None where they are not of one view.
        """
        places = self.places[first : first + length]
        index = bisect_right(self.laid, int(places[0]), key=_start_of) - 1
        laid = self.laid[index]
        if int(places[-1]) >= laid.start + len(laid.folded.text):
            return None
        return laid, self.kinds[bisect_right(self.starts, first) - 1], places - laid.start


def _start_of(laid: Laid) -> int:
    return laid.start


def lay(views: Sequence[tuple[View, bool, bool]]) -> Streams:
    """Take the streams of views, each with whether scattered letters count (acrostics, every second letter and the
    like), and whether it is folded by sound. Raises WorkSpent.
    """
    laid: list[Laid] = []
    at = 0
    for view, _, by_sound in views:
        # Characters beyond ASCII are folded one by one.
        spend(len(view.text) if view.text.isascii() else FOREIGN_CHAR * len(view.text))
        laid.append(Laid(view, fold(view.text, by_sound=by_sound), at))
        at += len(laid[-1].folded.text) + 1
    text = "\0".join([each.folded.text for each in laid])
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    classes = _classes(codes)
    starts = np.fromiter((each.start for each in laid), dtype=np.int64, count=len(laid))
    parts = list(_direct(codes, classes, starts))
    for each, (_, scattered, _) in zip(laid, views, strict=True):
        if scattered:
            here = slice(each.start, each.start + len(each.folded.text))
            parts += [
                (kind, indices + each.start)
                for kind, indices in _scattered(each.view, each.folded, codes[here], classes[here])
            ]
    return _joined(tuple(laid), codes, parts)


def _direct(codes: Codes, classes: npt.NDArray[np.uint8], starts: Places) -> Iterator[tuple[Stream, Places]]:
    """Streams that keep neighbours together, of all views one after the other."""
    kept = 0 if len(starts) == 1 else _BORDER
    letters = np.flatnonzero(classes & (_LETTER | kept))
    yield Stream.LETTERS, letters
    digits = np.flatnonzero(classes == _DIGIT)
    if len(digits):
        symbols = np.flatnonzero(classes)
        yield Stream.SYMBOLS, _of_views(symbols, digits, starts)
        if len(digits) >= GRAM:
            yield Stream.DIGITS, np.flatnonzero(classes & (_DIGIT | kept)) if kept else digits
    if len(letters) > GRAM:
        run = codes[letters]
        repeated = run[1:] == run[:-1]
        if repeated.any():
            once = letters[np.concatenate(([True], ~repeated))]
            yield Stream.COLLAPSED, _of_views(once, letters[1:][repeated], starts)


def _of_views(places: Places, wanted: Places, starts: Places) -> Places:
    """Return the places, with the border before them, that lie in a view that has one of the wanted places."""
    if len(starts) == 1:
        return places
    held = np.zeros(len(starts) + 1, dtype=np.bool_)
    held[np.searchsorted(starts, wanted, side="right")] = True
    if held[1:].all():
        return places
    return places[held[np.searchsorted(starts, places + 1, side="right")]]


def _scattered(
    view: View, folded: Folded, codes: Codes, classes: npt.NDArray[np.uint8]
) -> list[tuple[Stream, Places]]:
    is_letter = classes == _LETTER
    letters = np.flatnonzero(is_letter)
    if not len(letters):
        return []
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


def _joined(laid: tuple[Laid, ...], codes: Codes, parts: list[tuple[Stream, Places]]) -> Streams:
    places: list[Places] = []
    starts: list[int] = []
    kinds: list[Stream] = []
    at = 0
    for kind, indices in parts:
        if len(indices) < GRAM:
            continue
        starts.append(at)
        kinds.append(kind)
        places += [indices, _NOWHERE]
        at += len(indices) + 1
    if not places:
        return Streams(laid, np.empty(0, np.uint32), np.empty(0, np.int64), (), ())
    joined = np.concatenate(places)
    gathered = codes[joined]
    gathered[joined < 0] = 0
    return Streams(laid, gathered, joined, tuple(starts), tuple(kinds))


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
