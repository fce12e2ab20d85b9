"""`python -m doublethink_gate recording FILE`: whether a recording can be used.

Exit codes: 0 it can, with one JSON object that says what it holds (`session`, `source`, `search`, `page`, `completion`:
counts, `model`: the name of the recorded model or null, `sha256` of the file); 2 it cannot, with one line on stderr
that says why.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from doublethink_gate.completion import ReplayModel
from doublethink_gate.sources import RecordingError, ReplaySource
from doublethink_gate.sources.recording import read_file


def main(arguments: list[str]) -> int:
    """Check one file; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_gate recording", description=__doc__)
    parser.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    try:
        recording = read_file(options.file)
        completions = ReplaySource(recording).completions
        model = ReplayModel(completions).name if completions else None
    except RecordingError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    operations = Counter(each.operation for each in recording.exchanges)
    told = {
        "session": recording.session,
        "source": recording.source,
        **{name: operations[name] for name in ("search", "page", "completion")},
        "model": model,
        "sha256": recording.sha256,
    }
    sys.stdout.write(json.dumps(told) + "\n")
    return 0
