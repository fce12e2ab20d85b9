"""Reads back what a stored payload said: a payload is `PreparedRequest.canonical()`, headers, empty
line, body.
"""

from __future__ import annotations

import json
from typing import Final

_BYTES_A_TOKEN: Final = 3
"""Few enough for tables of figures, of which a token holds less than of running text."""


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


def tokens_of(body: bytes) -> int:
    """Return what a completion is set down for until its answer says what it cost: an estimate of its input,
    and the most that it may answer.
    """
    return -(-len(body) // _BYTES_A_TOKEN) + int(json.loads(body)["max_tokens"])


def question_of(payload: bytes) -> str:
    """Return the words of a committed completion that are no page: its first block."""
    return str(json.loads(body_of(payload))["messages"][0]["content"][0]["text"])
