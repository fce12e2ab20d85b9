"""One payload key per session, made when the session opens, stored only wrapped.

Deleting a session's wrapped key makes all its payloads unreadable; the gate that has it in memory must be
told with `forget`, or forgets it by its cache's bound.
"""

from __future__ import annotations

import secrets
import struct
import uuid
from collections import OrderedDict
from typing import Final

import psycopg
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from doublethink_settings import KEY_BYTES
from psycopg.rows import class_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from doublethink_gate.ledger.errors import LedgerUnavailable, PayloadErased
from doublethink_gate.ledger.keys import KeyRing, Wrapped
from doublethink_gate.ledger.payload import SessionKey

Connection = psycopg.AsyncConnection[tuple[object, ...]]
Pool = AsyncConnectionPool[Connection]

_VERSION: Final = 1
_CACHED: Final = 1024


class SessionKeys:
    """The payload keys of the sessions that this gate works for. Every method may raise LedgerUnavailable."""

    def __init__(self, keyring: KeyRing, pool: Pool, cached: int = _CACHED) -> None:
        self._keyring = keyring
        self._pool = pool
        self._cached = cached
        self._keys: OrderedDict[uuid.UUID, SessionKey] = OrderedDict()

    async def create(self, session: uuid.UUID) -> SessionKey:
        """Make and store a key for a session that is being opened; if it has one, return that.

        Only the gate that minted the session's id calls this, so that no two keys can be made for one
        session.
        """
        plain = secrets.token_bytes(KEY_BYTES)
        wrapped = self._keyring.wrap(plain, key_context(session))
        try:
            async with self._pool.connection() as connection:
                made = await _insert(connection, session, wrapped, only_first=True)
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the session's key cannot be stored") from error
        if not made:
            return await self.load(session)
        return self._remember(session, SessionKey(_VERSION, AESGCM(plain)))

    async def load(self, session: uuid.UUID) -> SessionKey:
        """Return a session's key. Raises PayloadErased if it has none, KeyMissing if none can be
        unwrapped."""
        known = self._keys.get(session)
        if known is not None:
            self._keys.move_to_end(session)
            return known
        try:
            async with self._pool.connection() as connection:
                wrapped = await self._stored(connection, session)
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the session's key cannot be read") from error
        plain = self._keyring.unwrap(wrapped, key_context(session))
        return self._remember(session, SessionKey(_VERSION, AESGCM(plain)))

    async def _stored(self, connection: Connection, session: uuid.UUID) -> Wrapped:
        """Return the session's key under a version that this gate holds, or under any if it holds none."""
        async with connection.cursor(row_factory=class_row(Wrapped)) as cursor:
            await cursor.execute(
                "SELECT kek, iv, wrapped AS ciphertext FROM ledger.session_key"
                " WHERE session = %s AND key_version = %s ORDER BY kek DESC",
                (session, _VERSION),
            )
            stored = await cursor.fetchall()
        if not stored:
            raise PayloadErased("the session's key does not exist, or was deleted")
        return next((wrapped for wrapped in stored if wrapped.kek in self._keyring.versions), stored[0])

    def forget(self, session: uuid.UUID) -> None:
        """Drop a session's key from memory."""
        self._keys.pop(session, None)

    def _remember(self, session: uuid.UUID, key: SessionKey) -> SessionKey:
        self._keys[session] = key
        while len(self._keys) > self._cached:
            self._keys.popitem(last=False)
        return key


async def _insert(
    connection: Connection, session: uuid.UUID, wrapped: Wrapped, only_first: bool = False
) -> bool:
    """Store a wrapped key, if only_first then only where the session has none; return whether it was
    stored."""
    cursor = await connection.execute(
        "INSERT INTO ledger.session_key (session, key_version, kek, iv, wrapped)"
        " SELECT %(session)s::uuid, %(version)s, %(kek)s, %(iv)s::bytea, %(wrapped)s::bytea"
        " WHERE NOT (%(only_first)s AND EXISTS"
        " (SELECT FROM ledger.session_key WHERE session = %(session)s)) ON CONFLICT DO NOTHING",
        {
            "session": session,
            "version": _VERSION,
            "kek": wrapped.kek,
            "iv": wrapped.iv,
            "wrapped": wrapped.ciphertext,
            "only_first": only_first,
        },
    )
    return cursor.rowcount == 1


def key_context(session: uuid.UUID, version: int = _VERSION) -> bytes:
    """Return the place that a session's wrapped key is bound to."""
    return b"session-key" + session.bytes + struct.pack(">I", version)
