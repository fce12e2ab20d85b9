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

Words = npt.NDArray[np.uint32]


def new_key() -> bytes:
    """Return a fresh session key of 32 random bytes."""
    return secrets.token_bytes(KEY_BYTES)


def digest(key: bytes, kind: bytes, value: bytes) -> bytes:
    """Return the 12-byte keyed BLAKE2b (RFC 7693) of `value`; `kind` (at most 16 bytes) separates domains."""
    return blake2b(value, digest_size=DIGEST_BYTES, key=key, person=kind).digest()


def gram_multipliers(key: bytes) -> Words:
    """Return the five odd 32-bit multipliers of the rolling prefilter hash, derived from the key."""
    raw = blake2b(b"gram multipliers", digest_size=4 * GRAM, key=key, person=b"prefilter").digest()
    return np.frombuffer(raw, dtype="<u4").astype(np.uint32) | np.uint32(1)


def gram_hashes(codes: npt.NDArray[np.uint32], multipliers: Words) -> Words:
    """Return the 32-bit keyed hash of every window of five code points; empty if there are fewer.

    A sum of products modulo 2**32, whose quality is in its high bits. It only says where to look: what counts is
    the digest of the window.
    """
    count = len(codes) - GRAM + 1
    if count <= 0:
        return np.empty(0, dtype=np.uint32)
    total: Words = codes[:count] * multipliers[0]
    product = np.empty_like(total)
    for at in range(1, GRAM):
        np.multiply(codes[at : at + count], multipliers[at], out=product)
        total += product
    return total
