"""ApprovalService: the searches that wait for a person, and what the person decides."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from doublethink.gate.v1 import approval_pb2
from doublethink_ledger import BodyValue, Kind
from doublethink_rpc import Call, log

from doublethink_gate import ledger
from doublethink_gate.egress.outbound import Method
from doublethink_gate.egress.payloads import search_text
from doublethink_gate.errors import IdRefused, LedgerUnavailable
from doublethink_gate.ids import IdType, from_bytes, to_uuid
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise
from doublethink_gate.sessions.holds import LET_GO_S, Hold
from doublethink_gate.sessions.live import LiveSession

MOST: Final = 8
"""Holds that are listed at a time; the next ones come when these are decided."""

_WORDS: Final = {approval_pb2.APPROVAL_APPROVE: "approve", approval_pb2.APPROVAL_REJECT: "reject"}


class ApprovalService:
    """The handler of `doublethink.gate.v1.ApprovalService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def ListHolds(self, _: approval_pb2.ListHoldsRequest, call: Call) -> approval_pb2.ListHoldsResponse:
        """Return the searches of the session that may be decided about, with their words.

        Raises CapabilityRefused, SessionClosed, LedgerUnavailable.
        """
        live, now_us = await self._session(call)
        open_ones = [hold for hold in live.holds if self._waits(hold, now_us) or hold.is_approved(now_us)]
        holds = [await self._shown(hold, now_us) for hold in open_ones[:MOST]]
        return approval_pb2.ListHoldsResponse(holds=[hold for hold in holds if hold is not None])

    async def Decide(self, request: approval_pb2.DecideRequest, call: Call) -> approval_pb2.DecideResponse:
        """Write down what a person decided.

        Raises IdRefused for a hold that cannot be decided (any more), or where the person was shown another one;
        CapabilityRefused, SessionClosed, LedgerUnavailable.
        """
        live, now_us = await self._session(call)
        hold = live.holds.get(to_uuid(IdType.HELD, request.hold_id))
        word = _WORDS[request.approval]
        # A rejection still counts after an approval, until the search is let go.
        if not self._waits(hold, now_us) and not (word == "reject" and hold.is_approved(now_us)):
            raise IdRefused
        if not hmac.compare_digest(hold.commitment, request.commitment):
            raise IdRefused
        keys: dict[str, BodyValue] = {
            "of": str(hold.row_id),
            "verdict": word,
            "approver": hashlib.sha256(b"approver:" + request.approver.encode()).hexdigest(),
        }
        if word == "approve":
            keys["expires_us"] = now_us + LET_GO_S * 1_000_000
        await self._runtime.rows.write(live.uuid, Kind.APPROVAL, keys, deadline_s=call.remaining())
        live.stale = True
        self._runtime.metrics.approvals.labels(word).inc()
        log().info("hold_decided", session=live.id, approved=word == "approve")
        return approval_pb2.DecideResponse()

    async def _session(self, call: Call) -> tuple[LiveSession, int]:
        """The caller's session with every row that is there by now."""
        runtime = self._runtime
        now_us = runtime.clock()
        grant = await authorise(runtime.store, call, now_us)
        live = await runtime.registry.live(grant.session, now_us)
        await follow_up(runtime, live)
        return live, now_us

    def _waits(self, hold: Hold, now_us: int) -> bool:
        return hold.method == Method.SEARCH and hold.is_waiting(now_us, self._runtime.policy.approval.seconds)

    async def _shown(self, hold: Hold, now_us: int) -> approval_pb2.Hold | None:
        """A hold as a person sees it; None where its payload was erased, so that nobody can see what it is."""
        try:
            payload = await held_payload(self._runtime, hold)
        except IdRefused:
            return None
        return approval_pb2.Hold(
            hold_id=from_bytes(IdType.HELD, hold.row_id.bytes),
            n=hold.n,
            expires_us=hold.expires_us(self._runtime.policy.approval.seconds),
            commitment=hold.commitment,
            query=search_text(payload),
            rules=sorted(hold.rules),
            approved=hold.is_approved(now_us),
        )


async def follow_up(runtime: Runtime, live: LiveSession) -> None:
    """Take in the rows that other replicas wrote meanwhile. Raises SessionClosed, LedgerUnavailable."""
    async with live.lock:
        live.stale = True
        await runtime.replay.catch_up(live)


async def held_payload(runtime: Runtime, hold: Hold) -> bytes:
    """Return the exact bytes that a hold keeps back. Raises IdRefused where they were erased; LedgerUnavailable."""
    try:
        row = await runtime.reader.row(hold.row_id)
        if row is None:
            raise IdRefused
        return (await runtime.reader.open_payload(row)).payload
    except ledger.PayloadErased as error:
        raise IdRefused from error
    except ledger.LedgerError as error:
        raise LedgerUnavailable from error
