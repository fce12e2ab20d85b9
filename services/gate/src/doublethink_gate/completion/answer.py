"""From a response of the Messages API to the text that the reader gets, or to the error that it is.

Wire facts, from Anthropic's API reference: the answer's `content` is a list of blocks, of which those of type
`text` hold the text and those of type `thinking` or `redacted_thinking` the model's own notes, which newer
models add unasked; `stop_reason` is `end_turn` when the model came to its end, `max_tokens` or
`model_context_window_exceeded` when it was cut, `refusal` when it declined. 401, 402 and 403 are about the key
and its account, 429 is a rate limit, 529 an overload.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal

import msgspec

from doublethink_gate.completion.errors import (
    BadShape,
    Cut,
    Declined,
    KeyRefused,
    ModelError,
    Overloaded,
    RateLimited,
    RequestRefused,
    ServerError,
)
from doublethink_gate.completion.usage import Usage, read_usage
from doublethink_gate.sources import RawResponse

MAX_COMPLETION_BYTES: Final = 262_144
_OVERLOADED: Final = 529
_CUT: Final = frozenset({"max_tokens", "model_context_window_exceeded"})
_NOTES: Final = frozenset({"thinking", "redacted_thinking"})


class _Claim(msgspec.Struct, forbid_unknown_fields=True):
    """One claim, as `extract_claims.json` has it. A test compares the two."""

    page: Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31)]
    quote: str
    heading_quotes: list[str]
    value: str
    scale: str
    unit: str
    period: str
    direction: Literal["none", "increase", "decrease"]
    flags: list[Literal["about", "guidance", "non_gaap", "pro_forma", "restated", "hypothetical"]]


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    claims: list[_Claim]


def read_answer(response: RawResponse) -> tuple[str, Usage]:
    """The text of an answer, which is JSON of the template's schema and at most 256 KiB, and what it cost.

    Raises a `ModelError` for everything else; it says what the answer cost where that is known.
    """
    error = _error_of(response)
    if error is not None:
        raise error
    message = _message(response)
    usage = read_usage(message.get("usage"))
    if usage is None:
        # An answer whose cost is unknown is not used: the budget would be blind to it.
        raise BadShape("usage")
    if _used_tools(message["usage"].get("server_tool_use")):
        raise BadShape("tools", usage)
    stop = message.get("stop_reason")
    if stop in _CUT:
        raise Cut(usage)
    if stop == "refusal":
        raise Declined(usage)
    if stop != "end_turn":
        raise BadShape("stop_reason", usage)
    text = _text(message.get("content"), usage)
    try:
        encoded = text.encode()
        msgspec.json.decode(encoded, type=_Answer)
    except (ValueError, RecursionError):
        raise BadShape("schema", usage) from None
    if len(encoded) > MAX_COMPLETION_BYTES:
        raise BadShape("size", usage)
    return text, usage


def _error_of(response: RawResponse) -> ModelError | None:
    status = response.status
    if status == 200:
        return None
    if status in (401, 402, 403):
        return KeyRefused(status)
    if status == 429:
        return RateLimited(response.retry_after)
    if status == _OVERLOADED:
        return Overloaded(response.retry_after)
    if status >= 500:
        return ServerError(status)
    if status >= 400:
        return RequestRefused(status)
    return BadShape("status")


def _message(response: RawResponse) -> dict[str, Any]:
    if response.content_type.partition(";")[0].strip().lower() != "application/json":
        raise BadShape("content type")
    try:
        message = json.loads(response.body)
    except (ValueError, RecursionError):
        raise BadShape("json") from None
    if (
        not isinstance(message, dict)
        or message.get("type") != "message"
        or message.get("role") != "assistant"
    ):
        raise BadShape("message")
    return message


def _used_tools(counts: object) -> bool:
    """Whether the vendor's own tools ran: nothing was offered, so nothing may have been called."""
    return counts is not None and (not isinstance(counts, dict) or any(counts.values()))


def _text(content: object, usage: Usage) -> str:
    if not isinstance(content, list) or not content:
        raise BadShape("content", usage)
    parts = []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind in _NOTES:
            continue
        # A block of any other type would be a tool's, and no request offers one.
        if kind != "text" or not isinstance(block.get("text"), str):
            raise BadShape("content", usage)
        parts.append(block["text"])
    return "".join(parts)
