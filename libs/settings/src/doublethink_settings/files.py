"""Reads a small file whole, or says why not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .errors import SettingsError


def read_file(path: Path, most: int, *, private: bool) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    `private` demands that nobody but the owner may read or change it. Raises SettingsError.
    """
    try:
        # Without O_NONBLOCK a named pipe would hold the start up.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            content = file.read(most + 1) if stat.S_ISREG(status.st_mode) else None
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from None
    if content is None:
        raise SettingsError(f"{path} is not a file")
    if private and status.st_mode & 0o077:
        raise SettingsError(f"others can read {path}: run chmod 600 on it")
    if len(content) > most:
        raise SettingsError(f"{path} has more than {most} bytes")
    return content
