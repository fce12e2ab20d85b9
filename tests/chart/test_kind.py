"""What `make kind` does around kind itself: the order of its commands, and that it cleans up."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

import yaml

ROOT: Final = Path(__file__).parents[2]
SCRIPT: Final = ROOT / "deploy" / "kind" / "run"


def _run(folder: Path, status: int) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """The script with a kind that writes down its arguments; loading an image ends with `status`."""
    log = folder / "kind.log"
    program = folder / "kind"
    program.write_text(f'#!/bin/sh\necho "$*" >>{log}\n[ "$1" != load ] || exit {status}\n', encoding="utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        (str(SCRIPT),),
        env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done, log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def test_a_cluster_that_could_not_be_filled_is_taken_away(tmp_path: Path) -> None:
    """It is made from the file of this folder, and deleted by its name whatever happens."""
    done, commands = _run(tmp_path, 1)
    assert done.returncode == 1
    assert commands[0].startswith(
        "create cluster --name doublethink --config deploy/kind/cluster.yaml --kubeconfig "
    )
    assert commands[1] == "load docker-image doublethink/gate:dev --name doublethink"
    assert commands[-1] == "delete cluster --name doublethink"
    assert list(tmp_path.glob("tmp.*")) == []


def test_without_kind_it_says_so(tmp_path: Path) -> None:
    """Nothing was run, and the line says why."""
    done = subprocess.run(
        ("/bin/bash", str(SCRIPT)),
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "NOT RUN: kind is not on PATH\n")


def test_its_cluster_has_both_address_families() -> None:
    """The policies name both; a cluster with one would leave half of them untried."""
    cluster = yaml.safe_load((SCRIPT.parent / "cluster.yaml").read_text(encoding="utf-8"))
    assert cluster["networking"] == {"ipFamily": "dual"}
