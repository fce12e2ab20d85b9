"""What can be wrong with ledger bytes.

    LedgerFormatError
    ├── RowFormatError      a field has the wrong type, width or range
    ├── BodyError           a body is not one of the closed forms
    ├── CommitmentError     an opened payload is not the committed one
    └── ChainError          a row does not continue its chain: says which row and which part

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
