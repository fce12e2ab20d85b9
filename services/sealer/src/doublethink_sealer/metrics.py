"""The sealer's own measures. Labels are closed sets: places by number, reasons by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge

from doublethink_sealer.findings import Finding, Reason


class Metrics:
    """What a site watches: how old the oldest unsealed row may be, and how far each place is behind."""

    def __init__(self, places: Sequence[str]) -> None:
        registry = self.registry = CollectorRegistry()
        self._unsealed = Gauge(
            "sealer_unsealed_age_seconds",
            "Time since nothing was unsealed: no unsealed row is older",
            registry=registry,
        )
        self._lag = Gauge(
            "sealer_publication_lag_seconds",
            "Time since a place had every checkpoint, 0 if it has",
            ("place",),
            registry=registry,
        )
        self.size = Gauge("sealer_size", "Rows under the newest checkpoint", registry=registry)
        self.rows = Counter("sealer_rows_checked", "Rows that were checked to be sealed", registry=registry)
        self.checkpoints = Counter(
            "sealer_checkpoints", "Signed checkpoints by what became of them", ("outcome",), registry=registry
        )
        self.publications = Counter(
            "sealer_publications", "Attempts to publish by outcome", ("place", "outcome"), registry=registry
        )
        self.audits = Counter("sealer_audits", "Times that the whole log was read again", registry=registry)
        self.payloads_missing = Gauge(
            "sealer_payloads_missing",
            "Payloads that were gone without a redaction when the whole log was read last, counted to 1000",
            registry=registry,
        )
        self._refused = Gauge(
            "sealer_refused",
            "1 for the reason for which nothing is sealed any more",
            ("reason",),
            registry=registry,
        )
        for reason in Reason:
            self._refused.labels(reason.value).set(0)
        for outcome in ("stored", "lost"):
            self.checkpoints.labels(outcome)
        for place in places:
            for outcome in ("done", "away"):
                self.publications.labels(place, outcome)

    def watch_unsealed(self, age: Callable[[], float]) -> None:
        """Read the age when it is scraped."""
        self._unsealed.set_function(age)

    def watch_lag(self, place: str, lag: Callable[[], float]) -> None:
        """Read a place's lag when it is scraped."""
        self._lag.labels(place).set_function(lag)

    def refuse(self, finding: Finding) -> None:
        """Show why nothing is sealed any more."""
        self._refused.labels(finding.reason.value).set(1)
