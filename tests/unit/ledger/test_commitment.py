"""Commitments bind a nonce and a payload."""

from __future__ import annotations

import hashlib

import pytest
from doublethink_ledger import CommitmentError, RowFormatError, check_commitment, commitment

NONCE = bytes(range(32))


def test_it_is_the_hash_of_nonce_and_payload() -> None:
    """commit = SHA-256(nonce || payload), nothing in between."""
    assert commitment(NONCE, b"query") == hashlib.sha256(NONCE + b"query").digest()


def test_the_right_pair_opens() -> None:
    """Opening with what was committed says nothing."""
    check_commitment(commitment(NONCE, b"query"), NONCE, b"query")


@pytest.mark.parametrize(
    ("nonce", "payload"),
    [(NONCE, b"Query"), (NONCE, b""), (bytes(32), b"query"), (NONCE[1:] + b"q", b"uery")],
)
def test_another_pair_does_not_open(nonce: bytes, payload: bytes) -> None:
    """Another payload or nonce fails, also where the bytes move over the border between the two."""
    with pytest.raises(CommitmentError):
        check_commitment(commitment(NONCE, b"query"), nonce, payload)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_nonce_has_32_bytes(length: int) -> None:
    """Any other length is refused: the border between nonce and payload would be open."""
    with pytest.raises(RowFormatError):
        commitment(bytes(length), b"query")
