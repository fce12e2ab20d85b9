"""Encryption at rest: AES-256-GCM under keys from files, each ciphertext bound to the row and column it
stands in.

The keys lie in a folder as doublethink_settings.keys describes it, rotation included; old rows open as long
as the old file is there.

What is stored, and the additional data (NIST SP 800-38D) that it is bound to:

    byte(length of NAME) || NAME || IV[12] || ciphertext and tag
    "dtc1" || byte(length of NAME) || NAME || TABLE "." COLUMN || 0x00 || row id
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from doublethink_settings import KeyVersions, read_key_folder

from .errors import SealBroken

_IV_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ciphertext stands: it opens nowhere else."""

    column: str
    row: bytes


class Sealer:
    """All versions of the key that are here, and the one that seals. Raises SettingsError."""

    def __init__(self, keys: Mapping[str, bytes], active: str) -> None:
        held = KeyVersions(keys, active)
        self._ciphers = {name: AESGCM(key) for name, key in held.keys.items()}
        self._marks = {name: hmac.digest(key, b"dtc1 mark", "sha256") for name, key in held.keys.items()}
        self._active = held.active

    def seal(self, plaintext: bytes, place: Place) -> bytes:
        """The ciphertext to store at `place`."""
        iv = secrets.token_bytes(_IV_BYTES)
        head = _head(self._active)
        return head + iv + self._ciphers[self._active].encrypt(iv, plaintext, _bound(head, place))

    def marks(self, plaintext: bytes) -> list[bytes]:
        """32 bytes by which the same plaintext is known again, under the key that seals and then under the older.

        A plain digest in the clear would tell whoever guesses a memo that it is here.
        """
        names = sorted(self._marks, key=lambda name: name != self._active)
        return [hmac.digest(self._marks[name], plaintext, "sha256") for name in names]

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
    """Read a key folder. Raises SettingsError naming the file and what to do."""
    held = read_key_folder(directory)
    return Sealer(held.keys, held.active)


def _head(name: str) -> bytes:
    return bytes([len(name)]) + name.encode("ascii")


def _bound(head: bytes, place: Place) -> bytes:
    return b"dtc1" + head + place.column.encode("ascii") + b"\x00" + place.row
