"""The pages of docs/ name files and rules that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted(path for path in (*ROOT.glob("docs/**/*.md"), *ROOT.glob("*/*/README.md"), ROOT / "README.md"))
RULES = [f"I{number}" for number in range(1, 14)]


def _tests_of_rules() -> dict[str, str]:
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| (I\d+) \|.*\| `(tests/[^`]+)` \|$", table, re.MULTILINE))


def test_every_rule_is_in_the_table() -> None:
    """Thirteen rules, each with its test."""
    assert list(_tests_of_rules()) == RULES


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_test_that_is_named_after_it(rule: str) -> None:
    """The table's pattern finds files, they carry the rule's number, and they hold tests."""
    found = sorted(ROOT.glob(_tests_of_rules()[rule]))
    assert found
    for path in found:
        assert path.name.startswith(f"test_{rule.lower()}_")
        assert re.search(r"^(?:async )?def test_", path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_named_files_are_there(page: Path) -> None:
    """A link leads to a file; a path of this repository in a page is one."""
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / link).exists(), link
    for path in re.findall(r"`((?:tests|libs|services|sources|sdk|eval|docs|demo)/[\w./*-]+)`", text):
        assert list(ROOT.glob(path)), path


def test_every_control_of_the_threat_model_is_numbered_once() -> None:
    """Assets, threats and controls count up without a gap: a control that goes leaves a visible hole."""
    text = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
    for letter in "AT":
        rows = [int(number) for number in re.findall(rf"^\| {letter}(\d+) \|", text, re.MULTILINE)]
        assert rows == list(range(1, len(rows) + 1))
    controls = [int(number) for number in re.findall(r"\bC(\d+)\b", text)]
    assert controls == list(range(1, len(controls) + 1))
