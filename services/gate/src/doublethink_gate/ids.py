"""Ids that the gate mints: a typed prefix and 16 random bytes, `ses_` + 26 letters of lower-case base32.

The form is fixed, so that an id field carries no text. The 16 bytes are the UUID under which the ledger knows
the same thing. Base32 is RFC 4648 section 6 without padding; the last letter carries three bits, so that one
value has one spelling.
"""

from __future__ import annotations

import base64
import re
import secrets
import uuid
from enum import StrEnum
from typing import Final

_BODY: Final = re.compile(r"[a-z2-7]{25}[aeimquy4]", re.ASCII)


class IdError(ValueError):
    """A text is not an id of the wanted type. The message does not repeat the text."""


class IdType(StrEnum):
    """The prefix says what an id names."""

    SESSION = "ses"
    QUERY = "qry"
    RESULT = "res"
    PAGE = "pag"
    FACT = "fct"
    ATTEMPT = "att"
    HELD = "hld"


def mint(type_: IdType) -> str:
    """Return a fresh id with 128 random bits."""
    return from_bytes(type_, secrets.token_bytes(16))


def from_bytes(type_: IdType, value: bytes) -> str:
    """Return the id of 16 bytes. Raises IdError for another length."""
    if len(value) != 16:
        raise IdError("an id has 16 bytes")
    return f"{type_.value}_{base64.b32encode(value).decode().rstrip('=').lower()}"


def to_bytes(type_: IdType, text: str) -> bytes:
    """Return the 16 bytes of an id. Raises IdError unless the text is exactly an id of that type."""
    prefix, separator, body = text.partition("_")
    if prefix != type_.value or not separator or _BODY.fullmatch(body) is None:
        raise IdError(f"not an id of type {type_.value}_")
    return base64.b32decode(body.upper() + "======")


def to_uuid(type_: IdType, text: str) -> uuid.UUID:
    """Return an id as the UUID that the ledger's tables hold. Raises IdError."""
    return uuid.UUID(bytes=to_bytes(type_, text))
