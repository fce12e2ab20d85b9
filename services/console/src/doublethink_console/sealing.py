"""Encryption at rest: AES-256-GCM under keys from files, each ciphertext bound to the row and column it
stands in.

A folder holds one file a key version, `NAME.key` with 64 hexadecimal digits, readable by its owner only, and
a file `active` with the name of the version that seals from now on; with a single version `active` may be
absent. To rotate: add the new file, then change `active`; old rows open as long as the old file is there.

What is stored, and the additional data (NIST SP 800-38D) that it is bound to:

    byte(length of NAME) || NAME || IV[12] || ciphertext and tag
    "dtc1" || byte(length of NAME) || NAME || TABLE "." COLUMN || 0x00 || row id
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .errors import ConfigError, SealBroken

_IV_BYTES: Final = 12
_KEY_BYTES: Final = 32
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}", re.ASCII)
_HEX_KEY: Final = re.compile(r"[0-9a-fA-F]{64}")
_MAX_FILE_BYTES: Final = 256
_MAX_VERSIONS: Final = 64


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ciphertext stands: it opens nowhere else."""

    column: str
    row: bytes


class Sealer:
    """All versions of the key that are here, and the one that seals."""

    def __init__(self, keys: Mapping[str, bytes], active: str) -> None:
        if active not in keys:
            raise ConfigError("keys: the active version is not among the key files")
        for name, key in keys.items():
            if _NAME.fullmatch(name) is None or len(key) != _KEY_BYTES:
                raise ConfigError("keys: a version has a short lower-case name and 32 bytes")
        self._ciphers = {name: AESGCM(key) for name, key in keys.items()}
        self._active = active

    def seal(self, plaintext: bytes, place: Place) -> bytes:
        """The ciphertext to store at `place`."""
        iv = secrets.token_bytes(_IV_BYTES)
        head = _head(self._active)
        return head + iv + self._ciphers[self._active].encrypt(iv, plaintext, _bound(head, place))

    def open(self, stored: bytes, place: Place) -> bytes:
        """What was sealed at `place`. Raises SealBroken."""
        length = stored[0] if stored else 0
        head, rest = stored[: 1 + length], stored[1 + length :]
        cipher = self._ciphers.get(head[1:].decode("ascii", errors="replace"))
        if cipher is None or len(rest) < _IV_BYTES:
            raise SealBroken("no key for what is stored")
        try:
            return cipher.decrypt(rest[:_IV_BYTES], rest[_IV_BYTES:], _bound(head, place))
        except InvalidTag:
            raise SealBroken("stored bytes were changed, moved, or sealed under another key") from None


def load_sealer(directory: Path) -> Sealer:
    """Read a key folder. Raises ConfigError naming the file and what to do."""
    try:
        found = sorted(directory.glob("*.key"))
    except OSError as error:
        raise ConfigError(f"{directory} cannot be read: {error.strerror}") from None
    if not 0 < len(found) <= _MAX_VERSIONS:
        raise ConfigError(f"{directory} has {len(found)} key files, not 1 to {_MAX_VERSIONS}")
    keys = {file.stem: _read_key(file) for file in found}
    active = directory / "active"
    if active.exists():
        return Sealer(keys, read_private(active).strip())
    if len(keys) > 1:
        raise ConfigError(f"{active} is missing: write the name of the version that seals into it")
    return Sealer(keys, next(iter(keys)))


def read_private(path: Path) -> str:
    """The text of a small file that only its owner may read. Raises ConfigError."""
    try:
        mode = path.stat().st_mode
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    if mode & 0o077:
        raise ConfigError(f"others can read {path}: run chmod 600 on it")
    if len(raw) > _MAX_FILE_BYTES or not raw.isascii():
        raise ConfigError(f"{path} is not a short text")
    return raw.decode("ascii")


def _read_key(path: Path) -> bytes:
    text = read_private(path).strip()
    if _HEX_KEY.fullmatch(text) is None:
        raise ConfigError(f"{path} does not hold 64 hexadecimal digits")
    return bytes.fromhex(text)


def _head(name: str) -> bytes:
    return bytes([len(name)]) + name.encode("ascii")


def _bound(head: bytes, place: Place) -> bytes:
    return b"dtc1" + head + place.column.encode("ascii") + b"\x00" + place.row
