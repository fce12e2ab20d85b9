"""The chart's suite: skipped, and loudly, where the helm programs cannot be had."""

from __future__ import annotations

import pytest
from chart.programs import ProgramsAbsent, programs


@pytest.fixture(scope="session", autouse=True)
def _programs() -> None:
    """Fetch the programs before the first test."""
    try:
        programs()
    except ProgramsAbsent as absent:
        pytest.skip(f"NOT RUN: {absent}")
