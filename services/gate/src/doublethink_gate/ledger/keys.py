"""The gates' key-encryption keys: they wrap session keys and fingerprint packs, and nothing else.

A folder holds one file a version, `NAME.key` with 64 hexadecimal digits, readable by its owner only, and a
file `active` with the name of the version that wraps from now on; with a single version `active` may be
absent.

Rotation: give every replica the new file, then every replica the new `active`, then wrap again what should
outlive the old version, then remove the old file. Wrapping is AES-256-GCM with a random 96-bit IV; the
additional data binds what is wrapped to the version and to its place:

    "dtk1" || byte(length of NAME) || NAME || context
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

from doublethink_gate.ledger.errors import KeyFileError, PayloadError

KEY_BYTES: Final = 32
IV_BYTES: Final = 12
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}", re.ASCII)
_MAX_VERSIONS: Final = 64
_MAX_FILE_BYTES: Final = 256


@dataclass(frozen=True, slots=True)
class Wrapped:
    """Something under a key-encryption key: the key's version, the IV, the ciphertext with its tag."""

    kek: str
    iv: bytes
    ciphertext: bytes


class KeyRing:
    """All versions of the key-encryption key that this gate holds, and the one that it wraps with."""

    def __init__(self, keys: Mapping[str, bytes], active: str) -> None:
        if active not in keys:
            raise KeyFileError(f"the active key {active!r} is not among the key files")
        for name, key in keys.items():
            if _NAME.fullmatch(name) is None:
                raise KeyFileError(f"{name!r} is not a key name: up to 32 of a-z, 0-9, dot, dash, underscore")
            if len(key) != KEY_BYTES:
                raise KeyFileError(f"the key {name!r} does not have {KEY_BYTES} bytes")
        self._ciphers = {name: AESGCM(key) for name, key in keys.items()}
        self.active = active

    def __repr__(self) -> str:
        return f"KeyRing(versions={sorted(self._ciphers)}, active={self.active!r})"

    @property
    def versions(self) -> frozenset[str]:
        """The names of the versions held."""
        return frozenset(self._ciphers)

    @classmethod
    def load(cls, directory: Path) -> KeyRing:
        """Read a key folder. Raises KeyFileError naming the file and what to do."""
        try:
            files = sorted(directory.glob("*.key"))
        except OSError as error:
            raise KeyFileError(f"{directory} cannot be read: {error.strerror}") from error
        if not 0 < len(files) <= _MAX_VERSIONS:
            raise KeyFileError(f"{directory} has {len(files)} key files, not 1 to {_MAX_VERSIONS}")
        keys = {file.stem: _key(file) for file in files}
        active = directory / "active"
        if active.exists():
            return cls(keys, _text(active))
        if len(keys) > 1:
            raise KeyFileError(f"{active} is missing: write the name of the key to wrap with into it")
        return cls(keys, next(iter(keys)))

    def wrap(self, plaintext: bytes, context: bytes) -> Wrapped:
        """Encrypt under the active version. `context` names the place that the result belongs to."""
        iv = secrets.token_bytes(IV_BYTES)
        ciphertext = self._ciphers[self.active].encrypt(iv, plaintext, _additional(self.active, context))
        return Wrapped(self.active, iv, ciphertext)

    def unwrap(self, wrapped: Wrapped, context: bytes) -> bytes:
        """Return what was wrapped. Raises KeyFileError for a version not held, PayloadError for a wrong
        place."""
        cipher = self._ciphers.get(wrapped.kek)
        if cipher is None:
            raise KeyFileError(f"the key {wrapped.kek!r} is needed and not among the key files")
        try:
            return cipher.decrypt(wrapped.iv, wrapped.ciphertext, _additional(wrapped.kek, context))
        except InvalidTag:
            raise PayloadError("what was wrapped does not open at this place") from None


def _additional(name: str, context: bytes) -> bytes:
    encoded = name.encode("ascii")
    return b"dtk1" + bytes([len(encoded)]) + encoded + context


def _text(file: Path) -> str:
    try:
        status = file.stat()
        if status.st_size > _MAX_FILE_BYTES:
            raise KeyFileError(f"{file} has more than {_MAX_FILE_BYTES} bytes")
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise KeyFileError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise KeyFileError(f"{file} is not ASCII text") from None


def _key(file: Path) -> bytes:
    text = _text(file)
    if file.stat().st_mode & 0o077:
        raise KeyFileError(f"others can read {file}; run chmod 600 on it")
    if re.fullmatch(r"[0-9a-fA-F]{64}", text, re.ASCII) is None:
        raise KeyFileError(f"{file} does not hold 64 hexadecimal digits")
    return bytes.fromhex(text)
