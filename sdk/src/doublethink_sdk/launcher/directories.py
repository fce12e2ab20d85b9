"""Where things lie on one machine: the data that stays, and the sockets that do not.

    DATA/lock                 held by the launcher that uses the data
    DATA/run                  where that launcher's RUN is, so that the next one can remove what a killed one left
    DATA/postgres/            the database cluster
    DATA/keys/                key-encryption key, console key, launch token, the log's key: mode 0600
    DATA/ledger.vkey          the log's public keys, see `log_files`
    DATA/checkpoints/         the log's signed checkpoints, outside of the database
    DATA/log/<name>.log       one a process
    RUN/<role>/rpc/           the socket that peers may connect to
    RUN/<role>/admin/         health and metrics, for the launcher alone
    RUN/<role>/etc/           configuration and certificates of that role, read-only

RUN is made anew under the system's temporary directory at each start and removed at
the end: a socket's path may be at most 107 bytes long (unix(7)), so that it cannot lie
in a deep data directory.
"""

import fcntl
import os
import secrets
import stat
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from doublethink_sdk.launcher.errors import DataInUse, LaunchError

RUNNING = "running.json"
_RUN = "run"
_PREFIX = "dt-"
_REMOVE_SECONDS = 60


class Directories:
    """The data and runtime directories of one launcher, locked while it runs.

    A context manager. Raises DataInUse if another launcher holds the data, LaunchError
    if the directory cannot be used.
    """

    def __init__(self, data: Path) -> None:
        self.data = data.absolute()
        self._lock: IO[str] | None = None
        self._run: Path | None = None

    def __enter__(self) -> Self:
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            check_own(self.data)
            for name in ("keys", "log"):
                (self.data / name).mkdir(exist_ok=True, mode=0o700)
                check_own(self.data / name)
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            lock = os.fdopen(os.open(self.data / "lock", flags, 0o600), "r+")
        except OSError as error:
            raise LaunchError(
                f"cannot use {self.data}: {error.strerror}; name another directory with --data"
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise DataInUse(
                f"{self.data} is in use by another doublethink; "
                "stop it, or name another directory with --data"
            ) from None
        self._lock = lock
        try:
            # Of a launcher that was killed: whoever has that port by now must get no token.
            (self.data / RUNNING).unlink(missing_ok=True)
            self._remove_left_behind()
            self._run = Path(tempfile.mkdtemp(prefix=_PREFIX))
            write_private(self.data / _RUN, os.fsencode(self._run))
        except OSError as error:
            lock.close()
            raise LaunchError(
                f"cannot use {self.data} or the temporary directory: {error.strerror}"
            ) from error
        except BaseException:
            # A signal, just now: __exit__ is not called for what was not entered.
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._run is not None:
            _remove(self._run)
            (self.data / _RUN).unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()

    @property
    def run(self) -> Path:
        """The runtime directory; only inside the context."""
        if self._run is None:
            raise LaunchError("the runtime directory exists only while the launcher runs")
        return self._run

    def _remove_left_behind(self) -> None:
        """Remove the runtime directory of a launcher that was killed before it could. Raises OSError, LaunchError.

        Its processes ended with it, and nobody else uses it: the lock is held.
        """
        try:
            left = Path(os.fsdecode((self.data / _RUN).read_bytes()))
            mode = os.lstat(left)
        except FileNotFoundError:
            return
        # Only what a launcher of this user can have made; a restored backup may name anything.
        ours = stat.S_ISDIR(mode.st_mode) and mode.st_uid == os.geteuid() and not mode.st_mode & 0o077
        if ours and left.name.startswith(_PREFIX) and left.parent == Path(tempfile.gettempdir()):
            _remove(left)

    def log(self, name: str) -> Path:
        """The log file of one process."""
        return self.data / "log" / f"{name}.log"

    def token(self, name: str) -> Path:
        """A file under keys/ that holds 256 random bits as 64 hexadecimal digits, made once and then kept."""
        path = self.data / "keys" / name
        path.parent.mkdir(exist_ok=True, mode=0o700)
        if not path.exists():
            write_private(path, secrets.token_hex(32).encode())
        return path

    def role(self, role: str, user: int | None) -> "RoleDirectories":
        """Make the runtime directories of one role, given to `user` if one is named."""
        places = RoleDirectories(self.run / role)
        for place in (places.root, places.rpc, places.admin, places.etc):
            place.mkdir(mode=0o700)
        # Peers run as other users; RUN itself keeps everybody else out.
        places.rpc.chmod(0o755)
        if user is not None:
            for place in (places.rpc, places.admin):
                os.chown(place, user, user)
        return places


class RoleDirectories:
    """The runtime directories and addresses of one role."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rpc = root / "rpc"
        self.admin = root / "admin"
        self.etc = root / "etc"

    @property
    def target(self) -> str:
        """Where peers reach this role, in gRPC's notation."""
        return f"unix:{self.rpc / 'rpc.sock'}"

    def open_to_peers(self) -> None:
        """Let the peers connect: they run as other users, and connecting takes the right to write.

        The directory is reached by the launcher and, inside their sandboxes, by the peers alone.
        Raises LaunchError if the role has put something else in the socket's place.
        """
        # The role can write here: what it made may be a link to a file of the launcher's.
        try:
            descriptor = os.open(self.rpc / "rpc.sock", os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            raise LaunchError(f"{self.root.name} has no socket: {error.strerror}") from error
        try:
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                raise LaunchError(f"{self.root.name} has put something else in the place of its socket")
            # fchmod(2) takes no such descriptor; its name under /proc stands for the very file.
            os.chmod(f"/proc/self/fd/{descriptor}", 0o666)  # noqa: S103 - see above
        finally:
            os.close(descriptor)

    @property
    def health(self) -> str:
        """Where grpc.health.v1 answers."""
        return f"unix:{self.admin / 'health.sock'}"

    @property
    def metrics(self) -> str:
        """Where Prometheus' text format is served."""
        return f"unix:{self.admin / 'metrics.sock'}"


def check_own(directory: Path) -> None:
    """Refuse a directory in which somebody else may put or read files. Raises OSError, LaunchError."""
    found = os.lstat(directory)
    if stat.S_ISLNK(found.st_mode):
        # A link of one's own choice; what counts is where it leads.
        found = os.stat(directory)
    if found.st_uid != os.geteuid():
        raise LaunchError(f"{directory} belongs to another user; name another directory with --data")
    if found.st_mode & 0o077:
        raise LaunchError(f"others may use {directory}: run chmod 700 on it")


def _remove(directory: Path) -> None:
    """Remove a directory in which the minds could write: however deep they made it, and past no link.

    shutil.rmtree(3) calls itself for each level and gives up in a deep one.
    """
    done = subprocess.run(
        ("/bin/rm", "-rf", "--one-file-system", "--", str(directory)),
        capture_output=True,
        timeout=_REMOVE_SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        raise LaunchError(f"{directory} could not be removed; remove it by hand")


def write_private(path: Path, content: bytes, user: int | None = None) -> None:
    """Write a file that only its owner may read, whole or not at all.

    Raises OSError. An existing file is replaced.
    """
    temporary = path.with_name(f"{path.name}.new")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        if user is not None:
            os.fchown(file.fileno(), user, user)
    temporary.replace(path)
