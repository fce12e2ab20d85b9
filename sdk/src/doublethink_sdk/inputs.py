"""Files that a person names on the command line, read whole and within a bound."""

import os
import stat
from pathlib import Path

from doublethink_sdk.exits import Exit, fail


def read_text(path: Path, most: int, what: str) -> str:
    """The UTF-8 text of a regular file of at most `most` bytes; `what` names the kind in errors.

    Ends the command with a clear line if there is none.
    """
    try:
        return read_bytes(path, most, what).decode("utf-8")
    except UnicodeDecodeError as error:
        raise fail(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8", Exit.WRONG_USE) from error


def read_bytes(path: Path, most: int, what: str) -> bytes:
    """The bytes of a regular file of at most `most`; `what` names the kind in errors.

    Ends the command with a clear line if there is none: a pipe or a device has no end.
    """
    try:
        # Without O_NONBLOCK a named pipe would hold the command up.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
            raw = file.read(most + 1) if regular else b""
    except OSError as error:
        raise fail(f"cannot read {path}: {error.strerror}", Exit.WRONG_USE) from error
    if not regular:
        raise fail(f"cannot read {path}: it is not a regular file", Exit.WRONG_USE)
    if len(raw) > most:
        raise fail(f"{path} is too large: {what} may have {most} bytes", Exit.WRONG_USE)
    return raw
