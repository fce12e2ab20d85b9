"""A real cluster, as KUBECONFIG names it, and one release of the chart in a namespace of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from chart.programs import programs
from chart.rendering import CHART

ROOT: Final = Path(__file__).parents[2]
PYTHON: Final = "/opt/venv/bin/python"
RELEASE: Final = "dt"
PREFIX: Final = "dt-doublethink"
SERVING: Final = ("gate", "planner", "validator", "reader", "console", "sealer")
_SECONDS: Final = 120
_READY_SECONDS: Final = 600


class CommandFailed(Exception):
    """A program ended with another status than 0; the message has its output."""


@dataclass(frozen=True)
class Cluster:
    """The suite's hands. `values` are the files given to helm, in order, `settings` what is set at each install."""

    namespace: str
    values: tuple[Path, ...]
    settings: tuple[str, ...] = ()

    def kubectl(
        self, *arguments: str, stdin: str | None = None, seconds: float = _SECONDS, check: bool = True
    ) -> str:
        """Run kubectl in the namespace; return what it prints. Raises CommandFailed."""
        program = shutil.which("kubectl") or str(programs() / "kubectl")
        return _run((program, "--namespace", self.namespace, *arguments), stdin, seconds, check)

    def helm(self, *arguments: str, seconds: float = _READY_SECONDS + 60, check: bool = True) -> str:
        """Run helm 4 in the namespace. Raises CommandFailed."""
        return _run(
            (str(programs() / "helm4"), "--namespace", self.namespace, *arguments), None, seconds, check
        )

    def install(self, *settings: str) -> float:
        """Install or upgrade and wait until everything is ready; return the seconds that it took."""
        began = time.monotonic()
        command = ["upgrade", "--install", RELEASE, str(CHART), "--wait", f"--timeout={_READY_SECONDS}s"]
        for file in self.values:
            command += ["--values", str(file)]
        for one in (*self.settings, *settings):
            command += ["--set", one]
        self.helm(*command)
        self.wait_ready()
        return time.monotonic() - began

    def wait_ready(self) -> None:
        """Every workload has what it should, and no pod of an older revision is left. Raises CommandFailed."""
        for name in SERVING:
            kind = "statefulset" if name == "sealer" else "deployment"
            self.kubectl(
                *("rollout", "status", f"{kind}/{PREFIX}-{name}", f"--timeout={_READY_SECONDS}s"),
                seconds=_READY_SECONDS + 10,
            )

    def get(self, *arguments: str) -> Any:
        """What kubectl get gives, as a document."""
        return json.loads(self.kubectl("get", *arguments, "--output", "json"))

    def pods(self, component: str) -> list[Any]:
        """The serving pods of a component that are not on their way out."""
        labels = f"app.kubernetes.io/component={component},doublethink.dev/serves=true"
        return [
            pod
            for pod in self.get("pods", "--selector", labels)["items"]
            if not pod["metadata"].get("deletionTimestamp")
        ]

    def python(self, component: str, script: str, *arguments: str, seconds: float = _SECONDS) -> str:
        """Run a script in a serving pod of a component, in the place of its process; return what it prints."""
        name = self.pods(component)[0]["metadata"]["name"]
        return self.kubectl(
            *("exec", "--stdin", name, "--container", component, "--", PYTHON, "-I", "-", *arguments),
            stdin=script,
            seconds=seconds,
        )


def until(what: str, holds: Callable[[], bool], seconds: float) -> float:
    """Wait until something holds; return how long it took. Raises AssertionError."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, f"not within {seconds} s: {what}"
        time.sleep(0.5)
    return time.monotonic() - began


def environment() -> Mapping[str, str]:
    """What the programs get."""
    return {
        key: value
        for key, value in os.environ.items()
        if key in ("PATH", "HOME", "KUBECONFIG", "XDG_CACHE_HOME")
    }


def _run(command: tuple[str, ...], stdin: str | None, seconds: float, check: bool) -> str:
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=seconds, env=environment(), check=False
    )
    if check and done.returncode != 0:
        raise CommandFailed(f"{' '.join(command[:8])}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout
