"""A model server on loopback with Ollama's wire format and OpenAI's, whose model is a function of the question."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from sim.model_server import local

NAME = "qwen3:8b"


@dataclass
class OllamaServer:
    """What the server lists and says, and what it was asked. Everything may be changed while it runs."""

    speak: Callable[[str], str]
    models: list[dict[str, object]] = field(default_factory=lambda: [local(NAME)])
    paths: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    address: str = ""

    def answer(self, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer to one request."""
        self.paths.append(path)
        self.bodies.append(body.decode())
        if path == "/api/tags":
            return 200, {"models": self.models}
        if path == "/api/chat":
            text = self.speak(json.loads(body)["messages"][-1]["content"])
            message = {"role": "assistant", "content": text}
            return 200, {
                "model": NAME,
                "created_at": "2026-01-01T00:00:00Z",
                "message": message,
                "done": True,
            }
        if path == "/v1/models":
            return 200, {
                "object": "list",
                "data": [{"id": model["name"], "object": "model"} for model in self.models],
            }
        if path == "/v1/chat/completions":
            text = self.speak(json.loads(body)["messages"][-1]["content"])
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            return 200, {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1_767_225_600,
                "model": NAME,
                "choices": [choice],
            }
        return 404, {"error": "not found"}


@contextmanager
def ollama_server(speak: Callable[[str], str], port: int = 0) -> Iterator[OllamaServer]:
    """A server on a port of loopback, a free one if none is named."""
    state = OllamaServer(speak)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

        def _answer(self, body: bytes) -> None:
            status, said = state.answer(self.path, body)
            encoded = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(encoded)))
            self.end_headers()
            with suppress(OSError):  # who asked has gone: it waits no longer than it said
                self.wfile.write(encoded)

        def log_message(self, format: str, *args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        state.address = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
