"""Brings a session's check state up to the ledger: any replica can take any session over."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from doublethink_ledger import BodyValue, Kind, Row, Verdict, decode_body

from doublethink_gate import ledger
from doublethink_gate.checks import SessionState
from doublethink_gate.egress.inspection import Inspector
from doublethink_gate.egress.outbound import Admitted, Decision, Method, Seen
from doublethink_gate.egress.payloads import body_of, estimate_of
from doublethink_gate.errors import LedgerUnavailable, SessionClosed
from doublethink_gate.ledger.reader import MAX_ROWS
from doublethink_gate.policy import Prices
from doublethink_gate.sessions.live import LiveSession
from doublethink_gate.sessions.material import MaterialStore, Page, Result

_SENT = (Verdict.ALLOW, Verdict.REWRITE)
TOKEN_KEYS = ("input_tokens", "output_tokens", "cache_write_tokens", "cache_read_tokens")
"""The keys of an outcome row that together are what an answer cost in tokens."""


class Replay:
    """Folds rows into a live session, in order; the caller holds the session's lock.

    Every method may raise LedgerUnavailable.
    """

    def __init__(
        self, reader: ledger.LedgerReader, material: MaterialStore, inspector: Inspector, prices: Prices
    ) -> None:
        self._reader = reader
        self._material = material
        self._inspector = inspector
        self._prices = prices

    async def catch_up(self, live: LiveSession) -> None:
        """Fold every row that is not folded yet, if there may be any. Raises SessionClosed."""
        while live.stale:
            try:
                rows = await self._reader.session_rows(live.uuid, live.folded_n)
            except ledger.LedgerUnavailable as error:
                raise LedgerUnavailable from error
            for row in rows:
                state = await self._folded(live, row)
                # Both at once: a call that is cancelled in between leaves what was there before.
                live.state, live.folded_n = state, row.n
                live.holds.fold(uuid.UUID(bytes=row.id), row.n, row.at_us, _body(row))
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
            state = self._reserved(state, admitted.row_id, decision.outbound.method, payload)
        live.state, live.folded_n = state, admitted.n
        live.holds.fold(admitted.row_id, admitted.n, admitted.at_us, decode_body(admitted.row.body))

    async def own_outcome(
        self, live: LiveSession, n: int, of: str, keys: Mapping[str, BodyValue], seen: Sequence[Seen]
    ) -> None:
        """Fold an outcome that this replica has just written, if it is the next row.

        of: the id of the attempt's row. keys: of the outcome's body.
        """
        if n != live.folded_n + 1:
            live.stale = True
            return
        live.state, live.folded_n = _settled(await self._after(live, seen), of, keys), n

    async def _folded(self, live: LiveSession, row: Row) -> SessionState:
        body = _body(row)
        kind = body["kind"]
        if kind == Kind.SESSION_CLOSE:
            raise SessionClosed
        if kind == Kind.HELD:
            return live.state.attempted()
        if kind == Kind.ATTEMPT:
            return await self._attempted(live, row, body)
        if kind == Kind.OUTCOME:
            state = await self._seen(live, body) if "response" in body else live.state
            return _settled(state, str(body["of"]), body)
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
        state = await self._inspector.sent(state, live.pack, str(body["method"]), payload)
        return self._reserved(state, uuid.UUID(bytes=row.id), str(body["method"]), payload)

    async def _seen(self, live: LiveSession, body: dict[str, BodyValue]) -> SessionState:
        if "page" in body:
            page = await self._material.page(live.id, str(body["page"]))
            return await self._after(live, seen_page(page))
        results = await self._material.results_of_row(live.id, uuid.UUID(str(body["of"])))
        return await self._after(live, seen_results(results))

    def _reserved(self, state: SessionState, row: uuid.UUID, method: str, payload: bytes) -> SessionState:
        if method != Method.COMPLETE:
            return state
        estimate = estimate_of(body_of(payload))
        # A row of a model that has no price any more was written under another policy: its outcome has its cost.
        return state.reserve(str(row), estimate.tokens, estimate.cost_micros(self._prices) or 0)

    async def _after(self, live: LiveSession, seen: Sequence[Seen]) -> SessionState:
        state = live.state
        for one in seen:
            state = await self._inspector.seen(state, live.pack, one.url, one.text)
        return state


def _body(row: Row) -> dict[str, BodyValue]:
    if row.body is None:
        raise AssertionError("rows are read with their bodies")
    return decode_body(row.body)


def _settled(state: SessionState, of: str, body: Mapping[str, BodyValue]) -> SessionState:
    """Count what an answer says that it cost. One that was never asked for, or that the vendor refused with a
    status, cost nothing; of one that was lost nobody knows, and it stays set down.
    """
    if "input_tokens" in body:
        cost = body.get("cost_micros")
        tokens = sum(_number(body.get(key, 0)) for key in TOKEN_KEYS)
        return state.settle(of, tokens, cost if isinstance(cost, int) else None)
    refused = "http" in body and body["http"] != 200
    return state.settle(of, 0, 0) if refused or body["sent"] == 0 else state


def _number(value: BodyValue) -> int:
    return value if isinstance(value, int) else 0


def seen_results(results: Sequence[Result]) -> tuple[Seen, ...]:
    """Return the public text of a search's answer: titles and snippets, those of one host together."""
    texts: dict[str, list[str]] = {}
    for result in results:
        host = urlsplit(result.url).hostname or ""
        texts.setdefault(f"https://{host}/", []).append(f"{result.title}\n{result.snippet}")
    return tuple(Seen(url, "\n".join(parts)) for url, parts in texts.items())


def seen_page(page: Page) -> tuple[Seen, ...]:
    """Return the public text of a page."""
    return (Seen(page.url, page.text.decode()),)
