"""The ledger's rows for a collector of security events: each at least once, in order, with a cursor that survives.

The cursor is the seq to go on from, one number in a file. It is written after the rows before it were written and
flushed (and, where the output is a file, forced to the disk), in a file of its own that then takes the old one's place:
whoever is killed in between writes the same rows again at the next start and misses none. Every row names its seq
(`metadata.sequence` in OCSF, `externalId` in CEF, `seq` in JSON), so that a repetition can be told.
"""

import json
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from doublethink_sdk.client import Client
from doublethink_sdk.errors import ClientError
from doublethink_sdk.terminal import json_line

_WAIT_SECONDS = 30
_MAX_CURSOR_BYTES = 32
_MAX_SEQ = 2**53 - 1


class CursorUnusable(ClientError):
    """The cursor's file cannot be read or written, or holds something else than a cursor."""


@dataclass(frozen=True)
class Wanted:
    """What is collected. `batch`: rows of one answer. `filters`: parameters of the console's API."""

    form: str
    batch: int
    filters: Mapping[str, str]


class Cursor:
    """A file with the seq to go on from."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> int | None:
        """The seq, or None where there is no file yet. Raises CursorUnusable."""
        try:
            with self._path.open("rb") as file:
                raw = file.read(_MAX_CURSOR_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CursorUnusable(f"cannot read {self._path}: {error.strerror}") from error
        text = raw.decode("ascii", errors="replace").removesuffix("\n")
        if not (text.isascii() and text.isdecimal() and int(text) <= _MAX_SEQ):
            raise CursorUnusable(
                f"{self._path} holds no cursor: name another file with --cursor, or remove it"
            )
        return int(text)

    def write(self, seq: int) -> None:
        """Note the seq, durably and whole or not at all. Raises CursorUnusable."""
        partial = self._path.with_name(f"{self._path.name}.new")
        try:
            descriptor = os.open(
                partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
            )
            with os.fdopen(descriptor, "wb") as file:
                file.write(b"%d\n" % seq)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self._path)
            folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise CursorUnusable(f"cannot write {self._path}: {error.strerror}") from error


def collect(
    client: Client,
    wanted: Wanted,
    write: Callable[[list[str]], None],
    *,
    first: int | None,
    cursor: Cursor | None,
    once: bool,
) -> None:
    """Hand rows to `write` as they come, a batch of lines at a time; with `once` until there are no more.

    first: the seq to begin with; None begins with the next row that is written. `write` returns when the lines are
    where they are to be: only then the cursor is moved. Raises ClientError, and what `write` raises.
    """
    at = first
    if cursor is not None and at is not None and cursor.read() is None:
        # Before the first row: whoever is killed from here on begins here again, however he is started then.
        cursor.write(at)
    while True:
        piece = client.log(
            at,
            form=wanted.form,
            limit=wanted.batch,
            # Where the next row is the first, its seq is asked for and noted before there is one.
            wait=0 if once or at is None else _WAIT_SECONDS,
            filters=wanted.filters,
        )
        rows = piece["rows"]
        if rows:
            write([row if isinstance(row, str) else json_line(row) for row in rows])
        if cursor is not None and (at is None or piece["next"] > at):
            cursor.write(piece["next"])
        at = piece["next"]
        if once and piece["end"]:
            return


def flushing(output: BinaryIO) -> Callable[[list[str]], None]:
    """Writes lines to `output` and returns when they have left this process, and are on the disk if it is a file."""
    regular = stat.S_ISREG(os.fstat(output.fileno()).st_mode)

    def write(lines: list[str]) -> None:
        output.write("".join(f"{line}\n" for line in lines).encode())
        output.flush()
        if regular:
            os.fsync(output.fileno())

    return write


def shown_as(row: Callable[[Mapping[str, Any]], str], write: Callable[[str], None]) -> Callable[..., None]:
    """Shows rows to a person, each as the line that `row` makes of it."""

    def show(lines: list[str]) -> None:
        for line in lines:
            write(row(json.loads(line)))

    return show
