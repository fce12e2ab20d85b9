"""What comes next in a run is decided by the plan and the events alone."""

from __future__ import annotations

import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from doublethink_planner.plan import Figure, ResearchPlan
from doublethink_planner.steps import Announce, Examine, Finish, GiveUp, Search, next_step
from doublethink_rpc import RpcError
from hypothesis import given, settings
from hypothesis import strategies as st

QUERY = "qry_" + "a" * 26
FACT = "fct_" + "a" * 26
ONE = ResearchPlan((Figure(("first words", "other words")),))
TWO = ResearchPlan(
    (Figure(("one", "one again")), Figure(("two",))), operation=figures.OPERATION_KIND_DIFFERENCE
)


def planned(count: int) -> research.ResearchEvent:
    return research.ResearchEvent(planned=research.Planned(figures=count))


def searched(figure: int = 0, results: int = 3) -> research.ResearchEvent:
    return research.ResearchEvent(searched=research.Searched(figure=figure, query_id=QUERY, results=results))


def examined(verdict: int, figure: int = 0) -> research.ResearchEvent:
    fact = FACT if verdict == figures.VERDICT_FOUND else ""
    return research.ResearchEvent(
        examined=research.Examined(figure=figure, query_id=QUERY, verdict=verdict, fact_id=fact)
    )


def refused(code: int, figure: int = 0) -> research.ResearchEvent:
    return research.ResearchEvent(refused=research.Refused(figure=figure, code=code))


def status(step: object) -> int:
    assert isinstance(step, Finish)
    return step.plan.status


def test_a_run_begins_with_its_announcement() -> None:
    """The number of figures is said before anything is asked."""
    assert next_step(ONE, [], 8) == Announce()


def test_a_search_is_followed_by_an_examination() -> None:
    """What a search found is examined at once."""
    assert next_step(ONE, [planned(1)], 8) == Search(0, "first words")
    assert next_step(ONE, [planned(1), searched()], 8) == Examine(0, QUERY)


def test_the_second_query_is_the_last() -> None:
    """Nothing found twice ends the run."""
    events = [planned(1), searched(), examined(figures.VERDICT_NOT_FOUND)]
    assert next_step(ONE, events, 8) == Search(0, "other words")
    events += [searched(), examined(figures.VERDICT_NOT_FOUND)]
    assert status(next_step(ONE, events, 8)) == research.PLAN_STATUS_NOT_FOUND


def test_a_found_figure_is_the_answer() -> None:
    """The facts stand in the plan's order, with the operation over them."""
    events = [planned(1), searched(), examined(figures.VERDICT_FOUND)]
    step = next_step(ONE, events, 8)
    assert isinstance(step, Finish)
    assert step.plan == research.Plan(status=research.PLAN_STATUS_ANSWERED, fact_ids=[FACT])


def test_one_missing_figure_leaves_no_answer() -> None:
    """An operation with a missing operand is not answered by half."""
    events = [planned(2), searched(), examined(figures.VERDICT_FOUND), searched(1, 0)]
    assert status(next_step(TWO, events, 8)) == research.PLAN_STATUS_NOT_FOUND


def test_the_bound_on_queries_is_kept() -> None:
    """Beyond the bound nothing is asked."""
    events = [planned(1), searched(results=0)]
    assert next_step(ONE, events, 1) == GiveUp(0, errors.ERROR_CODE_BUDGET_EXHAUSTED)
    events.append(refused(errors.ERROR_CODE_BUDGET_EXHAUSTED))
    assert status(next_step(ONE, events, 1)) == research.PLAN_STATUS_REFUSED


def test_only_an_expendable_query_may_be_blocked() -> None:
    """A block ends a run, but for the first query of the careless double."""
    blocked = [planned(1), refused(errors.ERROR_CODE_BLOCKED)]
    assert status(next_step(ONE, blocked, 8)) == research.PLAN_STATUS_REFUSED
    careless = ResearchPlan((Figure(("leak", "words"), expendable=1),))
    assert next_step(careless, blocked, 8) == Search(0, "words")
    twice = [*blocked, refused(errors.ERROR_CODE_BLOCKED)]
    assert status(next_step(careless, twice, 8)) == research.PLAN_STATUS_REFUSED


def test_a_plan_that_gives_up_says_so() -> None:
    """Without figures the announcement is followed by the end."""
    for given_up in (research.PLAN_STATUS_REFUSED, research.PLAN_STATUS_NOT_FOUND):
        plan = ResearchPlan(given_up=given_up)
        assert status(next_step(plan, [planned(0)], 8)) == given_up


@pytest.mark.parametrize(
    "events",
    [
        [planned(2)],
        [planned(1), searched(figure=1)],
        [planned(1), examined(figures.VERDICT_FOUND)],
        [planned(1), research.ResearchEvent(failed=research.Failed(code=errors.ERROR_CODE_INTERNAL))],
        [planned(1), research.ResearchEvent(plan=research.Plan(status=research.PLAN_STATUS_ANSWERED))],
    ],
)
def test_events_that_the_plan_cannot_have_given_are_refused(events: list[research.ResearchEvent]) -> None:
    """A false history is an error, not a guess."""
    with pytest.raises(RpcError) as malformed:
        next_step(ONE, events, 8)
    assert malformed.value.code == errors.ERROR_CODE_MALFORMED


@given(st.lists(st.sampled_from(["found", "not_found", "cannot_check", "empty", "blocked"]), max_size=12))
@settings(max_examples=200, deadline=None)
def test_every_run_ends(outcomes: list[str]) -> None:
    """Whatever the peers answer, a run ends within its figures' queries."""
    events: list[research.ResearchEvent] = []
    answers = iter([*outcomes, *["not_found"] * 50])
    for _ in range(50):
        step = next_step(TWO, events, 8)
        if isinstance(step, Finish):
            assert len(events) <= 1 + 2 * 3 + 1
            return
        if isinstance(step, Announce):
            events.append(planned(2))
        elif isinstance(step, Search):
            outcome = next(answers)
            if outcome == "blocked":
                events.append(refused(errors.ERROR_CODE_BLOCKED, step.figure))
            else:
                events.append(searched(step.figure, 0 if outcome == "empty" else 3))
        elif isinstance(step, Examine):
            verdict = {"found": figures.VERDICT_FOUND, "cannot_check": figures.VERDICT_CANNOT_CHECK}
            events.append(examined(verdict.get(next(answers), figures.VERDICT_NOT_FOUND), step.figure))
    pytest.fail("the run did not end")
