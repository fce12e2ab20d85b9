"""A model server in memory: a listing, answers in turn, and a count of what was dialled."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

DIGEST = "ab" * 32
Answer = Callable[[httpx.Request], httpx.Response]


def local(name: str, **fields: object) -> dict[str, object]:
    """A row of Ollama's listing as a pulled model has it."""
    return {"name": name, "model": name, "size": 491_400_064, "digest": DIGEST, "details": {}, **fields}


def says(text: str) -> httpx.Response:
    """An answer of /api/chat."""
    return httpx.Response(
        200, json={"model": "m", "message": {"role": "assistant", "content": text}, "done": True}
    )


@dataclass
class ModelServer:
    """`handle` is for httpx.MockTransport. `chats` are answered in turn, the last one for ever."""

    models: Sequence[dict[str, object]] = ()
    chats: Sequence[Answer | httpx.Response] = ()
    dialled: list[httpx.Request] = field(default_factory=list)
    _asked: int = 0

    def handle(self, request: httpx.Request) -> httpx.Response:
        """Answer as Ollama does, down to its refusal of a model that is not there."""
        self.dialled.append(request)
        path = request.url.path
        if path == "/api/tags":
            return httpx.Response(200, json={"models": list(self.models)})
        if path == "/v1/models":
            return httpx.Response(200, json={"data": [{"id": str(model["name"])} for model in self.models]})
        if path == "/api/version":
            return httpx.Response(200, json={"version": "0.12.0"})
        if path in ("/api/chat", "/v1/chat/completions", "/api/show") and self.chats:
            answer = self.chats[min(self._asked, len(self.chats) - 1)]
            self._asked += 1
            return answer(request) if callable(answer) else answer
        return httpx.Response(404, json={"error": "not found"})

    @property
    def paths(self) -> list[str]:
        """The paths that were dialled, in order."""
        return [request.url.path for request in self.dialled]

    def body(self, index: int = -1) -> dict[str, Any]:
        """The body of a request, as JSON."""
        decoded: dict[str, Any] = json.loads(self.dialled[index].content)
        return decoded
