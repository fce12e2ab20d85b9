"""What a mind can do to the kernel (I2): every way past its namespaces, tried inside a sandbox."""

import errno
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from doublethink_sdk.launcher import seccomp
from doublethink_sdk.launcher.sandbox import Sandbox, command, interpreter_paths, is_closed

_SECONDS = 60
_MIND_USER = 64101 if os.geteuid() == 0 else None
_X86_64 = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="NOT RUN: the numbers tried are those of x86_64"
)


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """A sandbox with one directory of its own."""
    own = tmp_path / "own"
    own.mkdir()
    own.chmod(0o777)
    return Sandbox(interpreter_paths(), (str(own),), _MIND_USER)


def _inside(sandbox: Sandbox, program: str) -> str:
    argv = command(sandbox, (sys.executable, "-I", "-c", program))
    done = subprocess.run(argv, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_i2_a_mind_makes_no_socket_but_local_and_internet_ones(sandbox: Sandbox) -> None:
    """A network namespace does not divide AF_VSOCK, and other families are no mind's business either."""
    program = (
        "import socket\n"
        "made = []\n"
        "for family in range(1, 64):\n"
        "    for kind in (1, 2, 3, 5):\n"
        "        try:\n"
        "            socket.socket(family, kind).close(); made.append(family)\n"
        "        except OSError:\n"
        "            pass\n"
        "print(sorted(set(made)))"
    )
    allowed = {1, 2, 10}
    assert set(map(int, _inside(sandbox, program).strip("[]").split(","))) <= allowed
    assert "1" in _inside(sandbox, program)


@_X86_64
@pytest.mark.parametrize(
    ("name", "number", "arguments"),
    [
        ("unshare a user namespace", 272, "ctypes.c_ulong(0x10000000)"),
        ("clone into a user namespace", 56, "ctypes.c_ulong(0x10000011), None, None, None, None"),
        ("add a key", 248, "b'user', b'k', b'x', ctypes.c_size_t(1), -3"),
        ("look at a keyring", 250, "0, -3, 1"),
        ("set up a ring", 425, "1, ctypes.create_string_buffer(120)"),
        ("trace", 101, "0, 0, 0, 0"),
        ("handle page faults", 323, "1"),
        ("lock a shared file", 73, "os.open(sys.executable, os.O_RDONLY), 6"),
        ("lock a shared file's bytes", 72, "os.open(sys.executable, os.O_RDONLY), 5, ctypes.create_string_buffer(32)"),
        ("watch a shared file", 294, "0"),
        ("take a lease on a shared file", 72, "os.open(sys.executable, os.O_RDONLY), 1024, 0"),
    ],
)  # fmt: skip
def test_i2_a_call_past_the_namespaces_is_refused(
    sandbox: Sandbox, name: str, number: int, arguments: str
) -> None:
    """Each of them succeeds in a process without the filter, or fails for another reason, and is refused here."""
    program = (
        "import ctypes, os, sys\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"print(libc.syscall(ctypes.c_long({number}), {arguments}), ctypes.get_errno())"
    )
    assert _inside(sandbox, program) == f"-1 {errno.EPERM}", name


@_X86_64
def test_a_call_that_nobody_has_judged_is_unknown_to_a_mind(sandbox: Sandbox) -> None:
    """A newer kernel's calls, and numbers of the x32 kind, get the answer of an older kernel."""
    program = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "for number in (435, 451, 0x40000000 + 41):\n"
        "    print(libc.syscall(ctypes.c_long(number), 0, 0, 0, 0), ctypes.get_errno())"
    )
    assert _inside(sandbox, program).splitlines() == [f"-1 {errno.ENOSYS}"] * 3


