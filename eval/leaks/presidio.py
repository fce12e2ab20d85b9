"""Presidio as a baseline: an environment of its own under the cache folder, made once, and a process in it.

Its packages do not go with the product's, so they are in no lock but `requirements/presidio.txt`, by hash.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
_LOCK = _HERE / "requirements" / "presidio.txt"
_INSTALL_SECONDS = 900
_BATCH = 100

# What a sentence about a company has anyhow: names, places, days, addresses of pages.
ORDINARY_KINDS = frozenset(["PERSON", "LOCATION", "DATE_TIME", "NRP", "ORGANIZATION", "URL"])


class NotRunError(Exception):
    """Presidio cannot be run here; the text says why."""


@dataclass(frozen=True)
class Findings:
    """What Presidio found: kinds of entities for each text, and how many seconds all texts took."""

    kinds: list[frozenset[str]]
    seconds: float


def default_environment() -> Path:
    """A folder in the user's cache, one for each version of the lock."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "doublethink" / f"presidio-{hashlib.sha256(_LOCK.read_bytes()).hexdigest()[:12]}"


def analyze(texts: Sequence[str], environment: Path) -> Findings:
    """Have Presidio look at texts. Raises NotRunError."""
    python = _prepared(environment)
    process = subprocess.Popen(
        [python, str(_HERE / "presidio_worker.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    if process.stdin is None or process.stdout is None:
        raise NotRunError("the process has no pipes")
    kinds: list[frozenset[str]] = []
    seconds = 0.0
    try:
        if not process.stdout.readline():
            raise NotRunError("Presidio did not start; try it: " + str(python))
        for start in range(0, len(texts), _BATCH):
            process.stdin.write(json.dumps(list(texts[start : start + _BATCH])) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                raise NotRunError("Presidio ended while it was asked")
            answer = json.loads(line)
            kinds.extend(frozenset(found) for found in answer["found"])
            seconds += answer["seconds"]
    finally:
        process.stdin.close()
        process.wait()
    return Findings(kinds, seconds)


def _prepared(environment: Path) -> Path:
    """Return the environment's Python, after making it where it is not whole."""
    python = environment / "bin" / "python"
    whole = environment / "whole"
    if whole.is_file():
        return python
    environment.parent.mkdir(parents=True, exist_ok=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(environment)],
        [str(python), "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(_LOCK)],
    ):
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
            )
        except subprocess.TimeoutExpired as problem:
            raise NotRunError(f"its packages took more than {_INSTALL_SECONDS} s") from problem
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NotRunError(f"its packages are not to be had: {last}")
    whole.touch()
    return python
