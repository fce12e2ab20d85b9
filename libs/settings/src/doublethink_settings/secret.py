"""A secret is one line in a file of its owner's own."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .errors import SettingsError
from .files import read_file

MAX_SECRET_BYTES: Final = 4096


def read_secret(path: Path, key: str) -> str:
    """Return the one line in the file at `path`, without the white space around it.

    `key` is the setting that names the file. Raises SettingsError, which names both.
    """
    try:
        content = read_file(path, MAX_SECRET_BYTES, private=True)
    except SettingsError as error:
        raise SettingsError(f"{key}: {error}") from None
    try:
        text = content.decode("utf-8").strip()
    except UnicodeDecodeError:
        text = ""
    if not text or not text.isprintable():
        raise SettingsError(f"{key}: {path} must hold one line of text")
    return text
