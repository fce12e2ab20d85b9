"""Our request and our stand-in, held against the types and the client that the model's vendor publishes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import anthropic
import pytest
from anthropic.types import Message
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from anthropic.types.shared import ErrorResponse
from doublethink.gate.v1 import completion_pb2
from doublethink_gate.completion import ClaudeModel, assemble, load_template, read_answer
from doublethink_gate.completion.errors import ModelError
from doublethink_gate.sources import ApiKey, PreparedRequest
from pydantic import TypeAdapter
from sim.claude_server import MODES, ClaudeServer, Given, claude_server

KEY = "sk-ant-of-the-simulator"
PAGE = "Halvorsen Pumps, Inc.\n\nRevenue was $42,916 million in fiscal 2024.\n"
GIVEN = Given("Halvorsen Pumps revenue fiscal 2024", (PAGE,))
NOT_A_MESSAGE = {"no_usage", "error_body", "wrong_type", "slow"}
ERRORS: dict[str, type[anthropic.APIError]] = {
    "rate_limited": anthropic.RateLimitError,
    "asks_to_wait_long": anthropic.RateLimitError,
    "overloaded": anthropic.InternalServerError,
    "server_error": anthropic.InternalServerError,
    "unauthorized": anthropic.AuthenticationError,
    "no_credit": anthropic.APIStatusError,
    "bad_request": anthropic.BadRequestError,
    "cut": anthropic.APIConnectionError,
}


def ours(address: str) -> tuple[ClaudeModel, PreparedRequest]:
    """The gate's client, and the request that it would send for one page."""
    model = ClaudeModel(
        name="claude-sonnet-5-5", max_tokens=1024, base_url=address, api_key=ApiKey(KEY), send_s=60
    )
    assembled = assemble(
        template=load_template(completion_pb2.TEMPLATE_EXTRACT_CLAIMS),
        model=model.name,
        max_tokens=model.max_tokens,
        query=GIVEN.query,
        pages=[(bytes(32), PAGE)],
        max_page_bytes=100_000,
    )
    return model, model.prepare(assembled.body)


async def theirs(server: ClaudeServer, body: dict[str, Any]) -> Message:
    """What the published client makes of the same request."""
    with anthropic.Anthropic(api_key=KEY, base_url=server.address, max_retries=0, timeout=60) as client:
        create: Callable[..., Message] = client.messages.create
        return await asyncio.to_thread(lambda: create(**body))


def test_the_request_has_the_published_form() -> None:
    """Every key and value is one of the published type, and none of them offers a tool."""
    _, prepared = ours("https://api.anthropic.com")
    body = json.loads(prepared.body)
    TypeAdapter(MessageCreateParamsNonStreaming).validate_python(body)
    published = (
        MessageCreateParamsNonStreaming.__required_keys__ | MessageCreateParamsNonStreaming.__optional_keys__
    )
    assert set(body) <= published
    assert set(body) == {"model", "max_tokens", "system", "output_config", "messages"}


async def test_the_published_client_sends_the_same_request() -> None:
    """Path, body, key and version are those that the published client would send."""
    with claude_server("honest", key=KEY) as server:
        model, prepared = ours(server.address)
        text, usage = read_answer(await model.send(prepared, 60))
        await model.close()
        message = await theirs(server, json.loads(prepared.body))
        mine, published = server.seen
    assert mine.path == published.path == "/v1/messages"
    assert json.loads(mine.body) == json.loads(published.body)
    for name in ("authorization", "anthropic-version", "content-type"):
        assert mine.header(name) == published.header(name), name
    (block,) = message.content
    assert block.type == "text"
    assert block.text == text
    assert message.usage.input_tokens == usage.input
    assert message.usage.output_tokens == usage.output
    assert message.usage.cache_creation_input_tokens == usage.cache_write
    assert message.usage.cache_read_input_tokens == usage.cache_read


@pytest.mark.parametrize("mode", sorted(set(MODES) - NOT_A_MESSAGE - set(ERRORS)))
def test_the_stand_ins_messages_have_the_published_form(mode: str) -> None:
    """Strictly: no value is turned into another, and no key is one that the type does not have."""
    said = MODES[mode](GIVEN, "claude-sonnet-5-5")
    message = Message.model_validate_json(said.body, strict=True)
    assert message.model_extra in (None, {})
    assert set(json.loads(said.body)) <= set(Message.model_fields)


@pytest.mark.parametrize("mode", sorted(set(ERRORS) - {"cut"}))
def test_the_stand_ins_errors_have_the_published_form(mode: str) -> None:
    """Type and words, where the API has them."""
    ErrorResponse.model_validate_json(MODES[mode](GIVEN, "m").body, strict=True)


@pytest.mark.parametrize("mode", sorted(ERRORS))
async def test_both_clients_take_an_error_for_one(mode: str) -> None:
    """Where the published client raises, ours does, and neither takes it for an answer."""
    with claude_server(mode, key=KEY) as server:
        model, prepared = ours(server.address)
        with pytest.raises(ModelError):
            read_answer(await model.send(prepared, 60))
        await model.close()
        with pytest.raises(ERRORS[mode]) as caught:
            await theirs(server, json.loads(prepared.body))
        assert KEY not in str(caught.value)
