"""Hostile bytes to text and data, in processes of their own.

A page is written by strangers and read by parsers that strangers know. So they run in a process with bounded memory
and time, without an environment, files or a network (`confinement`), and not in the one that holds keys and the ledger.
A process that takes too long or ends is replaced; the page it had is refused.
"""

import asyncio
import json
import math
import os
import struct
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final, Self, TypeVar

from .answers import OUT_OF_FORM, error_of, page_of, results_of
from .content_type import parse_content_type
from .errors import PageError, PageTimedOut, PageTooLarge, PageUnreadable, ResultsUnrecognised
from .extract import ExtractedPage
from .limits import DEFAULT, Limits
from .results_page import MAX_BYTES, FoundResults
from .worker import MAX_HEADER, frame

_PAGES_A_PROCESS: Final = 500  # then it is replaced, so that nothing can build up
_MAX_RESULTS_BYTES: Final = 4 * MAX_BYTES
_T = TypeVar("_T")


class PageExtractor:
    """At most `processes` pages at once, each within `seconds` of time, and as many of the processor's."""

    def __init__(self, limits: Limits = DEFAULT, *, processes: int = 2, seconds: float = 20.0) -> None:
        self._limits = limits
        self._seconds = seconds
        self._idle: list[_Process] = []
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
            process = self._idle.pop() if self._idle else await _Process.start()
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await process.ask(task | {"seconds": math.ceil(self._seconds)}, body, most)
                found = read(*answer)
            except PageUnreadable:
                await process.end()
                raise
            except TimeoutError:
                await process.end()
                raise PageTimedOut(self._seconds) from None
            except PageError:
                await self._give_back(process)
                raise
            except BaseException:
                await process.end()
                raise
            await self._give_back(process)
            return found

    async def _give_back(self, process: "_Process") -> None:
        if process.pages >= _PAGES_A_PROCESS:
            await process.end()
        else:
            self._idle.append(process)

    async def close(self) -> None:
        """End the processes."""
        while self._idle:
            await self._idle.pop().end()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class _Process:
    """One worker, with one page at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pages = 0

    @classmethod
    async def start(cls) -> Self:
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-m",
                "doublethink_gate.pages.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,  # a traceback could quote the page
                env={"PATH": os.defpath},
                cwd="/",
            )
        )

    async def ask(self, task: dict[str, Any], body: bytes, most: int) -> tuple[dict[str, Any], str]:
        """Raises `PageUnreadable` if the process ended or answered out of form, and the `PageError` that it gave."""
        self.pages += 1
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise PageUnreadable
        try:
            stdin.write(frame(task | {"body": len(body)}, body))
            await stdin.drain()
            (length,) = struct.unpack(">I", await stdout.readexactly(4))
            if length > MAX_HEADER:
                raise PageUnreadable
            answer: dict[str, Any] = json.loads(await stdout.readexactly(length))
            size = answer.pop("body")
            if not isinstance(size, int) or not 0 <= size <= most:
                raise PageUnreadable
            text = (await stdout.readexactly(size)).decode()
        except (asyncio.IncompleteReadError, ConnectionError, *OUT_OF_FORM) as error:
            raise PageUnreadable from error
        if "error" in answer:
            raise error_of(answer)
        return answer, text

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
