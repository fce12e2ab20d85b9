"""The back ends with a model: the rules first, the model for what they do not understand.

What the rules understand they understand with certainty, at once and always alike. A model adds questions that are
put in ways which no rule foresees.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Protocol

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.planner.v1 import research_pb2 as research
from doublethink_rpc import RpcError, log

from .config import Dialect, LocalModel
from .credulous import plan_credulously
from .model import Model, ModelAway, Rubbish, Ungrounded, plan_with_model
from .plan import ResearchPlan
from .rules import plan_by_rules

BACK_ENDS: Final = {
    Dialect.OLLAMA: research.PLANNER_BACK_END_OLLAMA,
    Dialect.OPENAI: research.PLANNER_BACK_END_OPENAI,
}
"""What a request calls the back end of each dialect."""


class OpenModel(Model, Protocol):
    """A model with a connection that is to be closed."""

    async def close(self) -> None:
        """Close the connection."""


def open_model(model: LocalModel) -> OpenModel:
    """A client of a model. Close it when done."""
    # The clients take half a second to import: a worker that needs none does not wait for them.
    from .model.client import OllamaModel, OpenAiModel

    kind = OllamaModel if model.dialect is Dialect.OLLAMA else OpenAiModel
    return kind(model.socket, model.name, float(model.seconds))


async def plan_by_model(request: research.ResearchRequest, model: LocalModel) -> ResearchPlan:
    """The plan for a request. Raises RpcError MODEL_UNAVAILABLE or MODEL_ANSWER_REFUSED."""
    plan = plan_by_rules(request)
    if plan.given_up != research.PLAN_STATUS_NOT_FOUND:
        return plan
    async with _asked(model) as client:
        try:
            return await plan_with_model(
                request, client, attempts=model.attempts, seconds=float(model.seconds)
            )
        except Ungrounded:
            # It had the form and did not say the question: as if nobody had understood it.
            return plan


async def believe_model(request: research.ResearchRequest, model: LocalModel) -> ResearchPlan:
    """The plan of a development double that tells its model the memo, see `credulous`. Raises RpcError likewise."""
    async with _asked(model) as client:
        return await plan_credulously(request, client, float(model.seconds))


@asynccontextmanager
async def _asked(model: LocalModel) -> AsyncIterator[OpenModel]:
    """A client of a model, whose failures are errors of the call."""
    client = open_model(model)
    try:
        yield client
    except ModelAway as error:
        log().error("model_unavailable", error=error)
        raise RpcError(errors.ERROR_CODE_MODEL_UNAVAILABLE) from None
    except Rubbish as error:
        log().error("model_answers_useless", error=error)
        raise RpcError(errors.ERROR_CODE_MODEL_ANSWER_REFUSED) from None
    finally:
        await client.close()
