"""One session's worker: `python -m doublethink_planner.worker --config FILE`.

The capability and the request come in two frames on stdin, events go out in frames on stdout. It calls the
gate and the validator itself, and ends with the session, or when its stdin closes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.gate.v1 import search_pb2
from doublethink.planner.v1 import research_pb2 as research
from doublethink.validator.v1 import examination_pb2 as examination
from doublethink_rpc import Peer, RpcError, configure_logging, failpoint, log
from google.protobuf.message import DecodeError

from .careless import plan_carelessly
from .config import Config, load_config
from .errors import FrameBroken
from .failpoints import Point
from .framing import frame, read_frame
from .modelled import BACK_ENDS, believe_model, plan_by_model
from .plan import ResearchPlan
from .research import carry_out
from .rules import plan_by_rules

MAX_REQUEST_BYTES: Final = 1_114_112
CAPABILITY_BYTES: Final = 32


class Peers:
    """The gate and the validator, each with its capability."""

    def __init__(self, config: Config, own: bytes, validators: bytes) -> None:
        self._gate = Peer(config.peers.gate, "gate", config.tls, "planner")
        self._validator = Peer(config.peers.validator, "validator", config.tls, "planner")
        self._own, self._validators = own, validators

    async def search(self, query: str) -> search_pb2.SearchResponse:
        """Put a query to the gate. Raises RpcError."""
        return await self._gate.call(
            "doublethink.gate.v1.SearchService/Search",
            search_pb2.SearchRequest(query=query),
            search_pb2.SearchResponse,
            capability=self._own,
        )

    async def release(self, hold_id: str) -> search_pb2.ReleaseResponse:
        """Ask the gate for a query that it holds. Raises RpcError."""
        return await self._gate.call(
            "doublethink.gate.v1.SearchService/Release",
            search_pb2.ReleaseRequest(hold_id=hold_id),
            search_pb2.ReleaseResponse,
            capability=self._own,
        )

    async def examine(self, request: examination.ExamineRequest) -> examination.ExamineResponse:
        """Have a query's pages examined. Raises RpcError."""
        return await self._validator.call(
            "doublethink.validator.v1.ExaminationService/Examine",
            request,
            examination.ExamineResponse,
            capability=self._validators,
        )

    async def close(self) -> None:
        """Close both channels."""
        await asyncio.gather(self._gate.close(), self._validator.close())


async def make_plan(request: research.ResearchRequest, config: Config) -> ResearchPlan:
    """The plan of the back end that the request names.

    Raises RpcError: BACK_END_UNKNOWN, or with a model MODEL_UNAVAILABLE or MODEL_ANSWER_REFUSED.
    """
    if request.back_end == research.PLANNER_BACK_END_RULES:
        return plan_by_rules(request)
    if config.model is not None and request.back_end == BACK_ENDS[config.model.dialect]:
        return await plan_by_model(request, config.model)
    if request.back_end == research.PLANNER_BACK_END_CARELESS and config.planner.allow_careless:
        log().warning("careless_back_end_used")
        if config.model is not None:
            return await believe_model(request, config.model)
        return plan_carelessly(request)
    raise RpcError(errors.ERROR_CODE_BACK_END_UNKNOWN)


async def work(config: Config, reader: asyncio.StreamReader, out: int) -> None:
    """Read the request, write its events to the descriptor `out`; stop where `reader` ends before that.

    Raises FrameBroken, DecodeError, RpcError, or BrokenPipeError where nobody takes the events.
    """
    capability = await read_frame(reader, CAPABILITY_BYTES)
    if capability is None:
        # The serving process ended before it had a run for this worker.
        return
    wire = await read_frame(reader, MAX_REQUEST_BYTES)
    if len(capability) != CAPABILITY_BYTES or wire is None:
        raise FrameBroken("no capability or no request")
    request = research.ResearchRequest.FromString(wire)
    running = asyncio.create_task(_write_events(config, capability, request, out))
    # The serving process keeps its end open while somebody waits for the run.
    asker_gone = asyncio.create_task(_until_closed(reader))
    try:
        await asyncio.wait({running, asker_gone}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
    finally:
        running.cancel()
        asker_gone.cancel()
        await asyncio.gather(running, asker_gone, return_exceptions=True)


async def _write_events(
    config: Config, capability: bytes, request: research.ResearchRequest, out: int
) -> None:
    peers = Peers(config, capability, request.validator_capability)
    try:
        try:
            plan = await make_plan(request, config)
        except RpcError as error:
            # The last event of the run says why there is no plan.
            failed = research.ResearchEvent(
                index=len(request.history), failed=research.Failed(code=error.code)
            )
            _write(out, frame(failed.SerializeToString()))
            return
        events = carry_out(
            plan,
            request.history,
            peers,
            max_queries=request.max_queries,
            pages_per_query=config.planner.pages_per_query,
            figures_at_once=config.planner.figures_at_once,
            approval_s=request.approval_s,
        )
        async for event in events:
            _write(out, frame(event.SerializeToString()))
    finally:
        await peers.close()


def _write(out: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(out, view) :]


async def _until_closed(reader: asyncio.StreamReader) -> None:
    while await reader.read(4096):
        pass


async def _serve(config: Config, out: int) -> int:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        await work(config, reader, out)
    except (FrameBroken, DecodeError, RpcError, BrokenPipeError) as error:
        log().error("worker_failed", error=error)
        return 1
    finally:
        transport.close()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one worker; the exit code is 0 only if the last event was written."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_planner.worker", description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="the planner's configuration file")
    options = parser.parse_args(arguments)
    configure_logging("planner")
    # Nothing but events may reach the pipe that was stdout.
    out = os.dup(1)
    os.dup2(2, 1)
    config = load_config(options.config)
    failpoint.arm(Point, config.failpoints)
    return asyncio.run(_serve(config, out))


if __name__ == "__main__":
    sys.exit(main())
