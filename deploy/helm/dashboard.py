"""The Grafana dashboard as code: `python deploy/helm/dashboard.py` writes it into the chart.

Its rows are the questions of a person on duty: is the promise kept, what was stopped, is the record sealed, does it
work. Every query names a metric that a service or the chart's guard has; a test holds it to that.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grafana_foundation_sdk.builders.dashboard import Dashboard, DatasourceVariable, QueryVariable, Row
from grafana_foundation_sdk.builders.prometheus import Dataquery
from grafana_foundation_sdk.builders.timeseries import Panel
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import DataSourceRef

PLACE: Final = Path(__file__).resolve().parent / "doublethink/observability/dashboards/doublethink.json"
_SOURCE: Final = DataSourceRef(type_val="prometheus", uid="${source}")
_OURS: Final = 'namespace=~"$namespace"'


@dataclass(frozen=True, slots=True)
class Graph:
    """A panel: lines by legend and query. unit: one of Grafana's own names."""

    title: str
    description: str
    lines: Sequence[tuple[str, str]]
    unit: str = "short"


def _rate(counter: str, by: str, matching: str = "") -> str:
    labels = f"{_OURS}, {matching}" if matching else _OURS
    return f"sum by ({by}) (rate({counter}{{{labels}}}[$__rate_interval]))"


def _slowest(quantile: float) -> str:
    inner = f"rate(dt_rpc_seconds_bucket{{{_OURS}}}[$__rate_interval])"
    return f"histogram_quantile({quantile}, sum by (le, service) ({inner}))"


ROWS: Final[dict[str, Sequence[Graph]]] = {
    "Is the promise kept": (
        Graph(
            "Isolation",
            "1 where the proof beside a mind held when it was last made. 0 or a gap: its policies are not in force.",
            [("{{component}}", f"min by (component) (doublethink_isolation_held{{{_OURS}}})")],
        ),
        Graph(
            "Findings, by family",
            "What the gate's checks found in requests: canary, secret and split say that a mind tries to tell.",
            [("{{family}}", _rate("gate_findings_total", "family"))],
        ),
        Graph(
            "Verdicts",
            "Requests by verdict. allow is the traffic; anything else did not leave as it was.",
            [("{{verdict}}", _rate("gate_attempts_total", "verdict"))],
        ),
        Graph(
            "What people decided",
            "Held searches that a person let go or refused.",
            [("{{decision}}", _rate("gate_approvals_total", "decision"))],
        ),
    ),
    "Is the record sealed": (
        Graph(
            "Age of the oldest unsealed row",
            "Seconds since every row was under a signed checkpoint.",
            [("unsealed", f"max(sealer_unsealed_age_seconds{{{_OURS}}})")],
            "s",
        ),
        Graph(
            "Publication lag",
            "Seconds since a place had every checkpoint.",
            [("{{place}}", f"max by (place) (sealer_publication_lag_seconds{{{_OURS}}})")],
            "s",
        ),
        Graph(
            "Rows sealed",
            "Rows a second that were checked and signed over.",
            [("rows", f"sum(rate(sealer_rows_checked_total{{{_OURS}}}[$__rate_interval]))")],
        ),
        Graph(
            "Refusals of the sealer",
            "Above 0: nothing is sealed any more, for this reason. Payloads that are gone without a redaction.",
            [
                ("{{reason}}", f"max by (reason) (sealer_refused{{{_OURS}}}) > 0"),
                ("payloads missing", f"max(sealer_payloads_missing{{{_OURS}}})"),
            ],
        ),
    ),
    "Does it work": (
        Graph(
            "Calls that failed",
            "By service and code of the closed enumeration, successes left out.",
            [("{{service}} {{code}}", _rate("dt_rpc_calls_total", "service, code", 'code!="OK"'))],
        ),
        Graph(
            "Time of a call, 95 of 100",
            "Arrival to end, at the server.",
            [("{{service}}", _slowest(0.95))],
            "s",
        ),
        Graph(
            "Calls that wait",
            "In the queues of the servers; a queue that stays filled needs another replica.",
            [("{{pod}}", f"max by (pod) (dt_rpc_waiting{{{_OURS}}})")],
        ),
        Graph(
            "Sends by outcome",
            "How requests to sources and models ended.",
            [("{{method}} {{outcome}}", _rate("gate_outcomes_total", "method, outcome"))],
        ),
        Graph(
            "Sessions in memory, lost races",
            "Sessions whose check state a gate holds; attempts that were checked again since another row came first.",
            [
                ("sessions {{pod}}", f"max by (pod) (gate_live_sessions{{{_OURS}}})"),
                ("lost races", f"sum(rate(gate_lost_races_total{{{_OURS}}}[$__rate_interval]))"),
            ],
        ),
        Graph(
            "Console requests",
            "By class of status.",
            [("{{status_class}}", _rate("console_requests_total", "status_class"))],
        ),
    ),
}


def dashboard() -> str:
    """The dashboard as JSON text, the same for the same code."""
    made = (
        Dashboard("Doublethink")
        .uid("doublethink")
        .tags(["doublethink"])
        .refresh("30s")
        .time("now-3h", "now")
        .timezone("utc")
        .readonly()
        .with_variable(DatasourceVariable("source").label("Data source").type("prometheus"))
        .with_variable(
            QueryVariable("namespace")
            .label("Namespace")
            .datasource(_SOURCE)
            .query("label_values(dt_rpc_active, namespace)")
            .multi(True)
            .include_all(True)
        )
    )
    for title, graphs in ROWS.items():
        made = made.with_row(Row(title))
        for graph in graphs:
            made = made.with_panel(_panel(graph))
    text: str = JSONEncoder(sort_keys=True, indent=2).encode(made.build())
    return text + "\n"


def _panel(graph: Graph) -> Panel:
    panel = (
        Panel()
        .title(graph.title)
        .description(graph.description)
        .unit(graph.unit)
        .min(0)
        .datasource(_SOURCE)
        .span(12)
    )
    for number, (legend, query) in enumerate(graph.lines):
        target = Dataquery().expr(query).legend_format(legend).ref_id("ABCDEFGH"[number]).datasource(_SOURCE)
        panel = panel.with_target(target)
    return panel


def main() -> int:
    """Write the dashboard to its place."""
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    PLACE.write_text(dashboard(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
