"""The head of the log as a signed text (C2SP tlog-checkpoint):

    origin
    size, in decimal
    base64 of the root

Extension lines are refused: nobody who audits a log could tell what they mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from doublethink_ledger import base64_text
from doublethink_ledger.errors import NoteError
from doublethink_ledger.merkle import HASH_BYTES, MAX_SIZE, empty_root
from doublethink_ledger.note import SigningKey, VerifierKey, open_note, sign

MAX_ORIGIN_CHARS: Final = 255
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What one signed head says: the log's name, its number of rows, and the 32-byte root over them.

    Raises NoteError for a form that could not be written, and for an empty log with a root that is not its own.
    """

    origin: str
    size: int
    root: bytes

    def __post_init__(self) -> None:
        if not 0 < len(self.origin) <= MAX_ORIGIN_CHARS:
            raise NoteError(f"an origin has 1 to {MAX_ORIGIN_CHARS} characters")
        # The specification's advice is a rule here: the origin is also the name of the key.
        if "+" in self.origin or any(each.isspace() or not each.isprintable() for each in self.origin):
            raise NoteError("an origin has a space, a plus or a character that does not print")
        if type(self.size) is not int or not 0 <= self.size <= MAX_SIZE:
            raise NoteError("a checkpoint's size is outside 0..2^63-1")
        if len(self.root) != HASH_BYTES:
            raise NoteError(f"a checkpoint's root has not {HASH_BYTES} bytes")
        if self.size == 0 and self.root != empty_root():
            raise NoteError("a checkpoint without rows has a root of rows")

    def encode(self) -> bytes:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64_text.encode(self.root)}\n".encode()

    @classmethod
    def parse(cls, text: bytes) -> Checkpoint:
        """Return the checkpoint of a note's text. Raises NoteError for anything that `encode` would not write."""
        try:
            lines = text.decode().split("\n")
        except UnicodeDecodeError:
            raise NoteError("a checkpoint is not UTF-8") from None
        if len(lines) != 4 or lines[3]:
            raise NoteError("a checkpoint is not three lines")
        origin, size, root = lines[:3]
        if _SIZE.fullmatch(size) is None:
            raise NoteError("a checkpoint's size is not a decimal number")
        return cls(origin, int(size), base64_text.decode(root))

    def sign(self, key: SigningKey) -> bytes:
        """Return the signed note. Raises NoteError unless the key's name is the origin."""
        if key.verifier.name != self.origin:
            raise NoteError("a checkpoint is signed by the key that has the log's name")
        return sign(self.encode(), key)


def open_checkpoint(note: bytes, key: VerifierKey, origin: str) -> Checkpoint:
    """Return the checkpoint that `key` signed for the log `origin`.

    Raises NoteError for other bytes or another log, SignatureError and UnknownKeyError as `open_note`.
    """
    checkpoint = Checkpoint.parse(open_note(note, [key]).text)
    if checkpoint.origin != origin:
        raise NoteError("a checkpoint is of another log")
    return checkpoint
