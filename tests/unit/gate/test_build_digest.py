"""The build digest changes with the source."""

from __future__ import annotations

import shutil
from pathlib import Path

import doublethink_gate
import pytest
from doublethink_gate.build_digest import build_digest

PACKAGE = Path(doublethink_gate.__file__).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the gate's package."""
    folder = tmp_path / "doublethink_gate"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_the_same_source_has_the_same_digest(copy: Path) -> None:
    """The digest is over the files, not over where they lie or what was compiled from them."""
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "x.py").write_text("1")
    assert build_digest(copy) == build_digest()


@pytest.mark.parametrize(
    "name", ["__init__.py", "completion/extract_claims.txt", "database/schema/0001_ledger.sql"]
)
def test_one_changed_byte_shows(copy: Path, name: str) -> None:
    """A changed module, template or migration is another gate."""
    before = build_digest(copy)
    file = copy / name
    file.write_bytes(file.read_bytes() + b" ")
    assert build_digest(copy) != before


def test_a_new_moved_or_removed_file_shows(copy: Path) -> None:
    """The digest covers names too."""
    digests = {build_digest(copy)}
    (copy / "new.py").write_text("")
    digests.add(build_digest(copy))
    (copy / "new.py").rename(copy / "newer.py")
    digests.add(build_digest(copy))
    (copy / "newer.py").unlink()
    (copy / "errors.py").unlink()
    digests.add(build_digest(copy))
    assert len(digests) == 4
