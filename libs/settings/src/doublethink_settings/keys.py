"""A folder of keys: one file a version, and which version is used from now on.

`NAME.key` holds 64 hexadecimal digits and is its owner's alone. The file `active` holds the NAME of the
version that encrypts; with a single version it may be absent. All versions decrypt.

To rotate: give every process the new file, then every process the new `active`; encrypt again what should
outlive the old version; then remove the old file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .errors import SettingsError
from .files import read_file

KEY_BYTES: Final = 32
MAX_VERSIONS: Final = 64
_MAX_FILE_BYTES: Final = 256
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}", re.ASCII)
_HEX: Final = re.compile(rf"[0-9a-fA-F]{{{2 * KEY_BYTES}}}", re.ASCII)


@dataclass(frozen=True, slots=True)
class KeyVersions:
    """Keys of 32 bytes by the name of their version, and the one that encrypts. Raises SettingsError."""

    keys: Mapping[str, bytes] = field(repr=False)
    active: str

    def __post_init__(self) -> None:
        for name, key in self.keys.items():
            if _NAME.fullmatch(name) is None:
                raise SettingsError(
                    f"{name!r} is not a key name: a letter or digit first, up to 32 of a-z, 0-9, dot, dash, _"
                )
            if len(key) != KEY_BYTES:
                raise SettingsError(f"the key {name!r} must have {KEY_BYTES} bytes")
        if self.active not in self.keys:
            raise SettingsError(
                f"the active key is not among the keys: {', '.join(sorted(self.keys)) or 'none'}"
            )


def read_key_folder(directory: Path) -> KeyVersions:
    """Read a folder of keys. Raises SettingsError, which names the file."""
    try:
        files = sorted(file for file in directory.iterdir() if file.suffix == ".key")
    except OSError as error:
        raise SettingsError(f"cannot read {directory}: {error.strerror}") from None
    if not 0 < len(files) <= MAX_VERSIONS:
        raise SettingsError(f"{directory} has {len(files)} key files, not 1 to {MAX_VERSIONS}")
    keys = {file.stem: _key(file) for file in files}
    chosen = directory / "active"
    if chosen.exists():
        active = _text(chosen, private=False)
    elif len(keys) == 1:
        active = next(iter(keys))
    else:
        raise SettingsError(f"{chosen} is missing: write the name of the key to encrypt with into it")
    try:
        return KeyVersions(keys, active)
    except SettingsError as error:
        raise SettingsError(f"{directory}: {error}") from None


def _key(file: Path) -> bytes:
    text = _text(file, private=True)
    if _HEX.fullmatch(text) is None:
        raise SettingsError(f"{file} must hold {2 * KEY_BYTES} hexadecimal digits")
    return bytes.fromhex(text)


def _text(file: Path, *, private: bool) -> str:
    content = read_file(file, _MAX_FILE_BYTES, private=private)
    if not content.isascii():
        raise SettingsError(f"{file} is not ASCII text")
    return content.decode("ascii").strip()
