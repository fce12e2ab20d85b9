"""Anthropic's Messages API over HTTPS: one request, one bounded answer, no redirects, no proxies.

Wire facts, from Anthropic's API reference: POST /v1/messages with `x-api-key`, `anthropic-version:
2023-06-01` and a JSON body; the answer's `content` is a list of blocks of which those of type `text` hold
the text; `stop_reason` is `end_turn` when the model came to its end, `max_tokens` when it was cut, `refusal`
when it declined; 429 is a rate limit and 529 an overload.
"""

from __future__ import annotations

import asyncio
import json
from typing import Final, Protocol
from urllib.parse import urlsplit

import httpx

from doublethink_gate.errors import ModelAnswerRefused, ModelUnavailable
from doublethink_gate.sources import PreparedRequest, RawResponse

MAX_ANSWER_BYTES: Final = 1_048_576
MAX_COMPLETION_BYTES: Final = 262_144
_VERSION: Final = "2023-06-01"


class Model(Protocol):
    """A model behind completions."""

    @property
    def name(self) -> str:
        """The model's name on the wire."""

    @property
    def max_tokens(self) -> int:
        """The bound on its answer."""

    def prepare(self, body: bytes) -> PreparedRequest:
        """Return the request as it will go out, without the header that carries the key."""

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """Send exactly `prepared`. Raises ModelUnavailable; ModelAnswerRefused for an endless answer."""

    async def close(self) -> None:
        """Close its connections."""


class ClaudeModel:
    """Claude at one base URL. The key stays in this object and in the request's header."""

    def __init__(
        self,
        *,
        name: str,
        max_tokens: int,
        base_url: str,
        api_key: str,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._name = name
        self._max_tokens = max_tokens
        self._url = f"{base_url.rstrip('/')}/v1/messages"
        self._key = api_key
        if transport is None:
            transport = httpx.AsyncHTTPTransport(trust_env=False, retries=0)
        self._client = httpx.AsyncClient(transport=transport, trust_env=False, follow_redirects=False)

    @property
    def name(self) -> str:
        """The model's name on the wire."""
        return self._name

    @property
    def max_tokens(self) -> int:
        """The bound on its answer."""
        return self._max_tokens

    def prepare(self, body: bytes) -> PreparedRequest:
        """Return the request as it will go out, without the header that carries the key."""
        headers = (
            ("host", urlsplit(self._url).netloc),
            ("content-type", "application/json"),
            ("accept", "application/json"),
            ("accept-encoding", "identity"),
            ("anthropic-version", _VERSION),
            ("user-agent", "doublethink"),
            ("content-length", str(len(body))),
        )
        return PreparedRequest("POST", self._url, headers, body)

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """Send exactly `prepared`; the whole exchange takes at most `timeout_s` seconds."""
        # Built here and not by the client, which would add headers of its own that nobody has checked.
        request = httpx.Request(
            prepared.method,
            prepared.url,
            headers=[*prepared.headers, ("x-api-key", self._key)],
            content=prepared.body,
            extensions={"timeout": httpx.Timeout(timeout_s).as_dict()},
        )
        try:
            async with asyncio.timeout(timeout_s):
                response = await self._client.send(request, stream=True)
                try:
                    body = await _bounded(response)
                finally:
                    await response.aclose()
        except (httpx.HTTPError, TimeoutError):
            # Without the cause: the library's messages may quote a header.
            raise ModelUnavailable from None
        return RawResponse(response.status_code, response.headers.get("content-type", ""), body)

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()


def completion_text(answer: RawResponse) -> str:
    """Return the text of an answer.

    Raises ModelUnavailable for any status but 200, and ModelAnswerRefused where the body is not a message
    that came to its end, or its text is not JSON of at most 256 KiB.
    """
    if answer.status != 200:
        raise ModelUnavailable
    try:
        message = json.loads(answer.body)
    except (ValueError, RecursionError) as error:
        raise ModelAnswerRefused from error
    if not isinstance(message, dict) or message.get("type") != "message":
        raise ModelAnswerRefused
    if message.get("stop_reason") != "end_turn":
        raise ModelAnswerRefused
    content = message.get("content")
    if not isinstance(content, list):
        raise ModelAnswerRefused
    text = "".join(_text_of(block) for block in content)
    try:
        size = len(text.encode())
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelAnswerRefused from error
    if size > MAX_COMPLETION_BYTES:
        raise ModelAnswerRefused
    return text


def _text_of(block: object) -> str:
    if not isinstance(block, dict) or block.get("type") != "text" or not isinstance(block.get("text"), str):
        raise ModelAnswerRefused
    text: str = block["text"]
    return text


async def _bounded(response: httpx.Response) -> bytes:
    chunks: list[bytes] = []
    total = 0
    async for chunk in response.aiter_raw():
        total += len(chunk)
        if total > MAX_ANSWER_BYTES:
            raise ModelAnswerRefused
        chunks.append(chunk)
    return b"".join(chunks)
