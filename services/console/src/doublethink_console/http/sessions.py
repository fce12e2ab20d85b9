"""GET /api/sessions: what was asked here, the newest first, each with its session and what its ledger comes to.

`limit` is at most 500, and 50 where none is given; `case` and `status` pick runs out; `before` is the id of a run,
behind which the list goes on: the answer's `next`.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from doublethink_console import phrases
from doublethink_console.errors import Refused
from doublethink_console.identity.people import Sight
from doublethink_console.runs.conduct import Tools
from doublethink_console.store.sessions import MOST, Listed

from . import bodies, shown
from .entrance import who

_DEFAULT: Final = 50
_KNOWN: Final = ("limit", "before", "case", "status")


@dataclass(frozen=True, slots=True)
class SessionRoutes:
    """The route, over the store's list."""

    tools: Tools

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route("/api/sessions", self.sessions, methods=["GET"])]

    async def sessions(self, request: Request) -> Response:
        """One piece of the list."""
        given = request.query_params
        if any(key not in _KNOWN for key in given) or len(given.multi_items()) != len(given):
            raise Refused(400, f"Known parameters, each once, are: {', '.join(_KNOWN)}.")
        status = given.get("status")
        if status is not None and status not in phrases.STATUS_WORDS:
            raise Refused(400, f"status must be one of: {', '.join(phrases.STATUS_WORDS)}.")
        sees = who(request).sees
        most = bodies.whole_number(given.get("limit"), "limit", _DEFAULT, 1, MOST)
        # One more than is shown tells whether there are more.
        found = await self.tools.sessions.newest(
            most + 1,
            sees,
            before=bodies.key_of(given["before"], "run") if "before" in given else None,
            case=bodies.key_of(given["case"], "case") if "case" in given else None,
            state=status,
        )
        titles = await self._titles({each.case for each in found[:most]}, sees)
        return JSONResponse(
            {
                "sessions": [_json(each, titles.get(each.case)) for each in found[:most]],
                "next": str(found[most - 1].run) if len(found) > most else None,
            }
        )

    async def _titles(self, cases: set[uuid.UUID], sees: Sight) -> dict[uuid.UUID, str]:
        stored = [await self.tools.cases.get(case, sees) for case in cases]
        return {case.id: case.case.title for case in stored if case is not None}


def _json(each: Listed, title: str | None) -> dict[str, Any]:
    return {
        "session": each.session,
        "run": str(each.run),
        "case_id": str(each.case),
        "case_title": title,
        "asked_at": shown.time_text(each.asked_at),
        "ended_at": None if each.ended_at is None else shown.time_text(each.ended_at),
        "status": each.state,
        "planner": each.planner,
        "rows": each.rows,
        "stopped": each.stopped,
    }
