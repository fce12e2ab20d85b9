"""Secrets cut over several calls: joined streams, first and last letters of calls, tiling by pieces, joined
blobs.

Coverage of letters alone would stop every fourth innocent session; what is asked for here is an exact
reconstruction: a confirmed window across a call border, or tokens that tile a value completely, one of them
uncommon.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from doublethink_fingerprint import Matcher, Pack, Prepared, Strength, View, explore, matcher_of, prepare
from doublethink_fingerprint.view import Explored

from doublethink_gate.checks.decision import Finding
from doublethink_gate.checks.state import (
    SentChunk,
    SentPiece,
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
_MIN_SESSION_LETTERS = 6
_RECENT = 12
_MAX_JOIN = 400
# No encoding has this between two of its parts.
_BETWEEN = " ~ "


def find_splits(prepared: Prepared, pack: Pack | None, state: SessionState, size: int) -> Iterator[Finding]:
    """Yield a finding for each way in which this payload completes a value together with earlier ones.

    `pack` is the session's own; of other sessions' secrets this session's calls hold whole values or none.
    The span is the whole payload.
    """
    if pack is None:
        return
    matcher = matcher_of(pack)
    own = list(state.sent_pieces(matcher.pieces(prepared)))
    rules = dict.fromkeys(_tiled(pack, own, state.pieces))
    text = shortened(prepared.explored.views[0].text)
    if state.texts:
        rules.update(dict.fromkeys(_joined(matcher, text, state.texts)))
    if state.ends:
        rules.update(dict.fromkeys(_per_call(matcher, (*state.ends, *ends_of(text)))))
    singles = singles_of(text) if state.singles else ()
    if singles:
        rules.update(dict.fromkeys(_alone(matcher, singles[0], state.singles)))
    chunks = chunks_of(text) if state.chunks else ()
    if chunks:
        rules.update(dict.fromkeys(_joined_chunks(matcher, chunks[0], state.chunks)))
    for rule in rules:
        yield Finding(rule, "split", 0, size)


def _plain(text: str) -> Prepared:
    """Take only streams that keep neighbours together: over calls, acrostics are looked for by calls."""
    return prepare(Explored((View(text),), ()), scattered=False)


def _kind(matcher: Matcher, value: int) -> str:
    return matcher.pack.values[value].kind.name.lower()


def _joined(matcher: Matcher, text: str, earlier: tuple[str, ...]) -> Iterator[str]:
    recent = earlier[-_RECENT:] if len(text) > 3 else earlier
    forward = " ".join(recent)
    for joined, border in (
        (f"{forward} {text}", len(forward)),
        (f"{text} {' '.join(reversed(recent))}", len(text)),
    ):
        for hit in matcher.hits(_plain(joined)):
            if hit.start < border < hit.end and hit.strength is Strength.CERTAIN:
                yield f"split.{_kind(matcher, hit.value)}.joined"


def _per_call(matcher: Matcher, calls: tuple[WordEnds, ...]) -> Iterator[str]:
    """First letters, last letters, first words and last words of the calls, which end with this one."""
    recent = calls[-_RECENT:]
    for parts in (
        [call.first[0] for call in calls],
        [call.last[-1] for call in calls],
        [call.first for call in recent],
        [call.last for call in recent],
    ):
        letters = "".join(parts)
        border = len(letters) - len(parts[-1])
        for hit in matcher.hits(_plain(letters)):
            if (
                hit.start < border < hit.end
                and hit.end - hit.start >= _MIN_SESSION_LETTERS
                and hit.strength is Strength.CERTAIN
            ):
                yield f"split.{_kind(matcher, hit.value)}.calls"


def _alone(matcher: Matcher, letters: str, earlier: tuple[str, ...]) -> Iterator[str]:
    """Letters and digits that stood alone in payloads, in order of arrival and reversed."""
    before = "".join(earlier)
    for joined, border in ((before + letters, len(before)), (letters + before[::-1], len(letters))):
        for hit in matcher.hits(_plain(joined)):
            crosses = hit.start < border < hit.end and hit.end - hit.start >= _MIN_SESSION_LETTERS
            if crosses and hit.strength is Strength.CERTAIN:
                yield f"split.{_kind(matcher, hit.value)}.calls"


def _joined_chunks(matcher: Matcher, chunk: SentChunk, earlier: tuple[SentChunk, ...]) -> Iterator[str]:
    """Parts of something encoded, joined in order of arrival and reversed, and decoded.

    Both with and without the parts that may as well be words or numbers; each join begins at every earlier
    part, because what went before may have nothing to do with it. All joins are decoded at once, side by side.
    """
    joins: dict[str, None] = {}
    for every in (True, False):
        if not every and not chunk.odd:
            continue
        kept = [part.text for part in earlier if every or part.odd][-_RECENT:]
        for first in range(len(kept)):
            joins.setdefault("".join((*kept[first:], chunk.text)))
            joins.setdefault("".join((chunk.text, *reversed(kept[first:]))))
    text = _BETWEEN.join(join[:_MAX_JOIN] for join in joins)
    for hit in matcher.all_hits(prepare(explore(View(text)), scattered=False)):
        # A match over two joins was made by laying them side by side.
        within = _BETWEEN not in text[hit.start : hit.end]
        if hit.chain and hit.strength is Strength.CERTAIN and within:
            yield f"split.{_kind(matcher, hit.value)}.encoded"


def _tiled(pack: Pack, own: list[SentPiece], earlier: tuple[SentPiece, ...]) -> Iterator[str]:
    touched = {piece.value for piece in own}
    if not touched:
        return
    by_value: dict[int, set[tuple[int, int, bool]]] = defaultdict(set)
    for piece in (*earlier, *own):
        if piece.value in touched:
            by_value[piece.value].add((piece.start, piece.length, piece.common))
    for value in sorted(touched):
        letters = pack.values[value].letters
        pieces = by_value[value]
        # One piece alone is a fragment, which ordinary words can be ("stanley" of a longer name).
        share = _PARTIAL_SHARE if len(pieces) > 1 else _FRAGMENT_SHARE
        wanted = letters if letters < _MIN_PARTIAL else -int(-letters * share // 1)
        if _best_cover(pieces, letters) >= wanted:
            yield f"split.{pack.values[value].kind.name.lower()}.pieces"


def _best_cover(pieces: set[tuple[int, int, bool]], letters: int) -> int:
    """Return the most letters that at most six pieces cover without overlap, at least one of them
    uncommon."""
    # best[used][has_uncommon] at each position: dynamic programming from left to right.
    ends: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for start, length, common in pieces:
        ends[start + length].append((start, length, not common and length >= _MIN_UNCOMMON))
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
    return max(best[letters][used][1] for used in range(_MAX_TILES + 1))
