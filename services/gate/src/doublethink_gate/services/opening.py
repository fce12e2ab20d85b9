"""OpeningService: payloads and nonces for an export, where the policy grants it; each opening is a row first."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from typing import Final

from doublethink.gate.v1 import opening_pb2
from doublethink_ledger import Kind, Row, Verdict
from doublethink_rpc import Call, log

from doublethink_gate import ledger
from doublethink_gate.errors import LedgerUnavailable, NotGranted
from doublethink_gate.ids import IdType, to_uuid
from doublethink_gate.ledger.reader import MAX_ROWS
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise
from doublethink_gate.services.messages import body_if_right

AT_ONCE: Final = 100
"""Rows that one call opens, at most; fewer than a maintenance session takes."""

_LEFT: Final = (Verdict.ALLOW, Verdict.REWRITE)


class OpeningService:
    """The handler of `doublethink.gate.v1.OpeningService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def OpenPayloads(
        self, request: opening_pb2.OpenPayloadsRequest, call: Call
    ) -> AsyncIterator[opening_pb2.OpenPayloadsResponse]:
        """Stream up to `AT_ONCE` opened payloads of the session behind `after_n`, then end.

        Raises NotGranted where the policy does not grant it, CapabilityRefused, LedgerUnavailable.
        """
        runtime = self._runtime
        if not runtime.policy.grants.open_payloads:
            raise NotGranted
        grant = await authorise(runtime.store, call, runtime.clock(), closed_too=True)
        session = to_uuid(IdType.SESSION, grant.session.id)
        try:
            rows = await self._openable(session, request.after_n)
            there = await runtime.reader.present([uuid.UUID(bytes=row.id) for row in rows])
            opening = [row for row in rows if uuid.UUID(bytes=row.id) in there]
            if opening:
                await runtime.openings.record(opening)
                log().info("payloads_opened", session=grant.session.id, rows=len(opening))
        except ledger.LedgerError as error:
            raise LedgerUnavailable from error
        recorded = {row.id for row in opening}
        for row in rows:
            yield await self._opened(row) if row.id in recorded else _erased(row)

    async def _openable(self, session: uuid.UUID, after_n: int) -> list[Row]:
        """The next rows that commit to what left or was let in: none only where there are no more."""
        found: list[Row] = []
        while len(found) < AT_ONCE:
            rows = await self._runtime.reader.session_rows(session, after_n)
            found += [row for row in rows if is_openable(body_if_right(row))]
            if len(rows) < MAX_ROWS:
                break
            after_n = rows[-1].n
        return found[:AT_ONCE]

    async def _opened(self, row: Row) -> opening_pb2.OpenPayloadsResponse:
        try:
            opened = await self._runtime.reader.open_payload(row)
        except ledger.PayloadErased:
            # Between the opening's row and here: the row says more than happened, and nothing less.
            return _erased(row)
        except ledger.LedgerError as error:
            raise LedgerUnavailable from error
        return opening_pb2.OpenPayloadsResponse(
            n=row.n, row_id=row.id, nonce=opened.nonce, payload=opened.payload
        )


def is_openable(body: Mapping[str, object]) -> bool:
    """Whether a row's payload left or was let in. What was stopped may hold the very secret."""
    if "commit" not in body:
        return False
    return body["kind"] in (Kind.OUTCOME, Kind.FACT) or (
        body["kind"] == Kind.ATTEMPT and body["verdict"] in _LEFT
    )


def _erased(row: Row) -> opening_pb2.OpenPayloadsResponse:
    return opening_pb2.OpenPayloadsResponse(n=row.n, row_id=row.id, erased=True)
