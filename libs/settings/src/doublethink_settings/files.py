"""Reads a small file whole, or says why not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .errors import SettingsError


def read_file(path: Path, most: int, *, private: bool) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    `private` demands that nobody but the owner may read or change it; see `_is_private`. Raises SettingsError.
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
    if private and not _is_private(status):
        raise SettingsError(f"others can read {path}: run chmod 600 on it")
    if len(content) > most:
        raise SettingsError(f"{path} has more than {most} bytes")
    return content


def _is_private(status: os.stat_result) -> bool:
    """Whether a file is closed to everybody but its owner, or is one that root lets a single group of ours read.

    The second is how Kubernetes mounts a secret for a process that is not root: root's, the pod's fsGroup, mode 0440
    (https://kubernetes.io/docs/concepts/configuration/secret/).
    """
    if not status.st_mode & 0o077:
        return True
    lent = status.st_uid == 0 and os.geteuid() != 0 and status.st_gid in {os.getegid(), *os.getgroups()}
    return lent and not status.st_mode & 0o037
