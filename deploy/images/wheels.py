"""Builds a wheel of every distribution of this workspace, with the times of SOURCE_DATE_EPOCH.

python wheels.py SOURCE TARGET
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main(source: Path, target: Path) -> None:
    """Build them one after the other."""
    for project in sorted(source.rglob("pyproject.toml")):
        subprocess.run(
            (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)),
            cwd=project.parent,
            check=True,
            timeout=300,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
