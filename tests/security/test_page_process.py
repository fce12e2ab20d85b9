"""The process that takes pages apart can do nothing else: looked at from inside, beside a control without bounds."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from doublethink_gate.pages import PageExtractor
from doublethink_gate.pages.confinement import filter_program

_ATTEMPTS = """
import ctypes, json, os, resource, signal, socket, sys
import _posixsubprocess
from doublethink_gate.pages.confinement import confine, spend_at_most
libc = ctypes.CDLL(None, use_errno=True)
here, there = socket.socketpair()
def syscall(*numbers):
    if libc.syscall(*numbers) == -1:
        raise OSError(ctypes.get_errno(), "refused")
def executable():
    libc.mmap.restype = ctypes.c_void_p
    if libc.mmap(None, 4096, 7, 0x22, -1, 0) == 2**64 - 1:
        raise OSError(ctypes.get_errno(), "refused")
def memory():
    held = bytearray(3 * 1024**3)
def child():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
attempts = {
    "open": lambda: os.close(os.open("/etc/hostname", os.O_RDONLY)),
    "list": lambda: os.listdir("/"),
    "write": lambda: os.close(os.open("/dev/shm/doublethink-probe", os.O_RDWR | os.O_CREAT)),
    "socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
    "unix socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close(),
    "open socket": lambda: here.send(b"x"),
    "fork": child,
    "signal": lambda: os.kill(os.getppid(), 0),
    "limit of another": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE),
    "executable memory": executable,
    "memory": memory,
    "more memory": lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
}
if sys.argv[1] == "confined":
    confine()
outcome = {}
for name, attempt in attempts.items():
    try:
        attempt()
        outcome[name] = True
    except (OSError, MemoryError, ValueError):
        outcome[name] = False
sys.stdout.write(json.dumps(outcome))
sys.stdout.flush()
if sys.argv[1] == "confined":
    spend_at_most(1)
    while True:
        pass
"""


def _tried(how: str) -> tuple[dict[str, bool], int]:
    done = subprocess.run(
        (sys.executable, "-I", "-c", _ATTEMPTS, how), capture_output=True, timeout=120, check=False
    )
    return json.loads(done.stdout), done.returncode


def test_the_process_that_reads_pages_reaches_nothing() -> None:
    """No file, socket, process, signal or executable memory; memory and the processor's time are bounded.

    The control does all of it, so that the attempts are real.
    """
    free, _ = _tried("free")
    assert all(done for name, done in free.items() if name != "memory"), free
    confined, code = _tried("confined")
    assert not any(confined.values()), confined
    # SIGXCPU, by the bound of the processor's time.
    assert code == -24


async def test_of_processes_that_use_up_memory_the_one_that_reads_pages_ends_first() -> None:
    """The gate shares a group with it in a container."""
    async with PageExtractor(processes=1, seconds=60) as extractor:
        call = asyncio.create_task(extractor.extract(b"<div>" * 400_000, "text/html; charset=utf-8"))
        found: list[str] = []
        for _ in range(500):
            found = [] if extractor._server is None else await asyncio.to_thread(_children, extractor)
            if found:
                break
            await asyncio.sleep(0.02)
        score = ""
        for _ in range(200):
            # Until it has confined itself.
            score = (await asyncio.to_thread(Path(f"/proc/{found[0]}/oom_score_adj").read_text)).strip()
            if score == "1000":
                break
            await asyncio.sleep(0.05)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert score == "1000"


def _children(extractor: PageExtractor) -> list[str]:
    assert extractor._server is not None
    pid = extractor._server._process.pid
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_a_machine_whose_calls_are_not_known_reads_nothing() -> None:
    """No filter, no process."""
    assert filter_program("x86_64") != filter_program("aarch64")
    with pytest.raises(OSError, match="riscv64"):
        filter_program("riscv64")
