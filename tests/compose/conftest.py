"""One installation for all tests of this folder: images built, everything started, removed at the end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from sim import engine

_REASON = engine.missing()


@pytest.fixture(scope="session")
def images() -> str:
    """The images of this commit are built; their tag. DOUBLETHINK_IMAGES=built says that they are."""
    if _REASON is not None:
        pytest.skip(_REASON)
    if os.environ.get("DOUBLETHINK_IMAGES") != "built":
        engine.run("deploy/images/build", seconds=3600)
    return "dev"


@pytest.fixture(scope="session")
def outside() -> Iterator[Sequence[str]]:
    """Options for verify that name what stands for the internet."""
    with engine.outside() as options:
        yield options


@pytest.fixture(scope="session")
def installation(images: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A running installation; the file of its console's token."""
    folder = tmp_path_factory.mktemp("compose")
    try:
        engine.compose("--profile", "setup", "run", "--rm", "setup")
        began = time.monotonic()
        engine.compose("up", "-d")
        engine.run("python3", "deploy/compose/wait.py", "300")
        (folder / "ready").write_text(f"{time.monotonic() - began:.1f}")
        if engine.guard_possible():
            engine.guard("close")
        token = folder / "token"
        token.touch(0o600)
        shown = engine.compose("--profile", "setup", "run", "--rm", "-T", "setup", "token", "--out", "/out")
        token.write_text(shown.stdout.strip())
        yield token
    finally:
        if engine.guard_possible():
            engine.guard("open")
        engine.compose("--profile", "verify", "--profile", "setup", "down", "-v", "-t", "3", check=False)
