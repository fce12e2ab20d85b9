"""One HTTP exchange with a source: exactly the prepared bytes, one bounded answer.

No redirects, no proxies from the environment, no compression (so that the bound on the wire is the bound in
memory), no headers beyond those prepared but the connection's own and the key.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import httpx

from .errors import TimedOut, TooLarge, Unreachable
from .model import PreparedRequest, RawResponse

MAX_RESPONSE_BYTES = 24 * 1024 * 1024  # a page of 16 MiB in base64, and its wrapping
_MAX_RETRY_AFTER = 3600


@dataclass(frozen=True, slots=True)
class Bounds:
    """Seconds to connect and in total, and the size of an answer."""

    connect_s: float = 5.0
    total_s: float = 30.0
    response_bytes: int = MAX_RESPONSE_BYTES


def open_client(
    socket: Path | None = None, transport: httpx.AsyncBaseTransport | None = None
) -> httpx.AsyncClient:
    """A client for one source: over TCP, or the unix socket at `socket`, or the caller's own transport."""
    if transport is None:
        transport = httpx.AsyncHTTPTransport(
            uds=str(socket) if socket else None,
            trust_env=False,
            retries=0,
            limits=httpx.Limits(max_connections=16, max_keepalive_connections=4, keepalive_expiry=30),
        )
    return httpx.AsyncClient(transport=transport, trust_env=False, follow_redirects=False)


async def exchange(
    client: httpx.AsyncClient,
    prepared: PreparedRequest,
    credential: tuple[str, str] | None,
    bounds: Bounds,
    timeout_s: float,
) -> RawResponse:
    """Send `prepared` and read the answer. Raises `Unreachable`, `TimedOut`, `TooLarge`.

    `credential` is the one header that is not among those prepared, name and value.
    `Unreachable.sent` is false only where no connection was made.
    """
    headers = list(prepared.headers)
    if credential is not None:
        headers.append(credential)
    total = min(timeout_s, bounds.total_s)
    timeout = httpx.Timeout(total, connect=min(total, bounds.connect_s))
    # Built here and not by the client, which would add headers of its own that nobody has checked.
    request = httpx.Request(
        prepared.method,
        prepared.url,
        headers=headers,
        content=prepared.body,
        extensions={"timeout": timeout.as_dict()},
    )
    try:
        async with asyncio.timeout(total):
            response = await client.send(request, stream=True)
            try:
                body = await _bounded(response, bounds.response_bytes)
            finally:
                await response.aclose()
    except (httpx.TimeoutException, TimeoutError) as error:
        raise TimedOut from _anonymous(error)
    except (httpx.ConnectError, httpx.UnsupportedProtocol) as error:
        raise Unreachable(sent=False) from _anonymous(error)
    except httpx.HTTPError as error:
        raise Unreachable(sent=True) from _anonymous(error)
    return RawResponse(
        status=response.status_code,
        content_type=response.headers.get("content-type", ""),
        body=body,
        retry_after=_retry_after(response.headers.get("retry-after", "")),
    )


async def _bounded(response: httpx.Response, bound: int) -> bytes:
    if int(_digits(response.headers.get("content-length", "")) or 0) > bound:
        raise TooLarge(bound)
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise httpx.DecodingError("an encoding that was not asked for")
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_raw():
        size += len(chunk)
        if size > bound:
            raise TooLarge(bound)
        chunks.append(chunk)
    return b"".join(chunks)


def _digits(text: str) -> str:
    return text if text.isascii() and text.isdigit() and len(text) <= 18 else ""


def _retry_after(text: str) -> int | None:
    digits = _digits(text.strip())
    return min(int(digits), _MAX_RETRY_AFTER) if digits else None


def _anonymous(error: BaseException) -> Exception:
    """The cause of an error by its kind alone: the library's messages may quote an address or a header."""
    return RuntimeError(type(error).__name__)
