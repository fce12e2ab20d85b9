"""Views: a payload as it would read after each decoding, every one with a way back to the payload's
characters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from doublethink_fingerprint import limits
from doublethink_fingerprint.decoders import DECODERS, Chunk, Decoder
from doublethink_fingerprint.decoders.chunk import EveryMatch
from doublethink_fingerprint.decoders.survey import Gathered, gathered, odd_stretches, survey
from doublethink_fingerprint.errors import Unreadable
from doublethink_fingerprint.work import CHUNK, FOREIGN_CHAR, ODD_CHAR, ODD_RUN, spend

_IN_RUN = r"[^\s\"',;{}\[\]<>]"
# Values are shorter, so that one half inside an encoding is seen with what is around it.
_AROUND = limits.VALUE_CHARS
_LONG_VIEW = 8 * _AROUND
# Nothing is put together over what was left out.
_GAP = "\n\n"
# What is decoded may make a pattern of what stands beside it ("password: " and a decoded word).
_BESIDE = 32
# Only from where a run begins: from anywhere in it, the search takes the square of the run's length.
_TRIED = tuple((decoder, frozenset(decoder.needs)) for decoder in DECODERS)
# In a text of ASCII nothing else is there that a decoder could need.
_TRIED_IN_ASCII = tuple(
    (decoder, needs) for decoder, needs in _TRIED if not needs or any(map(str.isascii, needs))
)
# Six symbols, as hex has for a value of three letters, and the end of the line.
_LEAST_ENCODED = 7
# Of so many chunks short ones come from words and numbers taken for codes: they are looked up and not decoded again.
_FEW_CHUNKS = 24
_LONG_CHUNK = 7
_LONG_RUN = re.compile(rf"(?<!{_IN_RUN}){_IN_RUN}{{{limits.RUN_CHARS},}}")


class Segment(NamedTuple):
    """`length` characters of a view that stand for the parent's characters `start` to `end`.

    A literal segment was copied character by character; any other one maps to its parent's stretch as a
    whole.
    """

    start: int
    end: int
    length: int
    literal: bool


@dataclass(slots=True)
class View:
    """One reading of a payload.

    Attributes:
        text: what the payload says in this reading.
        parent: the view it was made from; None for the payload itself.
        chain: names of the decoders that led here, outermost first.
        depth: how many decodings lie between the payload and this view.
        first: its text was not looked at in any other view; true for the payload, or for what is left of it.
    """

    text: str
    parent: View | None = None
    segments: tuple[Segment, ...] = ()
    chain: tuple[str, ...] = ()
    depth: int = 0
    first: bool = False
    _ends: list[int] | None = field(default=None, repr=False)
    _news: Gathered | None = field(default=None, repr=False)

    def repeats(self, start: int, end: int) -> bool:
        """Return whether characters `start` to `end` stand just so in the parent, which was looked at."""
        return self.parent is not None and not self.first and not self.changed(start, end)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where characters `start` to `end` (excluded) of this view stand in the payload, in
        characters."""
        if self.parent is None:
            return start, end
        first, _ = self._locate(start)
        _, last = self._locate(max(start, end - 1))
        return self.parent.span(first, last)

    def changed(self, start: int, end: int) -> bool:
        """Return whether any of characters `start` to `end` (excluded) is not the parent's own character."""
        if self.parent is None:
            return False
        first, last = self._index(max(0, start)), self._index(max(start, end - 1))
        return any(not segment.literal for segment in self.segments[first : last + 1])

    def changed_parts(self, margin: int) -> Iterator[tuple[int, int]]:
        """Yield the stretches of this view that its decoder changed, widened by `margin` and merged."""
        start = end = -1
        at = 0
        for segment in self.segments:
            if not segment.literal:
                low, high = max(0, at - margin), min(len(self.text), at + segment.length + margin)
                if low > end and end >= 0:
                    yield start, end
                    start = low
                elif end < 0:
                    start = low
                end = high
            at += segment.length
        if end >= 0:
            yield start, end

    def news(self) -> Gathered:
        """Return the parts around runs that are no plain words, of what the parent has not."""
        if self.parent is None or self.first:
            return survey(self.text).stretches
        if self._news is None:
            changed = list(self.changed_parts(_BESIDE))
            parts = [self._whole_runs(start, end) for start, end in changed]
            if sum(end - start for start, end in changed) * 2 > len(self.text):
                starts = [start for start, _ in parts]
                parts = [
                    (start, end)
                    for start, end in odd_stretches(self.text)
                    if (at := bisect_right(starts, end)) and parts[at - 1][1] > start
                ]
            self._news = gathered(self.text, parts)
        return self._news

    def _whole_runs(self, start: int, end: int) -> tuple[int, int]:
        low, high = max(0, start - _BESIDE), min(len(self.text), end + _BESIDE)
        start = max(self.text.rfind(" ", low, start), self.text.rfind("\n", low, start)) + 1 or low
        ends = [at for at in (self.text.find(" ", end, high), self.text.find("\n", end, high)) if at >= 0]
        return start, min(ends, default=high)

    def decoders(self, start: int, end: int) -> tuple[str, ...]:
        """Return the decoders that had a part in characters `start` to `end`, outermost first."""
        if self.parent is None:
            return ()
        first, _ = self._locate(start)
        _, last = self._locate(max(start, end - 1))
        before = self.parent.decoders(first, last)
        return (*before, self.chain[-1]) if self.changed(start, end) else before

    def _index(self, at: int) -> int:
        if self._ends is None:
            self._ends = list(accumulate(segment.length for segment in self.segments))
        return min(bisect_right(self._ends, at), len(self._ends) - 1)

    def _locate(self, at: int) -> tuple[int, int]:
        index = self._index(at)
        segment = self.segments[index]
        if not segment.literal:
            return segment.start, segment.end
        within = at - ((self._ends or [0])[index] - segment.length)
        return segment.start + within, segment.start + within + 1


