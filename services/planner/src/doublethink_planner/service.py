"""The planner's one service, as the contract names it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.planner.v1 import research_pb2 as research
from doublethink_rpc import Call, RpcError, log
from doublethink_rpc.failpoint import reach

from .config import Dialect
from .failpoints import Point
from .modelled import BACK_ENDS
from .workers import Workers

_LAST_STEPS = frozenset({"plan", "failed"})


class ResearchService:
    """doublethink.planner.v1.ResearchService: every call has a process of its own."""

    def __init__(self, workers: Workers, *, model: Dialect | None = None, allow_careless: bool) -> None:
        self._workers = workers
        self._back_ends = {research.PLANNER_BACK_END_RULES}
        if model is not None:
            self._back_ends.add(BACK_ENDS[model])
        if allow_careless:
            log().warning("careless_back_end_allowed")
            self._back_ends.add(research.PLANNER_BACK_END_CARELESS)

    async def Research(
        self, request: research.ResearchRequest, call: Call
    ) -> AsyncGenerator[research.ResearchResponse, None]:
        """Stream the events that follow the request's history. Raises RpcError."""
        if request.back_end not in self._back_ends:
            raise RpcError(errors.ERROR_CODE_BACK_END_UNKNOWN)
        if call.capability is None:
            raise RpcError(errors.ERROR_CODE_CAPABILITY_REFUSED)
        _check_history(request)
        log().info(
            "research_started",
            session=request.session_id,
            back_end=int(request.back_end),
            resumed_at=len(request.history),
        )
        events = 0
        async with aclosing(self._workers.run(request, call.capability, call.remaining())) as stream:
            async for event in stream:
                events += 1
                await reach(Point.BEFORE_EVENT)
                yield research.ResearchResponse(event=event)
        log().info("research_ended", session=request.session_id, events=events)


def _check_history(request: research.ResearchRequest) -> None:
    for index, event in enumerate(request.history):
        if event.index != index or event.WhichOneof("step") in _LAST_STEPS:
            raise RpcError(errors.ERROR_CODE_MALFORMED)
