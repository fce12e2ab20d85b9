"""Dashboard and alerts: nothing is drawn or watched that nobody measures, and each alert goes when it should."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from doublethink_console.metrics import Metrics as ConsoleMetrics
from doublethink_gate.metrics import Metrics as GateMetrics
from doublethink_rpc.metrics import Metrics as RpcMetrics
from doublethink_sealer.metrics import Metrics as SealerMetrics
from prometheus_client import CollectorRegistry

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy/helm/doublethink"
ALERTS = CHART / "observability/alerts.yaml"
RECORDED = Path(__file__).with_name("alerts_test.yaml")
_METRIC = re.compile(r"\b(?:dt|gate|sealer|console|doublethink)_[a-z_]+\b")


def _names(registry: CollectorRegistry) -> set[str]:
    """The names that a scrape of a registry may have."""
    found = set()
    for metric in registry.collect():
        suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(
            metric.type, ("",)
        )
        found |= {metric.name + suffix for suffix in suffixes}
    return found


def _measured() -> set[str]:
    gate = CollectorRegistry()
    GateMetrics().register(gate)
    guard = set(re.findall(r"# TYPE ([a-z_]+) ", (CHART / "files/isolation.py").read_text(encoding="utf-8")))
    assert guard
    registries = (gate, RpcMetrics().registry, SealerMetrics(["0"]).registry, ConsoleMetrics().registry)
    return guard.union(*map(_names, registries))


def _generator() -> ModuleType:
    path = ROOT / "deploy/helm/dashboard.py"
    spec = importlib.util.spec_from_file_location("doublethink_dashboard", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_the_dashboard_is_what_its_code_gives() -> None:
    """The file in the chart is the generator's, byte by byte."""
    made = _generator()
    assert made.PLACE.read_text(encoding="utf-8") == made.dashboard()


def test_every_query_is_about_something_that_is_measured() -> None:
    """Each metric that a panel or an alert names is one that a service or the guard has."""
    panels = json.loads(_generator().dashboard())["panels"]
    queries = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    queries += [rule["expr"] for rule in _rules()]
    named = {name for query in queries for name in _METRIC.findall(query)}
    assert len(named) >= 15
    assert named <= _measured()


def test_panels_are_told_apart_and_explained() -> None:
    """Titles are different and every graph says what it means."""
    graphs = [panel for panel in json.loads(_generator().dashboard())["panels"] if panel["type"] != "row"]
    assert len({graph["title"] for graph in graphs}) == len(graphs)
    assert all(graph["description"].endswith(".") for graph in graphs)


def test_a_family_has_a_series_before_its_first_finding() -> None:
    """An increase needs a value to increase from: the first canary must not go unseen."""
    registry = CollectorRegistry()
    GateMetrics().register(registry)
    for family in ("canary", "secret", "split"):
        assert registry.get_sample_value("gate_findings_total", {"family": family}) == 0


@pytest.fixture
def promtool() -> str:
    """Prometheus' own tool."""
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("NOT RUN: promtool is not on the PATH (package prometheus)")
    return found


def _tested(promtool: str, recorded: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [promtool, "test", "rules", str(recorded)], capture_output=True, text=True, timeout=60, check=False
    )


def test_alerts_go_over_recorded_series(promtool: str) -> None:
    """The rules are well formed; each goes where it should, and none where all is well."""
    result = _tested(promtool, RECORDED)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("alert", [rule["alert"] for rule in _rules()])
def test_no_alert_can_be_taken_out_unseen(promtool: str, alert: str, tmp_path: Path) -> None:
    """Without a rule, or with one that never goes, the recorded series find it out."""
    rules = yaml.safe_load(ALERTS.read_text(encoding="utf-8"))
    for group in rules["groups"]:
        for rule in group["rules"]:
            if rule["alert"] == alert:
                rule["expr"] = "vector(1) == 2"
    (tmp_path / "alerts.yaml").write_text(yaml.safe_dump(rules), encoding="utf-8")
    recorded = yaml.safe_load(RECORDED.read_text(encoding="utf-8")) | {"rule_files": ["alerts.yaml"]}
    (tmp_path / "alerts_test.yaml").write_text(yaml.safe_dump(recorded), encoding="utf-8")
    result = _tested(promtool, tmp_path / "alerts_test.yaml")
    assert result.returncode != 0
    assert alert in result.stdout + result.stderr
