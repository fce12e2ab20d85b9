"""How a session ends: its last ledger row first, then everything that could match or reach a secret goes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from doublethink_ledger import Kind
from doublethink_rpc import log

from doublethink_gate.errors import SessionClosed
from doublethink_gate.ids import IdType, to_uuid
from doublethink_gate.runtime import Runtime
from doublethink_gate.sessions.store import SessionRecord

_AT_ONCE: Final = 100
_OPENING_S: Final = 60
"""After so long nobody waits for a session's opening any more; the wait for its row is far shorter."""
_STATES: Final = {"closed": "closed", "expired": "expired", "failed": "closed"}
"""Reason of the closing row -> state of the session's record."""


async def close_session(runtime: Runtime, record: SessionRecord, reason: str) -> int:
    """Write the closing row, delete the pack and revoke the capabilities; return the number of rows.

    reason: "closed", "expired" or "failed". The session's payload key stays, so that its owner can open what left; so
    does the owner's capability, which reads the ledger and nothing else from then on. Raises SessionClosed
    where the session was closed before, after making sure that nothing of it is left; LedgerUnavailable.
    """
    session = to_uuid(IdType.SESSION, record.id)
    try:
        row = await runtime.rows.write(session, Kind.SESSION_CLOSE, {"reason": reason})
    finally:
        runtime.registry.drop(record)
    await runtime.store.close(record.id, _STATES[reason], runtime.clock())
    log().info("session_closed", session=record.id, rows=row.n + 1)
    return row.n + 1


async def close_expired(runtime: Runtime) -> int:
    """Close the sessions whose time is up; return how many were closed. Raises LedgerUnavailable."""
    expired = await runtime.store.expired(runtime.clock(), _AT_ONCE)
    return await _close_each(runtime, expired, "expired")


async def close_abandoned(runtime: Runtime) -> int:
    """Close the sessions that a gate began to open and never did; return how many were closed.

    Whether their opening row was written or not, nothing of them stays open, here or in the ledger. Raises
    LedgerUnavailable.
    """
    before_us = runtime.clock() - _OPENING_S * 1_000_000
    abandoned = await runtime.store.abandoned(before_us, _AT_ONCE)
    return await _close_each(runtime, abandoned, "failed")


async def _close_each(runtime: Runtime, records: Sequence[SessionRecord], reason: str) -> int:
    """One that cannot be closed is logged and left for the next time; it does not keep the others open."""
    closed = 0
    for record in records:
        try:
            await _close_one(runtime, record, reason)
            closed += 1
        except Exception as error:  # noqa: BLE001 - see above
            log().error("session_not_ended", session=record.id, error=error)
    return closed


async def _close_one(runtime: Runtime, record: SessionRecord, reason: str) -> None:
    try:
        await close_session(runtime, record, reason)
    except SessionClosed:
        # Another replica closed it, a gate stopped between the row and this, or it has no row at all: the
        # rest is done here.
        await runtime.store.close(record.id, _STATES[reason], runtime.clock())


async def keep_closing(runtime: Runtime) -> None:
    """Close what is expired or abandoned, and forget what ended elsewhere, as long as the process lives."""
    while True:
        try:
            await close_expired(runtime)
            await close_abandoned(runtime)
            await runtime.registry.forget_ended(runtime.clock())
        except Exception as error:  # noqa: BLE001 - whatever it was, the next round may do better
            log().error("expiry_failed", error=error)
        await asyncio.sleep(runtime.limits.expiry_every_s)


def start_closing(runtime: Runtime) -> asyncio.Task[None]:
    """Return the task of `keep_closing`. It ends by being cancelled; any other end is logged as a fault."""
    task = asyncio.create_task(keep_closing(runtime), name="expiry")
    task.add_done_callback(_ended)
    return task


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        log().error("expiry_ended", error=task.exception())
