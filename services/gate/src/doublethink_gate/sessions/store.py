"""Sessions and capabilities in Postgres."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from doublethink_gate.errors import CapabilityRefused, LedgerUnavailable, Overloaded
from doublethink_gate.sessions.capabilities import Minted, digest
from doublethink_gate.sessions.pool import Pool, connection, transaction

_COLUMNS: Final = (
    "s.id, s.tenant, s.policy_sha256, s.source, s.state, s.created_us, s.expires_us,"
    " s.max_queries, s.max_pages, s.max_calls, s.max_bytes"
)


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as it was opened. id: "ses_...". Times: microseconds since 1970-01-01 UTC.

    state: "opening" until its ledger row is durable, then "open", "closed" or "expired".
    """

    id: str
    tenant: str
    policy_sha256: bytes
    source: str
    state: str
    created_us: int
    expires_us: int
    max_queries: int
    max_pages: int
    max_calls: int
    max_bytes: int


@dataclass(frozen=True, slots=True)
class WrappedPack:
    """A fingerprint pack under a key-encryption key: the key's name, the IV, the ciphertext."""

    kek: str
    iv: bytes
    wrapped: bytes


@dataclass(frozen=True, slots=True)
class Grant:
    """What a capability stands for. query: "qry_..." where it is bound to one."""

    session: SessionRecord
    role: str
    query: str | None


@dataclass(frozen=True, slots=True)
class OpenPacks:
    """ids: all open sessions of a tenant. fresh: wrapped packs of those that the asker did not know."""

    ids: frozenset[str]
    fresh: dict[str, WrappedPack]


