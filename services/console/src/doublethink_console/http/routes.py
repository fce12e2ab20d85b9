"""The routes of the API, each a few lines over the store and the engine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from doublethink_casefile import CaseError, parse_case, planted
from doublethink_fingerprint import FingerprintError, build_pack
from doublethink_fingerprint.alarms import alarms
from doublethink_rpc import log
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from doublethink_console.config import Config
from doublethink_console.errors import Refused
from doublethink_console.explaining.notices import notices_of
from doublethink_console.identity.people import Person, Sight
from doublethink_console.pages.routes import PageRoutes
from doublethink_console.runs.conduct import BACK_ENDS, Tools
from doublethink_console.runs.engine import Engine
from doublethink_console.store.runs import NewRun, Run

from . import bodies, shown
from .access import Doorkeeper
from .answer import AnswerRoutes
from .bundle import BundleRoutes
from .entrance import Entrance, who
from .health import PeerHealth
from .holds import HoldRoutes
from .ledger import LedgerRoutes
from .recording import RecordingRoutes
from .sessions import SessionRoutes
from .streams import HEARTBEAT, ServerEvent, event_stream, last_event_id

_MAX_CASES: Final = 500
_CASE_KEYS: Final = ("title", "memo", "secrets", "public_terms", "canaries")
_RUN_KEYS: Final = ("case_id", "question", "planner", "budgets", "max_queries", "approval_s")
_BUDGET_KEYS: Final = ("queries", "pages", "model_calls", "seconds")
_MAX_QUESTION_BYTES: Final = 4000
_MAX_PUBLIC_TERMS: Final = 200
_MAX_TERM_BYTES: Final = 200
_MAX_MEMO_BYTES: Final = 262_144
_ISOLATION_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Api:
    """Everything that the routes work with."""

    config: Config
    entrance: Entrance
    tools: Tools
    engine: Engine
    health: PeerHealth

    def routes(self) -> list[Route]:
        """All routes."""
        return [
            Route("/api/login", self.login, methods=["POST"]),
            Route("/api/logout", self.logout, methods=["POST"]),
            Route("/api/cases", self.add_case, methods=["POST"]),
            Route("/api/cases", self.list_cases, methods=["GET"]),
            Route("/api/cases/{case}", self.get_case, methods=["GET"]),
            Route("/api/cases/{case}", self.delete_case, methods=["DELETE"]),
            Route("/api/runs", self.start_run, methods=["POST"]),
            Route("/api/runs/{run}", self.get_run, methods=["GET"]),
            Route("/api/runs/{run}/events", self.run_events, methods=["GET"]),
            Route("/api/runs/{run}/cancel", self.cancel_run, methods=["POST"]),
            *SessionRoutes(self.tools).routes(),
            *AnswerRoutes(self.tools, self.run_view).routes(),
            *LedgerRoutes(self.tools).routes(),
            *BundleRoutes(self.tools).routes(),
            *HoldRoutes(self.tools).routes(),
            *RecordingRoutes(self.tools).routes(),
            Route("/api/status", self.status, methods=["GET"]),
            *PageRoutes(self.tools, self.run_view).routes(),
        ]

    async def login(self, request: Request) -> Response:
        """Exchange the launch token for a cookie."""
        doorkeeper = self._doorkeeper()
        fields = await bodies.read_object(request, ("token",))
        if not doorkeeper.holds_token(bodies.text(fields, "token", 256)):
            raise Refused(401, "The launch token is not the one of this console.")
        return JSONResponse({"ok": True}, headers={"set-cookie": doorkeeper.cookie()})

    async def logout(self, request: Request) -> Response:
        """Take the cookie back."""
        doorkeeper = self._doorkeeper()
        await bodies.read_object(request, ())
        return JSONResponse({"ok": True}, headers={"set-cookie": doorkeeper.forget_cookie()})

    def _doorkeeper(self) -> Doorkeeper:
        """Who gives out cookies. Raises Refused where a proxy signs people in."""
        if not isinstance(self.entrance, Doorkeeper):
            raise Refused(404, "People sign in and out before this console.")
        return self.entrance

    async def add_case(self, request: Request) -> Response:
        """Store a case: {"yaml": TEXT}, or the case file's keys as JSON. One that is stored already keeps its id.

        The answer's alarms are a line for each secret that would stop too many ordinary searches; none repeats it.
        """
        person = who(request)
        fields = await bodies.read_object(request, ("team", "yaml", *_CASE_KEYS))
        team = _team(person, fields.pop("team", None))
        if "yaml" in fields and len(fields) > 1:
            raise Refused(400, "Give either yaml or the keys of a case.")
        # JSON is YAML: the one loader judges both.
        text = bodies.text(fields, "yaml", 1 << 20) if "yaml" in fields else json.dumps(fields)
        try:
            given = await asyncio.to_thread(partial(parse_case, text, plant=False))
            case = planted(given)
            await asyncio.to_thread(
                build_pack,
                case.secrets,
                canaries=case.canaries,
                memo=case.memo,
                public_terms=case.public_terms,
            )
        except (CaseError, FingerprintError) as error:
            raise Refused(422, str(error)) from None
        if len(case.public_terms) > _MAX_PUBLIC_TERMS or any(
            len(term.encode()) > _MAX_TERM_BYTES for term in case.public_terms
        ):
            raise Refused(
                422, f"A case has at most {_MAX_PUBLIC_TERMS} public terms of {_MAX_TERM_BYTES} bytes."
            )
        if len(case.memo.encode()) > _MAX_MEMO_BYTES:
            raise Refused(422, f"The memo with its canaries has at most {_MAX_MEMO_BYTES} bytes.")
        key, added = await self.tools.cases.add(given, team, apart=person.sees.teams is not None)
        found = await asyncio.to_thread(alarms, case.secrets)
        asked = [str(alarm) for alarm in found if alarm.asks_for_a_phrase]
        return JSONResponse({"id": str(key), "alarms": asked}, status_code=201 if added else 200)

    async def list_cases(self, request: Request) -> Response:
        """The newest cases, without memo and secrets."""
        stored = await self.tools.cases.all(_MAX_CASES, who(request).sees)
        return JSONResponse({"cases": [shown.case_json(case, whole=False) for case in stored]})

    async def get_case(self, request: Request) -> Response:
        """One case, whole."""
        key = bodies.key_of(request.path_params["case"], "case")
        stored = await self.tools.cases.get(key, who(request).sees)
        if stored is None:
            raise Refused(404, "There is no such case.")
        return JSONResponse(shown.case_json(stored, whole=True))

    async def delete_case(self, request: Request) -> Response:
        """Delete a case with its runs and answers."""
        key, person = bodies.key_of(request.path_params["case"], "case"), who(request)
        done = await self.tools.cases.delete(key, person.sees)
        if done is None:
            raise Refused(404, "There is no such case.")
        if not done:
            raise Refused(409, "A run of this case goes on: cancel it or wait for its end.")
        log().info("case_deleted", person=person.for_log)
        return Response(status_code=204)

    async def start_run(self, request: Request) -> Response:
        """Queue a question about a case."""
        person = who(request)
        fields = await bodies.read_object(request, _RUN_KEYS)
        planner = fields.get("planner", self.config.back_ends.planner)
        if planner not in BACK_ENDS:
            raise Refused(400, f"planner must be one of: {', '.join(BACK_ENDS)}.")
        budgets = bodies.check_keys(fields.get("budgets", {}), _BUDGET_KEYS, "budgets")
        new = NewRun(
            case_id=bodies.key_of(fields.get("case_id"), "case"),
            question=bodies.text(fields, "question", _MAX_QUESTION_BYTES),
            planner=planner,
            # Whoever holds the launch token asks for this console's team, whoever is known for that of the case; a
            # request cannot take another's turn.
            team=None if person.verified else self.config.runs.own_team,
            sees=person.sees,
            max_queries=bodies.number(fields, "max_queries", self.config.runs.max_queries, 1, 64),
            queries=bodies.number(budgets, "queries", 0, 0, 10_000),
            pages=bodies.number(budgets, "pages", 0, 0, 10_000),
            model_calls=bodies.number(budgets, "model_calls", 0, 0, 10_000),
            seconds=bodies.number(budgets, "seconds", 0, 0, 604_800),
            approval_s=bodies.number(fields, "approval_s", 0, 0, 1500),
            asked_by=person.for_log,
        )
        if await self.tools.runs.unfinished() >= self.config.runs.waiting:
            # Counted and not locked: as many as ask in the same moment may pass.
            raise Refused(
                503, f"{self.config.runs.waiting} runs wait or go on: wait for one to end, or cancel one."
            )
        key = await self.tools.runs.add(new)
        if key is None:
            raise Refused(404, "There is no such case.")
        log().info("run_queued", person=person.for_log)
        self.engine.wake()
        return JSONResponse({"id": str(key)}, status_code=202)

    async def get_run(self, request: Request) -> Response:
        """A run and, once it is there, its answer."""
        return JSONResponse(await self.run_view(await self._run(request)))

    async def run_view(self, run: Run) -> dict[str, Any]:
        """A run in the form of the API."""
        answer = await self.tools.runs.answer(run.id) if run.finished else None
        counts = await self.tools.rows.counts(run.session_id or "")
        planned = 0
        for event in await self.tools.events.after(run.id, -1):
            planned = shown.planned_by(event, planned)
        notices = notices_of(await self.tools.rows.of_session(run.session_id)) if run.session_id else []
        return shown.run_json(run, answer, counts, self.config.back_ends, planned, notices)

    async def run_events(self, request: Request) -> Response:
        """The steps of a run as they come, until it ends."""
        run = await self._run(request)
        return event_stream(self._steps(run, last_event_id(request), who(request).sees))

    async def cancel_run(self, request: Request) -> Response:
        """End a run."""
        await bodies.read_object(request, ())
        run = await self._run(request)
        cancelled = await self.tools.runs.cancel(run.id)
        if cancelled:
            log().info("run_cancelled", person=who(request).for_log)
            self.engine.cancel(run.id)
        return JSONResponse({"cancelled": cancelled})

    async def status(self, request: Request) -> Response:
        """Back ends, the health of the peers, and the isolation report of the launcher."""
        return JSONResponse(
            {
                "back_ends": {
                    "planner": self.config.back_ends.planner,
                    "reader": self.config.back_ends.reader,
                    "source": self.config.back_ends.source,
                },
                "peers": await self.health.all(),
                "isolation": await asyncio.to_thread(self._isolation),
            }
        )

    def _isolation(self) -> Any:
        isolation = self.config.isolation
        if isolation is None:
            return None
        try:
            return json.loads(isolation.report_file.read_bytes()[:_ISOLATION_BYTES])
        except (OSError, ValueError):
            return {"enforced": False, "error": "the isolation report cannot be read"}

    async def _run(self, request: Request) -> Run:
        key = bodies.key_of(request.path_params["run"], "run")
        run = await self.tools.runs.get(key, who(request).sees)
        if run is None:
            raise Refused(404, "There is no such run.")
        return run

    async def _steps(self, run: Run, after: int, sees: Sight) -> AsyncIterator[ServerEvent | None]:
        planned = 0
        position = -1
        while not self.tools.hub.stopping:
            events = await self.tools.events.after(run.id, position)
            fresh = await self.tools.runs.get(run.id, sees)
            if fresh is None:
                return
            for event in events:
                position = event.position
                planned = shown.planned_by(event, planned)
                if position > after:
                    yield ServerEvent(position, event.kind, shown.event_json(event, planned, fresh))
                if event.kind == "ended":
                    return
            if not events:
                yield HEARTBEAT
            await self.tools.hub.wait()


def _team(person: Person, given: object) -> str:
    """Whose a new case is. Raises Refused where that is not said and could be one of several, or is none of theirs."""
    if given is None and len(person.teams) == 1:
        return person.teams[0]
    if given in person.teams:
        return str(given)
    raise Refused(400, f"team must be one of yours: {', '.join(person.teams)}.")
