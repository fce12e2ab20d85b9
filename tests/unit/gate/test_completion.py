"""A completion's request is template, query and pages, and nothing else."""

from __future__ import annotations

import json

import pytest
from doublethink.gate.v1 import completion_pb2
from doublethink_gate.completion import assemble, load_template
from doublethink_gate.completion import errors as model_errors
from doublethink_gate.completion.answer import read_answer
from doublethink_gate.completion.usage import Usage
from doublethink_gate.errors import Malformed
from doublethink_gate.policy import ModelPrice
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


USAGE = {
    "input_tokens": 10,
    "output_tokens": 5,
    "cache_creation_input_tokens": None,
    "cache_read_input_tokens": 3,
}
CLAIM = {
    "page": 1,
    "quote": "Revenue was $7.",
    "heading_quotes": [],
    "value": "7",
    "scale": "",
    "unit": "$",
    "period": "",
    "direction": "none",
    "flags": [],
}


def message(**changes: object) -> RawResponse:
    """An answer with changes."""
    body = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": '{"claims":[]}'}],
        "stop_reason": "end_turn",
        "usage": USAGE,
    }
    return RawResponse(200, "application/json", json.dumps({**body, **changes}).encode())


def saying(claim: object) -> RawResponse:
    """An answer with one claim."""
    return message(content=[{"type": "text", "text": json.dumps({"claims": [claim]})}])


def test_a_message_that_came_to_its_end_is_taken() -> None:
    """The text blocks are joined, the model's own notes left out, and the cost is told."""
    parts = [
        {"type": "thinking", "thinking": "Hm.", "signature": "x"},
        {"type": "text", "text": '{"claims":'},
        {"type": "text", "text": "[]}"},
    ]
    assert read_answer(message(content=parts)) == ('{"claims":[]}', Usage(10, 5, 0, 3))
    assert json.loads(read_answer(saying(CLAIM))[0]) == {"claims": [CLAIM]}


@pytest.mark.parametrize(
    "answer",
    [
        message(stop_reason="tool_use"),
        message(stop_reason="pause_turn"),
        message(stop_reason=None),
        message(content=[]),
        message(content=[{"type": "tool_use", "id": "x", "name": "y", "input": {}}]),
        message(content=[{"type": "text", "text": "Sure! Here you go"}]),
        message(content=[{"type": "text", "text": '{"claims":[' + " " * 300_000 + "]}"}]),
        message(content=[{"type": "text", "text": "[" * 100_000}]),
        message(content=[{"type": "text", "text": '{"claims":[],"more":1}'}]),
        message(content="text"),
        message(type="error"),
        message(role="user"),
        message(usage=None),
        message(usage={"input_tokens": 1}),
        message(usage=USAGE | {"output_tokens": -1}),
        message(usage=USAGE | {"output_tokens": True}),
        message(usage=USAGE | {"input_tokens": 1.5}),
        message(usage=USAGE | {"server_tool_use": {"web_search_requests": 1}}),
        *(saying({key: value for key, value in CLAIM.items() if key != gone}) for gone in CLAIM),
        saying(CLAIM | {"page": "1"}),
        saying(CLAIM | {"direction": "sideways"}),
        saying(CLAIM | {"flags": ["new"]}),
        saying(CLAIM | {"more": ""}),
        saying("claim"),
        RawResponse(200, "application/json", b"<html>"),
        RawResponse(200, "application/json", b"[" * 100_000),
        RawResponse(200, "application/json", b"[]"),
        RawResponse(200, "text/html", message().body),
        RawResponse(204, "application/json", b""),
        RawResponse(301, "application/json", b""),
    ],
)
def test_every_other_answer_is_refused(answer: RawResponse) -> None:
    """A tool-calling, chatty, huge, unbilled or malformed answer is not a completion."""
    with pytest.raises(model_errors.BadShape):
        read_answer(answer)


@pytest.mark.parametrize(
    ("stop", "kind"),
    [
        ("max_tokens", model_errors.Cut),
        ("model_context_window_exceeded", model_errors.Cut),
        ("refusal", model_errors.Declined),
    ],
)
def test_an_answer_that_stopped_early_says_what_it_cost(
    stop: str, kind: type[model_errors.ModelError]
) -> None:
    """It is billed all the same."""
    with pytest.raises(kind) as caught:
        read_answer(message(stop_reason=stop))
    assert caught.value.usage == Usage(10, 5, 0, 3)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, model_errors.RequestRefused),
        (401, model_errors.KeyRefused),
        (402, model_errors.KeyRefused),
        (403, model_errors.KeyRefused),
        (404, model_errors.RequestRefused),
        (413, model_errors.RequestRefused),
        (429, model_errors.RateLimited),
        (500, model_errors.ServerError),
        (504, model_errors.ServerError),
        (529, model_errors.Overloaded),
    ],
)
def test_a_status_is_an_error_of_its_own_kind(status: int, kind: type[model_errors.ModelError]) -> None:
    """Only a 200 is an answer; the wait that the vendor asks for is kept."""
    with pytest.raises(kind) as caught:
        read_answer(RawResponse(status, "application/json", b"{}", 7))
    assert getattr(caught.value, "retry_after", 7) == 7


def test_the_schema_of_the_template_is_the_one_that_is_checked() -> None:
    """The claim that the gate reads has the properties, types and words of the published schema."""
    items = TEMPLATE.schema["properties"]["claims"]["items"]
    assert set(items["required"]) == set(items["properties"]) == set(CLAIM)
    for flag in items["properties"]["flags"]["items"]["enum"]:
        read_answer(saying(CLAIM | {"flags": [flag]}))
    for direction in items["properties"]["direction"]["enum"]:
        read_answer(saying(CLAIM | {"direction": direction}))


def test_a_cost_is_rounded_up_and_exact() -> None:
    """Millionths of a dollar; a part of one counts as one, so that a sum is never too small."""
    price = ModelPrice("m", input=2_000_000, output=10_000_000, cache_write=2_500_000, cache_read=200_000)
    assert Usage(1, 0).cost_micros(price) == 2
    assert Usage(0, 0, 0, 1).cost_micros(price) == 1
    assert Usage(1200, 300, 40, 500).cost_micros(price) == 5600
    assert Usage(0, 0).cost_micros(price) == 0
    assert "cost_micros" not in Usage(1, 1).keys(None)