@dataclass(frozen=True, slots=True)
class Explored:
    """All views of one payload, the payload itself first, and why any of it could not be read."""

    views: tuple[View, ...]
    unreadable: tuple[str, ...]


def joined(parent: View, spans: Sequence[tuple[int, int, str]], chain: str, separator: str = "\n") -> View:
    """Return a view made of pieces of `parent`: (start, end, decoded text), with a separator between them.

    A piece whose text is the parent's own characters keeps its exact positions.
    """
    texts: list[str] = []
    segments: list[Segment] = []
    for start, end, text in spans:
        literal = text == parent.text[start:end]
        texts.append(text)
        segments.append(Segment(start, end, len(text), literal))
        texts.append(separator)
        segments.append(Segment(end, end, len(separator), False))
    return View("".join(texts), parent, tuple(segments), (*parent.chain, chain), parent.depth)


def explore(
    root: View,
    more: Sequence[View] = (),
    *,
    layers: int = limits.VIEW_DEPTH,
    worth: Callable[[str], bool] | None = None,
) -> Explored:
    """Decode breadth first, each text once, until nothing new appears or the budget is spent. Raises
    WorkSpent.

    Of more layers than `layers` nothing is decoded; where that is fewer than the limit, nobody is told. Of what was
    decoded only the chunks that are `worth` it are decoded further; all of them are looked up.

    A decoder gives two views: one with its chunks decoded in place, so that a value half inside an encoding
    is still seen, and one of the decoded chunks alone, which is decoded further; of very many chunks only the long
    ones are.
    """
    if len(root.text) > limits.TEXT_CHARS or _has_long_run(root.text):
        # No prose has such a run, and taking one apart in every way costs more than it can be worth.
        return Explored((View(""),), ("budget",))
    budget = limits.DECODED_FACTOR * len(root.text) + limits.DECODED_EXTRA_CHARS
    views: list[View] = []
    seen: set[str] = set()
    unreadable: dict[str, None] = {}
    counted = 0
    queue: deque[View] = deque()
    for first in (root, *more):
        if first.text not in seen:
            seen.add(first.text)
            views.append(first)
            queue.append(first)
    while queue:
        view = queue.popleft()
        if _has_long_run(view.text):
            # Fields run together may be long and are looked up only; something decoded to this is no text.
            if view.depth:
                unreadable.setdefault("budget")
            continue
        for decoder, chunks in _decoded(view, unreadable):
            if view.depth >= layers:
                if layers == limits.VIEW_DEPTH:
                    unreadable.setdefault("depth")
                continue
            for made, further in _views_of(view, decoder, chunks, worth):
                if made.text in seen:
                    continue
                seen.add(made.text)
                budget -= len(made.text)
                # Substitutions that nothing follows are at most four to each other view, and are not counted.
                counted += not decoder.terminal
                if budget < 0 or counted > limits.VIEWS:
                    unreadable.setdefault("budget")
                    return Explored(tuple(views), tuple(unreadable))
                views.append(made)
                if further:
                    queue.append(made)
    return Explored(tuple(views), tuple(unreadable))


def _has_long_run(text: str) -> bool:
    if len(text) < limits.RUN_CHARS or max(map(len, text.split()), default=0) < limits.RUN_CHARS:
        return False
    return _LONG_RUN.search(text) is not None


