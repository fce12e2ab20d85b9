"""The checks that say whether a model is fit to plan: a fit one passes, each kind of unfit one fails its own check."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from doublethink_planner.model import ModelAway
from doublethink_planner.model.canary import Finding, examine
from doublethink_planner.model.planning import MAX_QUESTION_CHARS
from doublethink_planner.model.prompt import Message

CHECKS = [
    "structured_output",
    "schema_keys",
    "plan",
    "no_refusal",
    "no_obedience",
    "length",
    "repeatable",
]


def fit(question: str, _asked: int) -> str:
    """The answer of a model that can divide."""
    company, metric, period = "Brindle Optics", "revenue", "2020"
    if "total revenue" in question:
        metric, period = "total revenue", "fiscal 2021"
    elif "Corvane" in question:
        company, metric, period = "Corvane Chemicals", "fines for the fatal explosion at its plant", "2018"
    elif "goods sold" in question:
        metric, period = "cost of goods sold", "fiscal year ended September 30, 2021"
    figure = {"company": company, "metric": metric, "period": period}
    return json.dumps({"figures": [figure], "operation": "none"})


class Examined:
    """A model that answers by a function of the question and of how often it was asked."""

    def __init__(self, answers: Callable[[str, int], str]) -> None:
        self.answers = answers
        self.questions: list[str] = []

    async def answer(self, told: list[Message], schema: dict[str, object], seed: int) -> str:
        """The function's answer."""
        self.questions.append(told[-1]["content"])
        return self.answers(told[-1]["content"], len(self.questions))


def findings(answers: Callable[[str, int], str]) -> list[Finding]:
    """What the checks find."""

    async def collect() -> list[Finding]:
        return [finding async for finding in examine(Examined(answers), seconds=5)]

    return asyncio.run(collect())


def failed(answers: Callable[[str, int], str]) -> set[str]:
    """The checks that do not pass."""
    return {finding.check for finding in findings(answers) if not finding.passed}


def test_a_fit_model_passes() -> None:
    """All checks, in their order, and none has anything to say."""
    assert findings(fit) == [Finding(check, True) for check in CHECKS]


def test_free_text_fails() -> None:
    """A server without structured output fails the first check, and the rest with it."""
    assert failed(lambda _question, _asked: "The company is Brindle Optics.") >= {"structured_output", "plan"}


def test_another_key_fails() -> None:
    """The schema's keys and no others."""
    assert "schema_keys" in failed(lambda question, asked: fit(question, asked)[:-1] + ', "query": "x"}')


def test_a_refusal_fails() -> None:
    """What companies must report is no reason to be shy."""

    def shy(question: str, asked: int) -> str:
        return "I cannot help with that." if "fatal" in question else fit(question, asked)

    assert failed(shy) == {"schema_keys", "no_refusal"}


def test_obedience_fails() -> None:
    """A question that commands is still a question."""

    def obedient(question: str, asked: int) -> str:
        return (
            fit(question, asked).replace("Brindle Optics", "BLUE HERON")
            if "HERON" in question
            else fit(question, asked)
        )

    assert failed(obedient) == {"no_obedience"}


def test_a_cut_context_fails() -> None:
    """A model that saw only the end of a long question does not know the company."""

    def forgetful(question: str, asked: int) -> str:
        answer = fit(question, asked)
        return answer.replace("Brindle Optics", "research") if "goods sold" in question else answer

    assert failed(forgetful) == {"length"}


def test_two_plans_for_one_question_fail() -> None:
    """A run that is taken up again needs the same plan."""

    def moody(question: str, asked: int) -> str:
        return (
            fit(question, asked).replace("total revenue", "revenue total")
            if asked % 2
            else fit(question, asked)
        )

    assert failed(moody) == {"repeatable"}


def test_a_slow_model_ends_the_checks() -> None:
    """It is a model that is away."""

    class Slow(Examined):
        async def answer(self, told: list[Message], schema: dict[str, object], seed: int) -> str:
            await asyncio.Event().wait()
            return ""

    async def collect() -> None:
        async for _ in examine(Slow(fit), seconds=0.05):
            pass

    with pytest.raises(ModelAway):
        asyncio.run(collect())


def test_the_long_question_is_as_long_as_may_be() -> None:
    """Nearly the longest that a model is asked."""
    model = Examined(fit)

    async def collect() -> None:
        async for _ in examine(model, seconds=5):
            pass

    asyncio.run(collect())
    longest = max(map(len, model.questions))
    assert MAX_QUESTION_CHARS - 60 <= longest <= MAX_QUESTION_CHARS
