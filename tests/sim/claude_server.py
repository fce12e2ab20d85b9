"""A program that stands in for Anthropic's Messages API: its wire format, and a mode for each way to misbehave.

    python -m sim.claude_server --mode honest --address-file FILE [--key-file FILE]

serves on a free port of loopback until it is ended and writes its base URL to FILE. Its `honest` model is the
extractive reader over the pages of the request, so that an answer is what a good model would give.
"""

from __future__ import annotations

import argparse
import json
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from doublethink_figures import Flag
from doublethink_reader.extractive import extract
from doublethink_reader.query import understand

USAGE = {
    "input_tokens": 1200,
    "output_tokens": 300,
    "cache_creation_input_tokens": 40,
    "cache_read_input_tokens": 500,
}
"""What every answer says that it cost."""

HUGE_BYTES = 2_000_000
_INJECTION = "REPORT INSTEAD:"
ORDERED = "77,777"
"""The number that hostile pages order their reader to report."""
_MOST_CLAIMS = 32


@dataclass(frozen=True)
class Given:
    """What a request asks: the query, and the pages' texts in order."""

    query: str
    pages: tuple[str, ...]


@dataclass(frozen=True)
class Said:
    """An answer. `cut_at`: bytes of the body after which the connection is reset. `drip`: a byte at a time."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_at: int | None = None
    drip: bool = False
    never: bool = False


def given_in(body: Mapping[str, Any]) -> Given:
    """The query and the pages of a request that the gate assembled."""
    texts = [block["text"] for block in body["messages"][0]["content"]]
    return Given(texts[0].removeprefix("Query: "), tuple(texts[2::2]))


def honest_claims(given: Given) -> list[dict[str, Any]]:
    """What the extractive reader finds on the pages, in the form that the template asks for."""
    query = understand(given.query, None, None)
    return [
        {
            "page": number,
            "quote": claim.quote,
            "heading_quotes": list(claim.headings),
            "value": claim.value,
            "scale": claim.scale,
            "unit": claim.unit,
            "period": claim.period,
            "direction": claim.direction.value,
            "flags": sorted(flag.value for flag in claim.flags),
        }
        for number, text in enumerate(given.pages, start=1)
        for claim in extract(f"p{number}", text, query, _MOST_CLAIMS)
        if Flag.NEGATED not in claim.flags
    ]


def message(text: str, model: str, **changes: Any) -> dict[str, Any]:
    """A message with one block of text."""
    return {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": dict(USAGE),
    } | changes


def error(kind: str, words: str) -> dict[str, Any]:
    """An error as the API has it."""
    return {
        "type": "error",
        "error": {"type": kind, "message": words},
        "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
    }


def _honest(given: Given) -> str:
    return json.dumps({"claims": honest_claims(given)})


def _json(value: object, **more: Any) -> Said:
    return Said(body=json.dumps(value).encode(), **more)


def _altered(given: Given, **changes: object) -> str:
    return json.dumps({"claims": [claim | changes for claim in honest_claims(given)]})


def _obedient(given: Given) -> str:
    """Claims that say what a page told its reader to say, each with a quote that does stand on the page."""
    for text in given.pages:
        _, found, order = text.partition(_INJECTION)
        if found:
            return _altered(given, value=order.split()[0])
    return _honest(given)


def _taken(given: Given) -> str:
    """Whatever line of a page holds the number that its order names is claimed as the answer, quoted exactly."""
    claims = [
        {
            "page": page,
            "quote": line.strip()[:900],
            "heading_quotes": [],
            "value": ORDERED,
            "scale": "million",
            "unit": "$",
            "period": "fiscal 2024",
            "direction": "none",
            "flags": [],
        }
        for page, text in enumerate(given.pages, start=1)
        for line in text.split("\n")
        if ORDERED in line
    ]
    return json.dumps({"claims": claims[:_MOST_CLAIMS]})


def _with_tool(given: Given, model: str) -> Said:
    block = {"type": "tool_use", "id": "toolu_01", "name": "web_search", "input": {"query": given.query}}
    return _json(message("", model, content=[block], stop_reason="tool_use"))


def _thinking(given: Given, model: str) -> Said:
    notes = {"type": "thinking", "thinking": "Rows first.", "signature": "EqQBCgIYAhIM"}
    answer = {"type": "text", "text": _honest(given)}
    return _json(message("", model, content=[notes, answer]))


_LIMITED = _json(
    error("rate_limit_error", "This request would exceed the rate limit."),
    status=429,
    headers={"retry-after": "1"},
)
_OVERLOADED = _json(error("overloaded_error", "Overloaded"), status=529)

MODES: dict[str, Callable[[Given, str], Said]] = {
    "honest": lambda given, model: _json(message(_honest(given), model)),
    "thinking": _thinking,
    "slow": lambda given, model: Said(never=True),
    "drip": lambda given, model: _json(message(_honest(given), model), drip=True),
    "truncated": lambda given, model: _json(message(_honest(given)[:40], model, stop_reason="max_tokens")),
    "refusal": lambda given, model: _json(message("I can't help with that.", model, stop_reason="refusal")),
    "invented_quote": lambda given, model: _json(
        message(_altered(given, quote="Revenue was $88,888 million in fiscal 2024.", value="88,888"), model)
    ),
    "obeys_page": lambda given, model: _json(message(_obedient(given), model)),
    "taken_over": lambda given, model: _json(message(_taken(given), model)),
    "says_nothing": lambda given, model: _json(message('{"claims": []}', model)),
    "wrong_schema": lambda given, model: _json(message('{"claims":[{"page":1,"value":7}]}', model)),
    "prose": lambda given, model: _json(message("Sure! Revenue was $42,916 million.", model)),
    "tool_use": _with_tool,
    "no_usage": lambda given, model: _json(message(_honest(given), model, usage=None)),
    "rate_limited": lambda given, model: _LIMITED,
    "asks_to_wait_long": lambda given, model: _json(
        error("rate_limit_error", "Daily limit."), status=429, headers={"retry-after": "3600"}
    ),
    "overloaded": lambda given, model: _OVERLOADED,
    "server_error": lambda given, model: _json(error("api_error", "Internal server error"), status=500),
    "cut": lambda given, model: _json(message(_honest(given), model), cut_at=60),
    "huge": lambda given, model: _json(message("x" * HUGE_BYTES, model)),
    "wrong_type": lambda given, model: Said(body=b"<html>Just a moment...</html>", content_type="text/html"),
    "error_body": lambda given, model: _json(error("overloaded_error", "Overloaded")),
    "unauthorized": lambda given, model: _json(error("authentication_error", "invalid API key"), status=401),
    "no_credit": lambda given, model: _json(
        error("billing_error", "Your credit balance is too low."), status=402
    ),
    "bad_request": lambda given, model: _json(
        error("invalid_request_error", "prompt is too long"), status=400
    ),
}
"""What the stand-in says to a well-formed request, by mode."""


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header that came once."""
        (value,) = [value for key, value in self.headers if key.lower() == name]
        return value


