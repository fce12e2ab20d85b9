"""Reads the log from the gate in bounded pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from doublethink.gate.v1 import log_pb2

from doublethink_console.peers import Peers

from .entries import Entry, entry_of
from .filters import Filter

MAX_SCANNED: Final = 5000
"""Rows that are looked at for one answer, at most."""

MAX_OF_SESSION: Final = 20_000
_PIECE: Final = 1000


@dataclass(frozen=True, slots=True)
class Piece:
    """rows: those that were wanted. next: the seq to go on from. end: there were no more when it was read."""

    rows: Sequence[Entry]
    next: int
    end: bool


class Log:
    """The gate's log. Every method raises RpcError."""

    def __init__(self, peers: Peers) -> None:
        self._peers = peers

    async def piece(self, first: int, limit: int, wanted: Filter) -> Piece:
        """Up to `limit` wanted rows from the seq `first` on, out of at most `MAX_SCANNED`."""
        found: list[Entry] = []
        scanned, after = 0, first - 1
        while scanned < MAX_SCANNED:
            ask = min(_PIECE, limit - len(found) if wanted == Filter() else _PIECE)
            entries = await self._ask(after, ask, since_us=wanted.since_us or 0)
            for entry in entries:
                if wanted.is_past(entry):
                    return Piece(found, after + 1, end=True)
                after = entry.seq
                if wanted.matches(entry):
                    found.append(entry)
                    if len(found) == limit:
                        return Piece(found, after + 1, end=False)
            scanned += len(entries)
            if len(entries) < ask:
                return Piece(found, after + 1, end=True)
        return Piece(found, after + 1, end=False)

    async def of_session(self, session_id: str) -> list[Entry]:
        """All rows of a session and those of others that name it, in order; at most `MAX_OF_SESSION`."""
        found: list[Entry] = []
        while len(found) < MAX_OF_SESSION:
            entries = await self._ask(found[-1].seq if found else -1, _PIECE, session_id=session_id)
            found += entries
            if len(entries) < _PIECE:
                break
        return found

    async def end(self) -> int:
        """The seq that the next row will have."""
        request = log_pb2.ListLogRequest(after_seq=-1, newest=True)
        newest = [response.row.row.seq async for response in self._peers.log(request)]
        return newest[0] + 1 if newest else 0

    async def _ask(self, after: int, limit: int, *, since_us: int = 0, session_id: str = "") -> list[Entry]:
        request = log_pb2.ListLogRequest(
            after_seq=after, limit=limit, since_us=since_us, session_id=session_id
        )
        return [entry_of(response.row) async for response in self._peers.log(request)]