def _decoded(view: View, unreadable: dict[str, None]) -> Iterator[tuple[Decoder, list[Chunk]]]:
    spend(len(view.text) if view.text.isascii() else 2 * FOREIGN_CHAR * len(view.text))
    seen = survey(view.text)
    # Before they are looked for: very many short ones take long to find.
    spend(ODD_RUN * seen.unplain)
    odd = seen.odd
    spend(ODD_CHAR * sum(run.end - run.start for run in odd))
    symbols = set(view.text)
    # What a decoder gave may be too short to hold anything that is encoded; it can only be spelled with other signs.
    too_short = view.depth > 0 and len(view.text) < _LEAST_ENCODED
    for decoder, needs in _TRIED_IN_ASCII if view.text.isascii() else _TRIED:
        if (decoder.odd_only and not odd) or (needs and symbols.isdisjoint(needs)):
            continue
        if (too_short and not decoder.terminal) or (decoder.top_only and view.depth >= decoder.top_only):
            continue
        find = decoder.find
        if isinstance(find, EveryMatch) and not find.may_find(seen):
            continue
        try:
            chunks = find(view.text)
        except Unreadable as problem:
            unreadable.setdefault(problem.reason)
            continue
        if chunks:
            spend(sum(CHUNK + len(chunk.text) for chunk in chunks))
            yield decoder, chunks


def _views_of(
    view: View, decoder: Decoder, chunks: list[Chunk], worth: Callable[[str], bool] | None
) -> Iterator[tuple[View, bool]]:
    replace = _around if len(view.text) > _LONG_VIEW else _replaced
    in_place = replace(view, decoder.name, chunks)
    if decoder.terminal:
        yield in_place, False
        return
    # White space around the only chunk is not worth a second view.
    whole = len(chunks) == 1 and not (view.text[: chunks[0].start] + view.text[chunks[0].end :]).strip()
    rewrites_all = any(chunk.everything for chunk in chunks)
    yield in_place, rewrites_all or whole
    if rewrites_all or whole:
        return
    kept = chunks if worth is None else [chunk for chunk in chunks if worth(chunk.text)]
    long = kept if len(kept) <= _FEW_CHUNKS else [chunk for chunk in kept if len(chunk.text) >= _LONG_CHUNK]
    for some, further in ((kept, long is kept), *(() if long is kept else ((long, True),))):
        if some:
            alone = joined(view, [(chunk.start, chunk.end, chunk.text) for chunk in some], decoder.name)
            alone.depth = view.depth + 1
            yield alone, further


def _around(view: View, name: str, chunks: list[Chunk]) -> View:
    """Return a long view with its chunks decoded in place, without what is far from all of them: that reads as it
    did before, and was looked at."""
    texts: list[str] = []
    segments: list[Segment] = []

    def keep(start: int, end: int) -> None:
        if end > start:
            texts.append(view.text[start:end])
            segments.append(Segment(start, end, end - start, True))

    at = 0
    for index, chunk in enumerate(chunks):
        if chunk.start - at > 2 * _AROUND:
            low = max(at, _outward(view.text, chunk.start - _AROUND, back=True))
            if texts and low > at:
                texts.append(_GAP)
                segments.append(Segment(at, low, len(_GAP), False))
            at = low
        keep(at, chunk.start)
        texts.append(chunk.text)
        segments.append(Segment(chunk.start, chunk.end, len(chunk.text), False))
        at = chunk.end
        following = chunks[index + 1].start if index + 1 < len(chunks) else len(view.text)
        if following - at > 2 * _AROUND:
            high = min(following, _outward(view.text, at + _AROUND, back=False))
            keep(at, high)
            at = high
        elif index + 1 == len(chunks):
            keep(at, following)
    return View("".join(texts), view, tuple(segments), (*view.chain, name), view.depth + 1)


def _outward(text: str, at: int, *, back: bool) -> int:
    """Return where the run of characters at `at` begins or ends, at most a long run away."""
    if back:
        low = max(0, at - limits.RUN_CHARS)
        return max(text.rfind(" ", low, at), text.rfind("\n", low, at), low - 1) + 1
    high = min(len(text), at + limits.RUN_CHARS)
    ends = [end for end in (text.find(" ", at, high), text.find("\n", at, high)) if end >= 0]
    return min(ends, default=high)


def _replaced(view: View, name: str, chunks: list[Chunk]) -> View:
    texts: list[str] = []
    segments: list[Segment] = []
    at = 0
    for chunk in chunks:
        if chunk.start > at:
            texts.append(view.text[at : chunk.start])
            segments.append(Segment(at, chunk.start, chunk.start - at, True))
        texts.append(chunk.text)
        segments.append(Segment(chunk.start, chunk.end, len(chunk.text), False))
        at = chunk.end
    if at < len(view.text):
        texts.append(view.text[at:])
        segments.append(Segment(at, len(view.text), len(view.text) - at, True))
    if not segments:
        segments.append(Segment(0, len(view.text), 0, False))
    return View("".join(texts), view, tuple(segments), (*view.chain, name), view.depth + 1)
