"""LedgerService: what left and what was let in, for the owner of the session, also after it has ended."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from doublethink.gate.v1 import ledger_pb2
from doublethink_ledger import Kind, Verdict
from doublethink_rpc import Call

from doublethink_gate import ledger
from doublethink_gate.errors import IdRefused, LedgerUnavailable, Overloaded
from doublethink_gate.ids import IdType, to_uuid
from doublethink_gate.ledger.reader import MAX_ROWS
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise
from doublethink_gate.services.messages import body_if_right, body_of, explanation, row_message

_SENT = (Verdict.ALLOW, Verdict.REWRITE)
_TRIED = (Kind.ATTEMPT, Kind.HELD)


class LedgerService:
    """The handler of `doublethink.gate.v1.LedgerService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._followers = 0

    async def ListRows(
        self, request: ledger_pb2.ListRowsRequest, call: Call
    ) -> AsyncIterator[ledger_pb2.ListRowsResponse]:
        """Stream the session's rows; with `follow`, until it is closed or the deadline is near.

        Raises CapabilityRefused, LedgerUnavailable; Overloaded where too many follow already.
        """
        grant = await authorise(self._runtime.store, call, self._runtime.clock(), closed_too=True)
        session = to_uuid(IdType.SESSION, grant.session.id)
        if not request.follow:
            async for row in self._rows(session, request.after_n, call, follow=False):
                yield ledger_pb2.ListRowsResponse(row=row)
            return
        # A follower holds one of the server's calls for as long as it looks on.
        if self._followers >= self._runtime.limits.followers:
            raise Overloaded
        self._followers += 1
        try:
            # Closed at once where the caller goes: nobody is woken for one that has gone.
            async with aclosing(self._rows(session, request.after_n, call, follow=True)) as rows:
                async for row in rows:
                    yield ledger_pb2.ListRowsResponse(row=row)
        finally:
            self._followers -= 1

    async def _rows(
        self, session: uuid.UUID, after_n: int, call: Call, *, follow: bool
    ) -> AsyncGenerator[ledger_pb2.Row, None]:
        pause_s = self._runtime.limits.ledger_poll_s
        with self._runtime.rows.followers.following(session) as follower:
            while True:
                follower.look()
                try:
                    rows = await self._runtime.reader.session_rows(session, after_n)
                except ledger.LedgerError as error:
                    raise LedgerUnavailable from error
                for row in rows:
                    after_n = row.n
                    yield row_message(row)
                    if body_if_right(row).get("kind") == Kind.SESSION_CLOSE:
                        return
                if len(rows) == MAX_ROWS:
                    continue
                if not follow or call.remaining() <= 2 * pause_s:
                    return
                await follower.wait(pause_s)

    async def OpenPayload(
        self, request: ledger_pb2.OpenPayloadRequest, call: Call
    ) -> ledger_pb2.OpenPayloadResponse:
        """Return the bytes of an attempt of this session that was allowed to leave.

        Raises IdRefused for every other row and for an erased payload; CapabilityRefused, LedgerUnavailable.
        """
        runtime = self._runtime
        grant = await authorise(runtime.store, call, runtime.clock(), closed_too=True)
        try:
            row = await runtime.reader.row(uuid.UUID(bytes=request.row_id))
            if row is None or row.session != to_uuid(IdType.SESSION, grant.session.id).bytes:
                raise IdRefused
            if body_of(row)["kind"] != Kind.ATTEMPT or body_of(row)["verdict"] not in _SENT:
                raise IdRefused
            opened = await runtime.reader.open_payload(row)
        except ledger.PayloadErased as error:
            raise IdRefused from error
        except ledger.LedgerError as error:
            raise LedgerUnavailable from error
        return ledger_pb2.OpenPayloadResponse(payload=opened.payload)

    async def ExplainAttempt(
        self, request: ledger_pb2.ExplainAttemptRequest, call: Call
    ) -> ledger_pb2.ExplainAttemptResponse:
        """Return why an attempt of this session did not go as it was.

        Raises IdRefused for every other row; CapabilityRefused, LedgerUnavailable.
        """
        runtime = self._runtime
        grant = await authorise(runtime.store, call, runtime.clock(), closed_too=True)
        session = to_uuid(IdType.SESSION, grant.session.id)
        try:
            row = await runtime.reader.row(uuid.UUID(bytes=request.row_id))
            if row is None or row.session != session.bytes or body_of(row)["kind"] not in _TRIED:
                raise IdRefused
            reasons = await runtime.reasons.of(session, uuid.UUID(bytes=row.id))
            if reasons is None:
                return ledger_pb2.ExplainAttemptResponse(kept=False)
            sent = await self._sent_before(session, row.n) if any(r.calls for r in reasons.reasons) else []
        except ledger.PayloadErased:
            return ledger_pb2.ExplainAttemptResponse(kept=False)
        except ledger.LedgerError as error:
            raise LedgerUnavailable from error
        return explanation(reasons, sent)

    async def _sent_before(self, session: uuid.UUID, before_n: int) -> list[int]:
        """The n of the attempts that were let go before a row, in order: what the check state counts as calls."""
        found: list[int] = []
        after_n = -1
        while True:
            rows = await self._runtime.reader.session_rows(session, after_n)
            for row in rows:
                if row.n >= before_n:
                    return found
                after_n, body = row.n, body_of(row)
                if body["kind"] == Kind.ATTEMPT and body["verdict"] in _SENT:
                    found.append(row.n)
            if len(rows) < MAX_ROWS:
                return found
