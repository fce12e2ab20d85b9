"""What comes next in a run, as a pure function of the plan and the events so far.

Because nothing else is remembered, a run that was cut off goes on from its events as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from doublethink_rpc import RpcError

from .plan import ResearchPlan

MAX_EVENTS: Final = 512
"""Events of one run, as the contract has it."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Say how many figures the plan looks for."""


@dataclass(frozen=True, slots=True)
class Search:
    """Put a query to the gate."""

    figure: int
    query: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Examine:
    """Have the validator examine the pages of a query."""

    figure: int
    query_id: str


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The run's own bound is reached: nothing more may be asked."""

    figure: int
    code: errors.ErrorCode


@dataclass(frozen=True, slots=True)
class Finish:
    """The run is over."""

    plan: research.Plan


Step = Announce | Search | Examine | GiveUp | Finish


@dataclass(slots=True)
class _FigureState:
    attempts: int = 0
    pending: str = ""
    results: int = 0
    fact_id: str = ""
    refused: bool = False
    settled: bool = False
    """Looked at, and a further query would not help."""


def next_step(plan: ResearchPlan, events: Sequence[research.ResearchEvent], max_queries: int) -> Step:
    """The next step. Raises RpcError MALFORMED for events that this plan cannot have given."""
    states = [_FigureState() for _ in plan.figures]
    for event in events:
        _apply(plan, states, event)
    if not events:
        return Announce()
    searches = sum(state.attempts for state in states)
    for index, (figure, state) in enumerate(zip(plan.figures, states, strict=True)):
        if state.fact_id:
            continue
        if state.refused:
            return Finish(research.Plan(status=research.PLAN_STATUS_REFUSED))
        if state.pending and state.results:
            return Examine(index, state.pending)
        if state.settled or state.attempts >= len(figure.queries):
            return Finish(research.Plan(status=plan.given_up or research.PLAN_STATUS_NOT_FOUND))
        if searches >= max_queries:
            return GiveUp(index, errors.ERROR_CODE_BUDGET_EXHAUSTED)
        return Search(index, figure.queries[state.attempts])
    if plan.given_up or not states:
        return Finish(research.Plan(status=plan.given_up or research.PLAN_STATUS_NOT_FOUND))
    return Finish(_answer(plan, [state.fact_id for state in states]))


def _answer(plan: ResearchPlan, fact_ids: Sequence[str]) -> research.Plan:
    answer = research.Plan(status=research.PLAN_STATUS_ANSWERED, fact_ids=fact_ids)
    if plan.operation:
        answer.operations.add(kind=plan.operation, fact_ids=fact_ids, years=plan.years)
    return answer


def _apply(plan: ResearchPlan, states: list[_FigureState], event: research.ResearchEvent) -> None:
    kind = event.WhichOneof("step")
    if kind == "planned":
        if event.index != 0 or event.planned.figures != len(states):
            raise _malformed()
    elif kind == "searched":
        state = _state(states, event.searched.figure)
        state.attempts += 1
        state.pending, state.results = event.searched.query_id, event.searched.results
    elif kind == "refused":
        state = _state(states, event.refused.figure)
        figure = plan.figures[event.refused.figure]
        searching = not (state.pending and state.results)
        tolerated = searching and state.attempts < figure.expendable and event.refused.code in _TOLERATED
        state.attempts += searching
        state.pending, state.refused = "", not tolerated
    elif kind == "examined":
        state = _state(states, event.examined.figure)
        if not state.pending or state.pending != event.examined.query_id:
            raise _malformed()
        state.pending = ""
        found = event.examined.verdict == figures.VERDICT_FOUND
        if found != bool(event.examined.fact_id):
            raise _malformed()
        state.fact_id = event.examined.fact_id
        state.settled = event.examined.verdict == figures.VERDICT_CANNOT_CHECK
    else:
        # A run that has ended is not taken up again.
        raise _malformed()


_TOLERATED: Final = frozenset({errors.ERROR_CODE_BLOCKED, errors.ERROR_CODE_HELD})


def _state(states: list[_FigureState], figure: int) -> _FigureState:
    if figure >= len(states):
        raise _malformed()
    return states[figure]


def _malformed() -> RpcError:
    return RpcError(errors.ERROR_CODE_MALFORMED)
