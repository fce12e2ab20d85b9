"""Searches that wait for a person: shown to the owner of the session, and decided.

    GET  /api/sessions/{id}/holds              what waits, with its words and the rules that held it
    POST /api/sessions/{id}/holds/{hold}       {approve, commitment, approver?}

`commitment` is the one that the hold was shown with, so that a decision is over the bytes that a person saw. Who
decided is the subject of the token, where the person has one, and then never the one who asked, unless the
configuration lets people approve their own searches; else it is as the caller says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.gate.v1 import approval_pb2 as approval
from doublethink_rpc import RpcError, log
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from doublethink_console import phrases
from doublethink_console.errors import Refused
from doublethink_console.identity.people import Sight
from doublethink_console.memo.plain import seen
from doublethink_console.runs.conduct import Tools

from . import bodies
from .entrance import who

_HOLD: Final = re.compile(r"hld_[a-z2-7]{26}", re.ASCII)
_COMMITMENT: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_OWN_WORDS: Final = "You asked this question: somebody else decides about its held searches."
_UNKNOWN_WORDS: Final = (
    "Who asked this question was not written down, so nobody may decide about it: ask it again."
)
_GONE: Final = frozenset({errors.ERROR_CODE_SESSION_CLOSED, errors.ERROR_CODE_CAPABILITY_REFUSED})


@dataclass(frozen=True, slots=True)
class HoldRoutes:
    """The routes. The gate alone knows what is held; nothing of it is stored here."""

    tools: Tools

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/api/sessions/{session}/holds", self.list, methods=["GET"]),
            Route("/api/sessions/{session}/holds/{hold}", self.decide, methods=["POST"]),
        ]

    async def list(self, request: Request) -> Response:
        """What waits in a session; nothing in one that is closed."""
        session = bodies.session_of(request.path_params["session"])
        return JSONResponse({"holds": await holds_of(self.tools, session, who(request).sees)})

    async def decide(self, request: Request) -> Response:
        """Let a held search go, or refuse it."""
        session = bodies.session_of(request.path_params["session"])
        person = who(request)
        capability = await self.tools.runs.owner(session, person.sees)
        hold = request.path_params["hold"]
        if capability is None or _HOLD.fullmatch(hold) is None:
            raise Refused(404, "There is no such hold.")
        if not person.decides:
            raise Refused(403, "Your groups do not let you decide about held searches.")
        asked_by = await self.tools.runs.asked_by(session, person.sees)
        if not person.decides_about(asked_by):
            raise Refused(403, _UNKNOWN_WORDS if asked_by is None else _OWN_WORDS)
        fields = await bodies.read_object(request, ("approve", "commitment", "approver"))
        approve, commitment = fields.get("approve"), fields.get("commitment")
        if not isinstance(approve, bool):
            raise Refused(400, "approve must be true or false.")
        if not isinstance(commitment, str) or _COMMITMENT.fullmatch(commitment) is None:
            raise Refused(400, "commitment must be the hold's, 64 hexadecimal digits.")
        if person.verified and "approver" in fields:
            raise Refused(400, "Who decides is known from the token: leave approver out.")
        approver = bodies.text(fields, "approver", 200) if "approver" in fields else person.id
        decision = approval.DecideRequest(
            hold_id=hold,
            commitment=bytes.fromhex(commitment),
            approval=approval.APPROVAL_APPROVE if approve else approval.APPROVAL_REJECT,
            approver=approver,
        )
        try:
            await self.tools.peers.decide(capability, decision)
        except RpcError as error:
            if error.code == errors.ERROR_CODE_ID_REFUSED or error.code in _GONE:
                raise Refused(
                    409, "It cannot be decided (any more): list what waits, and decide about that."
                ) from None
            raise _unanswered(session, error) from None
        log().info("hold_decided", session=session, hold=hold, approved=approve, person=person.for_log)
        return JSONResponse({"approved": approve})


async def holds_of(tools: Tools, session: str, sees: Sight) -> list[dict[str, Any]]:
    """What waits in a session that is to be seen. Raises Refused."""
    capability = await tools.runs.owner(session, sees)
    if capability is None:
        raise Refused(404, "There is no such session.")
    try:
        listed = await tools.peers.holds(capability)
    except RpcError as error:
        if error.code in _GONE:
            return []
        raise _unanswered(session, error) from None
    return [_shown(hold) for hold in listed]


def _shown(hold: approval.Hold) -> dict[str, Any]:
    until = datetime.fromtimestamp(hold.expires_us / 1_000_000, UTC)
    return {
        "hold": hold.hold_id,
        "n": hold.n,
        "query": seen(hold.query),
        "rules": list(hold.rules),
        "commitment": hold.commitment.hex(),
        "approved": hold.approved,
        "expires": until.isoformat(timespec="seconds").replace("+00:00", "Z"),
    }


def _unanswered(session: str, error: RpcError) -> Refused:
    log().warning("holds_not_read", session=session, error=error)
    return Refused(503, f"The gate does not say what waits: {phrases.error_words(error.code)}")
