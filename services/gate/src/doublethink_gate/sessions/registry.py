"""The sessions whose check state this replica has in memory, and the packs that they are checked against."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from doublethink_fingerprint import Pack, PackFormatError, decode_pack
from doublethink_rpc import log

from doublethink_gate.checks import SessionState
from doublethink_gate.errors import LedgerUnavailable, Malformed, SessionClosed
from doublethink_gate.ids import IdType, to_bytes
from doublethink_gate.ledger import KeyMissing, KeyRing, PayloadError, Wrapped
from doublethink_gate.metrics import Metrics
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.store import SessionRecord, SessionStore


class Registry:
    """Keeps live sessions and unwrapped packs, bounded; both can be had again from Postgres at any time."""

    def __init__(self, store: SessionStore, keyring: KeyRing, metrics: Metrics, cached: int) -> None:
        self._store = store
        self._keyring = keyring
        self._metrics = metrics
        self._cached = cached
        self._live: OrderedDict[str, LiveSession] = OrderedDict()
        self._packs: dict[str, dict[str, Pack]] = {}
        self._opening = asyncio.Lock()

    def wrap(self, session: str, pack: bytes) -> Wrapped:
        """Return a pack's bytes as they are stored."""
        return self._keyring.wrap(pack, _context(session))

    async def live(self, record: SessionRecord, now_us: int) -> LiveSession:
        """Return a session's state in memory, empty and stale if it is new here.

        Raises SessionClosed if it has no pack any more; LedgerUnavailable.
        """
        known = self._live.get(record.id)
        if known is not None:
            self._live.move_to_end(record.id)
            return known
        packs = await self.tenant_packs(record.tenant, now_us)
        pack = packs.get(record.id)
        if pack is None:
            raise SessionClosed
        # Another call may have been faster while the packs were read.
        live = self._live.setdefault(record.id, LiveSession(record, pack, SessionState()))
        self._evict()
        self._metrics.sessions.set(len(self._live))
        return live

    async def tenant_packs(self, tenant: str, now_us: int) -> Mapping[str, Pack]:
        """Return the packs of all sessions of a tenant that are open now. Raises LedgerUnavailable."""
        held = self._packs.get(tenant, {})
        current = await self._store.packs(tenant, now_us, frozenset(held))
        packs = {id: pack for id, pack in held.items() if id in current.ids}
        for id, wrapped in current.fresh.items():
            packs[id] = await self._unwrap(id, Wrapped(wrapped.kek, wrapped.iv, wrapped.wrapped))
        if current.ids - packs.keys():
            # A session without a readable pack could let its secret pass: nothing of the tenant is checked.
            log().error("pack_missing", sessions=len(current.ids - packs.keys()))
            raise LedgerUnavailable
        self._packs[tenant] = packs
        return packs

    async def forget_ended(self, now_us: int) -> None:
        """Drop every session and pack that has ended, on whichever replica. Raises LedgerUnavailable."""
        held = {id for packs in self._packs.values() for id in packs} | set(self._live)
        ended = held - await self._store.open_among(held, now_us)
        for id in ended:
            self._live.pop(id, None)
        for tenant, packs in list(self._packs.items()):
            left = {id: pack for id, pack in packs.items() if id not in ended}
            if left:
                self._packs[tenant] = left
            else:
                del self._packs[tenant]
        self._metrics.sessions.set(len(self._live))

    def drop(self, record: SessionRecord) -> None:
        """Forget a session that has ended, and its pack."""
        self._live.pop(record.id, None)
        tenant = self._packs.get(record.tenant, {})
        tenant.pop(record.id, None)
        if not tenant:
            self._packs.pop(record.tenant, None)
        self._metrics.sessions.set(len(self._live))

    async def _unwrap(self, session: str, wrapped: Wrapped) -> Pack:
        try:
            return await asyncio.to_thread(
                lambda: decode_pack(self._keyring.unwrap(wrapped, _context(session)))
            )
        except (KeyMissing, PayloadError, PackFormatError) as error:
            log().error("pack_unreadable", session=session, error=error)
            raise LedgerUnavailable from error

    def _evict(self) -> None:
        """Drop the sessions that were idle longest; one that is being checked stays."""
        for id in list(self._live):
            if len(self._live) <= self._cached:
                return
            if not self._live[id].lock.locked():
                del self._live[id]


async def read_pack(data: bytes) -> Pack:
    """Decode a pack that the console sent. Raises Malformed."""
    try:
        return await asyncio.to_thread(decode_pack, data)
    except PackFormatError as error:
        raise Malformed from error


def _context(session: str) -> bytes:
    """What the wrapping of a pack is bound to: a pack cannot be put under another session."""
    return b"pack" + to_bytes(IdType.SESSION, session)
