"""Hostile bytes to text and data, each page in a process of its own.

A page is written by strangers and read by parsers that strangers know. So they run in a process with bounded memory
and time, without an environment, files or a network (`confinement`), and not in the one that holds keys and the ledger.
The process is there for one page and is killed after it (`fork_server`): a page that takes its process over finds no
other page in it, of its own session or another, and none comes after it. One that takes too long or ends its process
is refused.
"""

import asyncio
import json
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final, Self, TypeVar

from .answers import OUT_OF_FORM, error_of, page_of, results_of
from .content_type import parse_content_type
from .errors import PageTimedOut, PageTooLarge, PageUnreadable, ResultsUnrecognised
from .extract import ExtractedPage
from .fork_server import COMMAND, ForkServer, PageProcess
from .limits import DEFAULT, Limits
from .results_page import MAX_BYTES, FoundResults
from .worker import MAX_HEADER, frame

_MAX_RESULTS_BYTES: Final = 4 * MAX_BYTES
_T = TypeVar("_T")


class PageExtractor:
    """At most `processes` pages at once, each within `seconds` of time, and as many of the processor's."""

    def __init__(
        self,
        limits: Limits = DEFAULT,
        *,
        processes: int = 2,
        seconds: float = 20.0,
        command: Sequence[str] = COMMAND,
    ) -> None:
        """command: what starts the process that starts the others."""
        self._limits = limits
        self._seconds = seconds
        self._command = command
        self._server: ForkServer | None = None
        self._starting = asyncio.Lock()
        self._slots = asyncio.Semaphore(processes)

    async def extract(self, body: bytes, content_type: str) -> ExtractedPage:
        """The stored text of a page; see `extract_page`. Raises a `PageError`."""
        if len(body) > self._limits.body_bytes:
            raise PageTooLarge(len(body), self._limits.body_bytes)
        parse_content_type(content_type)
        task = {"task": "page", "content_type": content_type[:1000], "limits": asdict(self._limits)}
        return await self._run(task, body, self._limits.text_bytes, page_of)

    async def results(self, body: bytes, query: str) -> FoundResults:
        """A search engine's results; see `read_results`. Raises a `PageError`."""
        if len(body) > MAX_BYTES:
            raise ResultsUnrecognised("size")
        task = {"task": "results", "query": query}
        return await self._run(task, body, _MAX_RESULTS_BYTES, lambda _, text: results_of(text))

    async def _run(
        self, task: dict[str, Any], body: bytes, most: int, read: Callable[[dict[str, Any], str], _T]
    ) -> _T:
        """What `read` makes of a process's answer: its header, and a text of at most `most` bytes."""
        async with self._slots:
            process = await self._start()
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await _ask(process, task | {"seconds": math.ceil(self._seconds)}, body, most)
                return read(*answer)
            except TimeoutError:
                raise PageTimedOut(self._seconds) from None
            finally:
                await process.end()

    async def _start(self) -> PageProcess:
        """A process that nothing was read in. Raises PageUnreadable where there is none to be had."""
        try:
            return await (await self._ready_server()).page_process()
        except PageUnreadable:
            if self._server is not None and not self._server.is_spent:
                raise
        # The server was lost. No page had been given to it.
        return await (await self._ready_server()).page_process()

    async def _ready_server(self) -> ForkServer:
        async with self._starting:
            if self._server is None or self._server.is_spent:
                if self._server is not None:
                    await self._server.retire()
                self._server = await ForkServer.start(self._command)
            return self._server

    async def close(self) -> None:
        """End the processes."""
        if self._server is not None:
            await self._server.end()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _ask(
    process: PageProcess, task: dict[str, Any], body: bytes, most: int
) -> tuple[dict[str, Any], str]:
    """Raises `PageUnreadable` if the process ended or answered out of form, and the `PageError` that it gave."""
    try:
        process.writer.write(frame(task | {"body": len(body)}, body))
        await process.writer.drain()
        (length,) = struct.unpack(">I", await process.reader.readexactly(4))
        if length > MAX_HEADER:
            raise PageUnreadable
        answer: dict[str, Any] = json.loads(await process.reader.readexactly(length))
        size = answer.pop("body")
        if type(size) is not int or not 0 <= size <= most:
            raise PageUnreadable
        text = (await process.reader.readexactly(size)).decode()
    except (asyncio.IncompleteReadError, ConnectionError, *OUT_OF_FORM) as error:
        raise PageUnreadable from error
    if "error" in answer:
        raise error_of(answer)
    return answer, text
