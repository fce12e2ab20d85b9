"""Budgets of a session, counted from its ledger rows, so that all replicas count alike."""

from __future__ import annotations

from doublethink_gate.egress.outbound import Method, Outbound
from doublethink_gate.policy import Policy
from doublethink_gate.sessions.live import LiveSession


def exhausted(live: LiveSession, outbound: Outbound) -> str | None:
    """Return the rule of the budget that the request would overrun, or None."""
    record = live.record
    limit = {
        Method.SEARCH: record.max_queries,
        Method.EXTRACT: record.max_pages,
        Method.COMPLETE: record.max_calls,
    }[outbound.method]
    if live.sent[outbound.method] >= limit:
        return f"budget.{outbound.method}"
    if live.sent_bytes + len(outbound.prepared.canonical()) > record.max_bytes:
        return "budget.bytes"
    return None


def attempts_exhausted(live: LiveSession, policy: Policy) -> bool:
    """Return whether so many attempts were made that no further row is written.

    Blocked attempts cost only this budget: a mind that keeps trying is stopped, and cannot fill the ledger.
    """
    return live.attempts >= policy.budgets.attempts
