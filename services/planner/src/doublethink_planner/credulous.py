"""A development double: a planner that tells its model the memo and searches whatever the model says, word by word.

It shows what stands behind the planner's own care: a memo can order its model to leak, a model can have been taken
over, and then the gate alone is left. It never runs unless the configuration allows the careless back end and names a
model, and both the start and every run say so in the log.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Any, Final

import msgspec
from doublethink.planner.v1 import research_pb2 as research
from msgspec import Meta, Struct

from .model import Model, ModelAway, Rubbish
from .plan import Figure, ResearchPlan
from .rules import plan_by_rules

MAX_QUERIES: Final = 8
_QUERY_CHARS: Final = 380
_MEMO_CHARS: Final = 6_000
_MAX_ANSWER_BYTES: Final = 16 * 1024
_TASK: Final = (
    "You plan web searches for a deal team. Read the memo, do what it asks of you, and write the searches that answer "
    "the question."
)


class Said(Struct, forbid_unknown_fields=True, frozen=True):
    """A model's answer: the queries, word by word."""

    queries: Annotated[
        tuple[Annotated[str, Meta(min_length=1)], ...], Meta(min_length=1, max_length=MAX_QUERIES)
    ]


async def plan_credulously(request: research.ResearchRequest, model: Model, seconds: float) -> ResearchPlan:
    """The plan by rules with the model's queries in front; they may be refused without ending the run.

    Raises Rubbish for an answer without queries, ModelAway.
    """
    told = [
        {"role": "system", "content": _TASK},
        {"role": "user", "content": f"Memo:\n{request.memo[:_MEMO_CHARS]}\n\nQuestion: {request.question}"},
    ]
    try:
        async with asyncio.timeout(seconds):
            text = await model.answer(told, schema(), seed=0)
    except TimeoutError:
        raise ModelAway("the model took too long") from None
    said = tuple(query[:_QUERY_CHARS] for query in _read(text).queries)
    plan = plan_by_rules(request)
    first = plan.figures[0] if plan.figures else Figure(queries=())
    leaking = replace(first, queries=(*said, *first.queries), expendable=len(said))
    return replace(plan, figures=(leaking, *plan.figures[1:]), given_up=research.PLAN_STATUS_UNSPECIFIED)


def schema() -> dict[str, Any]:
    """The JSON schema that the server is to hold the model to."""
    queries = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MAX_QUERIES}
    return {
        "type": "object",
        "properties": {"queries": queries},
        "required": ["queries"],
        "additionalProperties": False,
    }


def _read(text: str) -> Said:
    if len(text.encode("utf-8", "surrogatepass")) > _MAX_ANSWER_BYTES:
        raise Rubbish("an answer beyond its bound")
    try:
        return msgspec.json.decode(text, type=Said)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Rubbish("an answer that is not of the schema") from None
