"""Every benchmark can be run short, as the run of all suites does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("script", sorted(ROOT.glob("eval/bench/*.py")), ids=lambda script: script.stem)
def test_a_benchmark_has_a_short_run(script: Path) -> None:
    """It starts, and offers --quick."""
    done = subprocess.run(
        [sys.executable, str(script), "--help"], capture_output=True, text=True, timeout=60, check=True
    )
    assert "--quick" in done.stdout
