"""The one HTTP client: one address, no proxy of the environment, no redirect, bounded answers."""

from __future__ import annotations

from typing import Final

import httpx
import msgspec

from .config import Limits, ModelServer
from .errors import ModelRefused, UpstreamFailed

MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
_CONNECT_S: Final = 5.0
_LISTING_S: Final = 10.0


class _Origin(msgspec.Struct):
    remote_model: str | None = None
    remote_host: str | None = None


class Upstream:
    """Dials the model server. `dialled` counts the requests that went out."""

    def __init__(
        self, server: ModelServer, limits: Limits, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._seconds = float(limits.seconds)
        self._client = httpx.AsyncClient(
            base_url=server.address,
            transport=transport,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(self._seconds, connect=_CONNECT_S),
            headers={"User-Agent": "doublethink", "Accept-Encoding": "identity"},
        )
        self.dialled = 0

    async def get(self, path: str) -> bytes:
        """GET a listing. Raises UpstreamFailed."""
        return await self._answer(self._client.build_request("GET", path, timeout=_LISTING_S))

    async def post(self, path: str, body: bytes) -> bytes:
        """POST a body of JSON. Raises UpstreamFailed, or ModelRefused for an answer from elsewhere."""
        headers = {"Content-Type": "application/json"}
        answer = await self._answer(self._client.build_request("POST", path, content=body, headers=headers))
        try:
            origin = msgspec.json.decode(answer, type=_Origin)
        except msgspec.DecodeError:
            raise UpstreamFailed("the model server's answer is not JSON") from None
        if origin.remote_model or origin.remote_host:
            raise ModelRefused("the answer came from a model that is not local")
        return answer

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _answer(self, request: httpx.Request) -> bytes:
        self.dialled += 1
        try:
            response = await self._client.send(request, stream=True)
            try:
                return await _bounded(response)
            finally:
                await response.aclose()
        except httpx.TimeoutException:
            raise UpstreamFailed("the model server took too long") from None
        except httpx.HTTPError:
            raise UpstreamFailed("the model server does not answer") from None


async def _bounded(response: httpx.Response) -> bytes:
    if response.status_code != 200:
        raise UpstreamFailed("the model server refused the request")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise UpstreamFailed("the model server's answer is encoded")
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            raise UpstreamFailed("the model server's answer is too long")
    return bytes(body)
