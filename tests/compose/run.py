"""`make compose-test`: the tests of this folder on a real engine, and one line of what came of them.

Exit code 0 where everything passed, or where there is no engine: then the line begins with NOT RUN and says why.
DOUBLETHINK_REQUIRE_ENGINE=1 makes that a failure.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))
SECONDS = 3600


def main() -> int:
    """Run pytest and say what it said."""
    from sim import engine

    reason = engine.missing()
    if reason is not None:
        print(f"compose-test: {reason}")
        return int(os.environ.get("DOUBLETHINK_REQUIRE_ENGINE") == "1")
    began = time.monotonic()
    # To the terminal as it comes: the images take minutes.
    process = subprocess.Popen(
        (sys.executable, "-u", "-m", "pytest", "-q", "-s", "tests/compose"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    last = ""
    for line in process.stdout:
        sys.stdout.write(line)
        if re.search(r"\d+ (?:passed|failed|error|skipped)", line):
            last = line.strip(" =\n")
    code = process.wait(SECONDS)
    print(f"compose-test: {'ok' if code == 0 else 'FAILED'}, {last}; {time.monotonic() - began:.0f} s in all")
    return code


if __name__ == "__main__":
    sys.exit(main())
