"""What a decoder is, and what it returns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from doublethink_fingerprint.decoders.survey import ANYWHERE, IN_STRETCHES, Survey, may_match, stretch_matches


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


class EveryMatch:
    """A `find` that decodes each match of `pattern`; a None from `decode` leaves the match alone.

    With `odd_only` it looks only around runs that are no plain words, which is where such an encoding has to stand.
    """

    def __init__(
        self,
        pattern: re.Pattern[str],
        decode: Callable[[re.Match[str]], str | None],
        *,
        everything: bool = False,
        odd_only: bool = False,
    ) -> None:
        self.pattern, self.odd_only = pattern, odd_only
        self._decode, self._everything = decode, everything
        (IN_STRETCHES if odd_only else ANYWHERE).add(pattern)

    def __call__(self, text: str) -> list[Chunk]:
        """Return what is decoded in a text, in order."""
        return list(self._chunks(text))

    def may_find(self, seen: Survey) -> bool:
        """Whether there is anything at all in a text that was surveyed."""
        return seen.may_be_in_stretches(self.pattern) if self.odd_only else seen.may_match(self.pattern)

    def _chunks(self, text: str) -> Iterator[Chunk]:
        if self.odd_only:
            matches = stretch_matches(self.pattern, text)
        else:
            matches = self.pattern.finditer(text) if may_match(self.pattern, text) else iter(())
        for match in matches:
            decoded = self._decode(match)
            if decoded is not None and decoded != match[0]:
                yield Chunk(match.start(), match.end(), decoded, self._everything)


every_match = EveryMatch
"""Return a `find` of a pattern."""
