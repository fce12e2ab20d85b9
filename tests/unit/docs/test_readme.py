"""The README says what can be done from a fresh clone, and its figures are those that were measured."""

import re
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")


def test_every_file_that_a_command_in_the_readme_reads_is_in_the_clone() -> None:
    """No command names a file or folder that only somebody else has."""
    block = re.search(r"    make setup\n(?:    .*\n)+", _README)
    assert block is not None
    named = re.findall(r"\b(?:demo|eval|docs)/[\w./-]+", block[0])
    assert named
    assert all((_ROOT / name).exists() for name in named)
    assert "../" not in _README


def test_the_measured_rates_are_those_of_the_evaluation() -> None:
    """The table of answers is a copy, row by row."""
    measured = (
        (_ROOT / "eval" / "answers" / "README.md").read_text(encoding="utf-8").split("## Measured", 1)[1]
    )
    rows = [line for line in measured.splitlines() if line.startswith("|")]
    assert len(rows) >= 3
    assert all(row in _README for row in rows)
