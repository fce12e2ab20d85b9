"""Decoders: each finds stretches of a text that are an encoding of other text, and says what they decode to.

A decoder over-approximates. A wrong decoding costs one look-up that finds nothing; a missing one is a leak.
Adding one means writing a `find` function and naming it in `DECODERS`.
"""

from __future__ import annotations

from doublethink_fingerprint.decoders import (
    alphabets,
    base_n,
    codepoints,
    codes,
    escapes,
    hidden,
    leet,
    markup,
    packed,
    spacing,
    twosigns,
)
from doublethink_fingerprint.decoders.chunk import Chunk, Decoder

DECODERS: tuple[Decoder, ...] = (
    *hidden.DECODERS,
    *escapes.DECODERS,
    *codepoints.DECODERS,
    *markup.DECODERS,
    *spacing.DECODERS,
    *base_n.DECODERS,
    *codes.DECODERS,
    *packed.DECODERS,
    *alphabets.DECODERS,
    *twosigns.DECODERS,
    *leet.DECODERS,
)

__all__ = ["DECODERS", "Chunk", "Decoder"]
