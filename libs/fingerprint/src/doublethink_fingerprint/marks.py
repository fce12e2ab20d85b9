"""Hashes of a confirmed value, which tell a receiver who guesses it that the guess is right.

Names of the algorithms are those of FIPS 180-4, FIPS 202, RFC 1321 and RFC 7693. A hash with a key or a salt that
nobody here knows, or one that was cut, is not recognised.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Iterator

from doublethink_fingerprint.decoders.sieve import Sieve
from doublethink_fingerprint.decoders.survey import IN_STRETCHES, odd_matches, stretch_matches

_ALGORITHMS = (
    "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "blake2b",
    "blake2s",
)  # fmt: skip
_SIZES = frozenset(hashlib.new(name, usedforsecurity=False).digest_size for name in _ALGORITHMS)
_HEX_SIZES = frozenset(2 * size for size in _SIZES)
_BASE64_SIZES = {(size * 8 + 5) // 6: size for size in _SIZES}
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0[xX])?([0-9A-Fa-f]{32,128})(?![0-9A-Za-z])")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{22,86}(?![A-Za-z0-9+/_-])")
# Hardly any text has a run as long as the shortest hash, in hexadecimal either.
_LONG_ENOUGH = Sieve(counted=22)
_LONG_ENOUGH.add(_BASE64)


# With the same mark between groups of one size, as fingerprints of keys are printed.
_IN_GROUPS = IN_STRETCHES.add(
    re.compile(
        r"(?<![0-9A-Za-z])[0-9A-Fa-f]{2,16}(?P<gap>[ :._-])"
        r"(?:[0-9A-Fa-f]{2,16}(?P=gap)){1,63}[0-9A-Fa-f]{2,16}(?![0-9A-Za-z])"
    )
)


def hashes_of(value: str) -> Iterator[bytes]:
    """Yield the hashes of a value in its usual spellings: as it is, in small letters, in capitals, without blanks, and
    with the line feed that a shell adds.
    """
    plain = " ".join(value.split())
    spellings: tuple[str, ...] = (plain, plain.lower(), plain.upper(), plain.title())
    spellings += tuple(spelling.replace(" ", "") for spelling in spellings)
    spellings += tuple(
        joiner.join(spelling.split()) for spelling in (plain, plain.lower()) for joiner in "-_"
    )
    for spelling in dict.fromkeys(spellings):
        for data in (spelling.encode(), spelling.encode() + b"\n"):
            for name in _ALGORITHMS:
                yield hashlib.new(name, data, usedforsecurity=False).digest()


def hashes_in(text: str) -> Iterator[tuple[int, int, bytes]]:
    """Yield where something as long as a hash stands in a text, in hexadecimal or base 64, and its bytes."""
    for match in stretch_matches(_IN_GROUPS, text):
        yield from _joined(match)
    if not _LONG_ENOUGH.named([text])[0]:
        return
    for start, end, digits in odd_matches(_HEX, text):
        digits = digits.removeprefix("0x").removeprefix("0X")
        if len(digits) in _HEX_SIZES:
            yield start, end, bytes.fromhex(digits)
    for start, end, symbols in odd_matches(_BASE64, text):
        size = _BASE64_SIZES.get(len(symbols))
        if size is not None:
            symbols = symbols.replace("-", "+").replace("_", "/")
            yield start, end, binascii.a2b_base64(symbols + "=" * (-len(symbols) % 4))[:size]


def _joined(match: re.Match[str]) -> Iterator[tuple[int, int, bytes]]:
    """A hash in groups, as a whole or without a word of the same letters before or behind it."""
    groups = match[0].split(match["gap"])
    for first, last in ((0, len(groups)), (1, len(groups)), (0, len(groups) - 1)):
        digits = "".join(groups[first:last])
        if len(digits) in _HEX_SIZES and len(set(map(len, groups[first:last]))) == 1:
            yield match.start(), match.end(), bytes.fromhex(digits)
