"""docs/operations.md says of each procedure by which test it is tried, or that it is not."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
TABLE = "What of this page is tried"
# Where things are is no procedure.
ABOUT = {"Where things are", TABLE}
# Sections of several procedures, each a part that begins with its name in bold; the last two are nothing else.
IN_PARTS = ("Containers", "Back up and restore", "On Kubernetes")


def _procedures() -> set[str]:
    """Every section, and of some each part, by the section's name and its own."""
    found = set()
    for section in re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]:
        name, _, text = section.partition("\n")
        parts = re.findall(r"^\*\*([^*]+?)[.,]?\*\*", text, re.MULTILINE)
        found |= {f"{name}: {part}" for part in parts if name in IN_PARTS}
        if name not in ABOUT and name not in IN_PARTS[1:]:
            found.add(name)
    return found


def _rows() -> dict[str, tuple[str, str]]:
    table = PAGE.partition(f"## {TABLE}\n")[2]
    cells = re.findall(r"^\| ([^|]+) \|([^|]*)\|([^|]*)\|$", table, re.MULTILINE)
    return {name: (tried.strip(), untried.strip()) for name, tried, untried in cells if name != "procedure"}


def test_every_procedure_has_a_row() -> None:
    """None is left out, and no row is about something that the page does not have."""
    assert len(_rows()) > 25
    assert set(_rows()) == _procedures()


def test_what_a_row_names_is_there() -> None:
    """Each test that is named exists, and a procedure without one is said to be untried."""
    for name, (tried, untried) in _rows().items():
        assert tried or untried == "by nobody", name
        for named in re.findall(r"`([^`]+)`", tried):
            file, _, function = named.partition("::")
            assert (ROOT / file).exists(), named
            if function:
                assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), named
