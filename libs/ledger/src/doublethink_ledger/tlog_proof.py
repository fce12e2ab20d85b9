"""A proof that a row is in the log, as text (C2SP tlog-proof v1):

    c2sp.org/tlog-proof@v1
    index N
    base64 of one hash a line, from the leaf's side to the root's
    an empty line
    the signed checkpoint

The format's line of extra data is neither written nor read: nothing would vouch for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from doublethink_ledger import base64_text
from doublethink_ledger.checkpoint import Checkpoint
from doublethink_ledger.errors import NoteError, ProofError
from doublethink_ledger.merkle import HASH_BYTES, MAX_PROOF_HASHES, MAX_SIZE
from doublethink_ledger.note import MAX_NOTE_BYTES, parse_note

TLOG_PROOF: Final = "c2sp.org/tlog-proof@v1"
MAX_PROOF_BYTES: Final = MAX_NOTE_BYTES + 4096
_INDEX: Final = re.compile(r"index (0|[1-9][0-9]{0,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class TlogProof:
    """The index of a leaf, its audit path and the signed checkpoint. Nothing is verified. Raises ProofError."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: bytes

    def __post_init__(self) -> None:
        if type(self.index) is not int or not 0 <= self.index < MAX_SIZE:
            raise ProofError("a proof's index is outside 0..2^63-2")
        if len(self.path) > MAX_PROOF_HASHES or any(len(step) != HASH_BYTES for step in self.path):
            raise ProofError(f"a proof is not at most {MAX_PROOF_HASHES} hashes of {HASH_BYTES} bytes")

    def encode(self) -> bytes:
        """Return the proof's text."""
        path = "".join(f"{base64_text.encode(step)}\n" for step in self.path)
        return f"{TLOG_PROOF}\nindex {self.index}\n{path}\n".encode() + self.checkpoint

    @classmethod
    def parse(cls, data: bytes) -> TlogProof:
        """Return the proof of a text. Raises ProofError for anything that `encode` would not write, NoteError for a
        checkpoint that is none.
        """
        if len(data) > MAX_PROOF_BYTES:
            raise ProofError(f"a proof has more than {MAX_PROOF_BYTES} bytes")
        head, border, checkpoint = data.partition(b"\n\n")
        if not border:
            raise ProofError("a proof has no empty line before its checkpoint")
        Checkpoint.parse(parse_note(checkpoint).text)
        try:
            lines = head.decode("ascii").split("\n")
        except UnicodeDecodeError:
            raise ProofError("a proof is not ASCII before its checkpoint") from None
        if lines[0] != TLOG_PROOF:
            raise ProofError("a proof does not begin with the name of its format")
        index = _INDEX.fullmatch(lines[1]) if len(lines) > 1 else None
        if index is None:
            raise ProofError("a proof has no index")
        if len(lines) - 2 > MAX_PROOF_HASHES:
            raise ProofError(f"a proof has more than {MAX_PROOF_HASHES} hashes")
        try:
            path = tuple(base64_text.decode(line) for line in lines[2:])
        except NoteError as error:
            raise ProofError(f"a hash of a proof is {error}") from None
        return cls(int(index[1]), path, checkpoint)
