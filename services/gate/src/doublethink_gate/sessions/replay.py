"""Brings a session's check state up to the ledger: any replica can take any session over."""

from __future__ import annotations

import uuid

from doublethink_ledger import BodyValue, Kind, Row, Verdict, decode_body

from doublethink_gate import ledger
from doublethink_gate.egress.inspection import Inspector
from doublethink_gate.egress.outbound import Admitted, Decision
from doublethink_gate.errors import LedgerUnavailable, SessionClosed
from doublethink_gate.ledger.reader import MAX_ROWS
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.material import MaterialStore

_SENT = (Verdict.ALLOW, Verdict.REWRITE)


class Replay:
    """Folds rows into a live session, in order. Every method may raise LedgerUnavailable."""

    def __init__(self, reader: ledger.LedgerReader, material: MaterialStore, inspector: Inspector) -> None:
        self._reader = reader
        self._material = material
        self._inspector = inspector

    async def catch_up(self, live: LiveSession) -> None:
        """Fold every row that is not folded yet, if there may be any. Raises SessionClosed if one closed it.

        The caller holds the session's lock.
        """
        while live.stale:
            try:
                rows = await self._reader.session_rows(live.uuid, live.folded_n)
            except ledger.LedgerUnavailable as error:
                raise LedgerUnavailable from error
            for row in rows:
                await self._fold(live, row)
                live.folded_n = row.n
            if len(rows) < MAX_ROWS:
                live.stale = False

    async def own(self, live: LiveSession, admitted: Admitted, decision: Decision) -> None:
        """Fold a row that this replica has just written, without reading it back if it is the next one."""
        if admitted.n != live.folded_n + 1:
            live.stale = True
            return
        live.attempts += 1
        if decision.verdict in _SENT:
            payload = decision.outbound.prepared.canonical()
            note_sent(live, decision.outbound.method, len(payload))
            await self._inspector.sent(live, decision.outbound.method, payload)
        live.folded_n = admitted.n

    async def _fold(self, live: LiveSession, row: Row) -> None:
        if row.body is None:
            raise AssertionError("rows are read with their bodies")
        body = decode_body(row.body)
        kind = body["kind"]
        if kind == Kind.SESSION_CLOSE:
            raise SessionClosed
        if kind == Kind.HELD:
            live.attempts += 1
        elif kind == Kind.ATTEMPT:
            live.attempts += 1
            if body["verdict"] in _SENT:
                try:
                    payload = (await self._reader.open_payload(row)).payload
                except ledger.LedgerError as error:
                    # Without the payload the state would be blind to what left: no further request may pass.
                    raise LedgerUnavailable from error
                note_sent(live, str(body["method"]), len(payload))
                await self._inspector.sent(live, str(body["method"]), payload)
        elif kind == Kind.OUTCOME and "response" in body:
            await self._seen(live, body)

    async def _seen(self, live: LiveSession, body: dict[str, BodyValue]) -> None:
        if "page" in body:
            page = await self._material.page(live.id, str(body["page"]))
            await self._inspector.seen(live, page.url, page.text.decode())
            return
        for result in await self._material.results_of_row(live.id, uuid.UUID(str(body["of"]))):
            await self._inspector.seen(live, result.url, f"{result.title}\n{result.snippet}")


def note_sent(live: LiveSession, method: str, size: int) -> None:
    """Count a request that was allowed."""
    live.sent[method] += 1
    live.sent_bytes += size