class SessionStore:
    """The tables `gate.session` and `gate.capability`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def insert(
        self, record: SessionRecord, pack: WrappedPack, capabilities: dict[str, Minted], tenant_cap: int
    ) -> None:
        """Store a new session, in state "opening", with a capability a role.

        Raises Overloaded where the tenant has `tenant_cap` sessions that have not ended; LedgerUnavailable.
        """
        async with transaction(self._pool) as lent:
            # One opener at a time, so that the count below is exact over all replicas.
            # A table's lock and not an advisory one, which anybody could hold who may connect.
            await lent.execute("LOCK TABLE gate.opening IN EXCLUSIVE MODE")
            cursor = await lent.execute(
                "SELECT count(*) FROM gate.session WHERE state IN ('opening', 'open') AND tenant = %s"
                " AND expires_us > %s",
                (record.tenant, record.created_us),
            )
            row = await cursor.fetchone()
            if row is None or row[0] >= tenant_cap:
                raise Overloaded
            await lent.execute(
                "INSERT INTO gate.session (id, tenant, policy_sha256, source, state, created_us, expires_us,"
                " max_queries, max_pages, max_calls, max_bytes, pack_kek, pack_iv, pack_wrapped)"
                " VALUES (%s, %s, %s, %s, 'opening', %s, %s, %s, %s, %s, %s, %s, %s, %s)",
                (
                    record.id,
                    record.tenant,
                    record.policy_sha256,
                    record.source,
                    record.created_us,
                    record.expires_us,
                    record.max_queries,
                    record.max_pages,
                    record.max_calls,
                    record.max_bytes,
                    pack.kek,
                    pack.iv,
                    pack.wrapped,
                ),
            )
            for role, minted in capabilities.items():
                await lent.execute(
                    "INSERT INTO gate.capability (sha256, session, role) VALUES (%s, %s, %s)",
                    (minted.sha256, record.id, role),
                )

    async def opened(self, session: str) -> None:
        """Mark a session as open, once its ledger row is durable.

        Raises LedgerUnavailable, also where it was given up meanwhile.
        """
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "UPDATE gate.session SET state = 'open' WHERE id = %s AND state = 'opening'", (session,)
            )
            if cursor.rowcount != 1:
                raise LedgerUnavailable

    async def grant(self, capability: bytes) -> Grant:
        """Return what a capability stands for, whatever the session's state.

        Raises CapabilityRefused for an unknown one; LedgerUnavailable.
        """
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                f"SELECT {_COLUMNS}, c.role, c.query FROM gate.capability AS c"  # noqa: S608  constant text
                " JOIN gate.session AS s ON s.id = c.session WHERE c.sha256 = %s",
                (digest(capability),),
            )
            row = await cursor.fetchone()
        if row is None:
            raise CapabilityRefused
        *columns, role, query = row
        return Grant(SessionRecord(*columns), role, query)

    async def bind_reader(self, session: str, query: str, minted: Minted, limit: int) -> None:
        """Store a reader's capability for one query.

        Raises Overloaded where the query has `limit` of them; LedgerUnavailable.
        """
        async with transaction(self._pool) as lent:
            # One at a time in a session. Only gates may change a session's row, and so lock it.
            await lent.execute("SELECT FROM gate.session WHERE id = %s FOR NO KEY UPDATE", (session,))
            cursor = await lent.execute(
                "INSERT INTO gate.capability (sha256, session, role, query)"
                " SELECT %s, %s, 'reader', %s WHERE %s > (SELECT count(*) FROM gate.capability"
                " WHERE session = %s AND query = %s)",
                (minted.sha256, session, query, limit, session, query),
            )
            if cursor.rowcount != 1:
                raise Overloaded

    async def packs(self, tenant: str, now_us: int, known: frozenset[str]) -> OpenPacks:
        """Return the ids of the tenant's open sessions, and the wrapped packs of those not in `known`.

        Raises LedgerUnavailable.
        """
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT id, CASE WHEN id = ANY(%(known)s) THEN NULL ELSE pack_kek END,"
                " CASE WHEN id = ANY(%(known)s) THEN NULL ELSE pack_iv END,"
                " CASE WHEN id = ANY(%(known)s) THEN NULL ELSE pack_wrapped END"
                " FROM gate.session WHERE state = 'open' AND tenant = %(tenant)s AND expires_us > %(now)s",
                {"known": list(known), "tenant": tenant, "now": now_us},
            )
            rows = await cursor.fetchall()
        ids = frozenset(str(row[0]) for row in rows)
        fresh = {
            str(row[0]): WrappedPack(str(row[1]), bytes(row[2]), bytes(row[3]))
            for row in rows
            if row[3] is not None
        }
        return OpenPacks(ids, fresh)

    async def close(self, session: str, state: str, now_us: int) -> None:
        """Mark a session as ended; delete its pack, and every capability but the owner's to read the ledger.

        Raises LedgerUnavailable.
        """
        async with transaction(self._pool) as lent:
            await lent.execute(
                "UPDATE gate.session SET state = %s, closed_us = greatest(created_us, %s::bigint),"
                " pack_kek = NULL, pack_iv = NULL, pack_wrapped = NULL"
                " WHERE id = %s AND state IN ('opening', 'open')",
                (state, now_us, session),
            )
            await lent.execute(
                "DELETE FROM gate.capability WHERE session = %s AND role <> 'console'", (session,)
            )

    async def open_among(self, ids: Collection[str], now_us: int) -> frozenset[str]:
        """Return those of some sessions that are open still. Raises LedgerUnavailable."""
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                "SELECT id FROM gate.session WHERE id = ANY(%s) AND state = 'open' AND expires_us > %s",
                (list(ids), now_us),
            )
            return frozenset(str(row[0]) for row in await cursor.fetchall())

    async def expired(self, now_us: int, limit: int) -> tuple[SessionRecord, ...]:
        """Return open sessions whose time is up. Raises LedgerUnavailable."""
        return await self._ended(
            "s.state = 'open' AND s.expires_us <= %s ORDER BY s.expires_us", now_us, limit
        )

    async def abandoned(self, before_us: int, limit: int) -> tuple[SessionRecord, ...]:
        """Return sessions that began to open at `before_us` or earlier and never did. Raises
        LedgerUnavailable.
        """
        return await self._ended(
            "s.state = 'opening' AND s.created_us <= %s ORDER BY s.created_us", before_us, limit
        )

    async def _ended(self, where: str, time_us: int, limit: int) -> tuple[SessionRecord, ...]:
        async with connection(self._pool) as lent:
            cursor = await lent.execute(
                f"SELECT {_COLUMNS} FROM gate.session AS s WHERE {where} LIMIT %s",  # noqa: S608  this module's own text
                (time_us, limit),
            )
            return tuple(SessionRecord(*row) for row in await cursor.fetchall())
