"""The back end without a model: plans from the public part of the question alone."""

from __future__ import annotations

from doublethink.planner.v1 import research_pb2 as research

from .plan import Figure, ResearchPlan
from .question import MemoWords, NotUnderstood, Unaskable, understand


def plan_by_rules(request: research.ResearchRequest) -> ResearchPlan:
    """The plan for a request. It depends on nothing but the request, so that a run can be taken up again."""
    words = MemoWords(request.memo, request.public_terms)
    try:
        understood = understand(request.question, words)
    except Unaskable:
        return ResearchPlan(given_up=research.PLAN_STATUS_REFUSED)
    except NotUnderstood:
        return ResearchPlan(given_up=research.PLAN_STATUS_NOT_FOUND)
    return ResearchPlan(
        figures=tuple(
            Figure(queries=_distinct(sought.queries), unit_class=sought.unit_class, period=sought.period)
            for sought in understood.sought
        ),
        operation=understood.operation,
        years=understood.years,
    )


def _distinct(queries: tuple[str, ...]) -> tuple[str, ...]:
    """The queries without those that only put an earlier one's words in another order."""
    by_words: dict[tuple[str, ...], str] = {}
    for query in queries:
        by_words.setdefault(tuple(sorted(query.casefold().split())), query)
    return tuple(by_words.values())
