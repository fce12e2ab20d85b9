"""The planner's clients through the forwarder's socket to a model server, each with its real wire format."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from doublethink_forwarder.config import Config, Dialect, Limits, Listening, ModelServer
from doublethink_forwarder.process import bind, listening_server
from doublethink_forwarder.service import Forwarder
from doublethink_forwarder.upstream import Upstream
from doublethink_planner.model import ModelAway
from doublethink_planner.model.answer import schema
from doublethink_planner.model.client import OllamaModel, OpenAiModel
from doublethink_planner.model.prompt import messages
from sim.model_server import ModelServer as Server
from sim.model_server import local, says

NAME = "qwen3:8b"


@pytest.fixture
def place() -> Iterator[Path]:
    """A path for a socket, short enough."""
    with tempfile.TemporaryDirectory(prefix="dt-door-") as folder:
        yield Path(folder) / "m.sock"


@asynccontextmanager
async def door(place: Path, server: Server, dialect: Dialect) -> AsyncIterator[None]:
    """A forwarder that listens on a unix socket, in front of a model server in memory."""
    config = Config(
        Listening(place, "unix:/nowhere"),
        ModelServer(dialect, "http://127.0.0.1:1", NAME),
        Limits(seconds=20),
    )
    upstream = Upstream(config.model, config.limits, httpx.MockTransport(server.handle))
    listening = listening_server(Forwarder(config, upstream).application())
    serving = asyncio.create_task(listening.serve(sockets=[bind(place)]))
    await listening.taking_requests.wait()
    try:
        yield
    finally:
        listening.should_exit = True
        await serving
        await upstream.close()


async def test_ollamas_client_is_understood(place: Path) -> None:
    """What the public client sends passes, and asks for the schema, without thinking, at temperature 0."""
    server = Server([local(NAME)], [says("an answer")])
    async with door(place, server, Dialect.OLLAMA):
        model = OllamaModel(place, NAME, 20)
        assert await model.answer(messages("What?"), schema(), seed=0) == "an answer"
        await model.close()
    sent = server.body()
    assert (sent["format"], sent["think"], sent["stream"]) == (schema(), False, False)
    assert sent["options"]["temperature"] == 0
    assert sent["messages"][-1] == {"role": "user", "content": "What?"}


async def test_openais_client_is_understood(place: Path) -> None:
    """The same over the other dialect."""
    completion = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": NAME,
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "an answer"}}
        ],
    }
    server = Server([local(NAME)], [httpx.Response(200, json=completion)])
    async with door(place, server, Dialect.OPENAI):
        model = OpenAiModel(place, NAME, 20)
        assert await model.answer(messages("What?"), schema(), seed=1) == "an answer"
        await model.close()
    sent = server.body()
    assert sent["response_format"]["json_schema"]["schema"] == schema()
    assert sent["seed"] == 1


@pytest.mark.parametrize("dialect", [Dialect.OLLAMA, Dialect.OPENAI])
async def test_a_refusal_is_one_error(place: Path, dialect: Dialect) -> None:
    """A model that is not there, a server that fails, a door that is shut: the client says no more than that."""
    kind = OllamaModel if dialect is Dialect.OLLAMA else OpenAiModel
    async with door(place, Server([local("other:1b")], [says("no")]), dialect):
        model = kind(place, NAME, 20)
        with pytest.raises(ModelAway):
            await model.answer(messages("What?"), schema(), seed=0)
        await model.close()
    model = kind(place, NAME, 20)
    with pytest.raises(ModelAway):
        await model.answer(messages("What?"), schema(), seed=0)
    await model.close()


@pytest.mark.parametrize(
    "answer", [b"[]", b"{}", b'{"message": 3}', b'{"choices": []}', b'{"message": {"role": "x"}}']
)
@pytest.mark.parametrize("dialect", [Dialect.OLLAMA, Dialect.OPENAI])
async def test_an_answer_of_another_form_is_empty_or_an_error(
    place: Path, dialect: Dialect, answer: bytes
) -> None:
    """Nothing but a text or ModelAway comes out, whatever the server says."""
    kind = OllamaModel if dialect is Dialect.OLLAMA else OpenAiModel
    async with door(place, Server([local(NAME)], [httpx.Response(200, content=answer)]), dialect):
        model = kind(place, NAME, 20)
        try:
            assert await model.answer(messages("What?"), schema(), seed=0) == ""
        except ModelAway:
            pass
        finally:
            await model.close()


async def test_nothing_of_the_environment_is_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a proxy, nor a host, nor a key that the public clients would take from it."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("OLLAMA_API_KEY", "a-key-of-somebody")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    server = Server([local(NAME)], [says("an answer")])
    async with door(place, server, Dialect.OLLAMA):
        model = OllamaModel(place, NAME, 20)
        assert await model.answer(messages("What?"), schema(), seed=0) == "an answer"
        await model.close()
    dump = json.dumps([dict(request.headers) for request in server.dialled])
    assert "a-key-of-somebody" not in dump
    assert "authorization" not in dump.lower()


async def test_a_request_that_comes_slowly_arrives_whole(place: Path) -> None:
    """To look whether the planner has gone takes nothing of a request that is still being sent."""
    sent = {"model": NAME, "messages": [{"role": "user", "content": "What? " * 1000}], "stream": False}
    body = json.dumps(sent).encode()

    async def slowly() -> AsyncIterator[bytes]:
        for at in range(0, len(body), 2000):
            yield body[at : at + 2000]
            await asyncio.sleep(0.7)

    server = Server([local(NAME)], [says("an answer")])
    async with door(place, server, Dialect.OLLAMA):
        transport = httpx.AsyncHTTPTransport(uds=str(place))
        async with httpx.AsyncClient(transport=transport, timeout=20) as client:
            answer = await client.post("http://model.invalid/api/chat", content=slowly())
    assert answer.status_code == 200, answer.text
    assert server.body() == sent
