"""Keyed hashes. Everything in a pack is one of these; without the key they say nothing.

With the key they protect nothing that can be guessed: a nine-digit number or a dictionary word is found by
trying. That is why a pack lives in memory only, or wrapped.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

KEY_BYTES = 32
DIGEST_BYTES = 12
GRAM = 5

Words = npt.NDArray[np.uint64]


def new_key() -> bytes:
    """Return a fresh session key of 32 random bytes."""
    return secrets.token_bytes(KEY_BYTES)


def digest(key: bytes, kind: bytes, value: bytes) -> bytes:
    """Return the 12-byte keyed BLAKE2b (RFC 7693) of `value`; `kind` (at most 16 bytes) separates domains."""
    return blake2b(value, digest_size=DIGEST_BYTES, key=key, person=kind).digest()


def gram_multipliers(key: bytes) -> Words:
    """Return the five odd 64-bit multipliers of the rolling prefilter hash, derived from the key."""
    raw = blake2b(b"gram multipliers", digest_size=8 * GRAM, key=key, person=b"prefilter").digest()
    return np.frombuffer(raw, dtype="<u8").astype(np.uint64) | np.uint64(1)


def gram_hashes(codes: npt.NDArray[np.uint32], multipliers: Words) -> npt.NDArray[np.uint32]:
    """Return the 32-bit keyed hash of every window of five code points; empty if there are fewer."""
    count = len(codes) - GRAM + 1
    if count <= 0:
        return np.empty(0, dtype=np.uint32)
    wide = codes.astype(np.uint64)
    total: Words = wide[:count] * multipliers[0]
    for at in range(1, GRAM):
        total += wide[at : at + count] * multipliers[at]
    # A multiply-shift hash keeps its quality in the high bits only.
    hashes: npt.NDArray[np.uint32] = (total >> np.uint64(32)).astype(np.uint32)
    return hashes
