"""A plan carried out against stand-ins in memory: bounded, complete, and taken up again wherever it was cut."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import search_pb2
from doublethink.planner.v1 import research_pb2 as research
from doublethink.validator.v1 import examination_pb2 as examination
from doublethink_planner.plan import Figure, ResearchPlan
from doublethink_planner.research import carry_out
from doublethink_rpc import RpcError
from hypothesis import given, settings
from hypothesis import strategies as st

PLAN = ResearchPlan(
    tuple(Figure((f"figure {number}", f"figure {number} again")) for number in range(6)),
    operation=figures.OPERATION_KIND_SUM,
)
CODES = {"rejected": errors.ERROR_CODE_BLOCKED, "too late": errors.ERROR_CODE_HELD}
VERDICTS = {
    "found": figures.VERDICT_FOUND,
    "held": figures.VERDICT_FOUND,
    "cannot_check": figures.VERDICT_CANNOT_CHECK,
}


@dataclass
class World:
    """Peers whose answer to a query is an outcome by name; `waits` is how long each figure takes to answer."""

    outcomes: dict[str, str] = field(default_factory=dict)
    waits: Sequence[int] = ()
    searched: list[str] = field(default_factory=list)
    examined: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    never: bool = False
    at_once: int = 0
    most_at_once: int = 0

    async def search(self, query: str) -> search_pb2.SearchResponse:
        """Refuse, fail, or give the query an id that says what it was."""
        self.searched.append(query)
        await self._wait(query)
        outcome = self._outcome(query)
        if outcome == "blocked":
            raise RpcError(errors.ERROR_CODE_BLOCKED)
        if outcome == "held" or outcome in CODES:
            return search_pb2.SearchResponse(hold_id=f"hold of {query}")
        if outcome == "broken":
            raise RpcError(errors.ERROR_CODE_SOURCE_UNAVAILABLE)
        counts = [search_pb2.ClassCount(results=0 if outcome == "empty" else 3)]
        return search_pb2.SearchResponse(query_id=query, counts=counts)

    async def release(self, hold_id: str) -> search_pb2.ReleaseResponse:
        """The hold for the first two times, then what came of it."""
        self.released.append(hold_id)
        query = hold_id.removeprefix("hold of ")
        code = CODES.get(self._outcome(query), 0)
        if code:
            raise RpcError(code)
        if self.never or self.released.count(hold_id) <= 2:
            return search_pb2.ReleaseResponse(hold_id=hold_id)
        return search_pb2.ReleaseResponse(query_id=query, counts=[search_pb2.ClassCount(results=3)])

    async def examine(self, request: examination.ExamineRequest) -> examination.ExamineResponse:
        """The outcome of the query as a verdict."""
        self.examined.append(request.query_id)
        await self._wait(request.query_id)
        verdict = VERDICTS.get(self._outcome(request.query_id), figures.VERDICT_NOT_FOUND)
        response = examination.ExamineResponse(verdict=verdict)
        if verdict == figures.VERDICT_FOUND:
            response.observations.add(fact_id=f"fact of {request.query_id}")
        return response

    def _outcome(self, query: str) -> str:
        return self.outcomes.get(query, "found")

    async def _wait(self, query: str) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        number = int(query.split()[1])
        for _ in range(self.waits[number] if self.waits else 1):
            await asyncio.sleep(0)
        self.at_once -= 1


async def run(
    world: World, history: Sequence[research.ResearchEvent] = (), *, max_queries: int = 64, at_once: int = 4
) -> list[research.ResearchEvent]:
    """The events of the plan in that world."""
    stream = carry_out(
        PLAN, history, world, max_queries=max_queries, pages_per_query=4, figures_at_once=at_once
    )
    return [event async for event in stream]


def kinds(events: Sequence[research.ResearchEvent]) -> list[str | None]:
    """The kinds of some events."""
    return [event.WhichOneof("step") for event in events]


async def waiting(
    world: World, approval_s: int, history: Sequence[research.ResearchEvent] = ()
) -> list[research.ResearchEvent]:
    """The events of the plan where held queries may wait."""
    stream = carry_out(
        PLAN, history, world, max_queries=64, pages_per_query=4, figures_at_once=6, approval_s=approval_s
    )
    return [event async for event in stream]


async def test_a_held_query_waits_for_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for again until it is let go; the other figures do not wait for it, and the query is asked once."""
    monkeypatch.setattr("doublethink_planner.research._ASK_AGAIN_S", 0.001)
    world = World(outcomes={"figure 2": "held"})
    events = await waiting(world, 60)
    assert kinds(events).count("held") == 1
    assert world.released == ["hold of figure 2"] * 3
    assert world.searched.count("figure 2") == 1
    assert list(events[-1].plan.fact_ids) == [f"fact of figure {number}" for number in range(6)]


