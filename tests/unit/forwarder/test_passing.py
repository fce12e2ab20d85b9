"""Four requests pass, for one local model; everything else is refused, and nothing is dialled for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from doublethink_forwarder.config import Config, Dialect, Limits, Listening, ModelServer
from doublethink_forwarder.requests import MAX_BODY_BYTES
from doublethink_forwarder.service import Forwarder
from doublethink_forwarder.upstream import MAX_ANSWER_BYTES, Upstream
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.model_server import DIGEST, local, says
from sim.model_server import ModelServer as Server

MODEL = "qwen3:8b"
CHAT = {"model": MODEL, "messages": [{"role": "user", "content": "hello"}], "stream": False}


def configured(dialect: Dialect = Dialect.OLLAMA, digest: str = "", limits: Limits | None = None) -> Config:
    """A configuration for the model above."""
    listening = Listening(Path("/nowhere/f.sock"), "unix:/nowhere/h.sock")
    return Config(
        listening, ModelServer(dialect, "http://127.0.0.1:11434", MODEL, digest), limits or Limits(seconds=5)
    )


@asynccontextmanager
async def planner(server: Server, config: Config | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """The planner's client, with a forwarder in front of a model server."""
    config = config or configured()
    upstream = Upstream(config.model, config.limits, httpx.MockTransport(server.handle))
    app = Forwarder(config, upstream).application()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://f") as client:
        yield client
    await upstream.close()


async def test_a_chat_with_the_local_model_passes() -> None:
    """The listing is read, then the request goes out as it was meant, and the answer comes back."""
    server = Server([local(MODEL)], [says("yes")])
    body = CHAT | {
        "tools": [],
        "format": {"type": "object"},
        "options": {"temperature": 0, "seed": 1},
        "think": False,
    }
    async with planner(server) as client:
        answer = await client.post("/api/chat", json=body)
    assert answer.json()["message"]["content"] == "yes"
    assert server.paths == ["/api/tags", "/api/chat"]
    assert server.body() == {key: value for key, value in body.items() if key != "tools"}


async def test_an_openai_chat_passes() -> None:
    """The other dialect has its own two paths."""
    server = Server([local(MODEL)], [httpx.Response(200, json={"choices": []})])
    async with planner(server, configured(Dialect.OPENAI)) as client:
        assert (await client.post("/v1/chat/completions", json=CHAT | {"seed": 3})).status_code == 200
        assert (await client.get("/v1/models")).json()["data"][0]["id"] == MODEL
        assert (await client.post("/api/chat", json=CHAT)).status_code == 403
    assert server.paths == ["/v1/models", "/v1/chat/completions", "/v1/models"]


async def test_the_listing_shows_the_one_model_with_its_digest() -> None:
    """Which other models there are is none of the planner's business."""
    server = Server([local("other:1b"), local(MODEL)])
    async with planner(server) as client:
        assert (await client.get("/api/tags")).json() == {
            "models": [{"name": MODEL, "model": MODEL, "digest": DIGEST}]
        }
        assert (await client.get("/api/version")).json() == {"version": "0.12.0"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/pull"),
        ("POST", "/api/push"),
        ("POST", "/api/create"),
        ("POST", "/api/copy"),
        ("DELETE", "/api/delete"),
        ("POST", "/api/generate"),
        ("POST", "/api/embed"),
        ("POST", "/api/blobs/sha256:00"),
        ("HEAD", "/api/blobs/sha256:00"),
        ("GET", "/api/ps"),
        ("POST", "/api/me"),
        ("POST", "/api/web_search"),
        ("GET", "/api/chat"),
        ("POST", "/api/tags"),
        ("HEAD", "/api/tags"),
        ("GET", "/api/tags?x=1"),
        ("POST", "/api/chat/"),
        ("POST", "/api/chat/../pull"),
        ("POST", "//api/chat"),
        ("POST", "/api/%63hat/x"),
        ("POST", "/v1/chat/completions"),
        ("GET", "/"),
    ],
)
async def test_everything_else_is_refused_and_nothing_is_dialled(method: str, path: str) -> None:
    """Pulling a model names any host on earth; it does not pass, nor does anything like it."""
    server = Server([local(MODEL)], [says("no")])
    async with planner(server) as client:
        answer = await client.request(method, path, json=CHAT)
    assert answer.status_code == 403
    assert server.dialled == []


@pytest.mark.parametrize(
    "change",
    [
        {"model": "evil.example/x:latest"},
        {"model": "gpt-oss:120b-cloud"},
        {"stream": True},
        {"think": True},
        {"tools": [{"type": "function"}]},
        {"images": ["aGVsbG8="]},
        {"messages": []},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [{"role": "user", "content": "x", "images": ["aGVsbG8="]}]},
        {"options": {"num_gpu": 3}},
        {"options": {"temperature": 9}},
        {"keep_alive": -1},
        {"model": None},
    ],
)
async def test_a_field_that_is_not_meant_is_refused_before_anything_is_dialled(
    change: dict[str, Any],
) -> None:
    """What a field nobody knows would do is not found out."""
    server = Server([local(MODEL)], [says("no")])
    async with planner(server) as client:
        answer = await client.post("/api/chat", json=CHAT | change)
    assert answer.status_code == 403
    assert server.dialled == []


