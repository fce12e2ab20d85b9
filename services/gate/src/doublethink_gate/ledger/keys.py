"""The gates' key-encryption keys: they wrap session keys and fingerprint packs, and nothing else.

They lie in a folder as doublethink_settings.keys describes it, rotation included. Wrapping is AES-256-GCM
with a random 96-bit IV; the additional data binds what is wrapped to the version and to its place:

    "dtk1" || byte(length of NAME) || NAME || context
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from doublethink_settings import KeyVersions, read_key_folder

from doublethink_gate.ledger.errors import KeyMissing, PayloadError

IV_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Wrapped:
    """Something under a key-encryption key: the key's version, the IV, the ciphertext with its tag."""

    kek: str
    iv: bytes
    ciphertext: bytes


class KeyRing:
    """All versions of the key-encryption key that this gate holds, and the one that it wraps with.

    Raises SettingsError for a key or a name that is not of its form.
    """

    def __init__(self, keys: Mapping[str, bytes], active: str) -> None:
        held = KeyVersions(keys, active)
        self._ciphers = {name: AESGCM(key) for name, key in held.keys.items()}
        self.active = held.active

    def __repr__(self) -> str:
        return f"KeyRing(versions={sorted(self._ciphers)}, active={self.active!r})"

    @property
    def versions(self) -> frozenset[str]:
        """The names of the versions held."""
        return frozenset(self._ciphers)

    @classmethod
    def load(cls, directory: Path) -> KeyRing:
        """Read a key folder. Raises SettingsError naming the file and what to do."""
        held = read_key_folder(directory)
        return cls(held.keys, held.active)

    def wrap(self, plaintext: bytes, context: bytes) -> Wrapped:
        """Encrypt under the active version. `context` names the place that the result belongs to."""
        iv = secrets.token_bytes(IV_BYTES)
        ciphertext = self._ciphers[self.active].encrypt(iv, plaintext, _additional(self.active, context))
        return Wrapped(self.active, iv, ciphertext)

    def unwrap(self, wrapped: Wrapped, context: bytes) -> bytes:
        """Return what was wrapped. Raises KeyMissing for a version not held, PayloadError for a wrong
        place."""
        cipher = self._ciphers.get(wrapped.kek)
        if cipher is None:
            raise KeyMissing(f"the key {wrapped.kek!r} is needed and not among the key files")
        try:
            return cipher.decrypt(wrapped.iv, wrapped.ciphertext, _additional(wrapped.kek, context))
        except InvalidTag:
            raise PayloadError("what was wrapped does not open at this place") from None


def _additional(name: str, context: bytes) -> bytes:
    encoded = name.encode("ascii")
    return b"dtk1" + bytes([len(encoded)]) + encoded + context
