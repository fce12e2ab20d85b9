"""Streams: a view reduced to the symbols that matter, so that separators, order and noise do not hide a
value.

All streams of all views are laid into one array with a gap between them, so that the prefilter runs once for a payload
and not once for each view. Where a symbol stands in the folded text is found out when somebody asks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from doublethink_fingerprint.decoders.survey import Gathered, gathered
from doublethink_fingerprint.fold import Folded, fold
from doublethink_fingerprint.keyed import GRAM
from doublethink_fingerprint.tokens import TOKEN, TokenForm
from doublethink_fingerprint.view import View
from doublethink_fingerprint.work import FOREIGN_CHAR, MATCH, spend

Codes = npt.NDArray[np.uint32]
Symbols = npt.NDArray[np.uint8] | npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_LETTER, _DIGIT = 1, 2
# Folded text has no zero of its own.
_NOTHING = np.zeros(1, dtype=np.uint8)
# Wide enough for a token that begins before a decoded stretch or ends behind it.
_NEIGHBOURHOOD = 32
_LONG = 2000
# So many tokens are looked for one by one.
_MANY_TOKENS = 16
_ASCII_CLASS = np.zeros(128, dtype=np.uint8)
_ASCII_CLASS[[*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1)]] = _LETTER
_ASCII_CLASS[range(ord("0"), ord("9") + 1)] = _DIGIT
_NO_LETTERS = bytes(code for code in range(128) if _ASCII_CLASS[code] != _LETTER)
_NO_CAPITALS = bytes(code for code in range(128) if not chr(code).isupper())
_IS_LETTER = bytes(code < 128 and bool(_ASCII_CLASS[code] == _LETTER) for code in range(256))
_NO_DIGITS = bytes(code for code in range(128) if _ASCII_CLASS[code] != _DIGIT)
_NO_SYMBOLS = bytes(code for code in range(128) if not _ASCII_CLASS[code])


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
    LINE_ENDS = "lineends"
    HEADINGS = "headings"
    EVERY_SECOND = "alternate"
    EVERY_THIRD = "thirds"


_DIRECT_ORDER = (Stream.LETTERS, Stream.SYMBOLS, Stream.DIGITS, Stream.COLLAPSED)
DIRECT = frozenset(_DIRECT_ORDER)
"""Streams that keep neighbours together; in the others a value must be spelled by scattered letters."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A view and its folded text."""

    view: View
    folded: Folded
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
        return frozenset(
            token
            for token in self.vocabulary
            # What is all letters has no parts.
            if (
                token in found
                if token.isalpha() and token.isascii() and len(token) <= form.most
                else not found.isdisjoint(form.of([token]))
            )
        )

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


class _Part(NamedTuple):
    """Symbols of one view that stand together in `Streams.codes`: from where on, how many, of which view, in which
    order, and the how-manieth way of this order.
    """

    start: int
    size: int
    view: int
    kind: Stream
    way: int


@dataclass(frozen=True, slots=True)
class Streams:
    """All streams of all views of a payload in one array, so that a prefilter runs once over all of it.

    Attributes:
        laid: the views.
        codes: code points of all streams, a zero between two views and between two streams.
        parts: what each stretch of `codes` between two zeros is.
    """

    laid: tuple[Laid, ...]
    codes: Codes
    parts: tuple[_Part, ...]
    _places: dict[_Part, Places] = field(default_factory=dict, repr=False, compare=False)

    def at(self, first: int, length: int) -> tuple[Laid, Stream, Places] | None:
        """Return in which view and stream `length` symbols from position `first` of `codes` stand, and where in
        the folded text of the view. None where they are not of one view.
        """
        part = self.parts[bisect_right(self.parts, first, key=_start_of) - 1]
        offset = first - part.start
        if offset + length > part.size:
            return None
        laid = self.laid[part.view]
        places = self._places.get(part)
        if places is None:
            # Hardly any window is one of the pack's, so that nobody asks where most symbols stand.
            places = self._places[part] = _places_of(laid, part.kind, part.way)
        return laid, part.kind, places[offset : offset + length]


def _start_of(part: _Part) -> int:
    return part.start


