"""Renders the chart with the real programs, each set of values once a run."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from chart.programs import programs

CHART: Final = Path(__file__).parents[2] / "deploy" / "helm" / "doublethink"
VALUES: Final = tuple(
    sorted(file.stem.removesuffix("-values") for file in (CHART / "ci").glob("*-values.yaml"))
)
HELMS: Final = ("helm3", "helm4")
API_SERVER: Final = "networkPolicy.apiServer.cidrs={10.96.0.1/32,fd00:96::1/128}"
"""Without a cluster nobody can say where its API server is."""
NAMESPACE: Final = "deals"
RELEASE: Final = "t"

Document = dict[str, Any]


class RenderRefused(Exception):
    """helm did not render; the message is its own."""


def helm(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of the helm programs."""
    return subprocess.run(
        (str(programs() / program), *arguments), capture_output=True, text=True, timeout=60, check=False
    )


@cache
def text_of(
    values: str,
    settings: tuple[str, ...] = (),
    *,
    program: str = "helm4",
    kube: str = "1.33.0",
    apis: tuple[str, ...] = (),
    notes: bool = False,
) -> str:
    """What helm renders from a file of ci/, with `--set` settings. Raises RenderRefused."""
    arguments = ["--namespace", NAMESPACE, "--values", str(CHART / "ci" / f"{values}-values.yaml")]
    for one in (API_SERVER, *settings):
        arguments += ["--set", one]
    if notes:
        command = ["install", RELEASE, str(CHART), "--dry-run=client", *arguments]
    else:
        command = ["template", RELEASE, str(CHART), "--kube-version", kube, *arguments]
        for api in apis:
            command += ["--api-versions", api]
    done = helm(program, *command)
    if done.returncode != 0:
        raise RenderRefused(done.stderr)
    return done.stdout


def render(values: str, settings: tuple[str, ...] = (), **options: Any) -> list[Document]:
    """The rendered documents. Raises RenderRefused."""
    return [document for document in yaml.safe_load_all(text_of(values, settings, **options)) if document]


def of_kind(documents: list[Document], kind: str) -> list[Document]:
    """The documents of a kind."""
    return [document for document in documents if document["kind"] == kind]


def pod_specs(documents: list[Document]) -> dict[str, Document]:
    """Every pod that the documents can start, as {"metadata", "spec"}, by kind and name."""
    found = {}
    for document in documents:
        spec = document.get("spec", {})
        match document["kind"]:
            case "Pod":
                pod = document
            case "Deployment" | "StatefulSet" | "DaemonSet" | "Job":
                pod = spec["template"]
            case "CronJob":
                pod = spec["jobTemplate"]["spec"]["template"]
            case _:
                continue
        found[f"{document['kind']}/{document['metadata']['name']}"] = pod
    return found
