"""Runs the chart's suite and ends with one line: what passed and how long it took."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_MOST_SECONDS: Final = 1800


def main() -> int:
    """Return pytest's own exit code."""
    began = time.monotonic()
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-q", str(_FOLDER), *sys.argv[1:]),
        stdout=subprocess.PIPE,
        text=True,
        timeout=_MOST_SECONDS,
        check=False,
    )
    sys.stdout.write(done.stdout)
    counted = re.findall(r"\d+ (?:passed|failed|skipped|error)", done.stdout.rstrip().rpartition("\n")[2])
    ran = "NOT RUN, see above" if "NOT RUN" in done.stdout else ", ".join(counted)
    sys.stdout.write(f"chart: {ran}, in {time.monotonic() - began:.0f} s\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
