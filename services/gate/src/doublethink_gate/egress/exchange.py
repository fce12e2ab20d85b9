"""Check, durable row, send, outcome: every byte that leaves passes through here.

The bytes that are checked are the bytes that are committed are the bytes that are sent: one frozen
`PreparedRequest` goes through all steps, and its commitment is computed anew before it is handed to the
network. Whatever fails before that, nothing is sent. Whatever fails after it, an outcome row says so; where
even that cannot be written, the attempt stands in the ledger as "sent or crashed".
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Final, TypeVar

from doublethink_ledger import BodyValue, Verdict
from doublethink_rpc import Call, log
from doublethink_rpc.failpoint import reach

from doublethink_gate.egress.inspection import Inspector
from doublethink_gate.egress.outbound import Admitted, Decision, Method, Outbound, Received
from doublethink_gate.egress.outcomes import Failure, failure_of
from doublethink_gate.egress.rows import MAX_RULES, Rows
from doublethink_gate.errors import Blocked, BudgetExhausted, Conflict, DeadlinePassed, Held, Refusal
from doublethink_gate.failpoints import Point
from doublethink_gate.ledger import LedgerError, LostRace
from doublethink_gate.metrics import Metrics
from doublethink_gate.policy import Policy
from doublethink_gate.reasons import ReasonStore
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.replay import Replay
from doublethink_gate.sources import PreparedRequest, RawResponse

_RETRIES: Final = 8
_MARGIN_S: Final = 1.0

_T = TypeVar("_T")
_S = TypeVar("_S")
Send = Callable[[PreparedRequest, float], Awaitable[RawResponse]]
Receive = Callable[[Admitted, RawResponse, uuid.UUID], Awaitable[tuple[_T, Received]]]
"""From the admitted request, its answer and the id of the outcome row to what the caller wants and the
row's keys.
"""


class Exchange:
    """The gate's one way out."""

    def __init__(
        self,
        rows: Rows,
        replay: Replay,
        inspector: Inspector,
        policy: Policy,
        metrics: Metrics,
        reasons: ReasonStore,
        clock: Callable[[], int],
        send_s: float,
    ) -> None:
        self._clock = clock
        self._reasons = reasons
        self._policy = policy
        self._rows = rows
        self._replay = replay
        self._inspector = inspector
        self._metrics = metrics
        self._send_s = send_s
        self._running: set[asyncio.Task[object]] = set()

    async def run(
        self, live: LiveSession, outbound: Outbound, send: Send, receive: Receive[_T], call: Call
    ) -> _T:
        """Make one request, or refuse it.

        Raises Blocked, Held, BudgetExhausted, Conflict, LedgerUnavailable, DeadlinePassed (nothing was sent),
        or what `failure_of` makes of a failed send or an answer that cannot be used.
        """
        return await asyncio.shield(await self.begin(live, outbound, send, receive, call))

    async def begin(
        self, live: LiveSession, outbound: Outbound, send: Send, receive: Receive[_T], call: Call
    ) -> asyncio.Task[_T]:
        """Admit one request, or refuse it, and start to send it; return the task that ends with its outcome.

        Whoever awaits the task must shield it: a caller who goes away does not take the outcome's row along.
        Raises as `run` does for what was refused.
        """
        # A task of its own as well: a caller who goes away while the row is written leaves a row that has an outcome.
        return await asyncio.shield(self._started(self._admitted(live, outbound, send, receive, call)))

    async def _admitted(
        self, live: LiveSession, outbound: Outbound, send: Send, receive: Receive[_T], call: Call
    ) -> asyncio.Task[_T]:
        admitted = await self._admit(live, outbound, call)
        longest_s = self._send_s if outbound.send_s is None else outbound.send_s
        timeout_s = min(longest_s, call.remaining() - _MARGIN_S)
        return self._started(self._deliver(live, admitted, send, receive, timeout_s))

    def _started(self, step: Coroutine[object, object, _S]) -> asyncio.Task[_S]:
        """A task that `drain` waits for."""
        task = asyncio.create_task(step)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def drain(self) -> None:
        """Wait for all sends that are under way, for the end of the process."""
        while self._running:
            await asyncio.wait(set(self._running))

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        # Looked at here, for a caller that went away.
        error = task.exception()
        if error is not None and not isinstance(error, Refusal):
            log().error("exchange_failed", error=error)

    async def _admit(self, live: LiveSession, outbound: Outbound, call: Call) -> Admitted:
        """Check and write the row; return only if the request may be sent now."""
        row_id = uuid.uuid4()
        async with live.lock:
            for _ in range(_RETRIES + 1):
                await self._replay.catch_up(live)
                if live.state.attempts > self._policy.budgets.attempts:
                    # The row of the one before says why; a mind that keeps trying does not fill the ledger.
                    self._metrics.attempt_budgets.inc()
                    raise BudgetExhausted
                if outbound.hold is not None:
                    # As it stands now: another replica may have let it go, and it is let go once.
                    live.holds.get(outbound.hold.row_id).require_approval(self._clock())
                decision = await self._inspector.inspect(live, outbound)
                await reach(Point.AFTER_CHECK)
                left = call.remaining() - _MARGIN_S
                if left <= 0:
                    raise DeadlinePassed
                try:
                    admitted = await self._rows.attempt(live.uuid, row_id, decision, live.folded_n, left)
                except LostRace:
                    self._metrics.lost_races.inc()
                    live.stale = True
                    continue
                except BaseException:
                    # Whether the row is there is not known here.
                    live.stale = True
                    raise
                await self._replay.own(live, admitted, decision)
                self._count(decision)
                await self._keep_reasons(live, admitted.row_id, decision)
                _refuse(decision, admitted)
                return admitted
        raise Conflict

    async def _keep_reasons(self, live: LiveSession, row_id: uuid.UUID, decision: Decision) -> None:
        """Keep why a request did not go as it was. Nothing hangs on it: the verdict stands in the row."""
        if decision.reasons is None:
            return
        try:
            await self._reasons.keep(live.uuid, row_id, decision.reasons)
        except LedgerError as error:
            log().warning("reasons_not_kept", session=live.id, error=error)

    def _count(self, decision: Decision) -> None:
        self._metrics.attempts.labels(decision.outbound.method, decision.verdict).inc()
        for family in sorted({rule.partition(".")[0] for rule in decision.rules}):
            self._metrics.findings.labels(family).inc()

    async def _deliver(
        self, live: LiveSession, admitted: Admitted, send: Send, receive: Receive[_T], timeout_s: float
    ) -> _T:
        """Send the committed bytes and write the outcome."""
        outcome_id = uuid.uuid4()
        prepared = admitted.outbound.prepared
        record = _Record(sent=len(prepared.canonical()))
        try:
            await reach(Point.BEFORE_SEND)
            # The very last look: what goes out is what the row commits to.
            await self._rows.check_committed(admitted, prepared.canonical())
            if timeout_s <= 0:
                raise DeadlinePassed
            record.started = time.monotonic()
            response = await send(prepared, timeout_s)
            await reach(Point.AFTER_SEND)
            record.response = response
            value, received = await receive(admitted, response, outcome_id)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            keys = record.failed(failure) | dict(failure.keys)
            await self._write_outcome(live, admitted, outcome_id, keys, Received({}))
            self._metrics.outcomes.labels(admitted.outbound.method, failure.status).inc()
            log().warning("send_failed", session=live.id, micros=record.micros)
            raise failure.refusal from error
        await reach(Point.BEFORE_OUTCOME)
        keys = record.keys() | {"status": "sent"} | received.keys
        notices = await self._notices(live, admitted, received)
        if notices:
            keys["rules"] = list(notices[:MAX_RULES])
        await self._write_outcome(live, admitted, outcome_id, keys, received)
        self._metrics.outcomes.labels(admitted.outbound.method, "sent").inc()
        await reach(Point.AFTER_OUTCOME)
        return value

    async def _notices(self, live: LiveSession, admitted: Admitted, received: Received) -> tuple[str, ...]:
        """Look up what a page prints. Nothing is stopped: its owner learns that the secret is public there."""
        if admitted.outbound.method is not Method.EXTRACT:
            return ()
        rules: dict[str, None] = {}
        for seen in received.seen:
            rules.update(dict.fromkeys(await self._inspector.notices(live.pack, seen.text)))
        if rules:
            self._metrics.findings.labels("public").inc()
            log().info("secret_on_page", session=live.id, rules=len(rules))
        return tuple(rules)

    async def _write_outcome(
        self,
        live: LiveSession,
        admitted: Admitted,
        outcome_id: uuid.UUID,
        keys: dict[str, BodyValue],
        received: Received,
    ) -> None:
        # Under the lock, so that no check of this replica loses the race against its own outcomes.
        async with live.lock:
            n = await self._rows.outcome(live.uuid, outcome_id, admitted.row_id, keys, received.payload)
            await self._replay.own_outcome(live, n, str(admitted.row_id), keys, received.seen)


