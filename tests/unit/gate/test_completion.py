"""A completion's request is template, query and pages, and nothing else."""

from __future__ import annotations

import json

import pytest
from doublethink.gate.v1 import completion_pb2
from doublethink_gate.completion import assemble, load_template
from doublethink_gate.completion.claude import completion_text
from doublethink_gate.errors import Malformed, ModelAnswerRefused, ModelUnavailable
from doublethink_gate.sources import RawResponse
from hypothesis import given, settings
from hypothesis import strategies as st

TEMPLATE = load_template(completion_pb2.TEMPLATE_EXTRACT_CLAIMS)


def build(query: str, *texts: str, limit: int = 10_000_000) -> tuple[bytes, tuple[tuple[int, int], ...]]:
    """Assemble a request; return its body and public spans."""
    assembled = assemble(
        template=TEMPLATE,
        model="claude-test",
        max_tokens=1000,
        query=query,
        pages=[(bytes(32), text) for text in texts],
        max_page_bytes=limit,
    )
    return assembled.body, assembled.public_spans


def test_an_unknown_template_is_refused() -> None:
    """Only published templates exist."""
    for number in (completion_pb2.TEMPLATE_UNSPECIFIED, 77):
        with pytest.raises(Malformed):
            load_template(number)  # type: ignore[arg-type]  # a number that the enumeration does not have


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=4))
def test_public_spans_hold_exactly_the_pages(query: str, texts: list[str]) -> None:
    """Whatever query and pages say, each span decodes to its page, and outside of them no page stands."""
    query = query.encode("utf-8", "ignore").decode()
    texts = [text.encode("utf-8", "ignore").decode() or "x" for text in texts]
    body, spans = build(query, *texts)
    assert [json.loads(b'"' + body[start:end] + b'"') for start, end in spans] == texts
    message = json.loads(body)
    assert message["messages"][0]["content"][0]["text"] == f"Query: {query}"
    assert list(message) == ["model", "max_tokens", "system", "output_config", "messages"]


def test_there_are_no_tools() -> None:
    """The request gives the model nothing to call, and its schema admits no free keys."""
    message = json.loads(build("q", "page")[0])
    assert not {"tools", "tool_choice", "mcp_servers", "container"} & set(message)
    assert message["output_config"]["format"]["schema"]["additionalProperties"] is False


def test_a_long_page_is_cut_at_a_line() -> None:
    """Pages share the bound, and a cut never leaves half a line or half a character."""
    body, spans = build("q", "ä" * 10 + "\n" + "ö" * 100, "short\n", limit=60)
    first = json.loads(b'"' + body[slice(*spans[0])] + b'"')
    assert first == "ä" * 10 + "\n"


def message(**changes: object) -> RawResponse:
    """An answer with changes."""
    body = {
        "type": "message",
        "content": [{"type": "text", "text": '{"claims":[]}'}],
        "stop_reason": "end_turn",
    }
    return RawResponse(200, "application/json", json.dumps({**body, **changes}).encode())


def test_a_message_that_came_to_its_end_is_taken() -> None:
    """The text blocks are joined."""
    parts = [{"type": "text", "text": '{"claims":'}, {"type": "text", "text": "[]}"}]
    assert completion_text(message(content=parts)) == '{"claims":[]}'


@pytest.mark.parametrize(
    "answer",
    [
        message(stop_reason="max_tokens"),
        message(stop_reason="refusal"),
        message(stop_reason="tool_use"),
        message(content=[]),
        message(content=[{"type": "tool_use", "id": "x", "name": "y", "input": {}}]),
        message(content=[{"type": "text", "text": "Sure! Here you go"}]),
        message(content=[{"type": "text", "text": json.dumps("x" * 300_000)}]),
        message(content="text"),
        message(type="error"),
        RawResponse(200, "application/json", b"<html>"),
        RawResponse(200, "application/json", b"[" * 100_000),
        RawResponse(200, "application/json", b"[]"),
    ],
)
def test_every_other_answer_is_refused(answer: RawResponse) -> None:
    """A cut, refused, tool-calling, chatty, huge or malformed answer is not a completion."""
    with pytest.raises(ModelAnswerRefused):
        completion_text(answer)


@pytest.mark.parametrize("status", [301, 400, 401, 429, 500, 529])
def test_another_status_means_the_model_is_unavailable(status: int) -> None:
    """Only a 200 is an answer."""
    with pytest.raises(ModelUnavailable):
        completion_text(RawResponse(status, "application/json", b"{}"))
