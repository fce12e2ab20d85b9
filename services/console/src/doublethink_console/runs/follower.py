"""Keeps copies of a session's ledger rows while it goes on, and the text of what was allowed to leave."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import aclosing
from typing import Any, Final, cast
from urllib.parse import parse_qsl

from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink_rpc import RpcError, log
from psycopg import Error
from psycopg_pool import PoolClosed

from doublethink_console.peers import Peers
from doublethink_console.store.ledger_rows import LedgerRows

from .hub import Hub

_SENT: Final = frozenset({"allow", "rewrite"})
_RETRY_S: Final = 0.5
_MOST_TEXT: Final = 8192
_FORM: Final = "content-type: application/x-www-form-urlencoded"


class Follower:
    """Follows one session in a task of its own, from the last row that is kept."""

    def __init__(self, peers: Peers, rows: LedgerRows, hub: Hub) -> None:
        self._peers, self._rows, self._hub = peers, rows, hub

    async def follow(self, run: uuid.UUID, session_id: str, capability: bytes) -> None:
        """Return when the session's closing row is kept. Tries again while gate or database do not answer.

        Raises PoolClosed when this console ends: one that waits for a connection then can miss that it was cancelled.
        """
        while True:
            try:
                if await self._once(run, session_id, capability):
                    return
            except PoolClosed:
                raise
            except (RpcError, Error) as error:
                log().warning("ledger_not_followed", session=session_id, error=error)
            await asyncio.sleep(_RETRY_S)

    async def _once(self, run: uuid.UUID, session_id: str, capability: bytes) -> bool:
        after = await self._rows.last_n(session_id)
        stream = self._peers.rows(capability, after, follow=True)
        async with aclosing(cast("Any", stream)) as responses:
            async for response in responses:
                body = json.loads(response.row.body)
                payload = await self._text(capability, response.row, body)
                await self._rows.add(run, session_id, response.row, payload)
                self._hub.news()
                if body.get("kind") == "session.close":
                    return True
        return False

    async def _text(self, capability: bytes, row: ledger.Row, body: dict[str, Any]) -> str | None:
        if body.get("kind") != "attempt" or body.get("verdict") not in _SENT:
            return None
        try:
            return readable(await self._peers.payload(capability, row.id))
        except RpcError as error:
            # The row is shown all the same; its text can be had from the gate later.
            log().warning("payload_not_opened", error=error)
            return None


def readable(payload: bytes) -> str:
    """What a person wants to see of a request: the query or the addresses, what a model was asked, else its
    beginning.
    """
    text = payload.decode("utf-8", errors="replace")
    head, _, form = text.partition("\n\n")
    method, _, address = head.partition("\n")[0].partition(" ")
    if method == "GET":
        return address[:_MOST_TEXT]
    if _FORM in head.split("\n"):
        return " ".join(value for name, value in parse_qsl(form) if name == "q")[:_MOST_TEXT]
    start = text.find("{")
    if start >= 0:
        try:
            fields, _ = json.JSONDecoder().raw_decode(text[start:])
        except ValueError:
            fields = {}
        if isinstance(fields, dict):
            if isinstance(fields.get("query"), str):
                return cast("str", fields["query"])[:_MOST_TEXT]
            if isinstance(fields.get("urls"), list):
                return " ".join(str(url) for url in fields["urls"])[:_MOST_TEXT]
            if isinstance(fields.get("messages"), list):
                return _completion(fields)[:_MOST_TEXT]
    return text[:_MOST_TEXT]


def _completion(fields: dict[str, Any]) -> str:
    """The query and the number of pages; the pages themselves were rows of their own."""
    blocks = [block for message in fields["messages"] for block in message["content"]]
    pages = (len(blocks) - 1) // 2
    return f"{blocks[0]['text']} · {pages} {'page' if pages == 1 else 'pages'} to {fields['model']}"
