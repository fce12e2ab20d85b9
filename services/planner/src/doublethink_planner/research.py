"""Carrying out a plan: a few figures at a time, an event for each step, the plan or a failure at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final, Protocol

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import search_pb2
from doublethink.planner.v1 import research_pb2 as research
from doublethink.validator.v1 import examination_pb2 as examination
from doublethink_rpc import RpcError, log
from doublethink_rpc.failpoint import reach

from .failpoints import Point
from .plan import ResearchPlan
from .steps import MAX_EVENTS, Announce, Examine, Finish, GiveUp, Release, Search, Step, next_steps

_ASK_AGAIN_S: Final = 1.0
_REFUSALS: Final = frozenset(
    {errors.ERROR_CODE_BLOCKED, errors.ERROR_CODE_HELD, errors.ERROR_CODE_BUDGET_EXHAUSTED}
)


class World(Protocol):
    """All that a plan can do: ask the gate, ask the validator. Both raise RpcError."""

    async def search(self, query: str) -> search_pb2.SearchResponse:
        """Put a query to the gate."""

    async def release(self, hold_id: str) -> search_pb2.ReleaseResponse:
        """Ask the gate for a query that it holds."""

    async def examine(self, request: examination.ExamineRequest) -> examination.ExamineResponse:
        """Have a query's pages examined."""


async def carry_out(
    plan: ResearchPlan,
    history: Sequence[research.ResearchEvent],
    world: World,
    *,
    max_queries: int,
    pages_per_query: int,
    figures_at_once: int,
    approval_s: int = 0,
) -> AsyncIterator[research.ResearchEvent]:
    """The events that follow `history`, up to and with the last one, in the order in which the steps ended.

    A query that the gate holds waits up to `approval_s` seconds for a person, as long as this process lives; at 0 it is
    refused. A history that this plan cannot have given ends the run with MALFORMED. Raises RpcError MALFORMED for one
    with a gap.
    """
    events = list(history)
    if any(event.index != index for index, event in enumerate(events)):
        raise RpcError(errors.ERROR_CODE_MALFORMED)
    running: dict[int, asyncio.Task[research.ResearchEvent]] = {}
    try:
        while len(events) < MAX_EVENTS:
            ended: list[research.ResearchEvent] = []
            try:
                steps = next_steps(plan, events, max_queries, running)
            except RpcError as error:
                steps, ended = (), [_failed(error)]
            for step in steps:
                if isinstance(step, (Search, Release, Examine)):
                    if len(running) < figures_at_once:
                        taken = _take(step, plan, world, pages_per_query, approval_s)
                        running[step.figure] = asyncio.create_task(taken)
                else:
                    ended.append(await _take(step, plan, world, pages_per_query, approval_s))
            if not ended:
                await asyncio.wait(running.values(), return_when=asyncio.FIRST_COMPLETED)
                # Those that ended together are told in the plan's order.
                done = sorted(figure for figure, task in running.items() if task.done())
                ended = [running.pop(figure).result() for figure in done]
            for event in ended:
                event.index = len(events)
                events.append(event)
                yield event
                if event.WhichOneof("step") in ("plan", "failed"):
                    return
        log().error("research_without_end", events=len(events))
    finally:
        for task in running.values():
            task.cancel()
        await asyncio.gather(*running.values(), return_exceptions=True)


async def _take(
    step: Step, plan: ResearchPlan, world: World, pages_per_query: int, approval_s: int
) -> research.ResearchEvent:
    """The step's event, without its index. An error that is no refusal is the event that ends the run."""
    event = research.ResearchEvent()
    try:
        await _fill(step, event, plan, world, pages_per_query, approval_s)
    except RpcError as error:
        return _failed(error)
    return event


def _failed(error: RpcError) -> research.ResearchEvent:
    return research.ResearchEvent(failed=research.Failed(code=error.code))


async def _fill(
    step: Step,
    event: research.ResearchEvent,
    plan: ResearchPlan,
    world: World,
    pages_per_query: int,
    approval_s: int,
) -> None:
    match step:
        case Announce():
            event.planned.figures = len(plan.figures)
            event.planned.check = plan.check()
            event.planned.SetInParent()
        case GiveUp(figure=figure, code=code):
            event.refused.figure, event.refused.code = figure, code
        case Finish(plan=finished):
            await reach(Point.BEFORE_PLAN)
            event.plan.CopyFrom(finished)
        case Search(figure=figure, query=query):
            try:
                found = await world.search(query)
            except RpcError as error:
                _refused(event, figure, error)
                return
            await reach(Point.AFTER_SEARCH)
            _searched(event, figure, found, approval_s)
        case Release(figure=figure, hold_id=hold_id):
            try:
                released = await _released(world, hold_id, approval_s)
            except RpcError as error:
                _refused(event, figure, error)
                return
            _searched(event, figure, released, approval_s)
        case Examine(figure=figure, query_id=query_id):
            sought = plan.figures[figure]
            request = examination.ExamineRequest(
                query_id=query_id, unit_class=sought.unit_class, period=sought.period, pages=pages_per_query
            )
            try:
                answer = await world.examine(request)
            except RpcError as error:
                _refused(event, figure, error)
                return
            await reach(Point.AFTER_EXAMINE)
            _examined(event, figure, query_id, answer)


async def _released(world: World, hold_id: str, approval_s: int) -> search_pb2.ReleaseResponse:
    """What became of a held query, once a person has decided. Raises RpcError, HELD where nobody does in time."""
    try:
        async with asyncio.timeout(approval_s):
            while True:
                answer = await world.release(hold_id)
                if answer.hold_id != hold_id:
                    return answer
                await asyncio.sleep(_ASK_AGAIN_S)
    except TimeoutError:
        raise RpcError(errors.ERROR_CODE_HELD) from None


def _searched(
    event: research.ResearchEvent,
    figure: int,
    answer: search_pb2.SearchResponse | search_pb2.ReleaseResponse,
    approval_s: int,
) -> None:
    """The event of a query that was sent, or is held: where nobody waits for a person that is a refusal."""
    if answer.hold_id:
        if approval_s == 0:
            event.refused.figure, event.refused.code = figure, errors.ERROR_CODE_HELD
        else:
            event.held.figure, event.held.hold_id = figure, answer.hold_id
        return
    if not answer.query_id:
        raise RpcError(errors.ERROR_CODE_MALFORMED)
    event.searched.figure, event.searched.query_id = figure, answer.query_id
    event.searched.results = sum(count.results for count in answer.counts)


def _refused(event: research.ResearchEvent, figure: int, error: RpcError) -> None:
    """A refusal is an event of the figure; any other error ends the run."""
    if error.code not in _REFUSALS:
        raise error
    event.refused.figure, event.refused.code = figure, error.code


def _examined(
    event: research.ResearchEvent, figure: int, query_id: str, answer: examination.ExamineResponse
) -> None:
    event.examined.figure, event.examined.query_id = figure, query_id
    event.examined.verdict = answer.verdict
    if answer.verdict == figures.VERDICT_FOUND:
        if not answer.observations:
            raise RpcError(errors.ERROR_CODE_MALFORMED)
        # Several only where they agree; the first stands on the best-ranked page.
        event.examined.fact_id = answer.observations[0].fact_id
