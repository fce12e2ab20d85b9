"""A folder: on the same machine the owner's own copy, on a mounted share one that the machine cannot rewrite.

    FOLDER/log-ORIGIN/SIZE.note        19 digits, so that names sort as sizes do
    FOLDER/log-ORIGIN/recovery.note    where the origin was opened by a recovery

A note is written beside its place, synced, and linked to its name: link(2) replaces nothing, so that of two writers
one wins whole and the other sees what is there.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import secrets
from collections.abc import Callable, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Final, TypeVar

from doublethink_sealer.errors import PlaceAway, PlaceConflict
from doublethink_sealer.places.place import MAX_NOTE_BYTES, SIZE_DIGITS, STATEMENT, folder_name

T = TypeVar("T")

_NAME: Final = re.compile(rf"[0-9]{{{SIZE_DIGITS}}}\.note", re.ASCII)


class FolderPlace:
    """A place in the file system. The folder must exist: a share that is not mounted is not taken for empty."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.where = str(folder)
        self.egress: str | None = None
        self._folder = folder

    async def newest(self, origin: str) -> bytes | None:
        """See Place."""
        found = await self.notes(origin, 1)
        return found[0] if found else None

    async def notes(self, origin: str, limit: int) -> Sequence[bytes]:
        """See Place."""
        return await self._done(lambda: self._notes(origin, limit))

    async def put(self, origin: str, size: int, note: bytes) -> None:
        """See Place."""
        name = f"{size:0{SIZE_DIGITS}d}.note"
        await self._done(lambda: self._put(origin, name, note))

    async def put_statement(self, origin: str, note: bytes) -> None:
        """See Place."""
        await self._done(lambda: self._put(origin, STATEMENT, note))

    async def close(self) -> None:
        """See Place."""

    async def _done(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except OSError as error:
            raise PlaceAway(f"{self.name} ({self.where}): {error.strerror}") from error

    def _notes(self, origin: str, limit: int) -> list[bytes]:
        self._demand_folder()
        directory = self._folder / folder_name(origin)
        try:
            with os.scandir(directory) as entries:
                names = nlargest(limit, (entry.name for entry in entries if _NAME.fullmatch(entry.name)))
        except FileNotFoundError:
            return []
        return [_read(directory / name) for name in names]

    def _put(self, origin: str, name: str, note: bytes) -> None:
        self._demand_folder()
        directory = self._folder / folder_name(origin)
        if not directory.is_dir():
            directory.mkdir(exist_ok=True, mode=0o755)
            _sync(self._folder)
        partial = directory / f".{name}.{secrets.token_hex(8)}"
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
            with os.fdopen(descriptor, "wb") as file:
                file.write(note)
                file.flush()
                os.fsync(file.fileno())
            os.link(partial, directory / name)
        except FileExistsError:
            existing = _read(directory / name)
            if existing != note:
                raise PlaceConflict(existing) from None
        finally:
            partial.unlink(missing_ok=True)
        # Also where the note was there: whoever put it may have died before this.
        _sync(directory)

    def _demand_folder(self) -> None:
        if not self._folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


def _read(path: Path) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read(MAX_NOTE_BYTES + 1)


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
