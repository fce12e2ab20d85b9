"""The log's key on one machine: made once, pinned once, and held against the pin at every start."""

import stat
from pathlib import Path

import pytest
from doublethink_ledger import VerifierKey
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.log_files import LogFiles, new_origin


@pytest.fixture
def files(tmp_path: Path) -> LogFiles:
    """The files of a data directory that is new."""
    (tmp_path / "keys").mkdir()
    return LogFiles(tmp_path)


def test_the_first_start_makes_and_pins_a_key(files: LogFiles) -> None:
    """Private, its owner's alone, named like nothing else, and marked until the log is published."""
    key = files.prepare(None)
    assert VerifierKey.parse(files.vkeys.read_text().strip()) == key
    assert key.name == files.origin
    assert stat.S_IMODE(files.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(files.keys.stat().st_mode) == 0o700
    assert files.first_start.exists()
    assert files.published.is_dir()
    assert new_origin() != new_origin()


def test_later_starts_change_nothing(files: LogFiles) -> None:
    """The same key, the same pin, no mark."""
    key = files.prepare(None)
    files.first_start.unlink()
    pinned = files.vkeys.read_bytes()
    assert files.prepare(None) == key
    assert files.vkeys.read_bytes() == pinned
    assert not files.first_start.exists()


@pytest.mark.parametrize("left", ["mark", "mark and name", "mark, name and key"])
def test_a_first_start_that_was_killed_begins_anew(files: LogFiles, left: str) -> None:
    """Whatever it had made by then, the next one ends with a key that is pinned and a mark."""
    files.prepare(None)
    files.vkeys.unlink()
    if "key" not in left:
        files.key.unlink()
    if "name" not in left:
        (files.keys / "origin").unlink()
    key = files.prepare(None)
    assert key.format() in files.vkeys.read_text()
    assert files.first_start.exists()


def test_another_key_than_the_pinned_one_stops_the_start(files: LogFiles, tmp_path: Path) -> None:
    """A key that somebody put in place, and a pin that is gone."""
    files.prepare(None)
    files.first_start.unlink()
    other = LogFiles(tmp_path / "other")
    (tmp_path / "other" / "keys").mkdir(parents=True)
    other.prepare(None)
    mine = files.key.read_bytes()
    files.key.write_bytes(other.key.read_bytes())
    with pytest.raises(LaunchError, match="is not a key that"):
        files.prepare(None)
    files.key.write_bytes(mine)
    files.prepare(None)
    files.vkeys.unlink()
    with pytest.raises(LaunchError, match="is not a key that"):
        files.prepare(None)


def test_a_lost_key_is_not_replaced_in_silence(files: LogFiles) -> None:
    """With a pin and without its key the start says what to restore."""
    files.prepare(None)
    files.first_start.unlink()
    files.key.unlink()
    with pytest.raises(LaunchError, match=r"log\.pem is missing"):
        files.prepare(None)
    assert not files.key.exists()


def test_a_file_that_holds_no_key_is_said_so(files: LogFiles) -> None:
    """Nothing of it is repeated."""
    files.prepare(None)
    files.key.write_text("something secret")
    with pytest.raises(LaunchError, match="cannot be used") as refused:
        files.prepare(None)
    assert "something" not in str(refused.value)


def test_keys_are_added_to_the_pinned_ones(files: LogFiles) -> None:
    """One line each, each once: after a recovery both logs' keys are believed."""
    key = files.prepare(None)
    other = files.vkey("ledger.test/two")
    files.pin(other)
    files.pin(other)
    assert files.vkeys.read_text().splitlines() == [key.format(), other.format()]
