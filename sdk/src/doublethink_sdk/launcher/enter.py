"""Process 1 of a sandbox: builds the root, drops every privilege, runs one program.

Started by `sandbox.command` in fresh namespaces. Stays as process 1: when it ends,
the kernel ends all that runs in its PID namespace. SIGTERM and SIGINT are passed on.
SIGUSR1 makes what was writable read-only: once the program has made its sockets it
has nothing more to write outside its own memory.
"""

import contextlib
import os
import platform
import resource
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from doublethink_sdk.launcher import seccomp, syscalls
from doublethink_sdk.launcher.sandbox import Sandbox

_STAGE = Path("/tmp")  # noqa: S108 - a mount point in a private mount namespace, nothing is written there
_OLD = Path("/old")
_NEW = Path("/new")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_PLAIN = syscalls.MS_NOSUID | syscalls.MS_NODEV
# What one mind may take of the machine: bytes of memory, bytes in one file (its log), processes, open files.
_LIMITS = (
    (resource.RLIMIT_DATA, 4 << 30),
    (resource.RLIMIT_FSIZE, 1 << 30),
    (resource.RLIMIT_NPROC, 2048),
    (resource.RLIMIT_NOFILE, 4096),
)


@dataclass(frozen=True)
class _Binding:
    """One path to be shown inside: where it really lies, where it appears."""

    source: Path
    target: Path
    directory: bool
    read_only: bool


def _bindings(sandbox: Sandbox) -> list[_Binding]:
    # Resolved while the machine's own root is still in place.
    found = []
    for paths, read_only in ((sandbox.readable, True), ((*sandbox.writable, *sandbox.lasting), False)):
        for text in paths:
            source = Path(text).resolve(strict=True)
            found.append(_Binding(source, Path(text), source.is_dir(), read_only))
    # Outer paths first, so that an inner one is not covered.
    return sorted(found, key=lambda b: len(b.target.parts))


def _under(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def _make_target(target: Path, *, directory: bool) -> None:
    if directory:
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.touch()


def _show_devices() -> None:
    for name in _DEVICES:
        target = _NEW / "dev" / name
        _make_target(target, directory=False)
        # Without MS_NODEV: these five are the devices that a program may use.
        syscalls.mount(str(_OLD / "dev" / name), target, None, syscalls.MS_BIND)
    shared = _NEW / "dev" / "shm"
    shared.mkdir()
    syscalls.mount("tmpfs", shared, "tmpfs", _PLAIN | syscalls.MS_NOEXEC, "mode=1777,size=64m")


def build_root(sandbox: Sandbox) -> None:
    """Replace this mount namespace's root by one that holds only what `sandbox` names.

    Raises OSError if a path is absent or the kernel refuses a step; nothing is run then.
    """
    bindings = _bindings(sandbox)
    syscalls.mount("none", Path("/"), None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    # A first root from which the old one can still be seen, whatever lies in the
    # old /tmp: a path there may be one of those to be shown.
    syscalls.mount("tmpfs", _STAGE, "tmpfs", _PLAIN, "mode=0755,size=1m")
    _under(_STAGE, _OLD).mkdir()
    _under(_STAGE, _NEW).mkdir()
    syscalls.pivot_root(_STAGE, _under(_STAGE, _OLD))
    os.chdir("/")
    syscalls.mount("tmpfs", _NEW, "tmpfs", _PLAIN, "mode=0755,size=16m")
    for name, data in (("tmp", "mode=1777,size=64m"), ("run", "mode=0755,size=1m")):
        (_NEW / name).mkdir()
        syscalls.mount("tmpfs", _NEW / name, "tmpfs", _PLAIN | syscalls.MS_NOEXEC, data)
    for binding in bindings:
        target = _under(_NEW, binding.target)
        _make_target(target, directory=binding.directory)
        syscalls.bind(_under(_OLD, binding.source), target, read_only=binding.read_only)
    _show_devices()
    processes = _NEW / "proc"
    processes.mkdir()
    syscalls.mount("proc", processes, "proc", _PLAIN | syscalls.MS_NOEXEC)
    os.chdir(_NEW)
    syscalls.pivot_root(Path("."), Path("."))
    syscalls.detach(Path("."))
    os.chdir("/")
    # The empty root itself, and nothing of what is mounted in it.
    syscalls.mount(
        "none", Path("/"), None, _PLAIN | syscalls.MS_REMOUNT | syscalls.MS_BIND | syscalls.MS_RDONLY
    )


def _unprivileged(sandbox: Sandbox, argv: list[str]) -> list[str]:
    identity = []
    if sandbox.user is not None:
        identity = [f"--reuid={sandbox.user}", f"--regid={sandbox.user}", "--clear-groups"]
    drop = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    return ["/usr/bin/setpriv", *identity, *drop, "--", *argv]


def _limit() -> None:
    for kind, most in _LIMITS:
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))


def _supervise(child: int, writable: tuple[str, ...]) -> int:
    def forward(number: int, _frame: FrameType | None) -> None:
        # Gone already, and about to be waited for.
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)

    def close(_number: int, _frame: FrameType | None) -> None:
        for place in writable:
            syscalls.make_read_only(Path(place))

    signal.signal(signal.SIGUSR1, close)
    signal.signal(signal.SIGTERM, forward)
    signal.signal(signal.SIGINT, forward)
    while True:
        # Process 1 inherits whatever the program leaves behind.
        ended, status = os.wait()
        if ended == child:
            return os.waitstatus_to_exitcode(status)


def main() -> None:
    """Enter the sandbox of the first argument and run the rest of the command line there.

    Ends with the program's own exit status, or 128 and the signal's number.
    """
    sandbox, argv = Sandbox.decode(sys.argv[1]), sys.argv[2:]
    build_root(sandbox)
    child = os.fork()
    if child == 0:
        command = _unprivileged(sandbox, argv)
        _limit()
        syscalls.filter_calls(seccomp.program(platform.machine()))
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted
    code = _supervise(child, sandbox.writable)
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
