"""Tries, from where it is started, everything that a mind must not be able to do.

Run twice with the same targets: outside any sandbox, where every attempt must
succeed (the positive control: the targets exist and this program can reach them),
and inside each mind's sandbox, where only the allowed ones may. Prints one JSON
object, name of the attempt to whether it succeeded.
"""

import ctypes
import json
import os
import platform
import socket
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

_SECONDS = 2.0
_NO_CAPABILITIES = 0
_AF_VSOCK = 40
_CLONE_NEWUSER = 0x10000000
# The same numbers as in the filter: x86_64, aarch64.
_ADD_KEY = {"x86_64": 248, "aarch64": 217}
_UNSHARE = {"x86_64": 272, "aarch64": 97}
_IO_URING_SETUP = 425
_RING_PARAMETERS_BYTES = 120
_SESSION_KEYRING = -3


@dataclass(frozen=True)
class Targets:
    """What to try. Addresses are `host:port`, sockets and files are paths.

    `outside` is an address on the internet's documentation range: it has no
    positive control, since nothing may be sent there, and must be unreachable.
    """

    loopback: str
    outside: str
    abstract_socket: str
    allowed_socket: str
    sockets: tuple[str, ...]
    files: tuple[str, ...]

    def encode(self) -> str:
        """The targets as one JSON argument."""
        return json.dumps(asdict(self))

    @classmethod
    def decode(cls, text: str) -> "Targets":
        """Inverse of `encode`. Raises TypeError, KeyError or ValueError on anything else."""
        fields = json.loads(text)
        return cls(**{**fields, "sockets": tuple(fields["sockets"]), "files": tuple(fields["files"])})


def _connects(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(_SECONDS)
        try:
            connection.connect(address)
        except OSError:
            return False
        return True


def _tcp(address: str) -> bool:
    host, port = address.rsplit(":", 1)
    return _connects(socket.AF_INET, (host, int(port)))


def _opens(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    os.close(descriptor)
    return True


def _sends_datagram(address: str) -> bool:
    host, port = address.rsplit(":", 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        try:
            # Connecting a datagram socket sends nothing: it asks for a route.
            connection.connect((host, int(port)))
        except OSError:
            return False
        return True


def _gains_privileges() -> bool:
    status = dict(
        line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line
    )
    held = any(int(status[name], 16) != _NO_CAPABILITIES for name in ("CapEff", "CapPrm", "CapBnd"))
    return held or status["NoNewPrivs"].strip() != "1"


def _mounts() -> bool:
    # mount(2) with MS_PRIVATE changes nothing that could matter outside.
    result: int = ctypes.CDLL(None).mount(b"none", b"/", None, ctypes.c_ulong(1 << 18), None)
    return result == 0


def _calls(number: int, *arguments: object) -> bool:
    """Whether a system call succeeds, tried by a child: it may change who the caller is."""
    child = os.fork()
    if child == 0:
        done: int = -1
        try:
            done = ctypes.CDLL(None).syscall(ctypes.c_long(number), *arguments)
        finally:
            # Not sys.exit: the parent's buffers are not this process's to write.
            os._exit(0 if done >= 0 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _makes(family: int) -> bool:
    try:
        socket.socket(family, socket.SOCK_STREAM).close()
    except OSError:
        return False
    return True


def _keeps_a_key() -> bool:
    arguments = (b"user", b"doublethink-probe", b"x", ctypes.c_size_t(1), ctypes.c_int(_SESSION_KEYRING))
    return _calls(_ADD_KEY[platform.machine()], *arguments)


def attempts(targets: Targets) -> dict[str, bool]:
    """Make every attempt; True where it succeeded. Raises nothing: a refusal is False."""
    made = {
        "connect to a loopback listener": _tcp(targets.loopback),
        "find a route to the internet": _sends_datagram(targets.outside),
        "connect to an abstract socket": _connects(socket.AF_UNIX, "\0" + targets.abstract_socket),
        "hold a capability or be able to gain one": _gains_privileges(),
        "change mounts": _mounts(),
        "make a namespace of its own": _calls(_UNSHARE[platform.machine()], ctypes.c_ulong(_CLONE_NEWUSER)),
        "open a socket to the host of a virtual machine": _makes(_AF_VSOCK),
        "keep a key where another process finds it": _keeps_a_key(),
        "make calls by a ring": _calls(
            _IO_URING_SETUP, ctypes.c_uint(1), ctypes.create_string_buffer(_RING_PARAMETERS_BYTES)
        ),
        "connect to its own peer's socket": _connects(socket.AF_UNIX, targets.allowed_socket),
    }
    made |= {f"connect to {path}": _connects(socket.AF_UNIX, path) for path in targets.sockets}
    made |= {f"read {path}": _opens(path) for path in targets.files}
    return made


def main() -> None:
    """Print the attempts on the targets given as the first argument."""
    sys.stdout.write(json.dumps(attempts(Targets.decode(sys.argv[1]))) + "\n")


if __name__ == "__main__":
    main()
