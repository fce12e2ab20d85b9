"""Worker processes: one for each run, a bounded number at a time, gone when the run is over or nobody waits
for it.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Final

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.planner.v1 import research_pb2 as research
from doublethink_rpc import RpcError, failpoint, log
from google.protobuf.message import DecodeError

from .errors import FrameBroken
from .framing import frame, read_frame

_MAX_EVENT_BYTES: Final = 16_384
_LAST: Final = frozenset({"plan", "failed"})


def worker_command(config_file: Path) -> tuple[str, ...]:
    """How a worker is started. Isolated mode: no module is taken from the environment or the working
    directory.
    """
    return (sys.executable, "-I", "-m", "doublethink_planner.worker", "--config", str(config_file.resolve()))


class Workers:
    """Starts workers by `command`, at most `most` at a time, and one for a session.

    After `prepare` one more is always kept started, so that a run does not wait for an interpreter: it has no
    session and nothing to do until a run gives it both. `close` ends it.
    """

    def __init__(self, command: Sequence[str], most: int) -> None:
        self._command = tuple(command)
        self._most = most
        self._sessions: set[str] = set()
        self._spare: asyncio.Task[Process] | None = None
        self._keeps_spare = False

    async def prepare(self) -> None:
        """Start a worker for the next run; from now on another is started behind each. Raises OSError."""
        self._keeps_spare = True
        self._start_spare()
        if self._spare is not None:
            await self._spare

    async def close(self) -> None:
        """End the worker that waits for a run."""
        self._keeps_spare = False
        spare, self._spare = self._spare, None
        if spare is not None:
            await _end(await spare)

    async def run(
        self, request: research.ResearchRequest, capability: bytes, seconds: float
    ) -> AsyncGenerator[research.ResearchEvent, None]:
        """The events of one run.

        A worker that dies, or says something that is no event, gives a last event `failed` with INTERNAL.
        Raises RpcError: CONFLICT where the session has a worker already, OVERLOADED where there is no place,
        DEADLINE where `seconds` have passed.
        """
        if request.session_id in self._sessions:
            raise RpcError(errors.ERROR_CODE_CONFLICT)
        if len(self._sessions) >= self._most:
            raise RpcError(errors.ERROR_CODE_OVERLOADED)
        self._sessions.add(request.session_id)
        try:
            async with aclosing(self._events(request, capability, seconds)) as events:
                async for event in events:
                    yield event
        finally:
            self._sessions.discard(request.session_id)

    async def _events(
        self, request: research.ResearchRequest, capability: bytes, seconds: float
    ) -> AsyncGenerator[research.ResearchEvent, None]:
        deadline = asyncio.get_running_loop().time() + seconds
        process = await self._take()
        index = len(request.history)
        try:
            async with asyncio.timeout_at(deadline):
                await _hand_over(process, capability, request)
            while True:
                async with asyncio.timeout_at(deadline):
                    event = await _next_event(process)
                if event is None or event.index != index:
                    log().error("worker_died", session=request.session_id, events=index)
                    yield research.ResearchEvent(
                        index=index, failed=research.Failed(code=errors.ERROR_CODE_INTERNAL)
                    )
                    return
                yield event
                index += 1
                if event.WhichOneof("step") in _LAST:
                    return
        except TimeoutError:
            raise RpcError(errors.ERROR_CODE_DEADLINE) from None
        finally:
            await _end(process)

    async def _take(self) -> Process:
        """The worker that waits for a run, or else a new one."""
        spare, self._spare = self._spare, None
        if self._keeps_spare:
            self._start_spare()
        if spare is not None:
            process = await spare
            if process.returncode is None:
                return process
            await _end(process)
        return await self._start()

    def _start_spare(self) -> None:
        if self._spare is None:
            self._spare = asyncio.create_task(self._start())

    async def _start(self) -> Process:
        return await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, env=failpoint.inherited(), close_fds=True
        )


async def _hand_over(process: Process, capability: bytes, request: research.ResearchRequest) -> None:
    if process.stdin is None:
        raise RpcError(errors.ERROR_CODE_INTERNAL)
    try:
        process.stdin.write(frame(capability) + frame(request.SerializeToString()))
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        # The worker died before it read its request; reading its events says so.
        log().warning("worker_took_no_request", session=request.session_id)


async def _next_event(process: Process) -> research.ResearchEvent | None:
    """The next event, or None where the worker says no more or nothing that can be read."""
    if process.stdout is None:
        return None
    try:
        wire = await read_frame(process.stdout, _MAX_EVENT_BYTES)
        return None if wire is None else research.ResearchEvent.FromString(wire)
    except (FrameBroken, DecodeError) as error:
        log().error("worker_event_refused", error=error)
        return None


async def _end(process: Process) -> None:
    """End the worker and wait for it, also where the task that waits is cancelled."""
    if process.returncode is None:
        try:
            process.kill()
        except ProcessLookupError:
            log().info("worker_ended_by_itself")
    if process.stdin is not None:
        process.stdin.close()
    await asyncio.shield(process.wait())
