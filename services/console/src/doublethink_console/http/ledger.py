"""The routes of the ledger: what the gate's log says, for people, scripts and collectors of security events.

    GET /api/ledger?from=SEQ          rows of all sessions from a seq on, in bounded pieces; `next` goes on
    GET /api/ledger/tail              rows of all sessions as they come, as a stream
    GET /api/sessions/{id}/ledger     one session, each attempt beside what came of it
    GET /api/sessions/{id}/trace      the same as an OpenTelemetry trace, in OTLP's JSON
    GET /api/sessions/{id}/rows/{n}/why   why an attempt did not go as it was, for the session's owner

`format` is json (the default), ocsf or cef, and `wait` the seconds (at most 60) that an answer may be held back until
there are rows. `kind`, `verdict`, `rule`, `host`, `since` and `until` pick rows out; `limit` is at most 1000.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from doublethink_rpc import RpcError, log
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from doublethink_console import phrases
from doublethink_console.errors import Refused
from doublethink_console.explaining.explain import explain
from doublethink_console.explaining.notices import Notice, attempt_of, notice_of
from doublethink_console.identity.people import Person, Sight
from doublethink_console.log import cef, ocsf
from doublethink_console.log.entries import Entry, entry_json
from doublethink_console.log.filters import PARAMETERS, Filter, read_filter
from doublethink_console.log.reading import MAX_OF_SESSION, Piece
from doublethink_console.log.trace import trace_json
from doublethink_console.log.views import session_json
from doublethink_console.runs.conduct import Tools
from doublethink_console.store.ledger_rows import LedgerRow
from doublethink_console.store.runs import Run

from . import bodies, shown
from .entrance import COLLECTED_PATH, who
from .streams import HEARTBEAT, ServerEvent, event_stream, last_event_id

_MAX_ROWS: Final = 1000
_DEFAULT_ROWS: Final = 200
_MAX_WAIT_S: Final = 60
_POLL_S: Final = 0.5
_PIECE: Final = 200
_MAX_DIGITS: Final = 9

FORMATS: Final[dict[str, Callable[[Entry], Any]]] = {
    "json": lambda entry: entry_json(entry) | {"body": dict(entry.body)},
    "ocsf": ocsf.event,
    "cef": cef.line,
}


def written(entry: Entry, form: str) -> Any:
    """A row in a format. One that says what the format has no place for comes without its body, and is not passed over:
    it must not keep collectors from what follows.
    """
    try:
        return FORMATS[form](entry)
    except (LookupError, TypeError, ValueError) as error:
        log().warning("row_not_written", seq=entry.seq, error=error)
        return FORMATS[form](replace(entry, body={}))


@dataclass(frozen=True, slots=True)
class LedgerRoutes:
    """The routes, over the log and over the copies of what was allowed to leave."""

    tools: Tools

    def routes(self) -> list[Route]:
        """All of them."""
        return [
            Route(COLLECTED_PATH, self.read, methods=["GET"]),
            Route("/api/ledger/tail", self.tail, methods=["GET"]),
            Route("/api/sessions/{session}/ledger", self.session, methods=["GET"]),
            Route("/api/sessions/{session}/trace", self.trace, methods=["GET"]),
            Route("/api/sessions/{session}/rows/{n}/why", self.why, methods=["GET"]),
        ]

    async def read(self, request: Request) -> Response:
        """Rows from a seq on. Nothing is skipped: `next` is behind the last row that was looked at."""
        _check_reader(request)
        given = request.query_params
        known = ("from", "limit", "format", "wait", *PARAMETERS)
        if any(key not in known for key in given) or len(given.multi_items()) != len(given):
            raise Refused(400, f"Known parameters, each once, are: {', '.join(known)}.")
        form = given.get("format", "json")
        if form not in FORMATS:
            raise Refused(400, f"format must be one of: {', '.join(FORMATS)}.")
        limit = bodies.whole_number(given.get("limit"), "limit", _DEFAULT_ROWS, 1, _MAX_ROWS)
        wait_s = bodies.whole_number(given.get("wait"), "wait", 0, 0, _MAX_WAIT_S)
        wanted = read_filter(given)
        try:
            first = bodies.whole_number(given.get("from"), "from", -1, 0, 2**53 - 1)
            piece = await self._piece(first if "from" in given else None, limit, wanted, wait_s)
        except RpcError as error:
            raise _unanswered(error) from None
        return JSONResponse(
            {
                "format": form,
                "rows": [written(entry, form) for entry in piece.rows],
                "next": piece.next,
                "end": piece.end,
            }
        )

    async def _piece(self, first: int | None, limit: int, wanted: Filter, wait_s: int) -> Piece:
        """The next piece; where there is nothing yet, it is asked for again until the time is up."""
        loop = asyncio.get_running_loop()
        until = loop.time() + wait_s
        at = await self.tools.log.end() if first is None else first
        while True:
            piece = await self.tools.log.piece(at, limit, wanted)
            if piece.rows or not piece.end or loop.time() >= until or self.tools.hub.stopping:
                return piece
            at = piece.next
            await asyncio.sleep(_POLL_S)

    async def session(self, request: Request) -> Response:
        """A session from the ledger; with follow=1 the copies of an open one as they come, until it closes."""
        session = bodies.session_of(request.path_params["session"])
        person = who(request)
        sees, given = person.sees, request.query_params
        payloads = given.get("payloads") == "1"
        if given.get("follow") == "1":
            if await self.tools.runs.by_session(session, sees) is None:
                raise Refused(404, "There is no such session.")
            return event_stream(self._copies(session, last_event_id(request), sees, payloads=payloads))
        wanted = read_filter(given)
        entries, run = await self._of_log(session, person)
        # A reader of the log sees the rows of other teams' sessions, which hold no text.
        texts = await self.tools.rows.texts(session) if payloads and (run or sees.teams is None) else {}
        found = [entry for entry in entries if wanted.matches(entry)]
        view = session_json(session, entries, texts, shown=found)
        return JSONResponse(view | {"cut": len(entries) >= MAX_OF_SESSION})

    async def trace(self, request: Request) -> Response:
        """A session as a trace: its requests with their times, and the steps of its run where it is this console's."""
        session = bodies.session_of(request.path_params["session"])
        entries, run = await self._of_log(session, who(request))
        steps = [] if run is None else await self.tools.events.after(run.id, -1)
        return JSONResponse(trace_json(session, entries, steps))

    async def _of_log(self, session: str, person: Person) -> tuple[list[Entry], Run | None]:
        """A session from the log, and its run where that is to be seen. Raises Refused where neither is."""
        run = await self.tools.runs.by_session(session, person.sees)
        if run is None and not person.reads_log:
            raise Refused(404, "There is no such session.")
        try:
            entries = await self.tools.log.of_session(session)
        except RpcError as error:
            raise _unanswered(error) from None
        if not any(entry.session_id == session for entry in entries):
            raise Refused(404, "There is no such session.")
        return entries, run

    async def tail(self, request: Request) -> Response:
        """The rows of all sessions as they come; an event's id is its row's seq."""
        _check_reader(request)
        return event_stream(self._arrivals(last_event_id(request), read_filter(request.query_params)))

    async def _notice(self, row: LedgerRow) -> Notice | None:
        """The notice of a copied row, with its address."""
        if notice_of(row, None) is None:
            return None
        return next(
            (
                notice_of(row, each.payload)
                for each in await self.tools.rows.of_session(row.session_id)
                if each.id == attempt_of(row)
            ),
            notice_of(row, None),
        )

    async def why(self, request: Request) -> Response:
        """Why an attempt of a session of this console did not go as it was."""
        session = bodies.session_of(request.path_params["session"])
        return JSONResponse(await why_json(self.tools, session, request.path_params["n"], who(request).sees))

    async def _arrivals(self, after: int, wanted: Filter) -> AsyncIterator[ServerEvent | None]:
        first = None if after < 0 else after + 1
        while not self.tools.hub.stopping:
            try:
                if first is None:
                    first = await self.tools.log.end()
                piece = await self.tools.log.piece(first, _PIECE, wanted)
            except RpcError as error:
                log().warning("log_not_read", error=error)
                yield HEARTBEAT
                await self.tools.hub.wait()
                continue
            first = piece.next
            for entry in piece.rows:
                yield ServerEvent(entry.seq, "row", entry_json(entry))
            if not piece.rows:
                yield HEARTBEAT
            if piece.end:
                await self.tools.hub.wait()

    async def _copies(
        self, session: str, after: int, sees: Sight, *, payloads: bool
    ) -> AsyncIterator[ServerEvent | None]:
        """What the follower of a run has copied: it comes at once, with the text of what left."""
        while not self.tools.hub.stopping:
            run = await self.tools.runs.by_session(session, sees)
            rows = await self.tools.rows.of_session(session, after)
            for row in rows:
                after = row.n
                notice = await self._notice(row)
                yield ServerEvent(row.n, "row", shown.row_json(row, payload=payloads, notice=notice))
                if row.body.get("kind") == "session.close":
                    return
            if run is None or (run.finished and not rows):
                return
            if not rows:
                yield HEARTBEAT
            await self.tools.hub.wait()


async def why_json(tools: Tools, session: str, n: str, sees: Sight) -> dict[str, Any]:
    """The explanation of row `n` of a session. Raises Refused where it is not to be seen, or no attempt."""
    capability = await tools.runs.owner(session, sees)
    if capability is None or not (n.isascii() and n.isdecimal() and len(n) <= _MAX_DIGITS):
        raise Refused(404, "There is no such attempt in this session.")
    try:
        return await explain(tools.peers, capability, session, int(n))
    except RpcError as error:
        log().warning("attempt_not_explained", session=session, error=error)
        raise Refused(503, f"The gate does not explain it: {phrases.error_words(error.code)}") from None


def _check_reader(request: Request) -> None:
    if not who(request).reads_log:
        raise Refused(403, "Your groups do not let you read the rows of all sessions.")


def _unanswered(error: RpcError) -> Refused:
    log().warning("log_not_read", error=error)
    return Refused(503, f"The gate does not give its log: {phrases.error_words(error.code)}")
