"""One row, and the hash that is at once its chain link and its Merkle leaf.

    hash = SHA-256( 0x00 || "dtl1" || session[16] || be64(n) || be64(at_us) || id[16]
                    || prev[32] || SHA-256(body)[32] )

Every field has a fixed width, so that nothing needs a canonical form. The leading 0x00 is the leaf prefix of
RFC 6962 section 2.1: the 32 bytes are also the leaf hash of the data that follows it.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from dataclasses import dataclass

from doublethink_ledger.errors import ChainError, Part, RowFormatError

_FORMAT = b"dtl1"
_LEAF_PREFIX = b"\x00"
_MAX_INT64 = 2**63 - 1
_LEAF = struct.Struct(">4s16sqq16s32s32s")


def first_prev(session: bytes) -> bytes:
    """Return the `prev` of a session's first row: SHA-256 of the 16 bytes of its id."""
    _width("session", session, 16)
    return hashlib.sha256(session).digest()


def leaf_data(*, session: bytes, n: int, at_us: int, id: bytes, prev: bytes, body_sha256: bytes) -> bytes:
    """Return the 116 bytes that are hashed after the leaf prefix. Raises RowFormatError."""
    _width("session", session, 16)
    _width("id", id, 16)
    _width("prev", prev, 32)
    _width("body_sha256", body_sha256, 32)
    _range("n", n)
    _range("at_us", at_us)
    return _LEAF.pack(_FORMAT, session, n, at_us, id, prev, body_sha256)


def row_hash(*, session: bytes, n: int, at_us: int, id: bytes, prev: bytes, body_sha256: bytes) -> bytes:
    """Return the row's 32-byte hash. Raises RowFormatError for a wrong width or range."""
    data = leaf_data(session=session, n=n, at_us=at_us, id=id, prev=prev, body_sha256=body_sha256)
    return hashlib.sha256(_LEAF_PREFIX + data).digest()


@dataclass(frozen=True, slots=True)
class Row:
    """One ledger row.

    seq: index in the whole log, from 0. session, id: 16 bytes. n: index in the session, from 0.
    at_us: microseconds since 1970-01-01 UTC. prev, hash: 32 bytes.
    body: the exact bytes that were written, or None where they were left out; body_sha256 stays.

    Widths and ranges are checked here; that the hash is right is `check_row_hash`'s business.
    """

    seq: int
    session: bytes
    n: int
    id: bytes
    at_us: int
    prev: bytes
    body_sha256: bytes
    hash: bytes
    body: bytes | None = None

    def __post_init__(self) -> None:
        _range("seq", self.seq)
        _width("hash", self.hash, 32)
        # Checks the other fields.
        self.leaf_data()

    def leaf_data(self) -> bytes:
        """Return the row's RFC 6962 leaf data, 116 bytes."""
        return leaf_data(
            session=self.session,
            n=self.n,
            at_us=self.at_us,
            id=self.id,
            prev=self.prev,
            body_sha256=self.body_sha256,
        )


def check_row_hash(row: Row, index: int = 0) -> None:
    """Raise ChainError unless the row's hash, and its body if it is there, are what the row says.

    `index` is the row's place in what is being read, for the error alone.
    """
    if row.body is not None and not hmac.compare_digest(hashlib.sha256(row.body).digest(), row.body_sha256):
        raise ChainError(index, row.n, Part.BODY, "the bytes do not have the hash that the row names")
    if not hmac.compare_digest(hashlib.sha256(_LEAF_PREFIX + row.leaf_data()).digest(), row.hash):
        raise ChainError(index, row.n, Part.HASH, "not the hash of the row's fields")


def _width(name: str, value: bytes, width: int) -> None:
    if not isinstance(value, bytes):
        raise RowFormatError(f"{name} is {type(value).__name__}, not bytes")
    if len(value) != width:
        raise RowFormatError(f"{name} has {len(value)} bytes, not {width}")


def _range(name: str, value: int) -> None:
    if type(value) is not int:
        raise RowFormatError(f"{name} is {type(value).__name__}, not int")
    if not 0 <= value <= _MAX_INT64:
        raise RowFormatError(f"{name} is outside 0..2^63-1")
