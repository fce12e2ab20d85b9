"""Pages to text in processes of their own.

A page is written by strangers and read by a parser in C. So the parser runs in a process with bounded memory
and time, without an environment, and not in the one that holds keys and the ledger. A process that takes too
long or ends is replaced; the page it had is refused.
"""

import asyncio
import json
import os
import struct
import sys
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, Self

from . import errors
from .content_type import parse_content_type
from .errors import PageError, PageTimedOut, PageTooLarge, PageUnreadable
from .extract import ExtractedPage
from .limits import DEFAULT, Limits
from .worker import MAX_HEADER, frame

_PAGES_A_PROCESS = 500  # then it is replaced, so that nothing can build up


class PageExtractor:
    """At most `processes` pages at once, each within `seconds`."""

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
        async with self._slots:
            process = self._idle.pop() if self._idle else await _Process.start()
            try:
                async with asyncio.timeout(self._seconds):
                    page = await process.extract(body, content_type, self._limits)
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
            return page

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

    async def extract(self, body: bytes, content_type: str, limits: Limits) -> ExtractedPage:
        """Raises `PageUnreadable` if the process ended or answered out of form."""
        self.pages += 1
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise PageUnreadable
        header = {"content_type": content_type, "limits": asdict(limits), "body": len(body)}
        try:
            stdin.write(frame(header, body))
            await stdin.drain()
            (length,) = struct.unpack(">I", await stdout.readexactly(4))
            if length > MAX_HEADER:
                raise PageUnreadable
            answer: dict[str, Any] = json.loads(await stdout.readexactly(length))
            size = answer.pop("body")
            if size > limits.text_bytes:
                raise PageUnreadable
            text = (await stdout.readexactly(size)).decode()
        except (asyncio.IncompleteReadError, ConnectionError, ValueError, KeyError) as error:
            raise PageUnreadable from error
        if "error" in answer:
            raise _error(answer["error"], answer["with"])
        answer["stripped"] = MappingProxyType(answer["stripped"])
        return ExtractedPage(text=text, **answer)

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


def _error(name: str, fields: dict[str, Any]) -> PageError:
    kind = getattr(errors, name, None)
    if not (isinstance(kind, type) and issubclass(kind, PageError)):
        return PageUnreadable()
    return kind(**fields)
