"""From a capability to what its holder may do."""

from __future__ import annotations

from doublethink_rpc import Call

from doublethink_gate.errors import CapabilityRefused, IdRefused, SessionClosed
from doublethink_gate.sessions.store import Grant, SessionStore


async def authorise(store: SessionStore, call: Call, now_us: int, *, closed_too: bool = False) -> Grant:
    """Return what the call's capability stands for.

    The capability must be of the caller's own role: one that leaked to another mind is worth nothing there.
    Raises CapabilityRefused; SessionClosed where the session has ended and `closed_too` is not set;
    LedgerUnavailable where the database does not answer.
    """
    if call.capability is None:
        raise CapabilityRefused
    grant = await store.grant(call.capability)
    if grant.role != call.caller:
        raise CapabilityRefused
    if not closed_too and (grant.session.state != "open" or grant.session.expires_us <= now_us):
        raise SessionClosed
    return grant


def bound_query(grant: Grant, query_id: str) -> None:
    """Raise IdRefused where a capability is bound to a query and this is another."""
    if grant.query is not None and grant.query != query_id:
        raise IdRefused
