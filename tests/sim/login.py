"""A stand-in login over real HTTP: an identity provider, and a proxy that signs browsers in and passes their token on.

Both do what the console rests on and no more: the authorization code flow (OpenID Connect Core, section 3.1) without
a page, since whoever comes is signed in as `signed_in_as`.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

import httpx
import uvicorn
from sim.identity import Provider
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

SESSION = "_proxy"
# Of one connection alone (RFC 9110, section 7.6.1), or made anew.
_HOPS = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


@dataclass
class Login:
    """The provider's and the proxy's state. tokens: of the proxy's sessions, by the cookie's value."""

    provider: Provider
    signed_in_as: dict[str, object] = field(default_factory=lambda: {"groups": ["deals-a"]})
    codes: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    async def authorize(self, request: Request) -> Response:
        """Sign in whoever comes, and send them back with a code."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = self.provider.token(**self.signed_in_as)  # type: ignore[arg-type] # claims of any type
        query = urlencode({"code": code, "state": request.query_params["state"]})
        return RedirectResponse(f"{request.query_params['redirect_uri']}?{query}", 302)

    async def token(self, request: Request) -> Response:
        """A code for its token, once."""
        return JSONResponse({"id_token": self.codes.pop((await request.json())["code"])})

    async def jwks(self, request: Request) -> Response:
        """The public keys."""
        return JSONResponse(self.provider.jwks())

    def routes(self) -> list[Route]:
        """The provider's."""
        return [
            Route("/authorize", self.authorize),
            Route("/token", self.token, methods=["POST"]),
            Route("/jwks.json", self.jwks),
        ]


class Proxy:
    """Passes requests to a console's socket, a session's with its token; leads the others to the login."""

    def __init__(self, login: Login, provider_url: str, console: str) -> None:
        self._login, self._provider_url = login, provider_url
        self._console = httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(uds=console),
            base_url="http://console",
            timeout=60,
            trust_env=False,
        )
        self._states: set[str] = set()

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/oauth2/callback", self.callback),
            Route("/oauth2/sign_out", self.sign_out),
            Route("/{path:path}", self.passed, methods=["GET", "POST", "DELETE"]),
        ]

    async def callback(self, request: Request) -> Response:
        """The end of a login: a session, and its cookie."""
        self._states.remove(request.query_params["state"])
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.post(
                f"{self._provider_url}/token", json={"code": request.query_params["code"]}
            )
        name = secrets.token_urlsafe(16)
        self._login.tokens[name] = answer.json()["id_token"]
        back = RedirectResponse("/", 302)
        back.set_cookie(SESSION, name, httponly=True, samesite="lax")
        return back

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        self._login.tokens.pop(request.cookies.get(SESSION, ""), None)
        return Response("signed out")

    async def passed(self, request: Request) -> Response:
        """To the console, with the host that was asked for. A bearer that is presented is passed on as it is."""
        headers = [(name, value) for name, value in request.headers.items() if name not in _HOPS]
        if "authorization" not in request.headers:
            token = self._login.tokens.get(request.cookies.get(SESSION, ""))
            if token is None:
                return self._to_login(request)
            headers.append(("authorization", f"Bearer {token}"))
        asked = self._console.build_request(
            request.method, request.url.path, params=request.url.query.encode(), headers=headers,
            content=await request.body(),
        )  # fmt: skip
        answer = await self._console.send(asked, stream=True)
        kept = {name: value for name, value in answer.headers.items() if name not in _HOPS}
        return StreamingResponse(self._body(answer), answer.status_code, kept)

    @staticmethod
    async def _body(answer: httpx.Response) -> AsyncIterator[bytes]:
        try:
            async for piece in answer.aiter_raw():
                yield piece
        finally:
            await answer.aclose()

    def _to_login(self, request: Request) -> Response:
        state = secrets.token_urlsafe(16)
        self._states.add(state)
        back = f"http://{request.headers['host']}/oauth2/callback"
        return RedirectResponse(
            f"{self._provider_url}/authorize?{urlencode({'redirect_uri': back, 'state': state})}", 302
        )

    async def close(self) -> None:
        """Close the connections to the console."""
        await self._console.aclose()


@contextmanager
def loopback() -> Iterator[tuple[socket.socket, str]]:
    """A bound socket of loopback and its HOST:PORT."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound, f"127.0.0.1:{bound.getsockname()[1]}"


class _Server(uvicorn.Server):
    """Without uvicorn's signal handlers, and with a sign that it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.taking_requests = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and say so."""
        await super().startup(sockets)
        self.taking_requests.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def served(app: ASGIApp, bound: socket.socket) -> AsyncIterator[None]:
    """An application on a bound socket."""
    server = _Server(uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1))
    task = asyncio.create_task(server.serve(sockets=[bound]))
    await server.taking_requests.wait()
    try:
        yield
    finally:
        server.should_exit = True
        await task


@asynccontextmanager
async def login_before(
    login: Login,
    provider_socket: tuple[socket.socket, str],
    proxy_socket: tuple[socket.socket, str],
    console: str,
) -> AsyncIterator[None]:
    """The provider and the proxy of a console that listens on a socket."""
    provider_url = f"http://{provider_socket[1]}"
    proxy = Proxy(login, provider_url, console)
    async with (
        served(Starlette(routes=login.routes()), provider_socket[0]),
        served(Starlette(routes=proxy.routes()), proxy_socket[0]),
    ):
        yield
    await proxy.close()
