"""Reasons at rest: AES-256-GCM under the session's key, bound to the row whose attempt they explain.

The additional data is "reason" || session[16] || id[16] || be32(key version), so that neither another row's reasons nor
a payload can be put in their place.
"""

from __future__ import annotations

import secrets
import struct
import uuid
from typing import Final

import psycopg
from cryptography.exceptions import InvalidTag
from psycopg.rows import class_row
from psycopg_pool import PoolTimeout

from doublethink_gate.ledger import LedgerUnavailable, PayloadError, SealedPayload, SessionKeys
from doublethink_gate.ledger.session_keys import Pool
from doublethink_gate.reasons.reason import Reasons

_IV_BYTES: Final = 12


class ReasonStore:
    """The table of reasons. Every method may raise LedgerUnavailable, KeyMissing or PayloadErased."""

    def __init__(self, pool: Pool, keys: SessionKeys) -> None:
        self._pool, self._keys = pool, keys

    async def keep(self, session: uuid.UUID, row_id: uuid.UUID, reasons: Reasons) -> None:
        """Keep the reasons of an attempt whose row and payload are in the ledger; once kept they stay."""
        key = await self._keys.load(session)
        iv = secrets.token_bytes(_IV_BYTES)
        sealed = key.cipher.encrypt(iv, reasons.encode(), _additional(session, row_id, key.version))
        try:
            async with self._pool.connection() as connection:
                await connection.execute(
                    "INSERT INTO gate.reason (id, key_version, iv, ciphertext) VALUES (%s, %s, %s, %s)"
                    " ON CONFLICT DO NOTHING",
                    (row_id, key.version, iv, sealed),
                )
        except (psycopg.Error, PoolTimeout) as error:
            raise LedgerUnavailable("the reasons cannot be stored") from error

    async def of(self, session: uuid.UUID, row_id: uuid.UUID) -> Reasons | None:
        """Return an attempt's reasons, or None where none are kept. Raises PayloadError for what is not theirs."""
        try:
            async with (
                self._pool.connection() as connection,
                connection.cursor(row_factory=class_row(SealedPayload)) as cursor,
            ):
                await cursor.execute(
                    "SELECT key_version, iv, ciphertext FROM gate.reason WHERE id = %s", (row_id,)
                )
                sealed = await cursor.fetchone()
        except (psycopg.Error, PoolTimeout) as error:
            raise LedgerUnavailable("the reasons cannot be read") from error
        if sealed is None:
            return None
        key = await self._keys.load(session)
        try:
            plain = key.cipher.decrypt(
                sealed.iv, sealed.ciphertext, _additional(session, row_id, sealed.key_version)
            )
            return Reasons.decode(plain)
        except (InvalidTag, ValueError, KeyError, TypeError):
            raise PayloadError(f"the reasons of row {row_id} are not its own") from None


def _additional(session: uuid.UUID, row_id: uuid.UUID, key_version: int) -> bytes:
    return b"reason" + session.bytes + row_id.bytes + struct.pack(">I", key_version)
