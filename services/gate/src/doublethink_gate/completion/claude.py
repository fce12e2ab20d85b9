"""Anthropic's Messages API over HTTPS: one request, one bounded answer, no redirects, no proxies.

Wire facts, from Anthropic's API reference and as its published client has them: POST /v1/messages with
`Authorization: Bearer`, `anthropic-version: 2026-10-21` and a JSON body. What an answer says is read in `answer`.
"""

from __future__ import annotations

from typing import Final, Protocol
from urllib.parse import urlsplit

import httpx

from doublethink_gate import sources
from doublethink_gate.completion.errors import TimedOut, TooLarge, Unreachable
from doublethink_gate.sources import ApiKey, Bounds, PreparedRequest, RawResponse, exchange, open_client

MAX_ANSWER_BYTES: Final = 1_048_576
_CONNECT_S: Final = 10.0
_VERSION: Final = "2026-10-21"


class Model(Protocol):
    """A model behind completions."""

    @property
    def name(self) -> str:
        """The model's name on the wire."""

    @property
    def max_tokens(self) -> int:
        """The bound on its answer."""

    @property
    def send_s(self) -> float:
        """The most seconds that one exchange may take."""

    def prepare(self, body: bytes) -> PreparedRequest:
        """Return the request as it will go out, without the header that carries the key."""

    async def send(self, prepared: PreparedRequest, timeout_s: float) -> RawResponse:
        """Send exactly `prepared`. Raises Unreachable, TimedOut and TooLarge, each a ModelError."""

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
        api_key: ApiKey,
        send_s: float = 100.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._name = name
        self._max_tokens = max_tokens
        self._url = f"{base_url.rstrip('/')}/v1/messages"
        self._key = api_key
        self._bounds = Bounds(connect_s=_CONNECT_S, total_s=send_s, response_bytes=MAX_ANSWER_BYTES)
        self._client = open_client(transport=transport)

    @property
    def name(self) -> str:
        """The model's name on the wire."""
        return self._name

    @property
    def max_tokens(self) -> int:
        """The bound on its answer."""
        return self._max_tokens

    @property
    def send_s(self) -> float:
        """The most seconds that one exchange may take."""
        return self._bounds.total_s

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
        credential = ("authorization", self._key.authorization())
        try:
            return await exchange(self._client, prepared, credential, self._bounds, timeout_s)
        except sources.TimedOut as error:
            raise TimedOut from error
        except sources.TooLarge as error:
            raise TooLarge(error.bound) from error
        except sources.Unreachable as error:
            raise Unreachable(sent=error.sent) from error

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()
