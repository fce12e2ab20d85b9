"""The data directory: locked, private, whole."""

import os
import socket
import stat
import tempfile
from pathlib import Path

import pytest
from doublethink_sdk.launcher.directories import Directories, RoleDirectories, write_private
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


def test_what_a_killed_launcher_left_is_removed_at_the_next_start(tmp_path: Path) -> None:
    """A launcher that was killed could not remove its sockets' directory; the next one on the data does."""
    killed = Directories(tmp_path)
    killed.__enter__()
    (killed.run / "gate").mkdir()
    if killed._lock is not None:
        killed._lock.close()
    with Directories(tmp_path) as second:
        assert not killed.run.exists()
        assert second.run.exists()


def test_a_directory_that_no_launcher_made_is_left_alone(tmp_path: Path) -> None:
    """Data from elsewhere may name any directory: only the launcher's own kind is removed."""
    precious = tmp_path / "dt-precious"
    precious.mkdir(mode=0o700)
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "run").write_bytes(bytes(precious))
    with Directories(data):
        assert precious.exists()


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


def test_an_announcement_left_behind_is_gone_before_the_next_start_announces_itself(tmp_path: Path) -> None:
    """Another user may have the port of a launcher that was killed: no command sends a token there meanwhile."""
    (tmp_path / "running.json").write_text('{"url": "http://127.0.0.1:1", "token_file": "/etc/hostname"}')
    with Directories(tmp_path):
        assert read_running(tmp_path) is None


@pytest.mark.parametrize("place", [".", "keys", "log"])
def test_a_directory_that_others_may_use_is_refused(tmp_path: Path, place: str) -> None:
    """Who can write there can put a key or an announcement; who can read there gets the keys."""
    with Directories(tmp_path):
        pass
    (tmp_path / place).chmod(0o755)
    with pytest.raises(LaunchError, match="chmod 700"), Directories(tmp_path):
        pass


def test_an_announcement_that_others_could_have_written_is_not_followed(tmp_path: Path) -> None:
    """It says where the token is sent, and which file is taken for the token."""
    with (
        Directories(tmp_path) as directories,
        announced(tmp_path, "http://127.0.0.1:1", directories.token("t")),
    ):
        tmp_path.chmod(0o777)
        with pytest.raises(LaunchError, match="chmod 700"):
            read_running(tmp_path)
        tmp_path.chmod(0o700)


def test_a_damaged_announcement_is_a_clear_error(tmp_path: Path) -> None:
    """A file that is not what a launcher writes stops the command with words."""
    with Directories(tmp_path):
        (tmp_path / "running.json").write_text("[]")
        with pytest.raises(LaunchError, match="cannot read"):
            read_running(tmp_path)


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    """Nothing outside the data directory is made or opened for writing."""
    elsewhere = tmp_path / "elsewhere"
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "lock").symlink_to(elsewhere)
    with pytest.raises(LaunchError, match="cannot use"), Directories(data):
        pass
    assert not elsewhere.exists()


def test_what_a_mind_made_is_removed_however_deep_it_is(tmp_path: Path) -> None:
    """A mind that nests directories without end does not keep its keys on the disk."""
    with Directories(tmp_path) as directories:
        run = directories.run
        here = os.open(run, os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(here)
    assert not run.exists()


@pytest.mark.parametrize("link", [True, False])
def test_only_a_socket_is_opened_to_peers(tmp_path: Path, link: bool) -> None:
    """A mind that puts a link to a private file in its socket's place gets nothing opened."""
    places = RoleDirectories(tmp_path / "planner")
    places.rpc.mkdir(parents=True)
    private = tmp_path / "private.key"
    private.touch(mode=0o600)
    if link:
        (places.rpc / "rpc.sock").symlink_to(private)
    else:
        (places.rpc / "rpc.sock").touch(mode=0o600)
    with pytest.raises(LaunchError, match="in the place of its socket"):
        places.open_to_peers()
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert stat.S_IMODE((places.rpc / "rpc.sock").stat().st_mode) == 0o600


def test_a_socket_is_opened_to_peers(tmp_path: Path) -> None:
    """Peers run as other users: they may write to it, which is to connect."""
    with Directories(tmp_path) as directories, socket.socket(socket.AF_UNIX) as listener:
        places = directories.role("planner", None)
        listener.bind(str(places.rpc / "rpc.sock"))
        places.open_to_peers()
        assert stat.S_IMODE((places.rpc / "rpc.sock").stat().st_mode) == 0o666


def test_a_signal_in_the_middle_of_the_making_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runtime directory that was just made is removed again, and the data can be used."""
    from doublethink_sdk.launcher import directories

    def stopped(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(directories, "write_private", stopped)
    with pytest.raises(KeyboardInterrupt):
        Directories(tmp_path / "data").__enter__()
    assert not list(tmp_path.glob("dt-*"))
    monkeypatch.undo()
    with Directories(tmp_path / "data") as again:
        assert again.run.is_dir()
