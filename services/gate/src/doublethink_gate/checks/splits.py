"""Secrets cut over several calls: joined streams, first and last letters of calls, tiling by pieces, joined
blobs.

Coverage of letters alone would stop every fourth innocent session; what is asked for here is an exact
reconstruction: a confirmed window across a call border, or tokens that tile a value completely, one of them
uncommon.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from doublethink_fingerprint import (
    Hit,
    Matcher,
    Pack,
    Prepared,
    Strength,
    View,
    explore,
    matcher_of,
    prepare,
)
from doublethink_fingerprint.view import Explored

from doublethink_gate.checks.decision import SIZES, Finding
from doublethink_gate.checks.state import (
    SentChunk,
    SentPiece,
    SentSingles,
    SessionState,
    WordEnds,
    chunks_of,
    ends_of,
    shortened,
    singles_of,
)

_MAX_TILES = 6
_MIN_PARTIAL = 10
_PARTIAL_SHARE = 0.7
_FRAGMENT_SHARE = 0.8
_MIN_UNCOMMON = 4
_MOST_OF_SHORT = 9
_MIN_SESSION_LETTERS = 6
_RECENT = 12
_MAX_JOIN = 400
# In parts of what was encoded twice is looked, and compressed beside that.
_LAYERS = 2
# No encoding has this between two of its parts.
_BETWEEN = " ~ "

_Tile = tuple[int, int, bool]
"""Where a piece begins in a value, how many letters it has, and whether it is a common word."""


@dataclass(frozen=True, slots=True)
class _Split:
    """A value that comes together: its index in the pack, how, and the earlier calls that have a part in it."""

    rule: str
    value: int
    chain: tuple[str, ...]
    calls: frozenset[int]


def find_splits(prepared: Prepared, pack: Pack | None, state: SessionState, size: int) -> Iterator[Finding]:
    """Yield a finding for each way in which this payload completes a value together with earlier ones.

    `pack` is the session's own; of other sessions' secrets this session's calls hold whole values or none.
    The span is the whole payload.
    """
    if pack is None:
        return
    first: dict[str, _Split] = {}
    calls: dict[str, set[int]] = defaultdict(set)
    for split in _splits(prepared, matcher_of(pack), state):
        # Of several ways to the same end the plainest is told.
        if split.rule not in first or ("exact" in split.chain and "exact" not in first[split.rule].chain):
            first[split.rule] = split
        calls[split.rule] |= split.calls
    for rule, split in first.items():
        yield Finding(
            rule,
            "split",
            0,
            size,
            chain=split.chain,
            calls=tuple(sorted(calls[rule])),
            size=SIZES[pack.values[split.value].tier],
        )


def _splits(prepared: Prepared, matcher: Matcher, state: SessionState) -> Iterator[_Split]:
    own = list(state.sent_pieces(matcher.pieces(prepared)))
    yield from _tiled(matcher.pack, own, state.pieces)
    text = shortened(prepared.explored.views[0].text)
    if state.texts:
        yield from _joined(matcher, text, state)
    if state.ends:
        yield from _per_call(matcher, (*state.ends, *ends_of(text, state.calls)), state.calls)
    singles = singles_of(text, state.calls) if state.singles else ()
    if singles:
        yield from _alone(matcher, singles[0], state.singles)
    chunks = chunks_of(text, state.calls) if state.chunks else ()
    if chunks:
        yield from _joined_chunks(matcher, chunks[0], state.chunks)


def _plain(text: str) -> Prepared:
    """Take only streams that keep neighbours together: over calls, acrostics are looked for by calls."""
    return prepare(Explored((View(text),), ()), scattered=False)


def _split(matcher: Matcher, hit: Hit, how: str, calls: Iterable[int]) -> _Split:
    rule = f"split.{matcher.pack.values[hit.value].kind.name.lower()}.{how}"
    return _Split(rule, hit.value, (how, *hit.path), frozenset(calls))


def _within(hit: Hit, parts: Sequence[tuple[str, int]], separator: str = "") -> set[int]:
    """Return the calls of those `parts`, each a text and its call, that a hit in all of them joined has part in."""
    calls: set[int] = set()
    at = 0
    for text, call in parts:
        if at < hit.end and hit.start < at + len(text):
            calls.add(call)
        at += len(text) + len(separator)
    return calls


def _joined(matcher: Matcher, text: str, state: SessionState) -> Iterator[_Split]:
    earlier = list(zip(state.texts, range(state.calls - len(state.texts), state.calls), strict=True))
    recent = earlier[-_RECENT:] if len(text) > 3 else earlier
    own = (text, state.calls)
    for parts, border in (
        ([*recent, own], sum(len(part) + 1 for part, _ in recent) - 1),
        ([own, *reversed(recent)], len(text)),
    ):
        for hit in matcher.hits(_plain(" ".join(part for part, _ in parts))):
            if hit.start < border < hit.end and hit.strength is Strength.CERTAIN:
                yield _split(matcher, hit, "joined", _within(hit, parts, " ") - {state.calls})


def _per_call(matcher: Matcher, calls: tuple[WordEnds, ...], now: int) -> Iterator[_Split]:
    """First letters, last letters, first words and last words of the calls, which end with this one."""
    recent = calls[-_RECENT:]
    for parts in (
        [(call.first[0], call.call) for call in calls],
        [(call.last[-1], call.call) for call in calls],
        # Of an address the last word is what differs from call to call.
        [(call.last[0], call.call) for call in calls],
        [(call.first, call.call) for call in recent],
        [(call.last, call.call) for call in recent],
    ):
        letters = "".join(part for part, _ in parts)
        border = len(letters) - len(parts[-1][0])
        for hit in matcher.hits(_plain(letters)):
            if (
                hit.start < border < hit.end
                and hit.end - hit.start >= _MIN_SESSION_LETTERS
                and hit.strength is Strength.CERTAIN
            ):
                yield _split(matcher, hit, "calls", _within(hit, parts) - {now})


def _alone(matcher: Matcher, own: SentSingles, earlier: tuple[SentSingles, ...]) -> Iterator[_Split]:
    """Letters and digits that stood alone in payloads, in order of arrival and reversed."""
    # Reversed, the letters of one call are too.
    backwards = [(before.letters[::-1], before.call) for before in reversed(earlier)]
    forwards = [(before.letters, before.call) for before in earlier]
    mine = (own.letters, own.call)
    for parts, border in (
        ([*forwards, mine], sum(len(letters) for letters, _ in forwards)),
        ([mine, *backwards], len(own.letters)),
    ):
        for hit in matcher.hits(_plain("".join(letters for letters, _ in parts))):
            crosses = hit.start < border < hit.end and hit.end - hit.start >= _MIN_SESSION_LETTERS
            if crosses and hit.strength is Strength.CERTAIN:
                yield _split(matcher, hit, "calls", _within(hit, parts) - {own.call})


def _joined_chunks(matcher: Matcher, chunk: SentChunk, earlier: tuple[SentChunk, ...]) -> Iterator[_Split]:
    """Parts of something encoded, joined in order of arrival and reversed, and decoded.

    Both with and without the parts that may as well be words or numbers; each join begins at every earlier
    part, because what went before may have nothing to do with it. All joins are decoded at once, side by side.
    """
    joins: dict[str, list[SentChunk]] = {}
    for every in (True, False):
        if not every and not chunk.odd:
            continue
        kept = [part for part in earlier if every or part.odd][-_RECENT:]
        for first in range(len(kept)):
            for parts in ([*kept[first:], chunk], [chunk, *reversed(kept[first:])]):
                joins.setdefault("".join(part.text for part in parts)[:_MAX_JOIN], parts)
    text = _BETWEEN.join(joins)
    explored = explore(View(text), layers=_LAYERS, worth=_is_plain)
    # As they stand the parts are joined elsewhere; here only what comes out of a decoder counts.
    decoded = Explored(explored.views[1:], explored.unreadable)
    for hit in matcher.all_hits(prepare(decoded, scattered=False)) if decoded.views else ():
        # A match over two joins was made by laying them side by side.
        within = _BETWEEN not in text[hit.start : hit.end]
        if hit.chain and hit.strength is Strength.CERTAIN and within:
            parts = list(joins.values())[text.count(_BETWEEN, 0, hit.start)]
            yield _split(matcher, hit, "encoded", {part.call for part in parts} - {chunk.call})


def _is_plain(text: str) -> bool:
    """Whether what came out of parts can be encoded once more: parts that do not belong together give anything else."""
    return text.isascii() and text.isprintable()


def _tiled(pack: Pack, own: list[SentPiece], earlier: tuple[SentPiece, ...]) -> Iterator[_Split]:
    touched = {piece.value for piece in own}
    if not touched:
        return
    by_value: dict[int, set[_Tile]] = defaultdict(set)
    for piece in (*earlier, *own):
        if piece.value in touched:
            by_value[piece.value].add((piece.start, piece.length, piece.common))
    for value in sorted(touched):
        letters = pack.values[value].letters
        pieces = by_value[value]
        # One piece alone is a fragment, which ordinary words can be ("stanley" of a longer name).
        share = _PARTIAL_SHARE if len(pieces) > 1 else _FRAGMENT_SHARE
        wanted = letters if letters < _MIN_PARTIAL else -int(-letters * share // 1)
        uncommon = {tile for tile in pieces if not tile[2]}
        # Short pieces say enough where none of them is a word and they are the whole value.
        whole = _whole(uncommon, letters) if letters <= _MOST_OF_SHORT else []
        # Without an uncommon one among them no cover counts.
        if whole or (any(map(_uncommon, uncommon)) and _best_cover(pieces, letters) >= wanted):
            rule = f"split.{pack.values[value].kind.name.lower()}.pieces"
            tiles = whole or _cover(pieces, letters)
            yield _Split(rule, value, ("pieces",), _tilers(value, own, earlier, tiles))


def _tilers(
    value: int, own: list[SentPiece], earlier: tuple[SentPiece, ...], tiles: list[_Tile]
) -> frozenset[int]:
    """Return the earlier calls that the cover of a value takes its tiles from, the newest of each."""
    sent = {
        (piece.start, piece.length, piece.common): piece.call for piece in earlier if piece.value == value
    }
    mine = {(piece.start, piece.length, piece.common) for piece in own if piece.value == value}
    return frozenset(sent[tile] for tile in tiles if tile not in mine)


def _whole(pieces: set[_Tile], letters: int) -> list[_Tile]:
    """Return pieces that make up a value to its last letter, each beginning where another ends; none if they do not."""
    reached: dict[int, list[_Tile]] = {0: []}
    for tile in sorted(pieces):
        if tile[0] in reached:
            reached.setdefault(tile[0] + tile[1], [*reached[tile[0]], tile])
    return reached.get(letters, [])


def _best_cover(pieces: set[_Tile], letters: int) -> int:
    """Return the most letters that at most six pieces cover without overlap, at least one of them
    uncommon."""
    best = _covered(pieces, letters)
    return max(best[letters][used][1] for used in range(_MAX_TILES + 1))


def _cover(pieces: set[_Tile], letters: int) -> list[_Tile]:
    """Return pieces that cover as many letters as `_best_cover` says."""
    best = _covered(pieces, letters)
    at, used, flag = letters, max(range(_MAX_TILES + 1), key=lambda used: best[letters][used][1]), 1
    tiles: list[_Tile] = []
    # Back from the end, along the choices that gave each number.
    while at and used:
        covered = best[at][used][flag]
        if best[at - 1][used][flag] == covered:
            at -= 1
            continue
        tile, before = next(
            (tile, before)
            for tile in pieces
            for before in (0, 1)
            if tile[0] + tile[1] == at
            and best[tile[0]][used - 1][before] >= 0
            and best[tile[0]][used - 1][before] + tile[1] == covered
            and flag == (1 if _uncommon(tile) else before)
        )
        tiles.append(tile)
        at, used, flag = tile[0], used - 1, before
    return tiles


def _uncommon(tile: _Tile) -> bool:
    return not tile[2] and tile[1] >= _MIN_UNCOMMON


def _covered(pieces: set[_Tile], letters: int) -> list[list[list[int]]]:
    """Return the most letters covered, -1 for none: by position, number of pieces, and whether one is uncommon."""
    # Dynamic programming from left to right.
    ends: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for tile in pieces:
        ends[tile[0] + tile[1]].append((tile[0], tile[1], _uncommon(tile)))
    best = [[[-1, -1] for _ in range(_MAX_TILES + 1)] for _ in range(letters + 1)]
    for used in range(_MAX_TILES + 1):
        best[0][used][0] = 0
    for at in range(1, letters + 1):
        for used in range(_MAX_TILES + 1):
            here = list(best[at - 1][used])
            if used:
                for start, length, uncommon in ends[at]:
                    for flag in (0, 1):
                        covered = best[start][used - 1][flag]
                        if covered >= 0:
                            new = 1 if uncommon else flag
                            here[new] = max(here[new], covered + length)
            best[at][used] = here
    return best
