"""The system calls that a mind has no use for, refused by the kernel.

Namespaces divide most of what processes share, and not all: a socket of the family
AF_VSOCK leaves a virtual machine past its network namespace, a keyring is handed
down from parent to child, and a lock or a watch on a file that two minds can read is
seen by both. A user namespace of its own would give a mind every capability again.
Whatever is newer than `_NEWEST` is refused too: nobody has judged it.

Sources: seccomp(2), <linux/seccomp.h>, <linux/filter.h>, and the numbers of Linux 6.1
in <asm/unistd_64.h> (x86_64) and <asm-generic/unistd.h> (aarch64).
"""

import errno
import struct
from collections.abc import Iterable
from dataclasses import dataclass

# A namespace or a root of its own, mounts, other processes, the kernel itself, clocks.
_REFUSED = {
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    "process_mrelease": (448, 448), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
    "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "syslog": (103, 116), "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "personality": (135, 92),
    "lookup_dcookie": (212, 18), "nfsservctl": (180, 42), "vhangup": (153, 58),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
    # A ring makes other calls without asking this filter.
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    # What two minds could tell each other by, over a key or a file that both can read.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "flock": (73, 32),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    "mincore": (27, 232),
}  # fmt: skip
# set_mempolicy_home_node(2).
_NEWEST = 450

_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET.
_NEW_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
# F_GETLK, F_SETLK, F_SETLKW; F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW; F_SETLEASE, F_GETLEASE, F_NOTIFY.
_LOCK_COMMANDS = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)

# <linux/bpf_common.h>: BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_K with JEQ, JGT, JSET, and BPF_RET|BPF_K.
_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000


@dataclass(frozen=True)
class _Machine:
    """`audit` is the AUDIT_ARCH number; `column` says which number of a pair counts."""

    audit: int
    column: int
    clone: int
    clone3: int
    fcntl: int
    socket: int
    socketpair: int


_MACHINES = {
    "x86_64": _Machine(0xC000003E, 0, 56, 435, 72, 41, 53),
    "aarch64": _Machine(0xC00000B7, 1, 220, 435, 25, 198, 199),
}


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(number: int) -> bytes:
    return _step(_RETURN, _ERRNO | number)


def _call(number: int, body: Iterable[bytes]) -> bytes:
    """What is done for one system call. `body` ends in a return."""
    steps = list(body)
    return _step(_EQUAL, number, 0, len(steps)) + b"".join(steps)


def _only(argument: int, values: tuple[int, ...], refusal: int) -> list[bytes]:
    """Allow the call if the low 32 bits of an argument are one of `values`."""
    tests = [_step(_EQUAL, value, len(values) - at, 0) for at, value in enumerate(values)]
    return [_step(_LOAD, _ARGUMENTS_AT + 8 * argument), *tests, _refuse(refusal), _step(_RETURN, _ALLOW)]


def program(machine: str) -> bytes:
    """The filter as classic BPF instructions, for `syscalls.filter_calls`.

    `machine` is as platform.machine() has it. Raises OSError if its numbers are not known here.
    """
    known = _MACHINES.get(machine)
    if known is None:
        raise OSError(errno.ENOSYS, f"no system call numbers are known for the architecture {machine}")
    parts = [
        _step(_LOAD, _ARCHITECTURE_AT),
        # Another architecture's numbers mean other calls: 32-bit programs, for example.
        _step(_EQUAL, known.audit, 1, 0),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, _NUMBER_AT),
        # As if the kernel were older: callers have another way. Numbers of the x32 kind lie up there too.
        _step(_ABOVE, _NEWEST, 0, 1),
        _refuse(errno.ENOSYS),
        # Its flags lie in memory, where a filter cannot look; callers go on to clone(2).
        _call(known.clone3, [_refuse(errno.ENOSYS)]),
    ]
    numbers = sorted(n for pair in _REFUSED.values() if (n := pair[known.column]) is not None)
    parts += [_call(number, [_refuse(errno.EPERM)]) for number in numbers]
    new_namespace = _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1)
    parts.append(
        _call(
            known.clone,
            [
                _step(_LOAD, _ARGUMENTS_AT),
                new_namespace,
                _refuse(errno.EPERM),
                _step(_RETURN, _ALLOW),
            ],
        )
    )
    locks = [_step(_EQUAL, command, len(_LOCK_COMMANDS) - at, 0) for at, command in enumerate(_LOCK_COMMANDS)]
    parts.append(
        _call(
            known.fcntl,
            [_step(_LOAD, _ARGUMENTS_AT + 8), *locks, _step(_RETURN, _ALLOW), _refuse(errno.EPERM)],
        )
    )
    families = (_AF_UNIX, _AF_INET, _AF_INET6)
    parts.append(_call(known.socket, _only(0, families, errno.EAFNOSUPPORT)))
    parts.append(_call(known.socketpair, _only(0, (_AF_UNIX,), errno.EAFNOSUPPORT)))
    return b"".join([*parts, _step(_RETURN, _ALLOW)])