def test_a_mind_starts_threads_and_children_as_before(sandbox: Sandbox) -> None:
    """The filter refuses nothing that an ordinary program needs."""
    program = (
        "import multiprocessing, subprocess, sys, tempfile, threading\n"
        "found = []\n"
        "thread = threading.Thread(target=found.append, args=('thread',)); thread.start(); thread.join()\n"
        "child = subprocess.run([sys.executable, '-I', '-c', 'print(\"child\")'], capture_output=True, text=True)\n"
        "found.append(child.stdout.strip())\n"
        "with tempfile.TemporaryFile() as file: found.append(str(file.write(b'four')))\n"
        "print(*found)"
    )
    assert _inside(sandbox, program) == "thread child 4"


def test_a_mind_cannot_write_into_its_empty_root(sandbox: Sandbox) -> None:
    """The root that holds the mount points is read-only, also to a mind that runs as its maker."""
    program = (
        "import os\n"
        "for place in ('/', '/dev', '/etc'):\n"
        "    try:\n"
        "        os.close(os.open(place + '/x', os.O_CREAT | os.O_WRONLY)); print('wrote', place)\n"
        "    except OSError as error:\n"
        "        print('refused')\n"
        "print('ro' in next(l.split()[5].split(',') for l in open('/proc/self/mountinfo') if l.split()[4] == '/'))"
    )
    assert _inside(sandbox, program).split() == ["refused", "refused", "refused", "True"]


def test_what_is_mounted_below_a_shown_directory_is_read_only_too(tmp_path: Path) -> None:
    """A volume of its own below the interpreter's directory is no hole."""
    if os.geteuid() != 0:
        pytest.skip("NOT RUN: only root may mount here")
    shown = tmp_path / "shown"
    inner = shown / "inner"
    inner.mkdir(parents=True)
    inside = Sandbox((*interpreter_paths(), str(shown)), (), _MIND_USER)
    program = f"open({str(inner / 'written')!r}, 'w')"
    script = 'mount -t tmpfs -o mode=1777 tmpfs "$1" && touch "$1"/control && shift && exec "$@"'
    argv = command(inside, (sys.executable, "-I", "-c", program))
    done = subprocess.run(
        ("/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh", str(inner), *argv),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert "Read-only file system" in done.stderr


def test_a_mind_has_bounds(sandbox: Sandbox) -> None:
    """Memory, file size, processes and open files of one mind are limited."""
    program = (
        "import resource as r\n"
        "print(all(r.getrlimit(kind)[1] != r.RLIM_INFINITY for kind in\n"
        "          (r.RLIMIT_DATA, r.RLIMIT_FSIZE, r.RLIMIT_NPROC, r.RLIMIT_NOFILE)))"
    )
    assert _inside(sandbox, program) == "True"


def test_a_mind_writes_nothing_more_once_it_has_been_closed(sandbox: Sandbox) -> None:
    """After its sockets are made its directories are read-only to it, so that it cannot fill the disk."""
    own = Path(sandbox.writable[0])
    program = (
        "import pathlib, time\n"
        f"own = pathlib.Path({str(own)!r}); (own / 'before').touch()\n"
        "while True:\n"
        "    try:\n"
        "        (own / 'before').write_text('more')\n"
        "    except OSError as error:\n"
        "        print(error.strerror); break\n"
        "    time.sleep(0.01)"
    )
    outer = subprocess.Popen(
        command(sandbox, (sys.executable, "-I", "-c", program)), stdout=subprocess.PIPE, text=True
    )
    try:
        while not (own / "before").exists():
            assert outer.poll() is None
        (inside,) = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
        assert not is_closed(int(inside), sandbox)
        os.kill(int(inside), signal.SIGUSR1)
        assert outer.communicate(timeout=_SECONDS)[0].strip() == "Read-only file system"
    finally:
        outer.kill()


def test_an_architecture_whose_numbers_are_unknown_gets_no_sandbox() -> None:
    """Numbers of another architecture would mean other calls."""
    with pytest.raises(OSError, match="architecture"):
        seccomp.program("riscv64")
    assert len(seccomp.program("aarch64")) % 8 == 0
