"""Bytes that came out of a decoder, read as text: compressed, UTF-8, UTF-16, UTF-32 or Latin-1."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from typing import Protocol

from doublethink_fingerprint import limits
from doublethink_fingerprint.errors import Unreadable
from doublethink_fingerprint.work import spend

_TEXT_SHARE = 0.7
_LETTER_SHARE = 0.8
_LOST_BYTES = 3
_MIN_BESIDE = 5
_MIN_RAW_DEFLATE = 8
_PLAIN_BYTES = bytes((*range(32, 127), 9, 10, 13))
# Of gzip, bzip2, xz and older LZMA; of zlib the lower half says it.
_FIRST_PACKED = b"\x1fB\xfd\x5d"
_XZ = b"\xfd7zXZ\x00"
# The older container of LZMA: its usual properties, and a size that nobody knew beforehand.
_LZMA_ALONE = b"\xff" * 8
_ZIP = b"PK\x03\x04"
_ZIP_HEAD = 30
_WORDS = re.compile(rb"(?:[A-Za-z0-9 ]|[\xc3-\xc5][\x80-\xbf]){6,}")
_MARKS = ((b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"), (b"\xff\xfe", "utf-16-le"),
          (b"\xfe\xff", "utf-16-be"))  # fmt: skip
_FIRST_OF_MARKS = b"\xff\0\xfe"


def text_of(data: bytes) -> str | None:
    """Return what `data` says, or None where it does not look like text.

    Raises:
        Unreadable: compressed data that is damaged or swells beyond 1 MiB.
    """
    if not data:
        return None
    if data[0] & 0x0F == 8 or data[0] in _FIRST_PACKED:
        unpacked = inflated(data)
        if unpacked is not None:
            return text_of(unpacked) if unpacked[:2] != data[:2] else unpacked.decode("latin-1")
    if data[:4] == _ZIP and (unpacked := _zipped(data)) is not None:
        return text_of(unpacked)
    if data[0] in _FIRST_OF_MARKS and (text := _marked(data)) is not None:
        return text
    if data.count(0) * 3 >= len(data) and (text := _utf16(data)) is not None:
        return text
    if (text := _utf8(data)) is None and (text := deflated_text(data)) is None:
        return _latin1(data)
    return text


def words_among(data: bytes) -> str | None:
    """Return the runs of letters, digits and blanks in `data`, or None where there are none of six and more."""
    words = _WORDS.findall(data)
    return "\n".join(word.decode("utf-8", "ignore") for word in words) or None


def _zipped(data: bytes) -> bytes | None:
    """Return the first file of a zip archive (PKWARE's APPNOTE 4.3.7), or None where it is cut or packed otherwise."""
    if len(data) <= _ZIP_HEAD or data[8] not in (0, 8):
        return None
    start = _ZIP_HEAD + int.from_bytes(data[26:28], "little") + int.from_bytes(data[28:30], "little")
    if data[8] == 0:
        return data[start : start + int.from_bytes(data[18:22], "little")] or None
    engine = zlib.decompressobj(-15)
    try:
        out = engine.decompress(data[start:], limits.INFLATED_BYTES)
    except zlib.error:
        return None
    spend(len(out))
    return out or None


def inflates(data: bytes) -> bool:
    """Whether `data` begins like gzip, bzip2, xz or zlib."""
    zlib_head = len(data) > 6 and data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
    return zlib_head or data[:3] in (b"\x1f\x8b\x08", b"BZh") or data[:6] == _XZ or _is_lzma(data)


def _is_lzma(data: bytes) -> bool:
    return data[:1] == b"\x5d" and data[5:13] == _LZMA_ALONE


def inflated(data: bytes) -> bytes | None:
    """Return the decompressed bytes of gzip, zlib, bzip2 or xz data, or None for anything else.

    Raises:
        Unreadable: the data is damaged or swells beyond 1 MiB.
    """
    if data[:3] == b"\x1f\x8b\x08":
        return _bounded(data, zlib.decompressobj(31))
    if data[:3] == b"BZh" and len(data) > 10:
        return _bounded(data, bz2.BZ2Decompressor())
    if data[:6] == _XZ or _is_lzma(data):
        return _bounded(data, lzma.LZMADecompressor())
    if inflates(data):
        # Two bytes are too little to be sure of zlib, so a failure here means "something else".
        try:
            return _bounded(data, zlib.decompressobj())
        except Unreadable:
            return None
    return None


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _bounded(data: bytes, engine: _Decompressor) -> bytes:
    try:
        out = engine.decompress(data, limits.INFLATED_BYTES + 1)
    except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
        raise Unreadable("compressed") from None
    spend(len(out))
    # Without the end mark something was cut off, or there is more than may be read.
    if not engine.eof or not out or len(out) > limits.INFLATED_BYTES:
        raise Unreadable("compressed")
    return out


def deflated_text(data: bytes) -> str | None:
    """Return what `data` says as raw deflate (RFC 1951), or None where it is none or no UTF-8."""
    # Block type 3 is reserved.
    if len(data) < _MIN_RAW_DEFLATE or data[0] & 6 == 6:
        return None
    # A stored block has its length twice, once with all bits turned.
    if data[0] & 6 == 0 and (data[1] ^ data[3] != 0xFF or data[2] ^ data[4] != 0xFF):
        return None
    engine = zlib.decompressobj(-15)
    try:
        out = engine.decompress(data, limits.INFLATED_BYTES)
    except zlib.error:
        return None
    spend(len(out))
    return _utf8(out) if engine.eof and not engine.unused_data else None


def _utf8(data: bytes) -> str | None:
    if data.isascii():
        return data.decode("ascii") if _plain_bytes(data) >= _TEXT_SHARE * len(data) else None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if _readable(text) else None


def _marked(data: bytes) -> str | None:
    """Text behind a byte order mark."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "ignore") or None
    return None


def _utf16(data: bytes) -> str | None:
    zeros = data.count(0)
    if zeros * 3 < len(data) or len(data) < 6:
        return None
    if len(data) % 4 == 0 and zeros * 4 >= len(data) * 3:
        return data.replace(b"\0", b"").decode("latin-1")
    even, odd = data[0::2].count(0), data[1::2].count(0)
    order = "utf-16-be" if even > odd else "utf-16-le"
    text = data[: len(data) // 2 * 2].decode(order, "replace")
    return text if _readable(text) else None


def _latin1(data: bytes) -> str | None:
    if len(data) <= 4:
        return None
    # Beside an encoded text stood something else, or its last character was cut: the rest is UTF-8 still.
    text = data.decode("utf-8", "ignore")
    lost = len(data) - len(text.encode())
    if (
        len(text) > _MIN_BESIDE
        and not text.isascii()
        and lost <= max(_LOST_BYTES, len(data) // 8)
        and _mostly_letters(text)
    ):
        return text
    if _plain_bytes(data) < _TEXT_SHARE * len(data):
        return None
    return data.decode("latin-1")


def _mostly_letters(text: str) -> bool:
    """Whether text is letters of the Latin alphabet, with marks or without, but for a few signs."""
    good = sum(
        (char.isalnum() or char == " ") and (char < "\u0250" or "\u1e00" <= char < "\u1f00") for char in text
    )
    return good >= _LETTER_SHARE * len(text)


def _plain_bytes(data: bytes) -> int:
    """Return how many bytes are printable ASCII, tabs or ends of lines."""
    return len(data) - len(data.translate(None, _PLAIN_BYTES))


def _readable(text: str) -> bool:
    good = sum(1 for char in text if char.isprintable() or char in "\t\n\r")
    return good >= _TEXT_SHARE * len(text)
