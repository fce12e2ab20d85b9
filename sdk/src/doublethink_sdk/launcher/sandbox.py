"""The place in which a mind, or the sealer, runs: what it sees of the file system, and as whom it runs.

A sandbox has a network namespace without an interface, and mount, PID and IPC
namespaces of its own. Its root is an empty tmpfs into which the interpreter, the
program and the mind's own directories are bound; everything else of the machine
is absent rather than forbidden.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

# What an interpreter of Debian needs besides itself. No /etc/resolv.conf: no mind has DNS.
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime")


@dataclass(frozen=True)
class Sandbox:
    """What one process is given.

    `readable`, `writable` and `lasting` are absolute paths shown at the same place inside. What is `writable` is so
    until the process has made its sockets, what is `lasting` for good.
    `user` is the numeric user and group that it runs as, or None to keep the caller's.
    """

    readable: tuple[str, ...]
    writable: tuple[str, ...]
    user: int | None
    lasting: tuple[str, ...] = ()

    def encode(self) -> str:
        """The sandbox as one JSON argument for the entering program."""
        return json.dumps(asdict(self))

    @classmethod
    def decode(cls, text: str) -> "Sandbox":
        """Inverse of `encode`. Raises TypeError or ValueError on anything else."""
        fields = json.loads(text)
        return cls(
            tuple(fields["readable"]), tuple(fields["writable"]), fields["user"], tuple(fields["lasting"])
        )


@cache
def interpreter_paths() -> tuple[str, ...]:
    """Every path that this interpreter and the packages installed for it live in.

    Asked of an isolated interpreter, so that neither the caller's folder nor
    PYTHONPATH is among them.
    """
    ask = "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix, *sys.path]))"
    answer = subprocess.run(
        (sys.executable, "-I", "-c", ask), capture_output=True, check=True, timeout=30, text=True
    )
    places = {Path(p).absolute() for p in json.loads(answer.stdout) if Path(p).is_dir()}
    places |= {p.resolve() for p in places}
    kept: list[Path] = []
    for place in sorted(places):
        if not any(place.is_relative_to(outer) for outer in (Path("/usr"), *kept)):
            kept.append(place)
    return (*(p for p in _SYSTEM if Path(p).exists()), *map(str, kept))


def command(sandbox: Sandbox, argv: tuple[str, ...]) -> tuple[str, ...]:
    """The command line that runs `argv` inside `sandbox`.

    unshare(1) makes the namespaces; the entering program builds the root, stays as
    process 1 so that the death of the launcher ends everything inside, and starts
    `argv` without privileges.
    """
    unshare = shutil.which("unshare")
    if unshare is None:
        raise FileNotFoundError("unshare(1) is missing: install the package util-linux")
    user_namespace = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    return (
        unshare,
        *user_namespace,
        "--net",
        "--mount",
        "--pid",
        "--ipc",
        "--fork",
        "--kill-child",
        sys.executable,
        "-I",
        "-m",
        "doublethink_sdk.launcher.enter",
        sandbox.encode(),
        *argv,
    )


def is_closed(process: int, sandbox: Sandbox) -> bool:
    """Whether everything that `sandbox` names is read-only to the sandbox of process 1 `process`, proc(5).

    What is lasting stays writable.
    """
    options = {}
    for line in Path(f"/proc/{process}/mountinfo").read_text().splitlines():
        fields = line.split(" ")
        # Spaces and the like stand as octal escapes; such a path is not found and so counts as open.
        options[fields[4]] = fields[5].split(",")
    return all("ro" in options.get(path, ()) for path in sandbox.writable)
