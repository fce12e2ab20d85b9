"""The data directory: locked, private, whole."""

import stat
from pathlib import Path

import pytest
from doublethink_sdk.launcher.directories import Directories, write_private
from doublethink_sdk.launcher.errors import DataInUse, LaunchError
from doublethink_sdk.launcher.running import announced, read_running


def test_a_second_launcher_on_the_same_data_is_refused(tmp_path: Path) -> None:
    """Only one launcher may use the data; the error says what to do."""
    with Directories(tmp_path), pytest.raises(DataInUse, match="--data"), Directories(tmp_path):
        pass


def test_the_data_can_be_used_again_after_the_first_launcher_ended(tmp_path: Path) -> None:
    """The lock ends with the launcher, and the sockets' directory with it."""
    with Directories(tmp_path) as first:
        run = first.run
        assert stat.S_IMODE(run.stat().st_mode) == 0o700
    assert not run.exists()
    with Directories(tmp_path) as second:
        assert second.run.exists()


def test_data_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    """A file in the way is named, with what to do."""
    (tmp_path / "file").touch()
    with pytest.raises(LaunchError, match="--data"), Directories(tmp_path / "file" / "data"):
        pass


def test_secrets_are_made_once_and_private(tmp_path: Path) -> None:
    """A key file is random, kept between starts, and readable by its owner alone."""
    with Directories(tmp_path) as directories:
        key = directories.token("gate/v1.key")
        content = key.read_text()
        assert len(bytes.fromhex(content)) == 32
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert directories.token("gate/v1.key").read_text() == content
        assert directories.token("console/v1.key").read_text() != content


def test_socket_paths_fit_into_a_socket_address(tmp_path: Path) -> None:
    """However deep the data lies, a socket's path stays within the 107 bytes of unix(7)."""
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    with Directories(deep) as directories:
        target = directories.role("validator", None).health
        assert len(target.removeprefix("unix:").encode()) <= 107


def test_a_private_file_is_replaced_whole(tmp_path: Path) -> None:
    """The new content takes the old one's place, and no temporary file stays."""
    place = tmp_path / "file"
    write_private(place, b"old")
    write_private(place, b"new")
    assert place.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [place]


def test_a_running_console_is_found_only_while_its_launcher_lives(tmp_path: Path) -> None:
    """The announcement of a launcher that was killed does not count."""
    assert read_running(tmp_path) is None
    with (
        Directories(tmp_path) as directories,
        announced(tmp_path, "http://127.0.0.1:1", directories.token("t")),
    ):
        running = read_running(tmp_path)
        assert running is not None
        assert running.url == "http://127.0.0.1:1"
        left_behind = (tmp_path / "running.json").read_bytes()
    (tmp_path / "running.json").write_bytes(left_behind)
    assert read_running(tmp_path) is None
