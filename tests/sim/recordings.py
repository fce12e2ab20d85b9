"""Recordings for tests: three exchanges, the file of some, and one whose sum is made to fit again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from doublethink_gate.sources.recording import (
    RecordedExchange,
    RecordedRequest,
    RecordedResponse,
    Writer,
)

SESSION = "ses_" + "a" * 26
_RESULT = {"title": "Pumps", "url": "https://pumps.example/", "content": "About pumps", "score": 0.9}

SEARCH = RecordedExchange(
    1,
    "search",
    RecordedRequest("POST", "http://127.0.0.1:1/search", '{"query":"pumps","max_results":20}'),
    RecordedResponse(200, "application/json", json.dumps({"query": "pumps", "results": [_RESULT]}).encode()),
)
PAGE = RecordedExchange(
    3,
    "page",
    RecordedRequest("POST", "http://127.0.0.1:1/extract", '{"urls":["https://pumps.example/"]}'),
    RecordedResponse(
        200, "text/html; charset=utf-8", b"<p>Pumps</p>", "https://pumps.example/home", 1_700_000_000_000_000
    ),
)

_CLAIMS = '{"claims":[]}'
COMPLETION = RecordedExchange(
    5,
    "completion",
    RecordedRequest(
        "POST",
        "http://127.0.0.1:1/v1/messages",
        json.dumps(
            {
                "model": "claude-sonnet-5-5",
                "max_tokens": 4096,
                "messages": [{"role": "user", "content": [{"type": "text", "text": "Query: pumps"}]}],
            }
        ),
    ),
    RecordedResponse(
        200,
        "application/json",
        json.dumps(
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "text", "text": _CLAIMS}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 7, "output_tokens": 3},
            }
        ).encode(),
    ),
)


def written(*exchanges: RecordedExchange) -> bytes:
    """The file of a recording. Raises RecordingError where it would be too large."""
    writer = Writer(SESSION, "corpus", 1_700_000_000_000_000)
    return b"".join([writer.head(), *(writer.line(exchange) for exchange in exchanges), writer.end()])


def resealed(lines: Sequence[bytes]) -> bytes:
    """The file of changed lines, with a last line that fits them."""
    body = b"".join(line + b"\n" for line in lines[:-1])
    end = {"exchanges": len(lines) - 2, "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(end, separators=(",", ":")).encode() + b"\n"
