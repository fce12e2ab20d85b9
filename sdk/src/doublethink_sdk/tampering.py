"""Changes to a bundle: one that a verifier must find out, and one that it must accept."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from doublethink_ledger import BundleError, parse_bundle, without_bodies

from doublethink_sdk.exits import Exit, fail

MAX_BYTES = 1 << 30
_LETTER = re.compile(rb"[0-9a-f]{32}")


class NoSuchRow(Exception):
    """The bundle has no such row, or is none."""


@dataclass(frozen=True)
class Changed:
    """A bundle with one byte changed: where in the file, from what to what."""

    data: bytes
    place: int
    old: str
    new: str


def change_row(bundle: bytes, row: int) -> Changed:
    """Change one hexadecimal digit of a row: in its body where it has one. Raises NoSuchRow."""
    start = -1
    for _ in range(row + 1):
        start = bundle.find(b"\n", start + 1)
        if start < 0:
            raise NoSuchRow(f"has no row {row}")
    end = bundle.find(b"\n", start + 1)
    line = bundle[start + 1 : end]
    if not line.startswith(b'{"at_us":') or f'"n":{row},'.encode() not in line:
        raise NoSuchRow(f"has no row {row}")
    # A body names at least the digests of its gate and its policy; a body left out is a digest itself.
    found = _LETTER.search(line, line.find(b'"body'))
    if found is None:
        raise NoSuchRow(f"has a row {row} without a digest")
    place = start + 1 + found.start()
    old = bundle[place : place + 1]
    new = b"1" if old == b"0" else b"0"
    return Changed(bundle[:place] + new + bundle[place + 1 :], place, old.decode(), new.decode())


def redact(file: Path, rows: Sequence[int]) -> None:
    """Leave the bodies of these rows out of a bundle, in its file. Ends the command where one is not there."""
    try:
        file.write_bytes(without_bodies(parse_bundle(file.read_bytes()), rows).encode())
    except BundleError as error:
        raise fail(f"the bodies cannot be left out: {error}", Exit.WRONG_USE) from error
