"""Assembles the body of a completion's request, and says which of its bytes are a stored page's.

The body is Anthropic's Messages format (POST /v1/messages): `model`, `max_tokens`, `system` with the
template's words, one user message of text blocks, and `output_config.format` with the answer's JSON schema.
There is no `tools` key, so that the model can neither search nor call anything.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from doublethink_gate.completion.template import Template


@dataclass(frozen=True, slots=True)
class PagePart:
    """A page in a request: SHA-256 of its text, and whether it was cut."""

    text_sha256: bytes
    cut: bool


@dataclass(frozen=True, slots=True)
class Assembled:
    """The exact bytes of a body, and the parts of it that are public already.

    question: the block with the query, the only words that are neither the template's nor a page's.
    public_spans: byte ranges of `body` that hold a stored page's text, JSON-escaped; start inclusive, end
    exclusive. parts: what stands in each of them.
    """

    body: bytes
    question: str
    public_spans: tuple[tuple[int, int], ...]
    parts: tuple[PagePart, ...]


def assemble(
    *,
    template: Template,
    model: str,
    max_tokens: int,
    query: str,
    pages: Sequence[tuple[bytes, str]],
    max_page_bytes: int,
) -> Assembled:
    """Build the request for a query over pages, each given as (SHA-256 of its text, text).

    Each page gets an equal share of `max_page_bytes` and is cut at the end of a line where it is longer.
    """
    share = max_page_bytes // max(1, len(pages))
    used = [(sha256, *_cut(text, share)) for sha256, text in pages]
    question = f"Query: {query}"
    blocks: list[dict[str, str]] = [{"type": "text", "text": question}]
    markers: list[bytes] = []
    for number, (_, text, _) in enumerate(used, start=1):
        blocks.append({"type": "text", "text": f"Page {number}:"})
        blocks.append({"type": "text", "text": text})
        markers.append(_encoded(text))
    body = _encoded(
        {
            "model": model,
            "max_tokens": max_tokens,
            "system": template.words,
            "output_config": {"format": {"type": "json_schema", "schema": template.schema}},
            "messages": [{"role": "user", "content": blocks}],
        }
    )
    parts = tuple(PagePart(sha256, cut) for sha256, _, cut in used)
    return Assembled(body, question, _spans(body, markers), parts)


def _cut(text: str, limit: int) -> tuple[str, bool]:
    """Return at most `limit` bytes of a text, up to the end of a line, and whether it was cut."""
    encoded = text.encode()
    if len(encoded) <= limit:
        return text, False
    piece = encoded[:limit]
    line_end = piece.rfind(b"\n")
    if line_end > 0:
        piece = piece[: line_end + 1]
    return piece.decode("utf-8", errors="ignore"), True


def _spans(body: bytes, markers: Sequence[bytes]) -> tuple[tuple[int, int], ...]:
    """Find each page's encoded text, in order; the quotes around it are not part of the span.

    The pages stand last in the body, so that a search from the end of the one before finds the block itself.
    """
    opening = b'"text":"Page '
    spans = []
    position = 0
    for marker in markers:
        position = body.index(opening, position)
        position = body.index(b'"text":', position + len(opening)) + len(b'"text":')
        if body[position : position + len(marker)] != marker:
            raise AssertionError("a page is not where the assembly put it")
        spans.append((position + 1, position + len(marker) - 1))
        position += len(marker)
    return tuple(spans)


def _encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
