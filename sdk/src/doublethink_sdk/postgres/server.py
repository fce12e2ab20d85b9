"""The embedded server: prepared, started, waited for, stopped.

It listens on a unix socket in a directory of mode 0700 and on nothing else, and every role has a password of
its own: reaching the socket is not enough. The directory belongs to the user that the server runs as.
"""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import psycopg
from psycopg.conninfo import make_conninfo

from doublethink_sdk.postgres.binaries import Binaries
from doublethink_sdk.postgres.cluster import (
    DirectoryLock,
    check_version,
    clear_stale_pid,
    make_cluster,
    owner_of,
)
from doublethink_sdk.postgres.errors import ClusterError, StartError
from doublethink_sdk.postgres.identity import Identity, Way, choose_identity
from doublethink_sdk.postgres.layout import DATABASES, ROLES, Database, Role
from doublethink_sdk.postgres.passwords import PasswordDirectory
from doublethink_sdk.postgres.provision import provision

ADMINISTRATOR: Final = "postgres"
PORT: Final = 5432
"""Only the last part of the socket's name; nothing listens on a port."""

MAX_SOCKET_DIR_BYTES: Final = 92
"""A unix socket's path has at most 107 bytes (Linux, sun_path); the server adds `/.s.PGSQL.5432`."""

_SETTINGS: Final[Mapping[str, str]] = {
    "listen_addresses": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_connections": "64",
    "shared_buffers": "64MB",
    "password_encryption": "scram-sha-256",
    "log_destination": "stderr",
    "logging_collector": "off",
    # No statement and no parameter is ever logged: either could hold what must not be shown.
    "log_statement": "none",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
    "log_timezone": "UTC",
    "timezone": "UTC",
    "lc_messages": "C",
    "cluster_name": "doublethink",
}

_READY_SECONDS = 60.0
_STOP_SECONDS = 30.0
_IMMEDIATE_SECONDS = 10.0
_FIRST_PAUSE_SECONDS = 0.02
_LONGEST_PAUSE_SECONDS = 0.5
_LOG_TAIL_BYTES = 2000


