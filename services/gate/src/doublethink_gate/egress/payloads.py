"""Reads back what a stored payload said: a payload is `PreparedRequest.canonical()`, headers, empty
line, body.
"""

from __future__ import annotations

import json


def body_of(payload: bytes) -> bytes:
    """Return the body of a committed request."""
    _, separator, body = payload.partition(b"\n\n")
    if not separator:
        raise ValueError("a payload without an empty line is not a request")
    return body


def search_text(payload: bytes) -> str:
    """Return the query of a committed search."""
    return str(json.loads(body_of(payload))["query"])


def page_url(payload: bytes) -> str:
    """Return the address of a committed extraction."""
    return str(json.loads(body_of(payload))["urls"][0])


def question_of(payload: bytes) -> str:
    """Return the words of a committed completion that are no page: its first block."""
    return str(json.loads(body_of(payload))["messages"][0]["content"][0]["text"])
