"""What can be wrong with ledger bytes.

    LedgerFormatError
    ├── RowFormatError      a field has the wrong type, width or range
    ├── BodyError           a body is not one of the closed forms
    ├── CommitmentError     an opened payload is not the committed one
    ├── ChainError          a row does not continue its chain: says which row and which part
    ├── MerkleFormatError   a hash, a size, an index or a stored tree has the wrong form
    ├── ProofError          a Merkle proof does not lead to the root
    ├── NoteError           bytes are not a signed note, a key or a checkpoint
    │   └── SignatureError      a note is not signed by the key that it has to be signed by
    │       └── UnknownKeyError     no signature is by a known key: says which keys it names
    └── BundleError         bytes are not a bundle: says which part, and which row

Messages name positions and keys, never the content of a field.
"""

from __future__ import annotations

from enum import StrEnum


class LedgerFormatError(Exception):
    """Bytes that are not a ledger of ours."""


class RowFormatError(LedgerFormatError):
    """A field of a row has the wrong type, width or range."""


class BodyError(LedgerFormatError):
    """A body is not valid; `key` names the offending key, or is None when the whole is not an object."""

    def __init__(self, why: str, key: str | None = None) -> None:
        super().__init__(why if key is None else f"body key {key!r}: {why}")
        self.key = key
        self.why = why


class CommitmentError(LedgerFormatError):
    """Nonce and payload do not hash to the commitment in the row."""


class Part(StrEnum):
    """The part of a row that does not fit."""

    SEQ = "seq"
    SESSION = "session"
    N = "n"
    AT_US = "at_us"
    ID = "id"
    PREV = "prev"
    BODY = "body"
    HASH = "hash"
    KIND = "kind"


class ChainError(LedgerFormatError):
    """A row that does not continue its chain.

    `index` counts the rows as they were given, from 0; `n` is the number the row itself carries.
    """

    def __init__(self, index: int, n: int, part: Part, why: str) -> None:
        super().__init__(f"row {index} (n {n}): {part.value}: {why}")
        self.index = index
        self.n = n
        self.part = part
        self.why = why


class MerkleFormatError(LedgerFormatError):
    """A hash, a size, an index or a stored tree has the wrong width, range or form."""


class ProofError(LedgerFormatError):
    """A Merkle proof does not lead to the root that it should."""


class NoteError(LedgerFormatError):
    """Bytes are not a signed note, a key or a checkpoint of the C2SP forms."""


class SignatureError(NoteError):
    """A note carries no valid signature by the key that it has to be signed by."""


class UnknownKeyError(SignatureError):
    """No signature of a note is by a known key. `ids` has what the note names, as `name+hash`."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        super().__init__("no signature is by a known key")
        self.ids = ids


class BundleError(LedgerFormatError):
    """Bytes are not a bundle. `part` is header, row, opening, since or proof; `n` the row, or None."""

    def __init__(self, part: str, why: str, n: int | None = None) -> None:
        super().__init__(f"{part}{'' if n is None else f' {n}'}: {why}")
        self.part = part
        self.why = why
        self.n = n
