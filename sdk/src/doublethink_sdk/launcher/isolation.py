"""Proves at start that the minds cannot reach what they must not reach.

The launcher opens listeners of its own, lets the probe reach them from outside any
sandbox (the positive control), and then runs the probe inside each mind's sandbox;
all minds at the same time, each with controls of its own.
A control that fails or an attempt that succeeds stops the start.
"""

import contextlib
import json
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from doublethink_sdk.launcher.errors import IsolationFailed, NoSandbox
from doublethink_sdk.launcher.probe import Targets
from doublethink_sdk.launcher.processes import minimal_environment
from doublethink_sdk.launcher.sandbox import Sandbox, command

_ALLOWED = "connect to its own peer's socket"
# Without a positive control: nothing may be sent there, and outside a sandbox
# whether there is a route or a privilege depends on the machine.
_UNCONTROLLED = frozenset(
    {
        "find a route to the internet",
        "hold a capability or be able to gain one",
        "change mounts",
        "make a namespace of its own",
        "open a socket to the host of a virtual machine",
        "keep a key where another process finds it",
        "make calls by a ring",
    }
)
_PROBE_SECONDS = 30
_DOCUMENTATION_ADDRESS = "192.0.2.1:443"  # TEST-NET-1, RFC 5737
_ENGINE_SOCKETS = ("/run/docker.sock", "/var/run/docker.sock", "/run/containerd/containerd.sock")


@dataclass(frozen=True)
class MindPlace:
    """One sandbox, the directory of a peer that it may connect to, and what belongs to others.

    `allowed` is the socket that it may connect to where it sees that and no directory of a peer.
    """

    sandbox: Sandbox
    peer_directory: Path | None
    foreign: tuple[Path, ...] = ()
    allowed: Path | None = None

    def hides(self, path: Path) -> bool:
        """Whether nothing of `path` is there: a directory above something that is shown is there, and empty."""
        shown = (*self.sandbox.readable, *self.sandbox.writable, *self.sandbox.lasting)
        return not any(Path(one).is_relative_to(path) for one in shown)


@dataclass(frozen=True)
class Report:
    """What was tried in each mind's sandbox; every forbidden attempt was refused."""

    attempts: Mapping[str, Mapping[str, bool]]

    def encode(self) -> str:
        """The report as JSON for the console and for a person."""
        return json.dumps({"enforced": True, "minds": self.attempts}, indent=1, sort_keys=True)

    @property
    def refused(self) -> int:
        """How many forbidden attempts were made and refused, over all minds."""
        return sum(1 for made in self.attempts.values() for name in made if name != _ALLOWED)


def _listen(address: str | tuple[str, int], family: socket.AddressFamily) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.bind(address)
    # The probe's connections wait in the queue: nobody needs to accept them.
    listener.listen(64)
    return listener


@contextlib.contextmanager
def _controls(mind: str, place: MindPlace, engine_sockets: tuple[str, ...]) -> Iterator[Targets]:
    name = f"doublethink-probe-{secrets.token_hex(8)}"
    with contextlib.ExitStack() as stack:
        tcp = stack.enter_context(_listen(("127.0.0.1", 0), socket.AF_INET))
        stack.enter_context(_listen("\0" + name, socket.AF_UNIX))
        if place.peer_directory is None:
            # The sealer's: PostgreSQL listens there already.
            allowed = place.allowed
        else:
            # Several minds have the same peer, and are tried at the same time.
            allowed = place.peer_directory / f"probe-{mind}.sock"
            stack.enter_context(_listen(str(allowed), socket.AF_UNIX))
            stack.callback(allowed.unlink)
            allowed.chmod(0o666)
        yield Targets(
            loopback=f"127.0.0.1:{tcp.getsockname()[1]}",
            outside=_DOCUMENTATION_ADDRESS,
            abstract_socket=name,
            allowed_socket=str(allowed),
            sockets=engine_sockets,
            files=(),
        )


def _run(argv: tuple[str, ...], where: str) -> dict[str, bool]:
    done = subprocess.run(
        argv,
        capture_output=True,
        timeout=_PROBE_SECONDS,
        env=minimal_environment(),
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        raise NoSandbox(
            f"the isolation probe could not run {where} (status {done.returncode}): "
            f"{done.stderr.strip()[-400:]}"
        )
    return {str(name): bool(succeeded) for name, succeeded in json.loads(done.stdout).items()}


def prove(minds: Mapping[str, MindPlace], sockets: tuple[Path, ...], files: tuple[Path, ...]) -> Report:
    """Run the probe with its control and in every mind's sandbox.

    `sockets` and `files` exist, and no mind may reach them. Raises IsolationFailed
    naming the first attempt that went wrong, NoSandbox if a sandbox cannot be made.
    """
    engines = tuple(path for path in _ENGINE_SOCKETS if Path(path).exists())
    order = sorted(minds)

    def tried(mind: str) -> dict[str, bool]:
        return _try(mind, minds[mind], sockets, files, engines)

    with ThreadPoolExecutor(max_workers=max(len(order), 1), thread_name_prefix="probe") as together:
        return Report(dict(zip(order, together.map(tried, order), strict=True)))


def _try(
    mind: str, place: MindPlace, sockets: tuple[Path, ...], files: tuple[Path, ...], engines: tuple[str, ...]
) -> dict[str, bool]:
    """What one mind's sandbox let happen, all as it should be. Raises IsolationFailed, NoSandbox."""
    with _controls(mind, place, engines) as base:
        hidden = [path for path in (*files, *place.foreign) if place.hides(path)]
        targets = replace(
            base,
            sockets=(*(str(one) for one in sockets if one != place.allowed), *base.sockets),
            files=tuple(map(str, hidden)),
        )
        program = (sys.executable, "-I", "-m", "doublethink_sdk.launcher.probe", targets.encode())
        for name, succeeded in _run(program, "outside a sandbox").items():
            controlled = name not in _UNCONTROLLED and not name.endswith(engines)
            if controlled and not succeeded:
                raise IsolationFailed(f"the probe's own control failed: it could not {name}")
        made = _run(command(place.sandbox, program), f"in the sandbox of {mind}")
    for name, succeeded in made.items():
        if succeeded != (name == _ALLOWED):
            could = "could" if succeeded else "could not"
            raise IsolationFailed(f"{mind} {could} {name}; nothing was started")
    return made
