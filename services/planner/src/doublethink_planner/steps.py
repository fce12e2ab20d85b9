"""What may come next in a run, as a pure function of the plan and the events so far.

Figures do not wait for each other, so several steps may be possible at a time, one a figure. Because nothing
but the events is remembered, a run that was cut off goes on from them as if it had never stopped, in
whatever order its figures' events came.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
class Release:
    """Ask the gate for a query that waits for a person."""

    figure: int
    hold_id: str


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


Step = Announce | Search | Release | Examine | GiveUp | Finish


@dataclass(slots=True)
class _FigureState:
    attempts: int = 0
    pending: str = ""
    hold: str = ""
    results: int = 0
    fact_id: str = ""
    refused: bool = False

    @property
    def to_examine(self) -> bool:
        return bool(self.pending and self.results)


def next_steps(
    plan: ResearchPlan,
    events: Sequence[research.ResearchEvent],
    max_queries: int,
    running: Collection[int] = (),
) -> tuple[Step, ...]:
    """The steps that may be taken now, in the plan's order, at most one a figure.

    `running` are the figures with a step under way: they get no other, and their searches count towards
    `max_queries`. Nothing comes back while all that is left is to wait for them. Announce and Finish stand
    alone. Raises RpcError MALFORMED for events that this plan cannot have given.
    """
    states = [_FigureState() for _ in plan.figures]
    for event in events:
        _apply(plan, states, event)
    if not events:
        return (Announce(),)
    ended = _ended(plan, states)
    if ended is not None:
        # What is under way is waited for, so that every search of a run has its event.
        return () if running else (Finish(ended),)
    # A query that is held is set down as asked already.
    under_way = sum(not states[figure].to_examine and not states[figure].hold for figure in running)
    left = max_queries - sum(state.attempts for state in states) - under_way
    steps: list[Step] = []
    for index, state in enumerate(states):
        if state.fact_id or index in running:
            continue
        if state.to_examine:
            steps.append(Examine(index, state.pending))
        elif state.hold:
            steps.append(Release(index, state.hold))
        elif left > 0:
            left -= 1
            steps.append(Search(index, plan.figures[index].queries[state.attempts]))
        else:
            steps.append(GiveUp(index, errors.ERROR_CODE_BUDGET_EXHAUSTED))
            break
    return tuple(steps)


def _ended(plan: ResearchPlan, states: Sequence[_FigureState]) -> research.Plan | None:
    """How the run ends, or None while it goes on. One figure that is missing leaves no answer."""
    if any(state.refused for state in states):
        return research.Plan(status=research.PLAN_STATUS_REFUSED)
    missing = any(
        not state.fact_id
        and not state.to_examine
        and not state.hold
        and state.attempts >= len(figure.queries)
        for figure, state in zip(plan.figures, states, strict=True)
    )
    if missing or not states or (plan.given_up and all(state.fact_id for state in states)):
        return research.Plan(status=plan.given_up or research.PLAN_STATUS_NOT_FOUND)
    if all(state.fact_id for state in states):
        return _answer(plan, [state.fact_id for state in states])
    return None


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
        if event.planned.check and event.planned.check != plan.check():
            # Going on would mix two plans' figures.
            raise RpcError(errors.ERROR_CODE_MODEL_ANSWER_REFUSED)
    elif kind == "searched":
        state = _state(states, event.searched.figure)
        state.attempts += not state.hold
        state.hold = ""
        state.pending, state.results = event.searched.query_id, event.searched.results
    elif kind == "held":
        state = _state(states, event.held.figure)
        if state.to_examine:
            raise _malformed()
        state.attempts += not state.hold
        state.hold = event.held.hold_id
    elif kind == "refused":
        state = _state(states, event.refused.figure)
        figure = plan.figures[event.refused.figure]
        searching = not state.to_examine
        # A held query was counted when it was held.
        asked = state.attempts - bool(state.hold)
        tolerated = searching and asked < figure.expendable and event.refused.code in _TOLERATED
        state.attempts += searching and not state.hold
        state.hold = ""
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
