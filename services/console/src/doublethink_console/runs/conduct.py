"""One run from its claim to its end."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, cast

from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.gate.v1 import session_pb2 as session
from doublethink.planner.v1 import research_pb2 as research
from doublethink.validator.v1 import composition_pb2 as composition
from doublethink_fingerprint import build_pack, encode_pack
from doublethink_rpc import RpcError, log
from doublethink_rpc.failpoint import reach
from psycopg import Error

from doublethink_console.config import PlannerModel, RunLimits
from doublethink_console.errors import ClaimLost, SealBroken
from doublethink_console.failpoints import Point
from doublethink_console.identity.people import EVERY_TEAM
from doublethink_console.log.reading import Log
from doublethink_console.peers import Peers
from doublethink_console.store.cases import Cases, StoredCase
from doublethink_console.store.events import Events
from doublethink_console.store.ledger_rows import LedgerRows
from doublethink_console.store.queue import RunQueue
from doublethink_console.store.runs import Capabilities, Run, Runs
from doublethink_console.store.sessions import Sessions

from .answers import answer_json
from .follower import Follower
from .forgetting import Forgetting
from .hub import Hub

_LAST_ROWS_S: Final = 5.0
"""How long the closing row may take to arrive before the run ends without its copy."""

BACK_ENDS: Final = {
    "rules": research.PLANNER_BACK_END_RULES,
    "careless": research.PLANNER_BACK_END_CARELESS,
    "ollama": research.PLANNER_BACK_END_OLLAMA,
    "openai": research.PLANNER_BACK_END_OPENAI,
}
_WITH_MODEL: Final = frozenset({"ollama", "openai", "careless"})
"""Back ends that ask the planner's model, where there is one."""
_STATES: Final = {
    research.PLAN_STATUS_ANSWERED: "answered",
    research.PLAN_STATUS_NOT_FOUND: "not_found",
    research.PLAN_STATUS_REFUSED: "refused",
}
_AGAIN: Final = frozenset({errors.ERROR_CODE_PEER_UNAVAILABLE, errors.ERROR_CODE_OVERLOADED})
_AGAIN_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ends: its state, and the code that says why, 0 if none."""

    state: str
    code: int = 0


@dataclass(frozen=True, slots=True)
class Tools:
    """What conducting a run needs."""

    cases: Cases
    runs: Runs
    sessions: Sessions
    queue: RunQueue
    events: Events
    rows: LedgerRows
    log: Log
    forgetting: Forgetting
    peers: Peers
    hub: Hub
    limits: RunLimits
    planner_model: PlannerModel | None = None


class Conductor:
    """Conducts runs that this console has claimed."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._follower = Follower(tools.peers, tools.rows, tools.hub)

    async def conduct(self, key: uuid.UUID) -> None:
        """Take a claimed run to its end. Whatever goes wrong ends the run; only cancellation is raised."""
        try:
            outcome = await self._outcome(key)
        except asyncio.CancelledError:
            # A person ended it; or this process stops, and the run is taken up again by the next.
            run = await self._load(key)
            if run.cancel_requested:
                await self._end(key, _decided(run) or Outcome("failed", errors.ERROR_CODE_CANCELLED))
            raise
        except ClaimLost:
            log().warning("run_claim_lost")
            return
        except Exception as error:  # noqa: BLE001 - a fault of one run must not end the others
            log().error("run_failed", error=error)
            outcome = Outcome("failed", errors.ERROR_CODE_INTERNAL)
        await reach(Point.BEFORE_END)
        try:
            await self._end(key, outcome)
        except Error as error:
            # It stays claimed and running; the engine takes it up again when the database is back.
            log().error("run_end_not_written", error=error)

    async def close_session(self, run: Run) -> bool:
        """Close a run's session and forget its capabilities; False if the gate did not answer."""
        if run.capabilities is None:
            return True
        try:
            await self._tools.peers.close_session(run.capabilities.console)
        except RpcError as error:
            gone = error.code in (errors.ERROR_CODE_SESSION_CLOSED, errors.ERROR_CODE_CAPABILITY_REFUSED)
            if not gone:
                log().warning("session_not_closed", session=run.session_id, error=error)
                return False
        await self._tools.runs.closed(run.id)
        return True

    async def _outcome(self, key: uuid.UUID) -> Outcome:
        run = await self._load(key)
        decided = _decided(run)
        if decided is not None:
            # Whoever decided it ended before that was told. Its session may be closed: nothing can be asked again.
            await self.close_session(run)
            return decided
        if run.cancel_requested:
            await self.close_session(run)
            return Outcome("failed", errors.ERROR_CODE_CANCELLED)
        if run.attempts > self._tools.limits.attempts:
            await self.close_session(run)
            return Outcome("failed", errors.ERROR_CODE_CONFLICT)
        case = await self._tools.cases.get(run.case_id, EVERY_TEAM)
        if case is None:
            return Outcome("failed", errors.ERROR_CODE_INTERNAL)
        try:
            capabilities, session_id = await self._open(run, case)
            following = asyncio.create_task(
                self._follower.follow(key, session_id, capabilities.console), name="ledger"
            )
            ours = True
            try:
                try:
                    outcome = await self._research(key, run, case, capabilities, session_id)
                except RpcError as error:
                    outcome = Outcome("failed", error.code)
                # Written before the session is closed: a run whose session is closed cannot be taken up again.
                await self._tools.runs.decide(key, outcome.state, outcome.code)
                await reach(Point.AFTER_DECISION)
                return outcome
            except ClaimLost:
                # The session is now the other console's to close.
                ours = False
                raise
            finally:
                await self._settle(key, following, close=ours)
        except RpcError as error:
            return Outcome("failed", error.code)

    async def _open(self, run: Run, case: StoredCase) -> tuple[Capabilities, str]:
        if run.session_id is not None and run.capabilities is not None:
            await self._note(run.id, "resumed")
            return run.capabilities, run.session_id
        pack = await asyncio.to_thread(pack_of, case)
        request = session.OpenSessionRequest(
            fingerprint_pack=pack, budgets=run.budgets, tenant=self._tools.limits.tenant
        )
        model = self._tools.planner_model
        if model is not None and run.planner in _WITH_MODEL:
            request.planner_model.name = model.name
            request.planner_model.digest = bytes.fromhex(model.digest)
        opened = await self._tools.peers.open_session(request)
        await reach(Point.AFTER_OPEN)
        capabilities = Capabilities(
            opened.console_capability, opened.planner_capability, opened.validator_capability
        )
        await self._tools.runs.opened(run.id, opened.session_id, capabilities)
        await self._note(run.id, "opened")
        return capabilities, opened.session_id

    async def _research(
        self, key: uuid.UUID, run: Run, case: StoredCase, capabilities: Capabilities, session_id: str
    ) -> Outcome:
        history = await self._tools.events.history(key)
        for attempt in range(self._tools.limits.attempts):
            try:
                return await self._plan(key, run, case, capabilities, session_id, history)
            except RpcError as error:
                # What is written stays written: the planner goes on from it.
                if error.code not in _AGAIN or attempt + 1 == self._tools.limits.attempts:
                    raise
                log().warning("research_taken_up_again", session=session_id, error=error)
                await asyncio.sleep(_AGAIN_S)
        raise RpcError(errors.ERROR_CODE_INTERNAL)

    async def _plan(
        self,
        key: uuid.UUID,
        run: Run,
        case: StoredCase,
        capabilities: Capabilities,
        session_id: str,
        history: list[research.ResearchEvent],
    ) -> Outcome:
        """Let the planner go on from `history`, which grows; then compose."""
        if not history or history[-1].WhichOneof("step") not in ("plan", "failed"):
            request = research.ResearchRequest(
                session_id=session_id,
                memo=case.case.memo,
                question=run.question,
                public_terms=case.case.public_terms,
                back_end=BACK_ENDS[run.planner],
                validator_capability=capabilities.validator,
                max_queries=run.max_queries,
                approval_s=run.approval_s,
                history=history,
            )
            stream = self._tools.peers.research(capabilities.planner, request)
            async with aclosing(cast("Any", stream)) as responses:
                async for response in responses:
                    event = response.event
                    if event.WhichOneof("step") == "failed" and event.failed.code in _AGAIN:
                        # The planner missed a peer of its own; what it had done until then is written.
                        raise RpcError(event.failed.code)
                    await self._note(key, event.WhichOneof("step"), event)
                    history.append(event)
        last = history[-1] if history else research.ResearchEvent()
        match last.WhichOneof("step"):
            case "failed":
                return Outcome("failed", last.failed.code)
            case "plan" if last.plan.status == research.PLAN_STATUS_ANSWERED:
                return await self._compose(key, last.plan, capabilities)
            case "plan":
                if any(event.examined.verdict == figures.VERDICT_CANNOT_CHECK for event in history):
                    await self._show_conflicts(key, capabilities)
                return Outcome(_STATES[last.plan.status], _refusal(history))
            case _:
                raise RpcError(errors.ERROR_CODE_PEER_UNAVAILABLE)

    async def _compose(self, key: uuid.UUID, plan: research.Plan, capabilities: Capabilities) -> Outcome:
        await self._note(key, "composing")
        request = composition.ComposeRequest(
            fact_ids=plan.fact_ids,
            operations=[
                composition.ComposeOperation(
                    kind=operation.kind, fact_ids=operation.fact_ids, years=operation.years
                )
                for operation in plan.operations
            ],
        )
        await reach(Point.BEFORE_COMPOSE)
        try:
            composed = await self._tools.peers.compose(capabilities.validator, request)
        except RpcError as error:
            if error.code == errors.ERROR_CODE_OPERATION_REFUSED:
                return Outcome("not_found", error.code)
            raise
        await reach(Point.BEFORE_ANSWER)
        await self._tools.runs.save_answer(key, answer_json(composed))
        await reach(Point.AFTER_ANSWER)
        return Outcome("answered")

    async def _show_conflicts(self, key: uuid.UUID, capabilities: Capabilities) -> None:
        """Keep the figures that stand against each other, for a run without an answer; it ends as it would."""
        try:
            composed = await self._tools.peers.compose(capabilities.validator, composition.ComposeRequest())
        except RpcError as error:
            log().warning("conflicts_not_composed", error=error)
            return
        if composed.rivals:
            await self._tools.runs.save_answer(key, answer_json(composed))

    async def _settle(self, key: uuid.UUID, following: asyncio.Task[None], *, close: bool) -> None:
        """Close the session and let the last rows arrive, unless somebody else goes on with it."""
        task = asyncio.current_task()
        try:
            stopping = task is not None and task.cancelling() > 0 and not await self._is_cancelled(key)
            if close and not stopping and await self.close_session(await self._load(key)):
                await asyncio.wait({following}, timeout=_LAST_ROWS_S)
        finally:
            # Also where the database is away: nobody else knows of this task.
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def _is_cancelled(self, key: uuid.UUID) -> bool:
        return (await self._load(key)).cancel_requested

    async def _end(self, key: uuid.UUID, outcome: Outcome) -> None:
        try:
            await self._tools.runs.finish(key, outcome.state, outcome.code)
            await self._tools.events.append(key, "ended")
        except ClaimLost:
            log().warning("run_claim_lost")
        self._tools.hub.news()
        log().info("run_ended", answered=outcome.state == "answered", code=outcome.code)

    async def _note(
        self, key: uuid.UUID, kind: str | None, step: research.ResearchEvent | None = None
    ) -> None:
        """Write a step before anything else happens. Raises RpcError CANCELLED if a person wants the end."""
        cancelled = await self._tools.events.append(key, kind or "unknown", step)
        self._tools.hub.news()
        if cancelled:
            raise RpcError(errors.ERROR_CODE_CANCELLED)

    async def _load(self, key: uuid.UUID) -> Run:
        run = await self._tools.runs.get(key, EVERY_TEAM)
        if run is None:
            raise SealBroken("the run is not there any more")
        return run


def pack_of(case: StoredCase) -> bytes:
    """The fingerprints of a case's secrets, under keys made for this pack alone."""
    own = case.case
    return encode_pack(
        build_pack(own.secrets, canaries=own.canaries, memo=own.memo, public_terms=own.public_terms)
    )


def _decided(run: Run) -> Outcome | None:
    """How a run will end, if that is written already: nobody's wish changes it any more."""
    return None if run.decided is None else Outcome(run.decided, run.code)


def _refusal(history: list[research.ResearchEvent]) -> int:
    """The code of the last refusal, 0 if there was none."""
    codes = [event.refused.code for event in history if event.WhichOneof("step") == "refused"]
    return codes[-1] if codes else 0
