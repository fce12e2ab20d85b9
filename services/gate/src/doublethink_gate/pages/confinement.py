"""What keeps a process that reads hostile bytes from doing anything else: limits, and a filter of system calls.

The filter lists what is allowed: memory, its own input and output, its end. There is no call left by which a file is
opened, a socket made, a process started or signalled, or memory made executable. What is not listed is refused with
EPERM; calls of another architecture end the process. It cannot be taken off again (no_new_privs).

Sources: seccomp(2), prctl(2), <linux/seccomp.h>, <linux/filter.h>, and the call numbers of <asm/unistd_64.h> (x86_64)
and <asm-generic/unistd.h> (aarch64).
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import platform
import resource
import signal
import struct
from typing import Final

MEMORY_BYTES: Final = 2 * 1024**3
"""Of address space, so that the C library's allocations count as well."""

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER: Final = 2
_PROT_EXEC: Final = 4

# (x86_64, aarch64); None where a machine does not have the call.
_ALLOWED: Final = {
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62),
    "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216), "madvise": (28, 233),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "futex": (202, 98), "sched_yield": (24, 124), "restart_syscall": (219, 128),
    "getrandom": (318, 278), "clock_gettime": (228, 113), "gettimeofday": (96, 169), "getrusage": (98, 165),
    "getpid": (39, 172), "gettid": (186, 178), "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
# Allowed unless they ask for memory that can be executed: the third argument is the protection.
_MEMORY: Final = {"mmap": (9, 222), "mprotect": (10, 226)}
# Sets a limit of this very process alone: the first argument is a process id, 0 for its own. (x86_64, aarch64)
_LIMIT: Final = (302, 261)
_MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""The column of a number, and the AUDIT_ARCH value."""

# <linux/bpf_common.h>: BPF_LD|BPF_W|BPF_ABS; BPF_JMP|BPF_K with JEQ and JSET; BPF_RET|BPF_K.
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16


_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def confine() -> None:
    """Limit this process for good. Everything that it will import has to be imported by then.

    Raises OSError where the kernel refuses, or the machine's call numbers are not known: nothing is read then.
    """
    # Of a group of processes that has used its memory up, this one ends, and not the one that holds the ledger.
    score = os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
    os.write(score, b"1000")
    os.close(score)
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        # Standard input, output and error, which are open already.
        (resource.RLIMIT_NOFILE, 3),
    ):
        resource.setrlimit(kind, (most, most))
    end_with_parent()
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    program = filter_program(platform.machine())
    held = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: a length in instructions of eight bytes, then a pointer at the next multiple of eight.
    described = struct.pack("=H6xQ", len(program) // 8, ctypes.addressof(held))
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, described)


def end_with_parent() -> None:
    """Have the kernel kill this process when the one that started it ends. Raises OSError."""
    _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))


def spend_at_most(seconds: int) -> None:
    """Have the kernel end this process once it has used so many more seconds of the processor; it cannot be undone."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, spent + seconds + 1))


@functools.cache
def filter_program(machine: str) -> bytes:
    """The filter as classic BPF instructions. machine: as platform.machine() has it. Raises OSError."""
    if machine not in _MACHINES:
        raise OSError(errno.ENOSYS, f"no system call numbers are known for the architecture {machine}")
    column, audit = _MACHINES[machine]
    parts = [
        _step(_LOAD, _ARCHITECTURE_AT),
        _step(_EQUAL, audit, 1, 0),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, _NUMBER_AT),
    ]
    for numbers in _ALLOWED.values():
        parts += [_step(_EQUAL, numbers[column], 0, 1), _step(_RETURN, _ALLOW)]
    for numbers in _MEMORY.values():
        parts += [
            _step(_EQUAL, numbers[column], 0, 4),
            _step(_LOAD, _ARGUMENTS_AT + 8 * 2),
            _step(_ANY_BIT, _PROT_EXEC, 0, 1),
            _step(_RETURN, _ERRNO | errno.EPERM),
            _step(_RETURN, _ALLOW),
        ]
    parts += [
        _step(_EQUAL, _LIMIT[column], 0, 4),
        _step(_LOAD, _ARGUMENTS_AT),
        _step(_EQUAL, 0, 1, 0),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERRNO | errno.EPERM),
    ]
    return b"".join(parts)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _prctl(option: int, *arguments: int | bytes) -> None:
    padded = [*arguments, 0, 0, 0, 0][:4]
    if _LIBC.prctl(option, *(ctypes.c_ulong(a) if isinstance(a, int) else a for a in padded)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")
