"""How other commands find the console of a running launcher: a file beside its data."""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from doublethink_sdk.launcher.directories import RUNNING, check_own, write_private
from doublethink_sdk.launcher.errors import LaunchError


@dataclass(frozen=True)
class Running:
    """A running console: its address, the file of its token, and the directory of the database's socket."""

    url: str
    token_file: Path
    database: Path | None = None


@contextmanager
def announced(data: Path, url: str, token_file: Path, database: Path | None = None) -> Iterator[None]:
    """Keep the announcement beside the data while inside."""
    place = data / RUNNING
    fields = {"url": url, "token_file": str(token_file)}
    if database is not None:
        fields["database"] = str(database)
    write_private(place, json.dumps(fields).encode())
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def read_running(data: Path) -> Running | None:
    """The console that runs on `data`, or None.

    A launcher that was killed leaves its announcement behind: it counts only while the
    data's lock is held, and the next launcher removes it before it does anything else.
    Raises LaunchError if others could have written it: it says where the token goes.
    """
    try:
        check_own(data)
        with (data / "lock").open("r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                fields = json.loads((data / RUNNING).read_text())
                database = Path(fields["database"]) if "database" in fields else None
                return Running(str(fields["url"]), Path(fields["token_file"]), database)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LaunchError(f"cannot read {data / RUNNING}: stop the doublethink that uses {data}") from error
    return None
