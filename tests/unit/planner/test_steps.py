"""What comes next in a run is decided by the plan and the events alone."""

from __future__ import annotations

import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from doublethink_planner.plan import Figure, ResearchPlan
from doublethink_planner.steps import Announce, Examine, Finish, GiveUp, Release, Search, Step, next_steps
from doublethink_rpc import RpcError

QUERY = "qry_" + "a" * 26
FACT = "fct_" + "a" * 26
HOLD = "hld_" + "a" * 26
ONE = ResearchPlan((Figure(("first words", "other words")),))
TWO = ResearchPlan(
    (Figure(("one", "one again")), Figure(("two",))), operation=figures.OPERATION_KIND_DIFFERENCE
)


def only(plan: ResearchPlan, events: list[research.ResearchEvent], max_queries: int) -> Step:
    """The one step that may be taken."""
    (step,) = next_steps(plan, events, max_queries)
    return step


def planned(count: int) -> research.ResearchEvent:
    return research.ResearchEvent(planned=research.Planned(figures=count))


def searched(figure: int = 0, results: int = 3) -> research.ResearchEvent:
    return research.ResearchEvent(searched=research.Searched(figure=figure, query_id=QUERY, results=results))


def examined(verdict: figures.Verdict, figure: int = 0) -> research.ResearchEvent:
    fact = FACT if verdict == figures.VERDICT_FOUND else ""
    return research.ResearchEvent(
        examined=research.Examined(figure=figure, query_id=QUERY, verdict=verdict, fact_id=fact)
    )


def refused(code: errors.ErrorCode, figure: int = 0) -> research.ResearchEvent:
    return research.ResearchEvent(refused=research.Refused(figure=figure, code=code))


def held(figure: int = 0, hold_id: str = HOLD) -> research.ResearchEvent:
    return research.ResearchEvent(held=research.Held(figure=figure, hold_id=hold_id))


def status(step: object) -> int:
    assert isinstance(step, Finish)
    return step.plan.status


def test_a_run_begins_with_its_announcement() -> None:
    """The number of figures is said before anything is asked."""
    assert only(ONE, [], 8) == Announce()


def test_a_search_is_followed_by_an_examination() -> None:
    """What a search found is examined at once."""
    assert only(ONE, [planned(1)], 8) == Search(0, "first words")
    assert only(ONE, [planned(1), searched()], 8) == Examine(0, QUERY)


def test_the_second_query_is_the_last() -> None:
    """Nothing found twice ends the run."""
    events = [planned(1), searched(), examined(figures.VERDICT_NOT_FOUND)]
    assert only(ONE, events, 8) == Search(0, "other words")
    events += [searched(), examined(figures.VERDICT_NOT_FOUND)]
    assert status(only(ONE, events, 8)) == research.PLAN_STATUS_NOT_FOUND


def test_a_found_figure_is_the_answer() -> None:
    """The facts stand in the plan's order, with the operation over them."""
    events = [planned(1), searched(), examined(figures.VERDICT_FOUND)]
    step = only(ONE, events, 8)
    assert isinstance(step, Finish)
    assert step.plan == research.Plan(status=research.PLAN_STATUS_ANSWERED, fact_ids=[FACT])


def test_what_cannot_be_checked_is_asked_in_other_words_too() -> None:
    """As what was not found: once more, and then never again."""
    events = [planned(1), searched(), examined(figures.VERDICT_CANNOT_CHECK)]
    assert only(ONE, events, 8) == Search(0, "other words")
    events += [searched(), examined(figures.VERDICT_CANNOT_CHECK)]
    assert status(only(ONE, events, 8)) == research.PLAN_STATUS_NOT_FOUND
    assert only(ONE, events[:3], 1) == GiveUp(0, errors.ERROR_CODE_BUDGET_EXHAUSTED)


def test_figures_do_not_wait_for_each_other() -> None:
    """Every figure that has no step under way may take its next one."""
    assert next_steps(TWO, [planned(2)], 8) == (Search(0, "one"), Search(1, "two"))
    assert next_steps(TWO, [planned(2)], 8, running={0}) == (Search(1, "two"),)
    assert next_steps(TWO, [planned(2), searched(1)], 8) == (Search(0, "one"), Examine(1, QUERY))
    found = [planned(2), searched(1), examined(figures.VERDICT_FOUND, 1)]
    assert next_steps(TWO, found, 8, running={0}) == ()


