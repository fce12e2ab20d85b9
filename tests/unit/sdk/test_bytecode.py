"""The product's modules are compiled before anything is started."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from doublethink_sdk.launcher import bytecode


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of the product's kind, the only one that the interpreter finds."""
    folder = tmp_path / "doublethink_example"
    folder.mkdir()
    (folder / "module.py").write_text("NUMBER = 1\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return folder


def _kept(module: Path) -> Path:
    return Path(importlib.util.cache_from_source(str(module)))


def test_every_service_is_among_the_packages() -> None:
    """What a start runs is found wherever it is installed."""
    found = {folder.name for folder in bytecode.own_packages()}
    roles = ("sealer", "gate", "reader", "validator", "planner", "console")
    assert found >= {f"doublethink_{role}" for role in roles} | {"doublethink_sdk", "doublethink_rpc"}


def test_a_module_is_compiled_once_and_anew_when_it_changes(package: Path) -> None:
    """What is kept belongs to the source as it stands."""
    module = package / "module.py"
    assert bytecode.compile_own()
    first = _kept(module).read_bytes()
    assert bytecode.compile_own()
    assert _kept(module).read_bytes() == first
    module.write_text("NUMBER = 2\n")
    # The time of a change is kept in seconds, and this test takes less.
    os.utime(module, (0, 0))
    assert bytecode.compile_own()
    assert _kept(module).read_bytes() != first


def test_only_packages_are_compiled(package: Path) -> None:
    """Another's modules, a folder that describes an installed distribution, and a checkout are left alone."""
    names = ("another", "doublethink-0.1.0.dist-info", "doublethink")
    others = [package.parent / name / "module.py" for name in names]
    for module in others:
        module.parent.mkdir()
        module.write_text("NUMBER = 1\n")
    (package.parent / "doublethink" / "pyproject.toml").touch()
    assert bytecode.compile_own()
    assert not any(_kept(module).exists() for module in others)


def test_what_cannot_be_compiled_or_kept_stops_nothing(package: Path) -> None:
    """The start goes on: the program itself says what is wrong with its module."""
    (package / "broken.py").write_text("def\n")
    # A file in the place of the folder: whoever starts may be root, to whom every folder is writable.
    (package / "__pycache__").write_text("")
    assert not bytecode.compile_own()