def lay(views: Sequence[tuple[View, bool, bool]]) -> Streams:
    """Take the streams of views, each with whether scattered letters count (acrostics, every second letter and the
    like), and whether it is folded by sound. Raises WorkSpent.
    """
    laid: list[Laid] = []
    for view, _, by_sound in views:
        # Characters beyond ASCII are folded one by one.
        spend(len(view.text) if view.text.isascii() else FOREIGN_CHAR * len(view.text))
        laid.append(Laid(view, fold(view.text, by_sound=by_sound)))
    found: dict[Stream, list[tuple[int, int, Symbols]]] = {kind: [] for kind in _DIRECT_ORDER}
    scattered: list[tuple[Stream, int, int, Symbols]] = []
    for index, (each, (_, spread, _)) in enumerate(zip(laid, views, strict=True)):
        for kind, symbols in _direct(each.folded.text):
            found[kind].append((index, 0, symbols))
        if spread:
            scattered += [(kind, index, way, codes) for kind, way, codes in _scattered(each)]
    ordered = [(kind, *rest) for kind, parts in found.items() for rest in parts]
    return _joined(tuple(laid), [*ordered, *scattered])


def _direct(text: str) -> Iterator[tuple[Stream, Symbols]]:
    """Streams of folded text that keep neighbours together, as far as they are long enough to hold anything."""
    if not text.isascii():
        yield from _direct_of_codes(text)
        return
    data = text.encode("ascii")
    letters = data.translate(None, _NO_LETTERS)
    if len(letters) >= GRAM:
        run = np.frombuffer(letters, dtype=np.uint8)
        yield Stream.LETTERS, run
        yield from _collapsed(run)
    digits = data.translate(None, _NO_DIGITS)
    if digits:
        symbols = data.translate(None, _NO_SYMBOLS)
        if len(symbols) >= GRAM:
            yield Stream.SYMBOLS, np.frombuffer(symbols, dtype=np.uint8)
        if len(digits) >= GRAM:
            yield Stream.DIGITS, np.frombuffer(digits, dtype=np.uint8)


def _direct_of_codes(text: str) -> Iterator[tuple[Stream, Symbols]]:
    codes = _codes_of(text)
    classes = _classes(codes)
    letters = codes[classes == _LETTER]
    if len(letters) >= GRAM:
        yield Stream.LETTERS, letters
        yield from _collapsed(letters)
    digits = codes[classes == _DIGIT]
    if len(digits):
        symbols = codes[classes != 0]
        if len(symbols) >= GRAM:
            yield Stream.SYMBOLS, symbols
        if len(digits) >= GRAM:
            yield Stream.DIGITS, digits


def _collapsed(run: Symbols) -> Iterator[tuple[Stream, Symbols]]:
    kept = run[1:] != run[:-1]
    if not kept.all():
        once = run[1:][kept]
        if len(once) + 1 >= GRAM:
            yield Stream.COLLAPSED, np.concatenate((run[:1], once))


def _places_of(laid: Laid, kind: Stream, way: int) -> Places:
    """Return where the symbols of a stream stand in the folded text of a view."""
    if kind not in DIRECT:
        return next(places for other, nth, places in _scattered_places(laid) if (other, nth) == (kind, way))
    codes = _codes_of(laid.folded.text)
    classes = _classes(codes)
    if kind is Stream.SYMBOLS:
        return np.flatnonzero(classes)
    if kind is Stream.DIGITS:
        return np.flatnonzero(classes == _DIGIT)
    letters = np.flatnonzero(classes == _LETTER)
    if kind is Stream.LETTERS:
        return letters
    run = codes[letters]
    return letters[np.concatenate(([True], run[1:] != run[:-1]))]


