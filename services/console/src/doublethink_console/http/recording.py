"""POST /api/sessions/{id}/recording: what a session asked and got, as a file that answers the same questions again.

The body is an empty object. The gate runs its checks over all of it with fingerprints of the case's secrets, and gives
nothing on any finding: 409, with the rows and rules. The pages in it pass through here and are not kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from doublethink.gate.v1 import recording_pb2 as recording
from doublethink_rpc import RpcError, log
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from doublethink_console import phrases
from doublethink_console.errors import Refused
from doublethink_console.runs.conduct import Tools, pack_of

from . import bodies
from .entrance import who

_SHOWN: Final = 8
_WORDS: Final = {
    recording.RECORDING_FAULT_OPEN: "The session is still open: record it when its run has ended.",
    recording.RECORDING_FAULT_EMPTY: "The session asked nothing that a source answered: there is nothing to record.",
    recording.RECORDING_FAULT_TOO_LARGE: "The session got more than a recording may hold.",
    recording.RECORDING_FAULT_ERASED: "What the session sent or got was erased, so that it cannot be recorded.",
    recording.RECORDING_FAULT_TOO_OLD: "The session is of an earlier version, which did not keep what a recording "
    "needs: ask again, and record the new one.",
}


@dataclass(frozen=True, slots=True)
class RecordingRoutes:
    """The route, over the gate and the owners' capabilities."""

    tools: Tools

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route("/api/sessions/{session}/recording", self.record, methods=["POST"])]

    async def record(self, request: Request) -> Response:
        """Stream the recording of a session of this console."""
        session = bodies.session_of(request.path_params["session"])
        person = who(request)
        sees = person.sees
        await bodies.read_object(request, ())
        capability = await self.tools.runs.owner(session, sees)
        run = await self.tools.runs.by_session(session, sees)
        if capability is None or run is None:
            raise Refused(404, "There is no such session.")
        case = await self.tools.cases.get(run.case_id, sees)
        if case is None:
            raise Refused(404, "There is no such session.")
        pieces = self.tools.peers.recording(capability, await asyncio.to_thread(pack_of, case))
        try:
            # The first message is had before the answer begins: until then a refusal is still an answer.
            first = await anext(pieces, None)
        except RpcError as error:
            log().warning("recording_not_made", session=session, error=error)
            raise Refused(503, f"The gate gives no recording: {phrases.error_words(error.code)}") from None
        if first is None or first.HasField("refused"):
            log().info("recording_refused", session=session)
            raise Refused(409, _why(None if first is None else first.refused))
        log().info("recording_given", session=session, person=person.for_log)
        return StreamingResponse(_behind(first, pieces), media_type="application/octet-stream")


def _why(refused: recording.RecordingRefused | None) -> str:
    if refused is None:
        return "The gate gives no recording."
    if refused.fault != recording.RECORDING_FAULT_FINDINGS:
        return _WORDS.get(refused.fault, "The gate gives no recording.")
    shown = ", ".join(f"row {finding.n} {finding.rule}" for finding in refused.findings[:_SHOWN])
    more = len(refused.findings) - _SHOWN
    return (
        "The checks found something of the case in what would be recorded, and nothing was written: "
        f"{shown}{f' and {more} more' if more > 0 else ''}."
    )


async def _behind(
    first: recording.RecordSessionResponse, rest: AsyncIterator[recording.RecordSessionResponse]
) -> AsyncIterator[bytes]:
    yield first.piece.data
    async for response in rest:
        yield response.piece.data