async def test_a_run_that_was_cut_asks_for_the_hold_and_not_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the events up to the hold the same hold is asked for; no second query is held."""
    monkeypatch.setattr("doublethink_planner.research._ASK_AGAIN_S", 0.001)
    world = World(outcomes={"figure 2": "held"})
    events = await waiting(world, 60)
    cut = next(index for index, event in enumerate(events) if event.WhichOneof("step") == "held") + 1
    again = World(outcomes={"figure 2": "held"})
    rest = await waiting(again, 60, events[:cut])
    assert rest[-1].plan.status == research.PLAN_STATUS_ANSWERED
    assert "figure 2" not in again.searched


@pytest.mark.parametrize("outcome", ["rejected", "too late"])
async def test_a_hold_that_is_not_let_go_ends_the_run(outcome: str) -> None:
    """A rejection and the end of the gate's time are refusals."""
    events = await waiting(World(outcomes={"figure 0": outcome}), 60)
    assert "held" in kinds(events)
    assert [event.refused.code for event in events if event.WhichOneof("step") == "refused"] == [
        CODES[outcome]
    ]
    assert events[-1].plan.status == research.PLAN_STATUS_REFUSED


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run's own time ends the wait, and without any the query is refused at once."""
    monkeypatch.setattr("doublethink_planner.research._ASK_AGAIN_S", 0.001)
    world = World(outcomes={"figure 0": "held"}, never=True)
    events = await waiting(world, 1)
    assert [event.refused.code for event in events if event.WhichOneof("step") == "refused"] == [
        errors.ERROR_CODE_HELD
    ]
    at_once = World(outcomes={"figure 0": "held"}, never=True)
    assert "held" not in kinds(await waiting(at_once, 0))
    assert at_once.released == []


async def test_no_more_figures_than_allowed_are_looked_up_at_once() -> None:
    """The bound is reached and kept, and all figures are answered in the plan's order."""
    for bound in (1, 4):
        world = World(waits=(5, 1, 3, 1, 2, 1))
        events = await run(world, at_once=bound)
        assert world.most_at_once == bound
        assert list(events[-1].plan.fact_ids) == [f"fact of figure {number}" for number in range(6)]


async def test_a_slow_figure_does_not_hold_the_others_up() -> None:
    """Events come in the order in which steps end, and their numbers have no gap."""
    events = await run(World(waits=(40, 1, 1, 1, 1, 1)))
    assert [event.index for event in events] == list(range(len(events)))
    assert [event.searched.figure for event in events if event.WhichOneof("step") == "searched"][-1] == 0


async def test_after_a_refusal_nothing_new_is_asked() -> None:
    """What is under way ends with its events; the figures that had not begun are never asked."""
    world = World(outcomes={"figure 0": "blocked"}, waits=(1, 9, 9, 9, 1, 1))
    events = await run(world)
    assert world.searched == [f"figure {number}" for number in range(4)]
    assert kinds(events) == ["planned", "refused", "searched", "searched", "searched", "plan"]
    assert events[-1].plan.status == research.PLAN_STATUS_REFUSED
    assert not world.examined


async def test_an_error_ends_the_run_at_once() -> None:
    """It is the last event, and what is under way is broken off."""
    events = await run(World(outcomes={"figure 1": "broken"}, waits=(50, 1, 50, 50, 50, 50)))
    assert kinds(events) == ["planned", "failed"]
    assert events[-1].failed.code == errors.ERROR_CODE_SOURCE_UNAVAILABLE


async def test_a_history_of_another_plan_ends_the_run() -> None:
    """Events that this plan cannot have given are not believed."""
    history = [research.ResearchEvent(planned=research.Planned(figures=2))]
    assert [event.failed.code for event in await run(World(), history)] == [errors.ERROR_CODE_MALFORMED]


_OUTCOMES = st.sampled_from(["found", "found", "found", "not_found", "cannot_check", "empty", "blocked"])


@given(
    outcomes=st.lists(_OUTCOMES, min_size=12, max_size=12),
    waits=st.lists(st.integers(1, 6), min_size=6, max_size=6),
    max_queries=st.integers(1, 14),
    cut=st.integers(0, 40),
)
@settings(max_examples=120, deadline=None)
def test_every_run_ends_within_its_bounds_and_goes_on_from_any_cut(
    outcomes: list[str], waits: list[int], max_queries: int, cut: int
) -> None:
    """Whatever the peers answer and in whatever order, nothing is done twice and nothing beyond the bound."""
    queries = [query for figure in PLAN.figures for query in figure.queries]
    answers = dict(zip(queries, outcomes, strict=True))
    world = World(answers, waits)
    whole = asyncio.run(run(world, max_queries=max_queries))
    assert whole[-1].WhichOneof("step") == "plan"
    assert len(world.searched) == len(set(world.searched)) <= max_queries
    kept = whole[: min(cut, len(whole) - 1)]
    again = World(answers, waits[::-1])
    rest = asyncio.run(run(again, kept, max_queries=max_queries))
    assert [event.index for event in rest] == list(range(len(kept), len(kept) + len(rest)))
    told = {event.searched.query_id for event in kept if event.WhichOneof("step") == "searched"}
    looked = {event.examined.query_id for event in kept if event.WhichOneof("step") == "examined"}
    assert told.isdisjoint(again.searched)
    assert looked.isdisjoint(again.examined)
    answered = research.PLAN_STATUS_ANSWERED
    if answered in (whole[-1].plan.status, rest[-1].plan.status):
        assert whole[-1].plan == rest[-1].plan
