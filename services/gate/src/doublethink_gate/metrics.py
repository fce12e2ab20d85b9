"""The gate's own counters. Labels are closed sets: no tenant, no session, no host, no text."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge

from doublethink_gate.policy import FAMILIES

_FAMILIES: Final = (*FAMILIES, "budget", "destination", "public", "shape", "taint")


class Metrics:
    """Counters of what the gate decided, and of how the sends that followed ended."""

    def __init__(self) -> None:
        self.attempts = Counter(
            "gate_attempts", "Attempts by method and verdict", ("method", "verdict"), registry=None
        )
        self.findings = Counter(
            "gate_findings", "Findings of the checks by rule family", ("family",), registry=None
        )
        for family in _FAMILIES:
            # There before its first finding: an increase is seen from a value that was there.
            self.findings.labels(family)
        self.outcomes = Counter(
            "gate_outcomes", "Outcomes of sends by method and class", ("method", "outcome"), registry=None
        )
        self.approvals = Counter(
            "gate_approvals", "What people decided about held searches", ("decision",), registry=None
        )
        self.attempt_budgets = Counter(
            "gate_attempt_budgets", "Requests refused unwritten, after too many attempts", registry=None
        )
        self.lost_races = Counter(
            "gate_lost_races",
            "Attempts that were checked again because another row came first",
            registry=None,
        )
        self.sessions = Gauge("gate_live_sessions", "Sessions whose check state is in memory", registry=None)

    def register(self, registry: CollectorRegistry) -> None:
        """Show the counters where the server's own are shown."""
        for collector in vars(self).values():
            registry.register(collector)
