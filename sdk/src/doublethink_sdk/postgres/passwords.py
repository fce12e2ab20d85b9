"""One random password per database role, each in a libpq password file of mode 0600.

A connection string names the file (`passfile=`), so that no password stands in a configuration, an argument
list, an environment or a log.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from doublethink_sdk.postgres.errors import ClusterError

_PREFIX = "*:*:*:"


@dataclass(frozen=True, slots=True)
class Password:
    """A role's password and the file that holds it. The password is not shown by repr."""

    role: str
    file: Path
    text: str = field(repr=False)


class PasswordDirectory:
    """A directory of mode 0700 with a file per role."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def path(self, role: str) -> Path:
        """Return where the role's file is, or would be."""
        return self._directory / f"{role}.pgpass"

    def read(self, role: str) -> Password:
        """Return a role's password. Raises ClusterError when it was never made or the file is not ours."""
        path = self.path(role)
        try:
            line = path.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            raise ClusterError(
                f"{path} is missing: restore it from a backup, or start with new data"
            ) from None
        prefix, separator, text = line.rpartition(":")
        if not separator or prefix != f"{_PREFIX}{role}" or not text:
            raise ClusterError(f"{path} is not the password file of {role}")
        return Password(role, path, text)

    def read_or_make(self, role: str) -> Password:
        """Return a role's password; make a random one of 256 bits if it has none."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.path(role)
        if not path.exists():
            # Written beside and moved, so that a crash leaves no empty password file.
            partial = path.with_suffix(".new")
            partial.unlink(missing_ok=True)
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(f"{_PREFIX}{role}:{secrets.token_urlsafe(32)}\n")
                file.flush()
                os.fsync(file.fileno())
            partial.rename(path)
        return self.read(role)