@dataclass(slots=True)
class _Record:
    """What the outcome row says of a send. Sizes in bytes; started: of the monotonic clock, in seconds."""

    sent: int
    started: float | None = None
    response: RawResponse | None = None

    @property
    def micros(self) -> int:
        """Microseconds since the send began; 0 if it did not."""
        return 0 if self.started is None else int((time.monotonic() - self.started) * 1_000_000)

    def keys(self) -> dict[str, BodyValue]:
        """Return the keys that every outcome has."""
        keys: dict[str, BodyValue] = {"sent": self.sent, "received": 0, "micros": self.micros}
        if self.response is not None:
            wire = self.response.wire
            received = len(self.response.body) if wire is None else wire
            keys |= {"received": received, "http": self.response.status}
        return keys

    def failed(self, failure: Failure) -> dict[str, BodyValue]:
        """Return the keys of a failure."""
        keys = self.keys() | {"status": failure.status, "error": failure.word}
        if failure.unsent or self.started is None:
            keys["sent"] = 0
        return keys


def _refuse(decision: Decision, admitted: Admitted) -> None:
    """Raise what the caller gets where a request may not be sent."""
    if decision.verdict is Verdict.ASK:
        raise Held(admitted.row_id)
    if decision.verdict is Verdict.BLOCK:
        if decision.rules[0].startswith("budget."):
            raise BudgetExhausted
        raise Blocked
