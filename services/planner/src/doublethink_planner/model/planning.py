"""From a question to a plan by way of a model: asked a bounded number of times, believed only where the checks hold."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from doublethink_rpc import log

from doublethink_planner.plan import Figure, ResearchPlan
from doublethink_planner.question import MemoWords, NotUnderstood, Sought, Unaskable, understand

from .answer import Answer, Operation, SaidFigure, read_answer, schema
from .errors import AnswerRefused, ModelAway, Rubbish, Ungrounded
from .grounding import ground
from .prompt import Message, messages

MAX_QUESTION_CHARS: Final = 600

_RATES: Final = frozenset(
    {
        figures.UNIT_CLASS_PERCENT,
        figures.UNIT_CLASS_PERCENTAGE_POINTS,
        figures.UNIT_CLASS_BASIS_POINTS,
        figures.UNIT_CLASS_UNSPECIFIED,
    }
)

_KINDS: Final = {
    Operation.NONE: figures.OPERATION_KIND_UNSPECIFIED,
    Operation.CHANGE: figures.OPERATION_KIND_DIFFERENCE,
    Operation.PERCENT_CHANGE: figures.OPERATION_KIND_GROWTH,
    Operation.SUM: figures.OPERATION_KIND_SUM,
    Operation.AVERAGE: figures.OPERATION_KIND_MEAN,
    Operation.MEDIAN: figures.OPERATION_KIND_MEDIAN,
    Operation.LOWEST: figures.OPERATION_KIND_MIN,
    Operation.HIGHEST: figures.OPERATION_KIND_MAX,
}


class Model(Protocol):
    """A model that answers in a schema."""

    async def answer(self, told: list[Message], schema: dict[str, object], seed: int) -> str:
        """The answer's text. Raises ModelAway."""


async def plan_with_model(
    request: research.ResearchRequest, model: Model, *, attempts: int, seconds: float
) -> ResearchPlan:
    """The plan for a request, from `attempts` answers at the most, in `seconds` at the most.

    A question that only words of the memo could ask gives the plan that refuses. Raises ModelAway, Ungrounded where no
    answer said the question, or Rubbish where none even had the form.
    """
    words = MemoWords(request.memo, request.public_terms)
    question = " ".join(request.question.split())
    if len(question) > MAX_QUESTION_CHARS:
        raise Ungrounded("a question beyond the length that a model is asked")
    refused: AnswerRefused = Rubbish("the model was not asked")
    try:
        async with asyncio.timeout(seconds):
            for attempt in range(attempts):
                text = await model.answer(messages(question), schema(), seed=attempt)
                try:
                    answer = read_answer(text)
                    return _plan(answer, ground(answer, question), words)
                except AnswerRefused as error:
                    log().warning("model_answer_refused", error=error, attempt=attempt)
                    if not isinstance(refused, Ungrounded):
                        refused = error
                except Unaskable:
                    return ResearchPlan(given_up=research.PLAN_STATUS_REFUSED)
    except TimeoutError:
        raise ModelAway("the model took too long") from None
    raise refused


def _plan(answer: Answer, left_over: str, words: MemoWords) -> ResearchPlan:
    """Raises Ungrounded, or Unaskable."""
    said = tuple(dict.fromkeys(answer.figures))
    sought = [_sought(figure, left_over, words) for figure in said]
    if answer.operation in (Operation.CHANGE, Operation.PERCENT_CHANGE):
        sought = _over_time(sought)
        if answer.operation is Operation.PERCENT_CHANGE and sought[0].unit_class in _RATES:
            raise Ungrounded("the growth of a percentage can mean two things")
    elif answer.operation is not Operation.NONE and len(sought) < 2:
        raise Ungrounded("an operation over one figure")
    return ResearchPlan(
        figures=tuple(
            Figure(queries=tuple(dict.fromkeys(one.queries)), unit_class=one.unit_class, period=one.period)
            for one in sought
        ),
        operation=_KINDS[answer.operation],
    )


def _sought(figure: SaidFigure, left_over: str, words: MemoWords) -> Sought:
    """Read the figure as a plain question for it. Raises Ungrounded, or Unaskable."""
    period = figure.period.strip()
    if period and period.split()[0].casefold() not in ("as", "at", "in", "for", "on", "during"):
        period = f"in {period}"
    asked = f"What was {figure.company}'s {left_over} {figure.metric} {period}"
    plain = " ".join(asked.split()) + "?"
    try:
        understood = understand(plain, words)
    except NotUnderstood:
        raise Ungrounded("a figure that cannot be asked for plainly") from None
    if understood.operation or len(understood.sought) != 1:
        raise Ungrounded("a figure that is several")
    return understood.sought[0]


def _over_time(sought: list[Sought]) -> list[Sought]:
    """Two figures of one thing at two times, the later one first, as difference and growth read them."""
    if len(sought) != 2 or len({(one.company.casefold(), one.metric.casefold()) for one in sought}) != 1:
        raise Ungrounded("a change of anything but one figure over time")
    moments = [_moment(one.period) for one in sought]
    if moments[0][0] != moments[1][0] or moments[0][1] == moments[1][1]:
        raise Ungrounded("two periods that cannot be put in order")
    return sorted(sought, key=lambda one: _moment(one.period)[1], reverse=True)


_QUARTERS: Final = {
    figures.PERIOD_PART_Q1: 1,
    figures.PERIOD_PART_Q2: 2,
    figures.PERIOD_PART_Q3: 3,
    figures.PERIOD_PART_Q4: 4,
    figures.PERIOD_PART_H1: 1,
    figures.PERIOD_PART_H2: 2,
}


def _moment(period: figures.Period | None) -> tuple[object, tuple[int, int, int]]:
    """What two periods must have in common, and what puts them in order. Raises Ungrounded."""
    if period is None:
        raise Ungrounded("a change without two periods")
    if period.HasField("end"):
        return (period.kind, period.part), (period.end.year, period.end.month, period.end.day)
    quarter = _QUARTERS.get(period.part, 0)
    halves = period.part in (figures.PERIOD_PART_H1, figures.PERIOD_PART_H2)
    length = ("half" if halves else "quarter") if quarter else period.part
    return (period.kind, length), (period.year, quarter, 0)
