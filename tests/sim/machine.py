"""The machine around a test: its processes, and a small disk that can be filled."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def left_running(data: Path) -> list[str]:
    """Processes whose command line names the data directory."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit() and int(place.name) != os.getpid():
            try:
                line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if str(data) in line:
                found.append(line)
    return found


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """A file system of its own at `place`; skips the test, loudly, where it cannot be mounted."""
    place.mkdir()
    argv = ("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place))
    if os.geteuid() != 0 or subprocess.run(argv, check=False, capture_output=True).returncode:
        pytest.skip("NOT RUN: mounting a small file system takes root and the right to mount")
    try:
        yield place
    finally:
        subprocess.run(("umount", "--lazy", str(place)), check=True)
