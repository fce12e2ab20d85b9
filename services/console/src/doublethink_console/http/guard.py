"""What stands before every route: host, origin, authority and size are judged, and every answer gets its
headers.

Nothing that a route raises gets past it: a fault is answered with fixed words and logged by its type alone.
"""

from __future__ import annotations

import json
from http.cookies import CookieError, SimpleCookie
from typing import Final

from doublethink_rpc import log
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublethink_console.errors import Refused

from .access import COOKIE, Doorkeeper

FAULT_WORDS: Final = "The console failed; its log has the event."
MAX_BODY_BYTES: Final = 1024 * 1024
_OPEN_PATHS: Final = frozenset({"/api/login", "/login", "/static/style.css", "/static/session.js"})
_API: Final = "/api/"
_HTML: Final = "text/html"
COLLECTED_PATH: Final = "/api/ledger"
"""The one path that a collector's token opens, for reading."""

_SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
_METHODS: Final = _SAFE_METHODS | {"POST", "DELETE"}
_JSON: Final = "application/json"
_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


_PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none';"
    " base-uri 'none'; form-action 'none'"
)
"""For pages of ours: their own style sheet and script, and no other source of anything."""


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper) -> None:
        self._app, self._doorkeeper = app, doorkeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge one request, then let the application answer it."""
        if scope["type"] != "http":
            raise RuntimeError("only HTTP requests are served")
        answering = _Answering(send)
        try:
            self._judge(scope)
            await self._app(scope, _bounded(receive, Headers(scope=scope)), answering.send)
        except Refused as refused:
            if refused.status == 401 and is_for_a_browser(scope):
                await answering.to_login()
            else:
                await answering.refuse(refused.status, refused.words)
        except Exception as error:  # noqa: BLE001 - no word of a fault may reach an answer or a log
            log().error("request_failed", error=error)
            await answering.refuse(500, FAULT_WORDS)

    def _judge(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        method = scope["method"]
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._doorkeeper.host_is_ours(hosts[0]):
            raise Refused(421, "This console is not reached by that name.")
        if method not in _METHODS:
            raise Refused(405, "That method is not used here.")
        origin = headers.get("origin")
        if origin is not None and not self._doorkeeper.origin_is_ours(origin):
            raise Refused(403, "A page of another site may not speak to this console.")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused(403, "A page of another site may not speak to this console.")
        if method == "POST" and headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            raise Refused(415, f"A request body here is {_JSON}.")
        if scope["path"] not in _OPEN_PATHS:
            self._authorise(headers, scope, origin)

    def _authorise(self, headers: Headers, scope: Scope, origin: str | None) -> None:
        method = scope["method"]
        presented = headers.getlist("authorization")
        if presented:
            scheme, _, token = presented[0].partition(" ")
            if len(presented) == 1 and scheme.lower() == "bearer":
                if self._doorkeeper.holds_token(token):
                    return
                if self._doorkeeper.holds_collector_token(token):
                    if scope["path"] == COLLECTED_PATH and method in _SAFE_METHODS:
                        return
                    raise Refused(403, f"A collector's token reads {COLLECTED_PATH} and nothing else.")
            raise Refused(401, "The launch token is not the one of this console.")
        if not self._doorkeeper.holds_cookie(_cookie(headers)):
            raise Refused(401, "Present the launch token that was shown at the start.")
        if method not in _SAFE_METHODS and origin is None:
            # A browser that sends a cookie with such a request sends an origin too.
            raise Refused(403, "A request with a cookie names its origin.")


def is_for_a_browser(scope: Scope) -> bool:
    """Whether a page was asked for, in place of an answer of the API."""
    accepted = Headers(scope=scope).get("accept", "")
    return scope["method"] == "GET" and not scope["path"].startswith(_API) and _HTML in accepted


def _cookie(headers: Headers) -> str:
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    morsel = jar.get(COOKIE)
    return morsel.value if morsel is not None else ""


def _bounded(receive: Receive, headers: Headers) -> Receive:
    """`receive`, up to the largest body that is taken."""
    stated = headers.get("content-length", "0")
    if not stated.isdigit() or int(stated) > MAX_BODY_BYTES:
        raise Refused(413, f"A request body has at most {MAX_BODY_BYTES} bytes.")
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MAX_BODY_BYTES:
            raise Refused(413, f"A request body has at most {MAX_BODY_BYTES} bytes.")
        return message

    return bounded


class _Answering:
    """Adds the headers to every answer, and can still refuse as long as none has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            if headers.get("content-type", "").startswith(_HTML):
                headers["content-security-policy"] = _PAGE_POLICY
        await self._send(message)

    async def to_login(self) -> None:
        """Send a browser to the page that asks for the token."""
        location = [(b"location", b"/login"), (b"content-length", b"0")]
        await self.send({"type": "http.response.start", "status": 303, "headers": location})
        await self._send({"type": "http.response.body", "body": b""})

    async def refuse(self, status: int, words: str) -> None:
        if self._begun:
            return
        body = json.dumps({"error": words}).encode()
        await self.send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [
                    (b"content-type", _JSON.encode()),
                    (b"content-length", str(len(body)).encode()),
                ],
            }
        )
        await self._send({"type": "http.response.body", "body": body})
