"""A process for each page, copied from one that has loaded the parsers and reads nothing itself: the gate's side.

A new interpreter a page would cost more than most pages do. So one process (`worker`) is started, told of each page by
a connection alone, and makes a copy of itself for it. The bytes of the page, and the query beside a page of results,
go over that connection from the gate to the copy, and past the process that made it.
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Sequence
from typing import Final, Self

from .errors import PageUnreadable
from .worker import READY, REFUSED, START, STARTED

_START_SECONDS: Final = 60
"""For an interpreter to load the parsers, on a machine that does much else."""
_MOST_PAGES: Final = 500
"""Of one server: its copies lie at the same addresses in memory, which an attacker could find out and use."""

COMMAND: Final = (sys.executable, "-I", "-m", "doublethink_gate.pages.worker")


class PageProcess:
    """One process for one page, with a connection to it."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handle: int, server: "ForkServer"
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.handle = handle
        self._server = server

    async def end(self) -> None:
        """Kill it, and wait until it is gone. Also when this is cancelled, it is killed and its connection closed."""
        try:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            self.writer.transport.abort()
            await _readable(self.handle)  # a pidfd is, once its process has ended
        finally:
            os.close(self.handle)
            await self._server.leave()


class ForkServer:
    """The process that starts the others. It is replaced after 500 pages, once the last of its copies has ended."""

    def __init__(self, process: asyncio.subprocess.Process, control: socket.socket) -> None:
        self._process = process
        self._control = control
        self._turn = asyncio.Lock()
        self._pages = 0
        self._running = 0
        self._retired = False

    @classmethod
    async def start(cls, command: Sequence[str] = COMMAND) -> Self:
        """Raises PageUnreadable where it does not come up."""
        control, given = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        control.setblocking(False)
        with given:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=given.fileno(),
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env={"PATH": os.defpath},
                cwd="/",
            )
        server = cls(process, control)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await _readable(control.fileno())
            ready = control.recv(len(READY)) == READY
        except (TimeoutError, OSError):
            ready = False
        except BaseException:
            await server.end()
            raise
        if not ready:
            await server.end()
            raise PageUnreadable
        return server

    @property
    def is_spent(self) -> bool:
        """Whether it has ended, or should start no more."""
        return self._process.returncode is not None or self._pages >= _MOST_PAGES

    async def page_process(self) -> PageProcess:
        """A new process. Raises PageUnreadable where there is none; `is_spent` then says whether the server is lost."""
        self._pages += 1
        self._running += 1
        try:
            # Asked to the end even when this is cancelled: else the answer would be taken for the next one's.
            asked = asyncio.create_task(self._ask())
            try:
                connection, handle = await asyncio.shield(asked)
            except asyncio.CancelledError:
                asked.add_done_callback(_drop)
                raise
            try:
                reader, writer = await asyncio.open_unix_connection(sock=connection)
            except BaseException:
                connection.close()  # it reads the end of its input, and ends
                os.close(handle)
                raise
        except BaseException:
            await self.leave()
            raise
        return PageProcess(reader, writer, handle, self)

    async def _ask(self) -> tuple[socket.socket, int]:
        """A connection to a new process, and its pidfd. Raises PageUnreadable."""
        ours, given = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        message, handles = b"", list[int]()
        try:
            async with self._turn, asyncio.timeout(_START_SECONDS):
                with given:
                    socket.send_fds(self._control, [START], [given.fileno()])
                await _readable(self._control.fileno())
                message, handles, _, _ = socket.recv_fds(self._control, len(STARTED), 1)
        except (OSError, ValueError):
            pass  # it is gone, or its socket was closed while this waited for its turn
        if message == STARTED and len(handles) == 1:
            return ours, handles[0]
        ours.close()
        if message != REFUSED:
            await self.end()
        raise PageUnreadable

    async def leave(self) -> None:
        """One of its processes is gone."""
        self._running -= 1
        if self._retired and self._running == 0:
            await self.end()

    async def retire(self) -> None:
        """End with the last of its processes."""
        self._retired = True
        if self._running == 0:
            await self.end()

    async def end(self) -> None:
        """Kill it, and with it whatever it has started."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()
        self._control.close()


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    seen = loop.create_future()

    def note() -> None:
        if not seen.done():
            seen.set_result(None)

    loop.add_reader(descriptor, note)
    try:
        await seen
    finally:
        loop.remove_reader(descriptor)


def _drop(asked: "asyncio.Task[tuple[socket.socket, int]]") -> None:
    """Of a process that nobody waits for any more: it reads the end of its input, and ends."""
    if not asked.cancelled() and asked.exception() is None:
        connection, handle = asked.result()
        connection.close()
        os.close(handle)
