"""The pack as bytes: what the console sends to the gate, and what the gate wraps for its replicas.

Layout, all integers big-endian: magic "DTFP", version byte (2), 32-byte key, then the sections in a fixed order,
each a 32-bit count followed by that many fixed-size records. Records of a section are sorted, so that equal
packs give equal bytes; nothing may follow the last section.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from doublethink_fingerprint import limits
from doublethink_fingerprint.errors import PackFormatError
from doublethink_fingerprint.keyed import DIGEST_BYTES, KEY_BYTES
from doublethink_fingerprint.pack import Form, Kind, NumberMark, Pack, Piece, Tier, Value, Window

_MAGIC = b"DTFP\x02"
_COUNT = struct.Struct(">I")
_VALUE = struct.Struct(">BBBH")
_WINDOW = struct.Struct(f">IIHHB{DIGEST_BYTES}s")
_REFERENCE = struct.Struct(f">{DIGEST_BYTES}sH")
_PIECE = struct.Struct(f">{DIGEST_BYTES}sHBBB")
_NUMBER = struct.Struct(f">{DIGEST_BYTES}sHB")
_DIGEST = struct.Struct(f">{DIGEST_BYTES}s")

Record = TypeVar("Record")


def encode_pack(pack: Pack) -> bytes:
    """Return the bytes of `pack`; holds no secret in the clear, but the key: treat as a secret as a whole."""
    parts = [_MAGIC, pack.key]
    _section(parts, (_VALUE.pack(v.kind, v.tier, v.common, v.letters) for v in pack.values))
    _section(parts, (_WINDOW.pack(w.gram, w.tail, w.length, w.value, w.form, w.digest) for w in pack.windows))
    for table in (pack.tokens, pack.near, pack.scrambled):
        _section(parts, (_REFERENCE.pack(d, value) for d in sorted(table) for value in table[d]))
    _section(
        parts,
        (
            _PIECE.pack(d, p.value, p.start, p.length, p.common)
            for d in sorted(pack.pieces)
            for p in pack.pieces[d]
        ),
    )
    _section(
        parts, (_NUMBER.pack(d, m.value, m.with_unit) for d in sorted(pack.numbers) for m in pack.numbers[d])
    )
    _section(parts, sorted(pack.significands))
    _section(parts, (_REFERENCE.pack(d, value) for d in sorted(pack.dates) for value in pack.dates[d]))
    for digests in (pack.memo_words, pack.memo_numbers, pack.public_terms):
        _section(parts, sorted(digests))
    return b"".join(parts)


def decode_pack(data: bytes) -> Pack:
    """Read a pack back.

    Raises:
        PackFormatError: for anything that `encode_pack` would not have written.
    """
    if len(data) > limits.PACK_BYTES:
        raise PackFormatError("the pack is larger than allowed")
    if data[: len(_MAGIC)] != _MAGIC:
        raise PackFormatError("not a fingerprint pack, or of another version")
    reader = _Reader(data, len(_MAGIC))
    key = reader.take(KEY_BYTES)
    values = tuple(reader.records(_VALUE, limits.VALUES, _value))
    windows = tuple(
        reader.records(_WINDOW, limits.WINDOWS, lambda g, t, n, v, f, d: Window(g, t, n, v, _form(f), d))
    )
    tokens, near, scrambled = (_references(reader) for _ in range(3))
    pieces = _grouped(
        reader.records(_PIECE, limits.TOKEN_ENTRIES, lambda d, v, s, n, c: (d, Piece(v, s, n, _flag(c))))
    )
    numbers = _grouped(
        reader.records(_NUMBER, limits.TOKEN_ENTRIES, lambda d, v, u: (d, NumberMark(v, _flag(u))))
    )
    significands = frozenset(reader.records(_DIGEST, limits.TOKEN_ENTRIES, bytes))
    dates = _references(reader)
    memo_words, memo_numbers, terms = (
        frozenset(reader.records(_DIGEST, limits.TOKEN_ENTRIES, bytes)) for _ in range(3)
    )
    reader.end()
    pack = Pack(
        key,
        values,
        windows,
        tokens,
        near,
        scrambled,
        pieces,
        numbers,
        significands,
        dates,
        memo_words,
        memo_numbers,
        terms,
    )
    _check(pack)
    if encode_pack(pack) != data:
        raise PackFormatError("the records of the pack are not in order or are there twice")
    return pack


def _section(parts: list[bytes], records: Iterable[bytes]) -> None:
    items = list(records)
    parts.append(_COUNT.pack(len(items)))
    parts.extend(items)


class _Reader:
    """Takes fields off the front of the bytes and refuses to read past the end."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def take(self, size: int) -> bytes:
        chunk = self._data[self._at : self._at + size]
        if len(chunk) != size:
            raise PackFormatError("the pack is cut short")
        self._at += size
        return chunk

    def records(self, layout: struct.Struct, limit: int, make: Callable[..., Record]) -> Iterator[Record]:
        (count,) = _COUNT.unpack(self.take(_COUNT.size))
        if count > limit:
            raise PackFormatError("a section of the pack holds more records than allowed")
        for fields in layout.iter_unpack(self.take(count * layout.size)):
            yield make(*fields)

    def end(self) -> None:
        if self._at != len(self._data):
            raise PackFormatError("there are bytes after the end of the pack")


def _references(reader: _Reader) -> dict[bytes, tuple[int, ...]]:
    return _grouped(reader.records(_REFERENCE, limits.TOKEN_ENTRIES, lambda d, value: (d, value)))


def _grouped(pairs: Iterable[tuple[bytes, Record]]) -> dict[bytes, tuple[Record, ...]]:
    groups: dict[bytes, list[Record]] = {}
    for digest, record in pairs:
        groups.setdefault(digest, []).append(record)
    return {digest: tuple(records) for digest, records in groups.items()}


def _value(kind: int, tier: int, common: int, letters: int) -> Value:
    try:
        return Value(Kind(kind), Tier(tier), _flag(common), letters)
    except ValueError:
        raise PackFormatError("a value of the pack has an unknown class or tier") from None


def _form(number: int) -> Form:
    try:
        return Form(number)
    except ValueError:
        raise PackFormatError("a window of the pack has an unknown form") from None


def _flag(number: int) -> bool:
    if number > 1:
        raise PackFormatError("a flag of the pack is neither 0 nor 1")
    return bool(number)


def _check(pack: Pack) -> None:
    count = len(pack.values)
    references: list[int] = [window.value for window in pack.windows]
    for table in (pack.tokens, pack.near, pack.scrambled, pack.dates):
        references.extend(value for values in table.values() for value in values)
    references.extend(piece.value for pieces in pack.pieces.values() for piece in pieces)
    references.extend(mark.value for marks in pack.numbers.values() for mark in marks)
    if any(reference >= count for reference in references):
        raise PackFormatError("a record of the pack points to a value that is not there")
    if any(a.gram > b.gram for a, b in zip(pack.windows, pack.windows[1:], strict=False)):
        raise PackFormatError("the windows of the pack are not sorted")
    if any(window.length < 1 for window in pack.windows):
        raise PackFormatError("a window of the pack is empty")
