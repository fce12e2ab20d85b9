"""The few Linux system calls that the sandbox needs and Python 3.11 does not offer.

Sources: mount(2), mount_setattr(2), umount2(2), pivot_root(2), prctl(2), seccomp(2), capabilities(7).
"""

import ctypes
import os
import platform
import struct
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
# The same on every architecture, since Linux 5.12.
_MOUNT_SETATTR = 442

# pivot_root has no wrapper in glibc; its number differs by architecture.
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: Path, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount `source` on `target`. Raises OSError with the call's own reason."""
    _check(
        _libc.mount(
            source.encode(),
            os.fsencode(target),
            kind.encode() if kind else None,
            ctypes.c_ulong(flags),
            data.encode() if data else None,
        ),
        f"mount {target}",
    )


def bind(source: Path, target: Path, *, read_only: bool) -> None:
    """Show `source` and all that is mounted below it at `target`, without devices and set-user-id programs."""
    mount(str(source), target, None, MS_BIND | MS_REC)
    _restrict(target, _ATTR_NOSUID | _ATTR_NODEV | (_ATTR_RDONLY if read_only else 0))


def make_read_only(target: Path) -> None:
    """Let nothing at `target`, or mounted below it, be written from here. Raises OSError."""
    _restrict(target, _ATTR_RDONLY)


def _restrict(target: Path, attributes: int) -> None:
    # A remount by mount(2) would reach the uppermost mount alone.
    wanted = struct.pack("=4Q", attributes, 0, 0, 0)
    _check(
        _libc.syscall(
            ctypes.c_long(_MOUNT_SETATTR),
            ctypes.c_int(_AT_FDCWD),
            os.fsencode(target),
            ctypes.c_uint(_AT_RECURSIVE),
            wanted,
            ctypes.c_size_t(len(wanted)),
        ),
        f"mount_setattr {target}",
    )


def pivot_root(new_root: Path, old_root: Path) -> None:
    """Make `new_root` the root of this mount namespace. Raises OSError."""
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(f"no pivot_root number is known for the architecture {platform.machine()}")
    _check(_libc.syscall(ctypes.c_long(number), os.fsencode(new_root), os.fsencode(old_root)), "pivot_root")


def detach(target: Path) -> None:
    """Unmount `target` and all below it as soon as nothing uses it. Raises OSError."""
    _check(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send `signal_number` to this process when its parent ends."""
    _check(_libc.prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0), "prctl PR_SET_PDEATHSIG")


def filter_calls(program: bytes) -> None:
    """Have the kernel judge every later system call of this process and its children by a BPF program.

    Takes CAP_SYS_ADMIN or no_new_privs. Raises OSError.
    """
    held = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: a length in instructions of eight bytes, then a pointer at the next multiple of eight.
    described = struct.pack("=H6xQ", len(program) // 8, ctypes.addressof(held))
    _check(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, described, 0, 0), "prctl PR_SET_SECCOMP")
