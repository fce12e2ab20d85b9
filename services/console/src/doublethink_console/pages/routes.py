"""The pages: runs, one run with its notices and its ledger, and why an attempt was stopped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from doublethink_console.errors import Refused
from doublethink_console.explaining.notices import Notice, attempt_of, notice_of
from doublethink_console.http import bodies, shown
from doublethink_console.http.entrance import who
from doublethink_console.http.holds import holds_of
from doublethink_console.http.ledger import why_json
from doublethink_console.identity.people import Person
from doublethink_console.memo import memo_of, unchecked_words
from doublethink_console.memo.reads import reads_of, unchecked_in
from doublethink_console.runs.conduct import Tools
from doublethink_console.store.ledger_rows import LedgerRow
from doublethink_console.store.runs import Run

from .rendering import page

_MAX_RUNS: Final = 100
_MAX_ROWS: Final = 1000
_STOPPED: Final = frozenset({"block", "ask", "rewrite"})
_ABSENT: Final[dict[str, Any]] = dict.fromkeys(("method", "payload", "status", "http", "notice", "reason"))
_STATIC: Final = {"style.css": "text/css", "answer.css": "text/css", "session.js": "text/javascript"}

RunView = Callable[[Run], Awaitable[dict[str, Any]]]
"""A run as the API gives it."""


@dataclass(frozen=True, slots=True)
class PageRoutes:
    """The routes, over the same store and the same views as the API's."""

    tools: Tools
    run_view: RunView

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route("/", self.runs, methods=["GET"]),
            Route("/login", self.login, methods=["GET"]),
            Route("/runs/{run}", self.run, methods=["GET"]),
            Route("/runs/{run}/answer", self.answer, methods=["GET"]),
            Route("/sessions/{session}/rows/{n}", self.why, methods=["GET"]),
            Route("/static/{name}", self.static, methods=["GET"]),
        ]

    async def login(self, request: Request) -> Response:
        """Where the launch token is asked for."""
        return page("login.html")

    async def runs(self, request: Request) -> Response:
        """The newest runs."""
        person = who(request)
        found = await self.tools.runs.newest(_MAX_RUNS, person.sees)
        return page("runs.html", person=person, runs=found, most=_MAX_RUNS)

    async def run(self, request: Request) -> Response:
        """One run: its answer, its notices, and its ledger with a way to each reason."""
        person = who(request)
        run = await self.tools.runs.get(bodies.key_of(request.path_params["run"], "run"), person.sees)
        if run is None:
            raise Refused(404, "There is no such run.")
        rows = await self.tools.rows.of_session(run.session_id) if run.session_id else []
        return page(
            "run.html",
            person=person,
            run=await self.run_view(run),
            decides=person.decides_about(run.asked_by),
            finished=run.finished,
            holds=await self._holds(run, person),
            rows=_table(rows[-_MAX_ROWS:]),
            left_out=max(0, len(rows) - _MAX_ROWS),
        )

    async def _holds(self, run: Run, person: Person) -> list[dict[str, Any]]:
        """What may be decided about. The page is shown without it where the gate does not answer."""
        if run.finished or run.session_id is None or not run.approval_s:
            return []
        try:
            return await holds_of(self.tools, run.session_id, person.sees)
        except Refused:
            return []

    async def answer(self, request: Request) -> Response:
        """The answer of a run, to be printed or copied into a memo."""
        person = who(request)
        run = await self.tools.runs.get(bodies.key_of(request.path_params["run"], "run"), person.sees)
        if run is None:
            raise Refused(404, "There is no such run.")
        rows = await self.tools.rows.of_session(run.session_id) if run.session_id else []
        events = await self.tools.events.after(run.id, -1)
        memo = memo_of(await self.run_view(run), reads_of(rows), unchecked=unchecked_in(events))
        unchecked = unchecked_words(memo.unchecked)
        return page("answer.html", person=person, run=str(run.id), memo=memo, unchecked=unchecked)

    async def why(self, request: Request) -> Response:
        """Why an attempt did not go as it was."""
        session = bodies.session_of(request.path_params["session"])
        person = who(request)
        told = await why_json(self.tools, session, request.path_params["n"], person.sees)
        run = await self.tools.runs.by_session(session, person.sees)
        return page("why.html", person=person, told=told, run=None if run is None else str(run.id))

    async def static(self, request: Request) -> Response:
        """A file that pages need; there is no other."""
        name = request.path_params["name"]
        if name not in _STATIC:
            raise Refused(404, "There is nothing here.")
        text = resources.files("doublethink_console.pages").joinpath("static", name).read_text("utf-8")
        return Response(text, media_type=_STATIC[name])


def _table(rows: list[LedgerRow]) -> list[dict[str, Any]]:
    """The rows as they are shown: the text of what left, the notice of an outcome, whether there is a reason."""
    texts = {row.id: row.payload for row in rows}
    table = []
    for row in rows:
        fields = _ABSENT | shown.row_json(row, payload=True, notice=_notice(row, texts))
        fields["why"] = fields["kind"] in ("attempt", "held") and fields["verdict"] in _STOPPED
        table.append(fields)
    return table


def _notice(row: LedgerRow, texts: dict[bytes, str | None]) -> Notice | None:
    attempt = attempt_of(row)
    return None if attempt is None else notice_of(row, texts.get(attempt))