class EmbeddedPostgres:
    """One PostgreSQL server on one data directory.

    data_dir: made with mode 0711 if missing. socket_dir: at most 92 bytes, made with mode 0700.
    bindir: PostgreSQL's programs; None takes those of the wheel. user: whom a start as root becomes;
    way: insist on one way of doing so. settings: server settings that are added to, or replace, the own ones.
    roles, databases: what `provision` makes. Not for use by several threads at once.
    """

    def __init__(
        self,
        data_dir: Path,
        socket_dir: Path,
        *,
        bindir: Path | None = None,
        user: str = "nobody",
        way: Way | None = None,
        settings: Mapping[str, str] | None = None,
        roles: Sequence[Role] = ROLES,
        databases: Sequence[Database] = DATABASES,
    ) -> None:
        self.data_dir = data_dir.absolute()
        self.socket_dir = socket_dir.absolute()
        if len(os.fsencode(self.socket_dir)) > MAX_SOCKET_DIR_BYTES:
            raise ClusterError(
                f"the socket directory's path is longer than {MAX_SOCKET_DIR_BYTES} bytes: name a shorter one"
            )
        self.cluster = self.data_dir / "cluster"
        self.log_file = self.data_dir / "server.log"
        self.passwords = PasswordDirectory(self.data_dir / "passwords")
        self._bindir = bindir
        self._user = user
        self._way = way
        self._settings = {**_SETTINGS, **(settings or {})}
        self._roles = tuple(roles)
        self._databases = tuple(databases)
        self._lock = DirectoryLock(self.data_dir / "lock")
        self._binaries: Binaries | None = None
        self._identity: Identity | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Take the lock, make the data directory if it is missing, and clear what a crash left.

        May be called again before each start. Raises an EmbeddedPostgresError.
        """
        try:
            self.data_dir.mkdir(mode=0o711, parents=True, exist_ok=True)
        except OSError as error:
            raise ClusterError(f"{self.data_dir} cannot be made: {error.strerror}") from error
        self._lock.acquire()
        try:
            self._binaries = Binaries.find(self._bindir)
            self._identity = self._choose_identity(self._binaries)
            self._make_socket_dir(self._identity)
            if owner_of(self.cluster) is None:
                admin = self.passwords.read_or_make(ADMINISTRATOR)
                make_cluster(self.cluster, self._binaries, self._identity, admin)
            check_version(self.cluster, self._binaries)
            clear_stale_pid(self.cluster)
        except BaseException:
            self._lock.release()
            raise

    def command(self, *, die_with_parent: bool = False) -> list[str]:
        """Return the server's argument list. Needs `prepare`.

        Run it with `environment()`, in the directory `/`. It stays in the foreground and logs to standard
        error; SIGINT stops it cleanly. die_with_parent: see Identity.wrap.
        """
        if self._binaries is None or self._identity is None:
            raise StartError("prepare() comes before command()")
        settings = {**self._settings, "unix_socket_directories": str(self.socket_dir), "port": str(PORT)}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return self._identity.wrap(
            [self._binaries.postgres, "-D", self.cluster, *options], die_with_parent=die_with_parent
        )

    def environment(self) -> dict[str, str]:
        """Return the whole environment for the server: nothing of the caller's goes in."""
        return {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}

    def dsn(self, role: str, database: str) -> str:
        """Return a libpq connection string. It holds no password, only the name of the file with it."""
        return make_conninfo(
            "",
            host=str(self.socket_dir),
            port=PORT,
            user=role,
            dbname=database,
            passfile=str(self.passwords.path(role)),
        )

    def admin_dsn(self, database: str = "postgres") -> str:
        """Return the administrator's connection string: for setting up and for tests, never for a service."""
        return self.dsn(ADMINISTRATOR, database)

    def wait_ready(self, timeout_s: float = _READY_SECONDS, alive: Callable[[], bool] = lambda: True) -> None:
        """Return when the server answers a query. Blocks: an event loop calls it in a thread.

        alive: tells whether the server's process still runs. Raises StartError.
        """
        deadline = time.monotonic() + timeout_s
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                with psycopg.connect(self.admin_dsn(), connect_timeout=5) as connection:
                    connection.execute("SELECT 1")
                return
            except psycopg.OperationalError as error:
                last = str(error).strip()
            if not alive():
                raise StartError(f"the server ended while starting: {self._log_tail()}")
            if time.monotonic() >= deadline:
                raise StartError(f"the server did not answer within {timeout_s:g} s: {last}")
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)

    def provision(self) -> None:
        """Make the roles and databases that are missing. Needs a running server. Raises psycopg.Error."""
        with psycopg.connect(self.admin_dsn(), autocommit=True, connect_timeout=10) as connection:
            provision(connection, self.passwords, self._roles, self._databases)

    def start(self, *, die_with_parent: bool = False) -> None:
        """Prepare, start, wait and provision. Raises an EmbeddedPostgresError, and then nothing runs.

        die_with_parent: see Identity.wrap; for a caller whose starting thread lives as long as it needs the server.
        """
        self.prepare()
        try:
            with self.log_file.open("ab") as log:
                self.log_file.chmod(0o600)
                self.process = subprocess.Popen(
                    self.command(die_with_parent=die_with_parent),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd="/",
                    env=self.environment(),
                    # Ctrl-C at a terminal reaches the caller, who then stops the server in its own order.
                    start_new_session=True,
                )
            process = self.process
            self.wait_ready(alive=lambda: process.poll() is None)
            self.provision()
        except BaseException:
            self.stop()
            raise

    def stop(self, timeout_s: float = _STOP_SECONDS) -> None:
        """Stop the server: fast (SIGINT), then immediate (SIGQUIT), then by force. Releases the lock.

        After anything but the fast stop the next start recovers; no committed row is lost.
        """
        process = self.process
        if process is not None:
            for number, seconds in (
                (signal.SIGINT, timeout_s),
                (signal.SIGQUIT, _IMMEDIATE_SECONDS),
                (signal.SIGKILL, _IMMEDIATE_SECONDS),
            ):
                if process.poll() is None:
                    process.send_signal(number)
                    try:
                        process.wait(seconds)
                    except subprocess.TimeoutExpired:
                        continue
            if process.poll() is None:
                raise StartError(f"the server (process {process.pid}) does not end")
            self.process = None
        self._lock.release()

    def release(self) -> None:
        """Give the data directory back: for a supervisor, once the server's process has ended."""
        self._lock.release()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _choose_identity(self, binaries: Binaries) -> Identity:
        reachable = (self.data_dir, self.socket_dir.parent)
        user, way = self._user, self._way
        owner = owner_of(self.cluster)
        if owner is not None and os.geteuid() == 0:
            # The data was made one way and stays with it.
            way = Way.NAMESPACE if owner == 0 else Way.USER
            user = _user_name(owner) if owner else user
        self.socket_dir.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
        return choose_identity(binaries.postgres, reachable, user, way)

    def _make_socket_dir(self, identity: Identity) -> None:
        try:
            self.socket_dir.mkdir(mode=0o700, exist_ok=True)
            if self.socket_dir.is_symlink():
                raise ClusterError(f"{self.socket_dir} is a symbolic link: name a directory")
            self.socket_dir.chmod(0o700)
            if identity.way is Way.USER:
                os.chown(self.socket_dir, identity.uid, identity.gid)
        except OSError as error:
            raise ClusterError(f"{self.socket_dir} cannot be made: {error.strerror}") from error

    def _log_tail(self) -> str:
        try:
            text = self.log_file.read_bytes()[-_LOG_TAIL_BYTES:].decode(errors="replace")
        except FileNotFoundError:
            return "it wrote no log here"
        return " / ".join(text.splitlines()[-4:])


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        raise ClusterError(f"the data belongs to user {uid}, who does not exist on this machine") from None
