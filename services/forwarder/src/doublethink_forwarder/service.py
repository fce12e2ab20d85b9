"""The few requests that pass, each checked, then passed on; everything else is refused without a dial."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import msgspec
from doublethink_rpc import log
from prometheus_client import CollectorRegistry, Counter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from .config import Config, Dialect
from .errors import ForwardError, ModelRefused, RequestRefused, UpstreamFailed
from .listing import check_listed
from .requests import MAX_BODY_BYTES, OllamaChat, OllamaShow, OpenAiChat, rewritten
from .upstream import Upstream

_LISTINGS: Final = {Dialect.OLLAMA: "/api/tags", Dialect.OPENAI: "/v1/models"}
_DISCONNECT_LOOK_S: Final = 0.5

Handler = Callable[[bytes], Awaitable[bytes]]
"""From a request's body to the answer's."""


class Forwarder:
    """Checks and passes on. `application` is what a server serves."""

    def __init__(self, config: Config, upstream: Upstream, registry: CollectorRegistry | None = None) -> None:
        self._server = config.model
        self._limits = config.limits
        self._upstream = upstream
        self._slots = asyncio.Semaphore(config.limits.at_once)
        self._inside = 0
        # The first digest that is seen holds until the process ends: a session's first row names it.
        self._digest = config.model.digest
        self._answered = Counter(
            "doublethink_forwarder_requests",
            "Requests by what became of them",
            ("outcome",),
            registry=registry or CollectorRegistry(),
        )

    def application(self) -> Starlette:
        """The ASGI application: exactly the paths and methods of the dialect."""
        if self._server.dialect is Dialect.OLLAMA:
            passed: list[tuple[str, str, Handler]] = [
                ("GET", "/api/tags", self._list),
                ("GET", "/api/version", self._version),
                ("POST", "/api/show", self._show),
                ("POST", "/api/chat", self._chat),
            ]
        else:
            passed = [("GET", "/v1/models", self._list), ("POST", "/v1/chat/completions", self._complete)]
        routes = [
            Route(path, self._endpoint(handler, method), methods=[method]) for method, path, handler in passed
        ]
        app = Starlette(routes=routes, exception_handlers={HTTPException: _no_route})
        app.router.redirect_slashes = False
        return app

    def _endpoint(self, handler: Handler, method: str) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            # HEAD comes along with GET, and a query string names things that no form has.
            if request.method != method or request.url.query:
                return _refusal(RequestRefused("only the requests of the dialect pass"))
            try:
                answer = await self._bounded(handler, request)
                self._answered.labels("passed").inc()
                return Response(answer, media_type="application/json")
            except ForwardError as error:
                self._answered.labels(type(error).__name__).inc()
                log().warning("request_not_passed", error=error)
                return _refusal(error)
            except ClientDisconnect:
                return _refusal(RequestRefused("the request ended early"))

        return endpoint

    async def _bounded(self, handler: Handler, request: Request) -> bytes:
        """The handler's answer, a few at a time; given up when the planner has gone."""
        if self._inside >= self._limits.at_once + self._limits.waiting:
            raise UpstreamFailed("too many requests wait for the model")
        self._inside += 1
        try:
            async with asyncio.timeout(self._limits.seconds), self._slots:
                # Whole before anybody looks whether the planner has gone: that look may take a piece of it away.
                body = await _body(request)
                answering = asyncio.ensure_future(handler(body))
                try:
                    while not (await asyncio.wait({answering}, timeout=_DISCONNECT_LOOK_S))[0]:
                        if await request.is_disconnected():
                            raise RequestRefused("the request ended early")
                    return answering.result()
                finally:
                    answering.cancel()
                    await asyncio.wait({answering})
        except TimeoutError:
            raise UpstreamFailed("the model server took too long") from None
        finally:
            self._inside -= 1

    async def _check_listing(self) -> str:
        """The digest of the one model, as the server lists it now. Raises ModelRefused, UpstreamFailed."""
        digest = check_listed(self._server, await self._upstream.get(_LISTINGS[self._server.dialect]))
        if self._digest and digest != self._digest:
            raise ModelRefused("the model has changed under its name: check it, then start again")
        self._digest = digest
        return digest

    async def _list(self, _body: bytes) -> bytes:
        """The listing with the one model alone: others are none of the planner's business."""
        digest = await self._check_listing()
        if self._server.dialect is Dialect.OPENAI:
            return msgspec.json.encode(
                {"object": "list", "data": [{"id": self._server.name, "object": "model"}]}
            )
        return msgspec.json.encode(
            {"models": [{"name": self._server.name, "model": self._server.name, "digest": digest}]}
        )

    async def _version(self, _body: bytes) -> bytes:
        return await self._upstream.get("/api/version")

    async def _show(self, body: bytes) -> bytes:
        body = rewritten(body, OllamaShow, self._server)
        await self._check_listing()
        return await self._upstream.post("/api/show", body)

    async def _chat(self, body: bytes) -> bytes:
        body = rewritten(body, OllamaChat, self._server)
        # Read anew each time: a name may be given to another model between two requests.
        await self._check_listing()
        return await self._upstream.post("/api/chat", body)

    async def _complete(self, body: bytes) -> bytes:
        body = rewritten(body, OpenAiChat, self._server)
        await self._check_listing()
        return await self._upstream.post("/v1/chat/completions", body)


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise RequestRefused("the request is too long")
    return bytes(body)


def _refusal(error: ForwardError) -> Response:
    return Response(
        msgspec.json.encode({"error": str(error)}), status_code=error.status, media_type="application/json"
    )


def _no_route(_request: Request, _error: Exception) -> Response:
    log().warning("request_not_passed", error=_error)
    return _refusal(RequestRefused("only the requests of the dialect pass"))
