"""Runs a suite and ends with one line: what passed and how long it took.

`--suite cluster` takes that of tests/cluster; everything else is given to pytest.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

_TESTS: Final = Path(__file__).parents[1]
_MOST_SECONDS: Final = 3600


def main() -> int:
    """Return pytest's own exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", choices=("chart", "cluster"), default="chart")
    options, rest = parser.parse_known_args()
    began = time.monotonic()
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-rs", str(_TESTS / options.suite), *rest),
        stdout=subprocess.PIPE,
        text=True,
        timeout=_MOST_SECONDS,
        check=False,
    )
    sys.stdout.write(done.stdout)
    counted = re.findall(r"\d+ (?:passed|failed|skipped|error)", done.stdout.rstrip().rpartition("\n")[2])
    ran = "NOT RUN, see above" if "NOT RUN" in done.stdout else ", ".join(counted)
    sys.stdout.write(f"{options.suite}: {ran}, in {time.monotonic() - began:.0f} s\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
