"""What the chart writes for the services is what the services take, and what it generates is not stale."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from chart.rendering import CHART, VALUES, Document, of_kind, render
from doublethink_console.config import load_config as load_console
from doublethink_forwarder.config import load_config as load_forwarder
from doublethink_gate.config import load_config as load_gate
from doublethink_planner.config import load_config as load_planner
from doublethink_reader.config import load_config as load_reader
from doublethink_rpc import ServerConfig
from doublethink_sealer.config import load_config as load_sealer
from doublethink_validator.config import load_config as load_validator

ROOT: Final = Path(__file__).parents[2]
LOADERS: Final[dict[str, Callable[[Path], Any]]] = {
    "console": load_console,
    "planner": load_planner,
    "gate": load_gate,
    "validator": load_validator,
    "reader": load_reader,
    "sealer": load_sealer,
    "forwarder": load_forwarder,
}
PEERS: Final = {
    f"T_DOUBLETHINK_{name}_SERVICE_HOST": address
    for name, address in {
        "GATE": "10.96.0.11",
        "PLANNER": "10.96.0.12",
        "VALIDATOR": "10.96.0.13",
        "READER": "10.96.0.14",
        "MODEL": "10.96.0.15",
    }.items()
}


def _data(documents: list[Document], suffix: str) -> dict[str, str]:
    maps = [
        one for one in of_kind(documents, "ConfigMap") if one["metadata"]["name"] == f"t-doublethink-{suffix}"
    ]
    data: dict[str, str] = maps[0]["data"]
    return data


def _write(
    folder: Path, documents: list[Document], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Have the program of the init container write every configuration, its proof switched off."""
    for name, text in _data(documents, "configuration").items():
        (folder / name).write_text(text, encoding="utf-8")
    plan = json.loads(_data(documents, "isolation")["planner.json"])
    plan["enabled"] = False
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    names = [name for name in _data(documents, "configuration") if name.endswith(".toml")]
    (folder / "out").mkdir()
    command = (
        *(
            sys.executable,
            "-I",
            str(CHART / "files" / "isolation.py"),
            "prove",
            "--plan",
            str(folder / "plan.json"),
        ),
        *("--template", str(folder), "--out", str(folder / "out")),
        *("--files", ",".join(f"{name}={name}" for name in names)),
    )
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("pod", ["10.244.0.7", "fd00:244::7"])
def test_every_service_takes_its_configuration(values: str, pod: str, tmp_path: Path) -> None:
    """Each file is loaded by the service's own code, with addresses in the place of names."""
    documents = render(values)
    done = _write(tmp_path, documents, {**PEERS, "POD_IP": pod})
    assert done.returncode == 0, done.stderr
    written = sorted((tmp_path / "out").iterdir())
    assert len(written) >= 6
    for file in written:
        assert "@" not in file.read_text(encoding="utf-8")
        config = LOADERS[file.stem](file)
        assert str(config.listen.health).endswith((":7444", ":7454"))


def test_a_service_without_an_address_ends_the_start(tmp_path: Path) -> None:
    """A Service that was made after the pod has no variable in it: one line says so."""
    done = _write(tmp_path, render("trial"), {"POD_IP": "10.244.0.7"})
    assert done.returncode == 1
    assert "the address of GATE is not known" in done.stderr


@pytest.mark.parametrize("values", VALUES)
def test_a_plan_covers_every_service(values: str) -> None:
    """For each component every port of every other Service is either allowed or forbidden, as the calls have it."""
    documents = render(values)
    services = {
        (document["metadata"]["labels"]["app.kubernetes.io/component"], port["port"])
        for document in of_kind(documents, "Service")
        for port in document["spec"]["ports"]
        if port["name"] != "isolation"
    }
    plans = {
        name: json.loads(text)
        for name, text in _data(documents, "isolation").items()
        if name.endswith(".json")
    }
    assert len(plans) == 6
    for plan in plans.values():
        named = {
            (entry["name"].split()[0], entry["port"])
            for entry in (*plan["allowed"], *plan["forbidden"])
            if entry["host"].startswith("$T_")
        }
        assert named == {(name, port) for name, port in services if name != plan["component"]}
        assert any(entry["name"] == "API server" for entry in plan["forbidden"])


def test_what_is_generated_is_not_stale() -> None:
    """README.md and values.schema.json are what values.yaml gives."""
    command = (sys.executable, str(ROOT / "deploy" / "helm" / "generate.py"), "--check")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_the_roles_are_those_of_the_gate() -> None:
    """The copy in the chart is the gate's own file, byte for byte."""
    own = ROOT / "services" / "gate" / "src" / "doublethink_gate" / "database" / "roles.sql"
    assert (CHART / "files" / "roles.sql").read_bytes() == own.read_bytes()


@pytest.mark.parametrize("settings", [(), ("gate.terminationGracePeriodSeconds=400",)])
@pytest.mark.parametrize("values", VALUES)
def test_a_pod_lives_as_long_as_its_process_takes_to_end(values: str, settings: tuple[str, ...]) -> None:
    """Of the gate's grace period thirty seconds go by before it hears of its end, its calls get what it was told, and
    ten are left. Whoever is called is there until every caller's connection was made anew, and some seconds more.
    """
    documents = render(values, settings)
    waits = round(1.1 * ServerConfig.connection_age_s) + 8
    deployments = {one["metadata"]["name"]: one for one in of_kind(documents, "Deployment")}
    for component in ("gate", "planner", "validator", "reader", "console"):
        spec = deployments[f"t-doublethink-{component}"]["spec"]["template"]["spec"]
        main = next(one for one in spec["containers"] if one["name"] == component)
        if component == "console":
            assert "lifecycle" not in main
        else:
            assert main["lifecycle"]["preStop"]["exec"]["command"][-1] == f"import time; time.sleep({waits})"
        if component == "gate":
            stop_s = tomllib.loads(_data(documents, "configuration")["gate.toml"])["limits"]["stop_s"]
            assert stop_s + 40 == spec["terminationGracePeriodSeconds"] == (400 if settings else 175)
