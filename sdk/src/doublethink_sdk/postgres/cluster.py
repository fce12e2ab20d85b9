"""The data directory: a lock, a PostgreSQL data directory that is complete or absent, what a crash left.

DATA_DIR/lock        held while a runner uses the directory
DATA_DIR/cluster     PostgreSQL's own; made as cluster.new and renamed when initdb has finished
DATA_DIR/passwords   one file per role
DATA_DIR/server.log  what the server wrote to its standard error
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import time
from pathlib import Path

from doublethink_sdk.postgres.binaries import Binaries
from doublethink_sdk.postgres.errors import AlreadyRunningError, ClusterError
from doublethink_sdk.postgres.identity import Identity, Way
from doublethink_sdk.postgres.passwords import Password

_INITDB_SECONDS = 120
_SHOWN_LINES = 5
_PAUSE_SECONDS = 0.05
ORPHAN_SECONDS = 10.0
"""How long a start waits for what a killed server left running."""


class DirectoryLock:
    """An exclusive lock on a data directory for as long as this process lives or until `release`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take the lock; doing so twice is the same as once. Raises AlreadyRunningError if another has it."""
        if self._descriptor is not None:
            return
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise AlreadyRunningError(
                f"{self._path.parent} is in use by another start on this machine: stop that one first"
            ) from None
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back. Without effect when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def owner_of(cluster: Path) -> int | None:
    """Return the uid that owns an existing data directory, or None where there is none."""
    try:
        return cluster.stat().st_uid
    except FileNotFoundError:
        return None


def make_cluster(cluster: Path, binaries: Binaries, identity: Identity, admin: Password) -> None:
    """Run initdb, with checksums, password authentication and no locale. Raises ClusterError.

    A failed or interrupted run leaves nothing that a later start would take for a data directory.
    """
    partial = cluster.with_name("cluster.new")
    password_file = cluster.with_name("initdb.password")
    if partial.exists():
        shutil.rmtree(partial)
    password_file.unlink(missing_ok=True)
    try:
        partial.mkdir(mode=0o700)
        descriptor = os.open(password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(admin.text)
        if identity.way is Way.USER:
            os.chown(partial, identity.uid, identity.gid)
            os.chown(password_file, identity.uid, identity.gid)
        done = subprocess.run(
            identity.wrap(
                [
                    binaries.initdb,
                    f"--pgdata={partial}",
                    f"--username={admin.role}",
                    f"--pwfile={password_file}",
                    "--auth-local=scram-sha-256",
                    "--auth-host=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--data-checksums",
                    "--no-instructions",
                ]
            ),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_INITDB_SECONDS,
            cwd="/",
            env={"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"},
        )
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise ClusterError(
                f"initdb could not make {cluster} (exit {done.returncode}): "
                + " / ".join(lines[-_SHOWN_LINES:])
                + _advice(done.stderr)
            )
        partial.rename(cluster)
    except subprocess.TimeoutExpired as error:
        raise ClusterError(f"initdb did not finish in {_INITDB_SECONDS} s: is the disk very slow?") from error
    except OSError as error:
        raise ClusterError(f"{cluster} cannot be made: {error}{_advice(str(error))}") from error
    finally:
        password_file.unlink(missing_ok=True)
        if partial.exists():
            shutil.rmtree(partial)


def check_version(cluster: Path, binaries: Binaries) -> None:
    """Raise ClusterError unless the data directory is of the programs' major version."""
    try:
        found = (cluster / "PG_VERSION").read_text(encoding="ascii").strip()
    except OSError as error:
        raise ClusterError(f"{cluster} is not a PostgreSQL data directory: {error}") from error
    if found != str(binaries.major):
        raise ClusterError(
            f"{cluster} belongs to PostgreSQL {found}, the programs are {binaries.major}: "
            "start with the old programs and move the data by pg_dump, or use another directory"
        )


def clear_stale_pid(cluster: Path) -> None:
    """Deal with a postmaster.pid that a crash left. Call with the lock held.

    Waits for processes of a killed server to end by themselves, as they do when they miss it. Then a dead
    number is left to PostgreSQL; but a number that some other program has by now would make PostgreSQL
    refuse for ever, so that file is removed. Raises AlreadyRunningError when a server, or what is left of
    one, goes on.
    """
    pid_file = cluster / "postmaster.pid"
    try:
        first = pid_file.read_text(encoding="ascii", errors="replace").partition("\n")[0].strip()
    except FileNotFoundError:
        return
    if not first.isdigit():
        return
    pid = int(first)
    deadline = time.monotonic() + ORPHAN_SECONDS
    while users := _processes_in(cluster):
        if pid in users:
            raise AlreadyRunningError(
                f"a server that an earlier start left behind still runs on {cluster} (process {pid}): "
                f"stop it with kill -INT {pid}"
            )
        if time.monotonic() >= deadline:
            raise AlreadyRunningError(
                f"processes of a killed server still use {cluster} ({', '.join(map(str, users))}): "
                "wait until they have ended, or end them"
            )
        time.sleep(_PAUSE_SECONDS)
    if Path(f"/proc/{pid}").exists():
        pid_file.unlink(missing_ok=True)


def _processes_in(cluster: Path) -> list[int]:
    """Return the processes that work in a directory: a server and all its parts do in their data directory.

    Another user's processes may be hidden; they could not have opened the data.
    """
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if Path(os.readlink(entry / "cwd")) == cluster.resolve():
                    found.append(int(entry.name))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
    return found


def _advice(text: str) -> str:
    if "No space left" in text or "Disk quota" in text:
        return ": free some disk space (a new database takes about 60 MB) and start again"
    return ""