@pytest.mark.parametrize(
    "listed",
    [
        [],
        [local("other:8b")],
        [local(MODEL, remote_host="https://models.example:443")],
        [local(MODEL, remote_model="qwen3:480b")],
        [local(MODEL, size=0)],
        [local(MODEL, digest="")],
        [local(MODEL, digest="x")],
        [local(MODEL), local(MODEL, digest="cd" * 32)],
        [local(MODEL), local(MODEL, remote_host="https://models.example")],
    ],
)
async def test_a_model_that_is_not_listed_as_local_is_not_asked(listed: list[dict[str, object]]) -> None:
    """The listing decides; the memo is not sent to find out where a model runs."""
    server = Server(listed, [says("no")])
    async with planner(server) as client:
        assert (await client.post("/api/chat", json=CHAT)).status_code == 403
        assert (await client.post("/api/show", json={"model": MODEL})).status_code == 403
        assert (await client.get("/api/tags")).status_code == 403
    assert set(server.paths) == {"/api/tags"}


async def test_a_model_that_changed_under_its_name_is_refused() -> None:
    """A pinned digest ends the use of whatever took the name; the error says what to do."""
    server = Server([local(MODEL)], [says("no")])
    async with planner(server, configured(digest="cd" * 32)) as client:
        answer = await client.post("/api/chat", json=CHAT)
    assert (answer.status_code, "changed under its name" in answer.text) == (403, True)
    assert server.paths == ["/api/tags"]


async def test_a_model_that_changes_while_it_is_used_is_refused() -> None:
    """Without a pin the first digest that was seen holds: what the sessions' first rows name stays true."""
    server = Server([local(MODEL)], [says("yes")])
    async with planner(server) as client:
        assert (await client.get("/api/tags")).status_code == 200
        server.models = [local(MODEL, digest="cd" * 32)]
        answer = await client.post("/api/chat", json=CHAT)
        assert (answer.status_code, "start again" in answer.text) == (403, True)
        assert (await client.get("/api/tags")).status_code == 403
    assert "/api/chat" not in server.paths


async def test_a_name_given_to_a_remote_model_between_two_requests_is_noticed() -> None:
    """The listing is read for each request."""
    server = Server([local(MODEL)], [says("yes")])
    async with planner(server) as client:
        assert (await client.post("/api/chat", json=CHAT)).status_code == 200
        server.models = [local(MODEL, remote_host="https://models.example")]
        assert (await client.post("/api/chat", json=CHAT)).status_code == 403
    assert server.paths == ["/api/tags", "/api/chat", "/api/tags"]


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(302, headers={"Location": "http://evil.example/"}),
        httpx.Response(500, text="secret stack trace"),
        httpx.Response(200, text="not json"),
        httpx.Response(200, content=b'"' + b"x" * MAX_ANSWER_BYTES + b'"'),
        httpx.Response(200, headers={"Content-Encoding": "gzip"}, content=b"x"),
    ],
)
async def test_a_bad_answer_is_an_error_in_fixed_words(answer: httpx.Response) -> None:
    """No redirect is followed, and nothing of the answer is repeated."""
    server = Server([local(MODEL)], [answer])
    async with planner(server) as client:
        response = await client.post("/api/chat", json=CHAT)
    assert response.status_code == 502
    assert "secret" not in response.text
    assert len(response.content) < 200
    assert server.paths == ["/api/tags", "/api/chat"]


async def test_an_answer_of_a_model_elsewhere_is_not_handed_on() -> None:
    """Ollama says in its answer where it came from."""
    server = Server([local(MODEL)], [httpx.Response(200, json={"remote_host": "https://x.example"})])
    async with planner(server) as client:
        assert (await client.post("/api/chat", json=CHAT)).status_code == 403


async def test_a_request_that_is_too_long_is_refused() -> None:
    """The bound holds before anything is parsed."""
    server = Server([local(MODEL)], [says("no")])
    async with planner(server) as client:
        answer = await client.post("/api/chat", content=b" " * (MAX_BODY_BYTES + 1))
    assert answer.status_code == 403
    assert server.dialled == []


async def test_a_server_that_is_away_is_an_error() -> None:
    """It names no address."""

    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    server = Server([local(MODEL)], [away])
    async with planner(server) as client:
        answer = await client.post("/api/chat", json=CHAT)
    assert (answer.status_code, answer.json()) == (502, {"error": "the model server does not answer"})


async def test_only_so_many_requests_wait() -> None:
    """One more than may wait is turned away at once; the others have their turn."""
    gone = asyncio.Event()

    class Slow(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await gone.wait()
            return httpx.Response(200, json={"models": [local(MODEL)]})

    config = configured(limits=Limits(seconds=30, at_once=1, waiting=1))
    upstream = Upstream(config.model, config.limits, Slow())
    app = Forwarder(config, upstream).application()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://f") as client:
        first = [asyncio.create_task(client.get("/api/tags")) for _ in range(2)]
        await asyncio.sleep(0.05)
        assert (await client.get("/api/tags")).status_code == 502
        gone.set()
        assert [(await answer).status_code for answer in first] == [200, 200]
    await upstream.close()


async def test_a_slow_model_is_given_up() -> None:
    """The limit counts the wait and the answer together."""

    class Never(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            await asyncio.Event().wait()
            raise AssertionError

    config = configured(limits=Limits(seconds=1))
    upstream = Upstream(config.model, config.limits, Never())
    app = Forwarder(config, upstream).application()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://f") as client:
        answer = await client.get("/api/tags")
    assert (answer.status_code, answer.json()["error"]) == (502, "the model server took too long")
    await upstream.close()


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=300)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
        max_leaves=12,
    ).map(lambda value: json.dumps(value).encode())
)
def test_no_body_is_passed_on_that_has_not_the_form(body: bytes) -> None:
    """Whatever comes, it is refused without a dial."""
    server = Server([local(MODEL)], [says("no")])

    async def send() -> httpx.Response:
        async with planner(server) as client:
            return await client.post("/api/chat", content=body)

    assert asyncio.run(send()).status_code == 403
    assert server.dialled == []
