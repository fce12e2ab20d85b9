"""Models of custom resources, generated from their makers' definitions: fetched once, each wheel pinned by its SHA-256.

They lie beside the programs, in the cache folder, and are not installed: their package brings a plugin for pytest,
which is not to run here.
"""

from __future__ import annotations

import fcntl
import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from chart.programs import ProgramsAbsent, cache

# Name, version and SHA-256.
_WHEELS: Final = (
    ("cloudcoil", "0.6.0", "91793dea2e86ad292af143c5d335ce2e5d27dfbe66fd4b945c2f069224cf7698"),
    (
        "cloudcoil-models-cert-manager",
        "1.17.1.0",
        "da5cf73238731647ca3727470168ecf45a58b82ad26769cc3c52c931107e8f6b",
    ),
    (
        "cloudcoil-models-prometheus-operator",
        "0.80.1.0",
        "a139a60cc0114caace847a34275d7a7cd899ec2dad4120504d8e1cf6a8de0270",
    ),
)
_MODULES: Final = {
    "cert-manager.io/v1": "cloudcoil.models.cert_manager.v1",
    "monitoring.coreos.com/v1": "cloudcoil.models.prometheus_operator.v1",
}
_SECONDS: Final = 120


def models() -> dict[str, Any]:
    """A module for each API version, with a class for each kind. Loading takes seconds. Raises ProgramsAbsent."""
    folder = cache() / "makers-1"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            _fetch(folder)
    sys.path.append(str(folder))
    try:
        return {version: importlib.import_module(name) for version, name in _MODULES.items()}
    finally:
        sys.path.remove(str(folder))


def _fetch(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    requirements = folder / "requirements.txt"
    pinned = (f"{name}=={version} --hash=sha256:{digest}\n" for name, version, digest in _WHEELS)
    requirements.write_text("".join(pinned), encoding="utf-8")
    command = (
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"),
        *("--no-compile", "--upgrade", "--require-hashes", "--target", str(folder), "--requirement"),
        str(requirements),
    )
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ProgramsAbsent("the package index did not answer in time") from None
    if done.returncode != 0:
        raise ProgramsAbsent("the models of custom resources cannot be had from the package index")
    (folder / "complete").touch()