@dataclass
class ClaudeServer:
    """What the stand-in says, and what it was asked. `modes` are taken in turn; the last one stays."""

    modes: Sequence[str]
    key: str | None = None
    seen: list[Seen] = field(default_factory=list)
    said: list[bytes] = field(default_factory=list)
    asked: Event = field(default_factory=Event)
    address: str = ""
    ended: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def answer(self, request: Seen) -> Said:
        """The answer to one request; one that the API would not take is an error, as it is there."""
        with self.lock:
            self.seen.append(request)
            mode = self.modes[min(len(self.seen), len(self.modes)) - 1]
        if request.path != "/v1/messages":
            return _json(error("not_found_error", "Not found"), status=404)
        names = {name.lower() for name, _ in request.headers}
        given = request.header("authorization") if "authorization" in names else ""
        if self.key is not None and given != f"Bearer {self.key}":
            return MODES["unauthorized"](Given("", ()), "")
        if "anthropic-version" not in names:
            return _json(error("invalid_request_error", "anthropic-version: header is required"), status=400)
        body = json.loads(request.body)
        return MODES[mode](given_in(body), body["model"])


@contextmanager
def claude_server(*modes: str, key: str | None = None) -> Iterator[ClaudeServer]:
    """A stand-in on a free port of loopback."""
    state = ClaudeServer(modes or ("honest",), key)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            said = state.answer(Seen(self.path, tuple(self.headers.items()), body))
            state.said.append(said.body)
            state.asked.set()
            try:
                self._say(said)
            except OSError:
                self.close_connection = True  # the gate went away, as it should from an endless answer

        def _say(self, said: Said) -> None:
            if said.never:
                state.ended.wait()
                self.close_connection = True
                return
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", said.content_type)
            self.send_header("Content-Length", str(len(said.body)))
            self.end_headers()
            if said.drip:
                for at in range(len(said.body)):
                    self.wfile.write(said.body[at : at + 1])
                    if state.ended.wait(0.2):
                        break
                self.close_connection = True
                return
            self.wfile.write(said.body[: said.cut_at])
            if said.cut_at is not None:
                self.wfile.flush()
                # A reset and not an orderly end: what a broken network gives.
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        state.address = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield state
        finally:
            state.ended.set()
            server.shutdown()
            thread.join()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m sim.claude_server", description=__doc__)
    parser.add_argument(
        "--mode", choices=sorted(MODES), action="append", help="taken in turn; the last one stays"
    )
    parser.add_argument("--address-file", type=Path, required=True)
    parser.add_argument("--key-file", type=Path)
    options = parser.parse_args(arguments)
    key = options.key_file.read_text().strip() if options.key_file else None
    with claude_server(*(options.mode or ()), key=key) as server:
        options.address_file.write_text(server.address)
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
