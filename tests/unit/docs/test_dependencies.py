"""What a distribution imports is what it declares, and the other way round."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest

ROOT = Path(__file__).parents[3]
PROJECTS = sorted(ROOT.glob("*/pyproject.toml")) + sorted(ROOT.glob("*/*/pyproject.toml"))

NAMESPACES: Final = {"google.protobuf": "protobuf", "doublethink": "doublethink-proto"}
"""Import names that more than one distribution may share."""

NOT_IMPORTED: Final = {
    ("doublethink-gate", "sniffio"): "httpcore tries to import it at every request",
}
"""What is declared without an import of its own, and why."""


def _project(file: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    return project


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return found[0].lower().replace("_", "-")


@cache
def _own() -> dict[str, str]:
    """From import package to distribution, of this repository's own."""
    made: dict[str, str] = {}
    for file in PROJECTS:
        for package in (file.parent / "src").glob("*/__init__.py"):
            made[package.parent.name] = _project(file)["name"]
    return made


def _modules(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                yield node.module


def _distribution(module: str) -> str | None:
    """The distribution that a module comes from; None for the standard library's."""
    for prefix, name in NAMESPACES.items():
        if module == prefix or module.startswith(f"{prefix}."):
            return name
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return None
    if top in _own():
        return _own()[top]
    (name,) = {_name(found) for found in packages_distributions()[top]}
    return name


@pytest.mark.parametrize("file", PROJECTS, ids=lambda file: str(file.parent.relative_to(ROOT)))
def test_declared_and_imported_are_the_same(file: Path) -> None:
    """Nothing works only because another distribution happens to bring it, and nothing is dead weight."""
    project = _project(file)
    own = project["name"]
    declared = {_name(one) for one in project.get("dependencies", [])}
    optional = {_name(one) for group in project.get("optional-dependencies", {}).values() for one in group}
    imported = {_distribution(module) for module in _modules(file.parent / "src")} - {None, own}
    assert imported - declared - optional == set(), "imported and not declared"
    unused = {name for name in declared - imported if (own, name) not in NOT_IMPORTED}
    assert unused == set(), "declared and not imported"
