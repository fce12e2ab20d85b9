"""Brings a session's check state up to the ledger: any replica can take any session over."""

from __future__ import annotations

import uuid

from doublethink_ledger import BodyValue, Kind, Row, Verdict, decode_body

from doublethink_gate import ledger
from doublethink_gate.checks import SessionState
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
                state = await self._folded(live, row)
                # Both at once: a call that is cancelled in between leaves what was there before.
                live.state, live.folded_n = state, row.n
            if len(rows) < MAX_ROWS:
                live.stale = False

    async def own(self, live: LiveSession, admitted: Admitted, decision: Decision) -> None:
        """Fold a row that this replica has just written, without reading it back if it is the next one."""
        if admitted.n != live.folded_n + 1:
            live.stale = True
            return
        state = live.state.attempted()
        if decision.verdict in _SENT:
            payload = decision.outbound.prepared.canonical()
            state = await self._inspector.sent(state, live.pack, decision.outbound.method, payload)
        live.state, live.folded_n = state, admitted.n

    async def _folded(self, live: LiveSession, row: Row) -> SessionState:
        if row.body is None:
            raise AssertionError("rows are read with their bodies")
        body = decode_body(row.body)
        kind = body["kind"]
        if kind == Kind.SESSION_CLOSE:
            raise SessionClosed
        if kind == Kind.HELD:
            return live.state.attempted()
        if kind == Kind.ATTEMPT:
            return await self._attempted(live, row, body)
        if kind == Kind.OUTCOME and "response" in body:
            return await self._seen(live, body)
        return live.state

    async def _attempted(self, live: LiveSession, row: Row, body: dict[str, BodyValue]) -> SessionState:
        state = live.state.attempted()
        if body["verdict"] not in _SENT:
            return state
        try:
            payload = (await self._reader.open_payload(row)).payload
        except ledger.LedgerError as error:
            # Without the payload the state would be blind to what left: no further request may pass.
            raise LedgerUnavailable from error
        return await self._inspector.sent(state, live.pack, str(body["method"]), payload)

    async def _seen(self, live: LiveSession, body: dict[str, BodyValue]) -> SessionState:
        if "page" in body:
            page = await self._material.page(live.id, str(body["page"]))
            return await self._inspector.seen(live.state, live.pack, page.url, page.text.decode())
        state = live.state
        for result in await self._material.results_of_row(live.id, uuid.UUID(str(body["of"]))):
            text = f"{result.title}\n{result.snippet}"
            state = await self._inspector.seen(state, live.pack, result.url, text)
        return state
