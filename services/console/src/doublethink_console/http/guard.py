"""What stands before every route: host, origin, authority and size are judged, and every answer gets its
headers.

Nothing that a route raises gets past it: a fault is answered with fixed words and logged by its type alone.
"""

from __future__ import annotations

import asyncio
import json
from typing import Final

from doublethink_rpc import log
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublethink_console.errors import Refused
from doublethink_console.pages.rendering import rendered

from .entrance import SAFE_METHODS, Admitted, Asking, Entrance, know

FAULT_WORDS: Final = "The console failed; its log has the event."
_ENDED_WORDS: Final = "The token's time was up before the answer. Sign in again."
MAX_BODY_BYTES: Final = 1024 * 1024
_API: Final = "/api/"
_HTML: Final = "text/html"
_METHODS: Final = SAFE_METHODS | {"POST", "DELETE"}
_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"
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

    def __init__(self, app: ASGIApp, entrance: Entrance) -> None:
        self._app, self._entrance = app, entrance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge one request, then let the application answer it."""
        if scope["type"] != "http":
            raise RuntimeError("only HTTP requests are served")
        answering = _Answering(send)
        try:
            answering.admitted = self._judge(scope)
            await self._answer(scope, _bounded(receive, Headers(scope=scope)), answering)
        except _AuthorityEnded:
            await answering.end()
        except Refused as refused:
            if refused.status == 401 and self._entrance.sends_to_login and is_for_a_browser(scope):
                await answering.to_login()
            elif not self._entrance.sends_to_login and is_for_a_browser(scope):
                text = rendered("refused.html", person=None, words=refused.words)
                await answering.refuse(refused.status, text, _HTML)
            else:
                await answering.refuse(refused.status, json.dumps({"error": refused.words}))
        except Exception as error:  # noqa: BLE001 - no word of a fault may reach an answer or a log
            log().error("request_failed", error=error)
            await answering.refuse(500, json.dumps({"error": FAULT_WORDS}))

    async def _answer(self, scope: Scope, receive: Receive, answering: _Answering) -> None:
        """Let the application answer. What only reads is broken off when its authority ends; what changes something is
        not, since nobody would know whether it was done.
        """
        admitted = answering.admitted
        if admitted is not None:
            know(scope.setdefault("state", {}), admitted.person)
        bounded = admitted is not None and scope["method"] in SAFE_METHODS
        try:
            async with asyncio.timeout(admitted.left_s if bounded and admitted else None) as until:
                await self._app(scope, receive, answering.send)
        except TimeoutError:
            if not until.expired():
                raise
            raise _AuthorityEnded from None
        except Exception:
            if answering.over:
                raise _AuthorityEnded from None
            raise

    def _judge(self, scope: Scope) -> Admitted | None:
        """Whom a request is from; None where it needs nobody. Raises Refused."""
        headers = Headers(scope=scope)
        method = scope["method"]
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._entrance.host_is_ours(hosts[0]):
            raise Refused(421, "This console is not reached by that name.")
        if method not in _METHODS:
            raise Refused(405, "That method is not used here.")
        origin = headers.get("origin")
        if origin is not None and not self._entrance.origin_is_ours(origin):
            raise Refused(403, "A page of another site may not speak to this console.")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not (
            self._entrance.lets_follow_links and _opens_a_page(headers, scope)
        ):
            raise Refused(403, "A page of another site may not speak to this console.")
        if method == "POST" and headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            raise Refused(415, f"A request body here is {_JSON}.")
        if scope["path"] in self._entrance.open_paths:
            return None
        return self._entrance.admit(Asking(headers, method, scope["path"], origin))


class _AuthorityEnded(Exception):
    """The authority that an answer was given under has ended while it was given."""


def _opens_a_page(headers: Headers, scope: Scope) -> bool:
    """Whether a browser opens a page of the console's own in a window, as by a link (Fetch Metadata): it shows the page
    to the person alone, and no script of another site sees it.
    """
    return (
        scope["method"] == "GET"
        and not scope["path"].startswith(_API)
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


def is_for_a_browser(scope: Scope) -> bool:
    """Whether a page was asked for, in place of an answer of the API."""
    accepted = Headers(scope=scope).get("accept", "")
    return scope["method"] == "GET" and not scope["path"].startswith(_API) and _HTML in accepted


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
        self._events = False
        self.admitted: Admitted | None = None
        self.over = False

    async def send(self, message: Message) -> None:
        """Pass a message on. Raises _AuthorityEnded in the middle of an answer whose authority has ended."""
        if message["type"] == "http.response.start":
            self._begun = True
            headers = MutableHeaders(scope=message)
            self._events = headers.get("content-type", "").startswith(_EVENTS)
            for name, value in _HEADERS.items():
                headers[name] = value
            if headers.get("content-type", "").startswith(_HTML):
                headers["content-security-policy"] = _PAGE_POLICY
        elif message.get("more_body") and self.admitted is not None and not self.admitted.good():
            self.over = True
            raise _AuthorityEnded
        await self._send(message)

    async def end(self) -> None:
        """End what has begun: a stream of events as one ends, a file so that it is seen to be cut."""
        if not self._begun:
            await self.refuse(401, json.dumps({"error": _ENDED_WORDS}))
        elif self._events:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def to_login(self) -> None:
        """Send a browser to the page that asks for the token."""
        location = [(b"location", b"/login"), (b"content-length", b"0")]
        await self.send({"type": "http.response.start", "status": 303, "headers": location})
        await self._send({"type": "http.response.body", "body": b""})

    async def refuse(self, status: int, text: str, kind: str = _JSON) -> None:
        """Answer with a status and a text, unless an answer has begun."""
        if self._begun:
            return
        body = text.encode()
        await self.send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [
                    (b"content-type", kind.encode()),
                    (b"content-length", str(len(body)).encode()),
                ],
            }
        )
        await self._send({"type": "http.response.body", "body": body})
