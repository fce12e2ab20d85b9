"""What was erased at the gate is erased here: the log is read for redactions, and the texts copied from there go."""

from __future__ import annotations

import asyncio
from typing import Final

from doublethink_rpc import RpcError, log
from psycopg import Error

from doublethink_console.log.filters import Filter
from doublethink_console.log.reading import Log
from doublethink_console.store.ledger_rows import LedgerRows

_EVERY_S: Final = 30.0
_PIECE: Final = 500
_REDACTIONS: Final = Filter(kind="redaction")


class Forgetting:
    """Follows the log of all sessions from where the last process stopped."""

    def __init__(self, log_: Log, rows: LedgerRows) -> None:
        self._log, self._rows = log_, rows

    async def keep_forgetting(self) -> None:
        """Run until cancelled. While gate or database do not answer, or the gate does not grant it, it tries again."""
        while True:
            try:
                await self.catch_up()
            except (RpcError, Error) as error:
                log().warning("erasures_not_followed", error=error)
            await asyncio.sleep(_EVERY_S)

    async def catch_up(self) -> int:
        """Read the log to its end; return how many texts went. Raises RpcError, psycopg.Error."""
        gone, first = 0, await self._rows.read_to()
        if first > await self._log.end():
            # An older database of the gate's was put back, and the log goes on from there: with rows under numbers that
            # were read already.
            log().warning("log_set_back", read_to=first)
            first = 0
        while True:
            piece = await self._log.piece(first, _PIECE, _REDACTIONS)
            gone += await self._rows.forget([entry.of for entry in piece.rows if entry.of], piece.next)
            if piece.end:
                break
            first = piece.next
        if gone:
            log().info("texts_forgotten", rows=gone)
        return gone
