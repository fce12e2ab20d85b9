"""The shipped migrations are a series without gaps."""

from __future__ import annotations

import hashlib
from pathlib import Path

import doublethink_gate.database as database
import pytest
from doublethink_gate.database import migrate
from doublethink_gate.database.errors import MigrationFilesError


def test_the_shipped_series_is_whole() -> None:
    """Numbers count from 1, and each digest is that of the file's bytes."""
    found = migrate.shipped_migrations()
    assert [migration.number for migration in found] == list(range(1, len(found) + 1))
    folder = Path(str(database.__file__)).parent / "schema"
    for migration in found:
        assert migration.sha256 == hashlib.sha256((folder / migration.name).read_bytes()).digest()


@pytest.mark.parametrize(
    "names",
    [["0001_a.sql", "0003_b.sql"], ["0002_a.sql"], ["0001_a.sql", "0001_b.sql"], ["0001_a.sql", "notes.txt"]],
    ids=str,
)
def test_a_broken_series_is_refused(
    names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gap, a number twice, or a file that is no migration stops the migrator."""
    (tmp_path / "schema").mkdir()
    for name in names:
        (tmp_path / "schema" / name).write_text("SELECT 1;")
    monkeypatch.setattr(migrate, "files", lambda _: tmp_path)
    with pytest.raises(MigrationFilesError):
        migrate.shipped_migrations()
