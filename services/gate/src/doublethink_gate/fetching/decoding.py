"""A body as it was sent, decoded piece by piece, with a bound on both sides."""

from __future__ import annotations

import zlib
from typing import Final

from .errors import FetchFailed

ACCEPTED: Final = "gzip, deflate"
"""The value of accept-encoding."""

_WINDOWS: Final = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}


class Body:
    """Collects a body. `cut` is set where it went on past the bound: what was read until then is kept.

    encoding: the content-encoding header. Raises FetchFailed for one that was not asked for, or several.
    """

    def __init__(self, encoding: str, wire_bytes: int, decoded_bytes: int) -> None:
        name = encoding.strip().lower()
        if name not in ("", "identity") and name not in _WINDOWS:
            raise FetchFailed("unreadable", "the body is in an encoding that was not asked for")
        self._inflater = zlib.decompressobj(_WINDOWS[name]) if name in _WINDOWS else None
        self._wire_left, self._left = wire_bytes, decoded_bytes
        self._pieces: list[bytes] = []
        self.wire = 0
        self.cut = False

    def add(self, piece: bytes) -> bool:
        """Take a piece from the wire; return whether more is wanted. Raises FetchFailed where it cannot be decoded."""
        self.wire += len(piece)
        if len(piece) > self._wire_left:
            piece, self.cut = piece[: self._wire_left], True
        self._wire_left -= len(piece)
        if self._inflater is not None and piece:
            try:
                piece = self._inflater.decompress(piece, self._left + 1)
            except zlib.error:
                raise FetchFailed("unreadable", "the body is not what its content-encoding says") from None
        if len(piece) > self._left:
            piece, self.cut = piece[: self._left], True
        self._left -= len(piece)
        self._pieces.append(piece)
        return not self.cut

    def whole(self) -> bytes:
        """What was read. Raises FetchFailed where a compressed body broke off by itself."""
        if self._inflater is not None and not self.cut and self.wire and not self._inflater.eof:
            raise FetchFailed("unreadable", "the compressed body broke off")
        return b"".join(self._pieces)
