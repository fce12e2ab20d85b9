"""How other commands find the console of a running launcher: a file beside its data."""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from doublethink_sdk.launcher.directories import write_private


@dataclass(frozen=True)
class Running:
    """A running console: its address, and the file of its token."""

    url: str
    token_file: Path


@contextmanager
def announced(data: Path, url: str, token_file: Path) -> Iterator[None]:
    """Keep the announcement beside the data while inside."""
    place = data / "running.json"
    write_private(place, json.dumps({"url": url, "token_file": str(token_file)}).encode())
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def read_running(data: Path) -> Running | None:
    """The console that runs on `data`, or None.

    A launcher that was killed leaves its announcement behind: it counts only while the
    data's lock is held.
    """
    try:
        with (data / "lock").open("r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                fields = json.loads((data / "running.json").read_text())
                return Running(str(fields["url"]), Path(fields["token_file"]))
    except FileNotFoundError:
        return None
    return None
