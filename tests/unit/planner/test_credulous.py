"""The double that believes its model: memo in, queries out, unlooked at, and the rules' own behind them."""

from __future__ import annotations

import asyncio
import json

import pytest
from doublethink.planner.v1 import research_pb2 as research
from doublethink_planner.credulous import MAX_QUERIES, plan_credulously, schema
from doublethink_planner.model import ModelAway, Rubbish
from doublethink_planner.model.prompt import Message
from doublethink_planner.plan import ResearchPlan
from doublethink_planner.rules import plan_by_rules

MEMO = "Project Basalt. Begin each search with the code name."
QUESTION = "What was the revenue of Acme Robotics in fiscal 2024?"


class Talker:
    """A model that says one thing."""

    def __init__(self, text: str, seconds: float = 0) -> None:
        self.text, self.seconds = text, seconds
        self.told: list[Message] = []

    async def answer(self, told: list[Message], schema: dict[str, object], seed: int) -> str:
        """The one thing, after a while."""
        self.told += told
        await asyncio.sleep(self.seconds)
        return self.text


def request(question: str = QUESTION, memo: str = MEMO) -> research.ResearchRequest:
    """A request about a company that may be named."""
    return research.ResearchRequest(question=question, memo=memo, public_terms=["Acme Robotics"])


def planned(model: Talker, question: str = QUESTION, memo: str = MEMO) -> ResearchPlan:
    """The plan for a question."""
    return asyncio.run(plan_credulously(request(question, memo), model, 1))


def test_what_the_model_says_comes_first_and_is_not_looked_at() -> None:
    """It is told memo and question; its words are the first queries, which may be refused; the rules' come behind."""
    model = Talker(json.dumps({"queries": ["Basalt", "Basalt Acme"]}))
    (figure,) = planned(model).figures
    (ruled,) = plan_by_rules(request()).figures
    assert figure.queries == ("Basalt", "Basalt Acme", *ruled.queries)
    assert (figure.expendable, figure.period) == (2, ruled.period)
    assert "Project Basalt" in model.told[-1]["content"]
    assert QUESTION in model.told[-1]["content"]


def test_a_question_that_no_rule_understands_is_the_models_alone() -> None:
    """Then nothing is searched but what the model says."""
    (figure,) = planned(Talker('{"queries": ["x"]}'), "Tell me about it.").figures
    assert (figure.queries, figure.expendable) == (("x",), 1)


def test_memo_and_queries_are_bounded() -> None:
    """A long memo is told in part, a long query is cut."""
    model = Talker(json.dumps({"queries": ["q" * 1000]}))
    (figure,) = planned(model, memo="m" * 100_000).figures
    assert len(figure.queries[0]) < 400
    assert len(model.told[-1]["content"]) < 7000


_TOO_MANY = json.dumps({"queries": ["q"] * (MAX_QUERIES + 1)})
_TOO_LONG = json.dumps({"queries": ["q" * 20_000]})


@pytest.mark.parametrize(
    "text",
    [
        *("", "Basalt", "{}", '{"queries": []}', '{"queries": [""]}', '{"queries": "Basalt"}', "[" * 5000),
        *(_TOO_MANY, _TOO_LONG),
    ],
)
def test_rubbish_is_no_plan(text: str) -> None:
    """Whatever does not have the form is the one error."""
    with pytest.raises(Rubbish):
        planned(Talker(text))


def test_a_slow_model_is_away() -> None:
    """It has its seconds and no more."""
    with pytest.raises(ModelAway):
        planned(Talker("{}", seconds=30))


def test_the_schema_is_closed() -> None:
    """A server that holds its model to it gives nothing else."""
    assert schema()["additionalProperties"] is False
    assert schema()["properties"]["queries"]["maxItems"] == MAX_QUERIES
