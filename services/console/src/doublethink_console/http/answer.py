"""GET /api/sessions/{id}/answer: what a session answered, as JSON, Markdown or one HTML file.

`format` is json where it is not given: the run as GET /api/runs/{id} has it. For the other two the answer is
{"format", "text"}: the text is a file to be kept, and no page of the console.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from doublethink_console.errors import Refused
from doublethink_console.memo import Memo, markdown, memo_of, sheet
from doublethink_console.memo.reads import reads_of, unchecked_in
from doublethink_console.runs.conduct import Tools
from doublethink_console.store.runs import Run

from . import bodies
from .entrance import who

_FORMS: Final[Mapping[str, Callable[[Memo], str]]] = {"markdown": markdown, "html": sheet}


@dataclass(frozen=True, slots=True)
class AnswerRoutes:
    """The route, over the store and the API's own view of a run."""

    tools: Tools
    run_view: Callable[[Run], Awaitable[dict[str, Any]]]

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route("/api/sessions/{session}/answer", self.answer, methods=["GET"])]

    async def answer(self, request: Request) -> Response:
        """The answer of a session's run, also where it found nothing."""
        session = bodies.session_of(request.path_params["session"])
        given = request.query_params
        form = given.get("format", "json")
        if (
            form not in ("json", *_FORMS)
            or any(key != "format" for key in given)
            or len(given.multi_items()) > 1
        ):
            raise Refused(
                400, f"format must be one of: json, {', '.join(_FORMS)}; there is no other parameter."
            )
        run = await self.tools.runs.by_session(session, who(request).sees)
        if run is None:
            raise Refused(404, "There is no such session.")
        shown = await self.run_view(run)
        if form == "json":
            return JSONResponse(shown)
        rows, events = await self.tools.rows.of_session(session), await self.tools.events.after(run.id, -1)
        memo = memo_of(shown, reads_of(rows), unchecked=unchecked_in(events))
        return JSONResponse({"format": form, "text": _FORMS[form](memo)})
