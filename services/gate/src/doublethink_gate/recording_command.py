"""`python -m doublethink_gate recording FILE`: whether a recording can be used.

Exit codes: 0 it can, with one line that says what it holds; 2 it cannot, with one line on stderr that says why.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from doublethink_gate.sources import RecordingError, ReplaySource
from doublethink_gate.sources.recording import read_file


def main(arguments: list[str]) -> int:
    """Check one file; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_gate recording", description=__doc__)
    parser.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    try:
        recording = read_file(options.file)
        ReplaySource(recording)
    except RecordingError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    counts = {
        name: sum(each.operation == name for each in recording.exchanges) for name in ("search", "page")
    }
    sys.stdout.write(
        f"session {recording.session}, source {recording.source}: {counts['search']} searches,"
        f" {counts['page']} pages, sha256 {recording.sha256}\n"
    )
    return 0
