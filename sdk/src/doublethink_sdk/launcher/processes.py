"""Processes as data: what to run, when it is healthy, how to end it.

`Supervisor` starts a table of them, notices an early death, and stops them in
reverse order.
"""

import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from doublethink_sdk.launcher.errors import ProcessFailed

_POLL_SECONDS = 0.02
_LOG_TAIL_BYTES = 2000
# A log that has grown beyond this is put aside at the next start, in place of the one put aside before.
_LOG_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Process:
    """One row of the table.

    `ready` is asked until it returns True or `start_seconds` have passed; it must
    not block for long. `stop_signal` is sent first, SIGKILL after `stop_seconds`.
    """

    name: str
    order: int
    argv: tuple[str, ...]
    log: Path
    ready: Callable[[], bool]
    environment: Mapping[str, str] = field(default_factory=dict)
    start_seconds: float = 30.0
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 10.0
    # What the kernel sends if the launcher itself is killed; None if `argv` sees to that.
    orphan_signal: str | None = "KILL"
    # The program is not `argv` itself but its child: unshare(1) passes no signal on.
    sandboxed: bool = False


@dataclass
class _Running:
    process: Process
    child: subprocess.Popen[bytes]
    log: IO[bytes]
    deadline: float
    # Where in the log this start's own lines begin.
    log_start: int = 0
    ready: bool = False


def minimal_environment() -> dict[str, str]:
    """The variables that every process gets; nothing of the caller's is passed on.

    Proxy settings and preloaded libraries of the caller's shell would change where
    requests go, so they do not reach any process.
    """
    kept = {name: os.environ[name] for name in ("LANG", "TZ") if name in os.environ}
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "PYTHONUNBUFFERED": "1", **kept}


class Supervisor:
    """Starts, watches and stops processes. A context manager that always stops all."""

    def __init__(self) -> None:
        self._running: list[_Running] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def pids(self) -> dict[str, int]:
        """The process ids by name, of those that were started."""
        return {entry.process.name: entry.child.pid for entry in self._running}

    def start(self, process: Process) -> None:
        """Launch one process and wait until it is healthy. Raises ProcessFailed."""
        self.launch(process)
        self.wait_ready()

    def launch(self, process: Process) -> None:
        """Start one process without waiting for it.

        Must be called from the thread that lives as long as the launcher: the kernel
        ends a child when the thread that started it ends. Raises ProcessFailed.
        """
        argv = (*_without_core_dump(), *_dying_with_parent(process))
        log = _open_log(process.log)
        log_start = log.seek(0, os.SEEK_END)
        child = subprocess.Popen(
            argv,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**minimal_environment(), **process.environment},
            start_new_session=True,
            umask=0o022,
        )
        self._running.append(
            _Running(process, child, log, time.monotonic() + process.start_seconds, log_start)
        )

    def wait_ready(self) -> None:
        """Wait until every launched process is healthy. Raises ProcessFailed."""
        for entry in self._running:
            while not entry.ready:
                self.check()
                entry.ready = entry.process.ready()
                if not entry.ready and time.monotonic() > entry.deadline:
                    raise ProcessFailed(
                        f"{entry.process.name} did not become healthy within "
                        f"{entry.process.start_seconds:.0f} s; "
                        f"its log is {entry.process.log}{_tail(entry)}"
                    )
                if not entry.ready:
                    time.sleep(_POLL_SECONDS)

    def check(self) -> None:
        """Raise ProcessFailed if any process has ended."""
        for entry in self._running:
            code = entry.child.poll()
            if code is not None:
                raise ProcessFailed(
                    f"{entry.process.name} ended with status {code}; "
                    f"its log is {entry.process.log}{_tail(entry)}"
                )

    def signal_inside(self, name: str, number: signal.Signals) -> int:
        """Send a signal to process 1 of a sandboxed process's sandbox; returns its id. Raises ProcessFailed."""
        self.check()
        inside = [pid for entry in self._running if entry.process.name == name for pid in _children(entry)]
        if len(inside) != 1:
            raise ProcessFailed(f"{name} does not run in a sandbox")
        os.kill(inside[0], number)
        return inside[0]

    def stop(self) -> None:
        """Stop all processes in reverse order. Does nothing the second time."""
        while self._running:
            entry = self._running.pop()
            _end(entry)
            entry.log.close()


def _dying_with_parent(process: Process) -> tuple[str, ...]:
    if process.orphan_signal is None:
        return process.argv
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise ProcessFailed("setpriv(1) is missing: install the package util-linux")
    return (setpriv, "--pdeathsig", process.orphan_signal, "--", *process.argv)


def _end(entry: _Running) -> None:
    if entry.child.poll() is None:
        _send_stop(entry)
        try:
            entry.child.wait(entry.process.stop_seconds)
        except subprocess.TimeoutExpired:
            entry.child.kill()
            entry.child.wait()
    # A killed process may leave children in its session; they are this launcher's own.
    try:
        os.killpg(entry.child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _send_stop(entry: _Running) -> None:
    if not entry.process.sandboxed:
        entry.child.send_signal(entry.process.stop_signal)
        return
    for child in _children(entry):
        os.kill(child, entry.process.stop_signal)


def _children(entry: _Running) -> list[int]:
    # The children of a child that has not been waited for keep their numbers.
    pid = entry.child.pid
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _without_core_dump() -> tuple[str, ...]:
    """A core holds the memo and the keys. A limit of 1 byte keeps it from a file and from a handler's pipe.

    Linux treats 1 apart: with 0 a handler named in core_pattern still gets the core, see core(5).
    """
    prlimit = shutil.which("prlimit")
    if prlimit is None:
        raise ProcessFailed("prlimit(1) is missing: install the package util-linux")
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    most = 0 if hard == 0 else 1
    return (prlimit, f"--core={most}:{most}", "--")


def _open_log(path: Path) -> IO[bytes]:
    try:
        if path.stat().st_size > _LOG_BYTES:
            path.replace(path.with_name(f"{path.name}.1"))
    except FileNotFoundError:
        pass
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o600), "ab")


def _tail(entry: _Running) -> str:
    """The last lines of this start in a log, for a person. Logs hold events and numbers only."""
    with entry.process.log.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(min(entry.log_start, end), end - _LOG_TAIL_BYTES))
        text = file.read().decode("utf-8", "replace").strip()
    return f", and ends with:\n{text}" if text else " and is empty"
