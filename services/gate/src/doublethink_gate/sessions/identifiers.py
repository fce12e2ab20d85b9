"""Typed ids: a prefix that names the kind, and 128 bits in lower-case base32 (RFC 4648 section 6, no padding).

An id that the gate minted for a thing is the id of the ledger row that brought the thing into being: a query's
is that of the attempt that sent it, a page's that of the attempt that fetched it, a fact's that of its own
row. So the ledger can be read from an answer backwards without another table, and an id carries no text.
"""

from __future__ import annotations

import base64
import binascii
import re
import uuid
from enum import StrEnum

from doublethink_gate.errors import IdRefused

_TEXT = re.compile(r"([a-z]{3})_([a-z2-7]{26})")


class IdKind(StrEnum):
    """What an id names; the value is the prefix on the wire."""

    SESSION = "ses"
    QUERY = "qry"
    PAGE = "pag"
    FACT = "fct"


def mint() -> bytes:
    """Return 16 fresh bytes of an id: a version 4 UUID (RFC 9562), 122 random bits."""
    return uuid.uuid4().bytes


def to_text(kind: IdKind, value: bytes) -> str:
    """Return the text form of the 16 bytes of an id."""
    if len(value) != 16:
        raise ValueError("an id has 16 bytes")
    return f"{kind}_{base64.b32encode(value).decode('ascii').rstrip('=').lower()}"


def from_text(kind: IdKind, text: str) -> bytes:
    """Return the 16 bytes of an id of this kind. Raises IdRefused for every other text.

    One id has one text: unused low bits of the last character must be zero.
    """
    match = _TEXT.fullmatch(text)
    if match is None or match.group(1) != kind:
        raise IdRefused
    try:
        value = base64.b32decode(match.group(2).upper() + "======")
    except binascii.Error as error:
        raise IdRefused from error
    if to_text(kind, value) != text:
        raise IdRefused
    return value