def _scattered(laid: Laid) -> list[tuple[Stream, int, Symbols]]:
    """Return the symbols of the streams that take only some letters, and which stream, in which way."""
    text = laid.folded.text
    if "\n" in laid.view.text or not (text.isascii() and laid.view.text.isascii()):
        codes = _codes_of(text)
        return [(kind, way, codes[places]) for kind, way, places in _scattered_places(laid)]
    data = text.encode("ascii")
    letters = np.frombuffer(data.translate(None, _NO_LETTERS), dtype=np.uint8)
    # Where letters begin and where they end, in turns.
    borders = np.frombuffer(b"\0" + data.translate(_IS_LETTER) + b"\0", dtype=np.uint8)
    edges = np.flatnonzero(borders[1:] != borders[:-1])
    starts, ends = edges[0::2], edges[1::2]
    codes = np.frombuffer(data, dtype=np.uint8)
    parts = [
        (Stream.FIRST_LETTERS, 0, codes[starts]),
        (Stream.LAST_LETTERS, 0, codes[ends - 1]),
        (Stream.SECOND_LETTERS, 0, codes[starts[ends - starts > 1] + 1]),
        *((Stream.EVERY_SECOND, start, letters[start::2]) for start in range(2)),
        *((Stream.EVERY_THIRD, start, letters[start::3]) for start in range(3)),
    ]
    if _has_capitals(laid):
        source = laid.view.text.encode("ascii")
        capitals = source.translate(None, _NO_CAPITALS).lower()
        parts.append((Stream.CAPITALS, 0, np.frombuffer(capitals, dtype=np.uint8)))
    return [part for part in parts if len(part[2]) >= GRAM]


def _has_capitals(laid: Laid) -> bool:
    """Whether capitals among small letters are told in a view; letters without either are none."""
    source = laid.view.text
    return (
        laid.folded.ends is None
        and len(source) == len(laid.folded.text)
        and not source.islower()
        and not source.isupper()
    )


def _scattered_places(laid: Laid) -> list[tuple[Stream, int, Places]]:
    """Return where the symbols of the streams that take only some letters stand, and which stream, in which way."""
    view, folded = laid.view, laid.folded
    codes = _codes_of(folded.text)
    is_letter = _classes(codes) == _LETTER
    letters = np.flatnonzero(is_letter)
    if not len(letters):
        return []
    before = np.concatenate(([False], is_letter[:-1]))
    after = np.concatenate((is_letter[1:], [False]))
    firsts = np.flatnonzero(is_letter & ~before)
    parts = [
        (Stream.FIRST_LETTERS, 0, firsts),
        (Stream.LAST_LETTERS, 0, np.flatnonzero(is_letter & ~after)),
        (Stream.SECOND_LETTERS, 0, firsts[after[firsts]] + 1 if len(firsts) else firsts),
        *((Stream.EVERY_SECOND, start, letters[start::2]) for start in range(2)),
        *((Stream.EVERY_THIRD, start, letters[start::3]) for start in range(3)),
    ]
    if "\n" in view.text:
        line_of = np.cumsum(codes == ord("\n"))[letters]
        new_line = line_of[1:] != line_of[:-1]
        line_starts = letters[np.concatenate(([True], new_line))]
        parts.append((Stream.LINE_STARTS, 0, line_starts))
        parts.append((Stream.LINE_ENDS, 0, letters[np.concatenate((new_line, [True]))]))
        if "#" in view.text:
            # Where a line begins with the mark of a heading, its first letter stands behind that and a blank.
            marked = (line_starts > 1) & (codes[line_starts - 2] == ord("#"))
            parts.append((Stream.HEADINGS, 0, line_starts[marked]))
    if _has_capitals(laid):
        source = _codes_of(view.text)
        parts.append((Stream.CAPITALS, 0, np.flatnonzero((source != codes) & is_letter)))
    return [part for part in parts if len(part[2]) >= GRAM]


def _joined(laid: tuple[Laid, ...], streams: Sequence[tuple[Stream, int, int, Symbols]]) -> Streams:
    parts: list[_Part] = []
    symbols: list[Symbols] = []
    at = 0
    for kind, view, way, codes in streams:
        parts.append(_Part(at, len(codes), view, kind, way))
        symbols += [codes, _NOTHING]
        at += len(codes) + 1
    if not parts:
        return Streams(laid, np.empty(0, np.uint32), ())
    return Streams(laid, np.concatenate(symbols, dtype=np.uint32), tuple(parts))


def _codes_of(text: str) -> Symbols:
    """Return the code points of a text, in the least type that holds them."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _classes(codes: Symbols) -> npt.NDArray[np.uint8]:
    if codes.dtype == np.uint8 or not len(codes) or int(codes.max()) < 128:
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
