"""Base64 as the C2SP formats have it: RFC 4648 section 4, with padding, and only the one encoding of the bytes."""

from __future__ import annotations

import base64
import binascii

from doublethink_ledger.errors import NoteError


def encode(data: bytes) -> str:
    """Return the base64 of the bytes."""
    return base64.b64encode(data).decode("ascii")


def decode(text: str) -> bytes:
    """Return the bytes of the text. Raises NoteError for any text that `encode` would not have written."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoteError("not base64") from None
    if encode(data) != text:
        raise NoteError("not the one base64 of its bytes")
    return data
