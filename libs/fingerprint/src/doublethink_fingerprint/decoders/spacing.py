"""What is written symbol by symbol with the same sign between: joined, so that other decoders read it."""

from __future__ import annotations

import re

from doublethink_fingerprint.decoders.chunk import Decoder, every_match

_SYMBOL = r"[A-Za-z0-9+/=@$!|€]"
SPACED = re.compile(
    rf"(?<![^\s\"'=(\[]){_SYMBOL}(?P<gap>[ \t]{{1,2}}|[ ]?[._,|*;-][ ]?)"
    rf"(?:{_SYMBOL}(?P=gap)){{3,400}}{_SYMBOL}(?![^\s\"'&)\]])"
)


def _joined(match: re.Match[str]) -> str | None:
    symbols = "".join(match[0].split(match["gap"]))
    # Letters alone are read without this, and so are digits.
    has_letter = any(map(str.isalpha, symbols))
    if not has_letter or symbols.islower() or symbols.isupper() or symbols.istitle():
        return symbols if has_letter and not symbols.isalpha() else None
    return symbols


DECODERS: tuple[Decoder, ...] = (
    Decoder("unspaced", every_match(SPACED, _joined, odd_only=True), odd_only=True),
)
