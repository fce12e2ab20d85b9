"""Payload encryption: bound to session, row and key version; the nonce is inside."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from doublethink_gate.ledger import PayloadError, RowRefused
from doublethink_gate.ledger.payload import (
    MAX_PAYLOAD_BYTES,
    OpenedPayload,
    SealedPayload,
    SessionKey,
    committed_forms,
    seal,
    unseal,
)
from doublethink_ledger import BodyValue, CommitmentError, commitment

KEY = SessionKey(1, AESGCM(bytes(32)))
OTHER_KEY = SessionKey(1, AESGCM(bytes(31) + b"\x01"))
SESSION, ROW = uuid.UUID(int=1), uuid.UUID(int=2)
NONCE = bytes(range(32))


def sealed(payload: bytes = b"payload") -> SealedPayload:
    """A payload sealed for the row."""
    return seal(KEY, SESSION, ROW, NONCE, payload)


@pytest.mark.parametrize("payload", [b"", b"payload", bytes(range(256)) * 50])
def test_a_payload_opens_with_its_nonce(payload: bytes) -> None:
    """What was sealed comes back, with the nonce that was given."""
    opened = unseal(KEY, SESSION, ROW, sealed(payload))
    assert (opened.nonce, opened.payload) == (NONCE, payload)


def test_the_format_is_as_documented() -> None:
    """AES-256-GCM over nonce || payload with session || id || be32(version) beside it."""
    one = sealed()
    additional = SESSION.bytes + ROW.bytes + b"\x00\x00\x00\x01"
    assert AESGCM(bytes(32)).decrypt(one.iv, one.ciphertext, additional) == NONCE + b"payload"
    assert (one.key_version, len(one.iv)) == (1, 12)


def test_the_two_forms_of_a_rewritten_request_lie_together() -> None:
    """Behind the payload come the other nonce and what was asked for; both open to the body's commitments."""
    asked = OpenedPayload(bytes(31) + b"\x07", b"what was asked for")
    whole = unseal(KEY, SESSION, ROW, seal(KEY, SESSION, ROW, NONCE, b"what was sent", asked))
    assert whole.payload == b"what was sent" + asked.nonce + asked.payload
    body: dict[str, BodyValue] = {
        "commit": commitment(NONCE, b"what was sent").hex(),
        "bytes": len(b"what was sent"),
        "original": commitment(asked.nonce, asked.payload).hex(),
    }
    assert committed_forms(body, whole) == (OpenedPayload(NONCE, b"what was sent"), asked)
    for changed in ({"bytes": 12}, {"commit": "0" * 64}, {"original": "0" * 64}):
        with pytest.raises(CommitmentError):
            committed_forms({**body, **changed}, whole)
    with pytest.raises(PayloadError):
        committed_forms({**body, "bytes": 60}, whole)


def test_nothing_opens_elsewhere() -> None:
    """Another key, session, row, version, IV or ciphertext does not open."""
    one = sealed()
    for key, session, row, stored in (
        (OTHER_KEY, SESSION, ROW, one),
        (KEY, ROW, ROW, one),
        (KEY, SESSION, SESSION, one),
        (KEY, SESSION, ROW, replace(one, key_version=2)),
        (KEY, SESSION, ROW, replace(one, iv=bytes(12))),
        (KEY, SESSION, ROW, replace(one, ciphertext=one.ciphertext[::-1])),
    ):
        with pytest.raises(PayloadError):
            unseal(key, session, row, stored)


def test_a_payload_is_bounded_and_not_shown() -> None:
    """One byte over the bound is refused; an opened payload's repr tells its length only."""
    with pytest.raises(RowRefused):
        sealed(bytes(MAX_PAYLOAD_BYTES + 1))
    assert len(sealed(bytes(MAX_PAYLOAD_BYTES)).ciphertext) == 4 * 1024 * 1024 + 16
    assert "payload'" not in repr(unseal(KEY, SESSION, ROW, sealed()))
