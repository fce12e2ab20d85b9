"""What a decoder is, and what it returns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from doublethink_fingerprint.decoders.survey import ANYWHERE, IN_STRETCHES, may_match, stretch_matches


class Chunk(NamedTuple):
    """Characters `start` to `end` of a text decode to `text`.

    `everything` marks a decoder that rewrites the text as a whole (unescaping, stripping), so that its
    result, not the chunks alone, is what has to be decoded further.
    """

    start: int
    end: int
    text: str
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Decoder:
    """A named decoder.

    Attributes:
        name: used in rule ids, so it is one lower-case word.
        find: all chunks of a text, in order, not overlapping.
        needs: characters of which at least one must be there; a quick way to say no.
        odd_only: finds nothing where every run is a plain word; another quick way.
        top_only: how deep in a chain the decoder is still tried; 0 means at every depth.
        terminal: its result is looked up but not decoded further. For substitutions that apply to nearly any
        text:
            decoding their noise again would spend the budget on nothing.
    """

    name: str
    find: Callable[[str], list[Chunk]]
    needs: str = ""
    odd_only: bool = False
    top_only: int = 0
    terminal: bool = False


def every_match(
    pattern: re.Pattern[str],
    decode: Callable[[re.Match[str]], str | None],
    *,
    everything: bool = False,
    odd_only: bool = False,
) -> Callable[[str], list[Chunk]]:
    """Return a `find` that decodes each match of `pattern`; a None from `decode` leaves the match alone.

    With `odd_only` it looks only around runs that are no plain words, which is where such an encoding has to stand.
    """

    (IN_STRETCHES if odd_only else ANYWHERE).add(pattern)

    def find(text: str) -> list[Chunk]:
        return list(_chunks(text))

    def _chunks(text: str) -> Iterator[Chunk]:
        if not odd_only and not may_match(pattern, text):
            return
        for match in stretch_matches(pattern, text) if odd_only else pattern.finditer(text):
            decoded = decode(match)
            if decoded is not None and decoded != match[0]:
                yield Chunk(match.start(), match.end(), decoded, everything)

    return find
