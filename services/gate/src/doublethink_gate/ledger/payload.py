"""How a payload is stored: AES-256-GCM over nonce[32] || payload, under the session's key.

The commitment's nonce lies inside the ciphertext, never in clear: with it a short query could be guessed from
its commitment. The additional data binds the ciphertext to its row:

    session[16] || id[16] || be32(key version)

Of a rewritten request both forms are kept, under one encryption, so that they are erased together: behind the payload
as it was sent come the nonce and the payload of what was asked for. The row's body has the length of the first.
"""

from __future__ import annotations

import secrets
import struct
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from doublethink_ledger import NONCE_BYTES, BodyValue, check_commitment

from doublethink_gate.ledger.errors import PayloadError, RowRefused

MAX_PAYLOAD_BYTES: Final = 4 * 1024 * 1024 - NONCE_BYTES
"""The stored plaintext, nonce included, has at most 4 MiB."""


@dataclass(frozen=True, slots=True)
class SessionKey:
    """A session's AES-256 key and its version."""

    version: int
    cipher: AESGCM


@dataclass(frozen=True, slots=True)
class SealedPayload:
    """A payload as it is stored."""

    key_version: int
    iv: bytes
    ciphertext: bytes


@dataclass(frozen=True, slots=True)
class OpenedPayload:
    """The payload and the nonce that opens its commitment. Not shown by repr: it may be a secret."""

    nonce: bytes
    payload: bytes

    def __repr__(self) -> str:
        return f"OpenedPayload({len(self.payload)} bytes)"

    def parted(self, size: int) -> tuple[OpenedPayload, OpenedPayload]:
        """Return the two forms of a rewritten request, of which the one that was sent has `size` bytes.

        Raises PayloadError where there are no two.
        """
        asked = size + NONCE_BYTES
        if len(self.payload) < asked:
            raise PayloadError("the payload of a rewritten request does not hold what was asked for")
        return (
            OpenedPayload(self.nonce, self.payload[:size]),
            OpenedPayload(self.payload[size:asked], self.payload[asked:]),
        )


def seal(
    key: SessionKey,
    session: uuid.UUID,
    id: uuid.UUID,
    nonce: bytes,
    payload: bytes,
    original: OpenedPayload | None = None,
) -> SealedPayload:
    """Encrypt a payload for one row. original: of a rewritten request, what was asked for.

    Raises RowRefused for what is too large.
    """
    if original is not None:
        payload = payload + original.nonce + original.payload
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise RowRefused(f"a payload of {len(payload)} bytes; {MAX_PAYLOAD_BYTES} are the most")
    iv = secrets.token_bytes(12)
    additional = _additional(session, id, key.version)
    return SealedPayload(key.version, iv, key.cipher.encrypt(iv, nonce + payload, additional))


def unseal(key: SessionKey, session: uuid.UUID, id: uuid.UUID, sealed: SealedPayload) -> OpenedPayload:
    """Decrypt a row's payload. Raises PayloadError if it is not this row's under this key."""
    try:
        plaintext = key.cipher.decrypt(
            sealed.iv, sealed.ciphertext, _additional(session, id, sealed.key_version)
        )
    except InvalidTag:
        raise PayloadError(f"the payload of row {id} does not decrypt") from None
    return OpenedPayload(plaintext[:NONCE_BYTES], plaintext[NONCE_BYTES:])


def committed_forms(
    body: Mapping[str, BodyValue], opened: OpenedPayload
) -> tuple[OpenedPayload, OpenedPayload | None]:
    """Return what a row commits to: the payload, and for a rewritten request what was asked for.

    Raises CommitmentError unless both are what the body says; PayloadError where they cannot be told apart.
    """
    original = None
    if "original" in body:
        opened, original = opened.parted(int(str(body["bytes"])))
        check_commitment(bytes.fromhex(str(body["original"])), original.nonce, original.payload)
    check_commitment(bytes.fromhex(str(body["commit"])), opened.nonce, opened.payload)
    return opened, original


def _additional(session: uuid.UUID, id: uuid.UUID, key_version: int) -> bytes:
    return session.bytes + id.bytes + struct.pack(">I", key_version)
