"""A payload is not in the ledger; its commitment is: SHA-256(nonce[32] || payload).

The nonce makes the commitment hiding: without it a short payload, such as a search query, could be guessed.
"""

from __future__ import annotations

import hashlib
import hmac

from doublethink_ledger.errors import CommitmentError, RowFormatError

NONCE_BYTES = 32


def commitment(nonce: bytes, payload: bytes) -> bytes:
    """Return the 32-byte commitment to `payload`.

    Raises RowFormatError unless `nonce` has exactly 32 bytes: a shorter one would make the border
    between nonce and payload ambiguous.
    """
    if len(nonce) != NONCE_BYTES:
        raise RowFormatError(f"nonce has {len(nonce)} bytes, not {NONCE_BYTES}")
    return hashlib.sha256(nonce + payload).digest()


def check_commitment(committed: bytes, nonce: bytes, payload: bytes) -> None:
    """Raise CommitmentError unless nonce and payload open the 32-byte commitment `committed`."""
    if not hmac.compare_digest(commitment(nonce, payload), committed):
        raise CommitmentError("nonce and payload do not open the commitment")
