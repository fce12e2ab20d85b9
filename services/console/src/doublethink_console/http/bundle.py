"""POST /api/sessions/{id}/bundle: the record of a session as one file that a stranger can check.

The body may have `since` (the text of an earlier checkpoint that the log is to be tied to), `opened` (true: with the
payloads that left or were let in, where the gate's policy grants it) and `wait_s` (0 to 60: how long to wait until the
newest rows are sealed).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from doublethink_ledger.bundle import session_bytes
from doublethink_rpc import RpcError, log
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from doublethink_console import exporting, phrases
from doublethink_console.errors import Refused
from doublethink_console.runs.conduct import Tools

from . import bodies
from .entrance import who

_KEYS: Final = ("since", "opened", "wait_s")
_MAX_NOTE_BYTES: Final = 65_536
_MAX_WAIT_S: Final = 60
_WAIT_S: Final = 10


@dataclass(frozen=True, slots=True)
class BundleRoutes:
    """The route, over the gate and the owners' capabilities."""

    tools: Tools

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route("/api/sessions/{session}/bundle", self.export, methods=["POST"])]

    async def export(self, request: Request) -> Response:
        """Stream the bundle of a session of this console."""
        session = bodies.session_of(request.path_params["session"])
        person = who(request)
        fields = await bodies.read_object(request, _KEYS)
        since = bodies.text(fields, "since", _MAX_NOTE_BYTES).encode() if "since" in fields else None
        if type(fields.get("opened", False)) is not bool:
            raise Refused(400, "opened must be true or false.")
        wait_s = bodies.number(fields, "wait_s", _WAIT_S, 0, _MAX_WAIT_S)
        capability = await self.tools.runs.owner(session, person.sees)
        if capability is None:
            raise Refused(404, "There is no such session.")
        asked = exporting.Export(capability, session_bytes(session), since, fields.get("opened", False))
        try:
            found = await exporting.prove(self.tools.peers, asked, wait_s)
            lines = exporting.lines(self.tools.peers, asked, found)
            # The first line is had before the answer begins: until then a refusal is still an answer.
            first = await anext(lines)
        except RpcError as error:
            log().warning("bundle_not_made", session=session, error=error)
            raise Refused(503, f"The gate gives no bundle: {phrases.error_words(error.code)}") from None
        log().info("bundle_exported", session=session, rows=found.last_n + 1, person=person.for_log)
        return StreamingResponse(_behind(first, lines), media_type="application/octet-stream")


async def _behind(first: bytes, lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for line in lines:
        yield line