def test_searches_under_way_count_towards_the_bound() -> None:
    """The bound holds for what was asked and what is being asked together."""
    exhausted = GiveUp(1, errors.ERROR_CODE_BUDGET_EXHAUSTED)
    assert next_steps(TWO, [planned(2)], 1) == (Search(0, "one"), exhausted)
    assert next_steps(TWO, [planned(2)], 1, running={0}) == (exhausted,)
    examining = [planned(2), searched(0)]
    assert next_steps(TWO, examining, 2, running={0}) == (Search(1, "two"),)


def test_a_run_ends_only_when_nothing_is_under_way() -> None:
    """After a refusal nothing new is begun, and what is under way is waited for."""
    events = [planned(2), refused(errors.ERROR_CODE_BLOCKED)]
    assert next_steps(TWO, events, 8, running={1}) == ()
    assert status(only(TWO, [*events, searched(1)], 8)) == research.PLAN_STATUS_REFUSED


def test_one_missing_figure_leaves_no_answer() -> None:
    """An operation with a missing operand is not answered by half."""
    events = [planned(2), searched(), examined(figures.VERDICT_FOUND), searched(1, 0)]
    assert status(only(TWO, events, 8)) == research.PLAN_STATUS_NOT_FOUND


def test_the_bound_on_queries_is_kept() -> None:
    """Beyond the bound nothing is asked."""
    events = [planned(1), searched(results=0)]
    assert only(ONE, events, 1) == GiveUp(0, errors.ERROR_CODE_BUDGET_EXHAUSTED)
    events.append(refused(errors.ERROR_CODE_BUDGET_EXHAUSTED))
    assert status(only(ONE, events, 1)) == research.PLAN_STATUS_REFUSED


def test_only_an_expendable_query_may_be_blocked() -> None:
    """A block ends a run, but for the first query of the careless double."""
    blocked = [planned(1), refused(errors.ERROR_CODE_BLOCKED)]
    assert status(only(ONE, blocked, 8)) == research.PLAN_STATUS_REFUSED
    careless = ResearchPlan((Figure(("leak", "words"), expendable=1),))
    assert only(careless, blocked, 8) == Search(0, "words")
    twice = [*blocked, refused(errors.ERROR_CODE_BLOCKED)]
    assert status(only(careless, twice, 8)) == research.PLAN_STATUS_REFUSED


def test_a_held_query_is_asked_for_until_something_comes_of_it() -> None:
    """It counts as one search: let go it is examined, refused it ends the run, held anew it has a new hold."""
    other = "hld_" + "b" * 26
    assert only(ONE, [planned(1), held()], 1) == Release(0, HOLD)
    assert only(ONE, [planned(1), held(), held(hold_id=other)], 1) == Release(0, other)
    assert only(ONE, [planned(1), held(), searched()], 1) == Examine(0, QUERY)
    refusal = refused(errors.ERROR_CODE_BLOCKED)
    assert status(only(ONE, [planned(1), held(), refusal], 1)) == research.PLAN_STATUS_REFUSED
    assert only(ONE, [planned(1), held(), searched(results=0)], 2) == Search(0, "other words")
    assert next_steps(TWO, [planned(2), held()], 2, running=(0,)) == (Search(1, "two"),)


def test_an_expendable_query_that_was_held_may_be_refused() -> None:
    """What is tolerated does not hang on whether a person was asked first."""
    plan = ResearchPlan((Figure(("first words", "other words"), expendable=1),))
    events = [planned(1), held(), refused(errors.ERROR_CODE_BLOCKED)]
    assert only(plan, events, 8) == Search(0, "other words")


def test_a_plan_that_gives_up_says_so() -> None:
    """Without figures the announcement is followed by the end."""
    for given_up in (research.PLAN_STATUS_REFUSED, research.PLAN_STATUS_NOT_FOUND):
        plan = ResearchPlan(given_up=given_up)
        assert status(only(plan, [planned(0)], 8)) == given_up


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
        only(ONE, events, 8)
    assert malformed.value.code == errors.ERROR_CODE_MALFORMED
