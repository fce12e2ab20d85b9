"""Proves that a session's rows are in the signed log: reads leaf hashes and checkpoints, signs and verifies nothing.

A proof is made of the roots over a few large ranges of the log. Rows never change, so the roots over whole tiles of
`TILE` rows are kept, 32 bytes each: the first proof of a process reads every row's hash once, a later one reads those
that came since and at most `TILE` for each range. Should somebody change the table all the same, the kept roots and the
rows disagree, and no bundle made of them verifies.
"""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from typing import Final, LiteralString

import psycopg
from doublethink_ledger import Checkpoint, NoteError, parse_note, range_root, tiled_root
from doublethink_ledger.merkle import consistency_ranges, inclusion_ranges
from psycopg_pool import PoolTimeout

from doublethink_gate.ledger.errors import LedgerUnavailable, RowsMissing
from doublethink_gate.ledger.session_keys import Pool

TILE: Final = 1024
_TILES_AT_ONCE: Final = 16

# After a recovery there is a new origin; the newest row of the table is the head, whatever its size.
_HEAD: Final = "SELECT note FROM ledger.checkpoint ORDER BY at_us DESC LIMIT 1"
_LAST: Final = "SELECT n, seq FROM ledger.entry WHERE session = %s AND seq < %s ORDER BY n DESC LIMIT 1"
_NEWEST: Final = "SELECT coalesce(max(n), -1) FROM ledger.entry WHERE session = %s"
_LEAVES: Final = "SELECT hash FROM ledger.entry WHERE seq >= %s AND seq < %s ORDER BY seq"


@dataclass(frozen=True, slots=True)
class SessionProof:
    """The last row below the newest checkpoint: its n, its place in the log, and the proofs."""

    last_n: int
    index: int
    checkpoint: bytes
    path: tuple[bytes, ...]
    consistency: tuple[bytes, ...]


class Prover:
    """Makes proofs over the gate's tables. One a process: it keeps what it has hashed."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._tiles: list[bytes] = []
        self._filling = asyncio.Lock()

    async def newest_n(self, session: uuid.UUID) -> int:
        """Return the n of a session's newest row, or -1. Raises LedgerUnavailable."""
        rows = await self._read(_NEWEST, (session,))
        return int(str(rows[0][0]))

    async def head(self) -> tuple[Checkpoint, bytes] | None:
        """Return the newest checkpoint and its note, or None where nothing was sealed yet.

        Raises LedgerUnavailable, also where what is stored is no checkpoint.
        """
        rows = await self._read(_HEAD, ())
        if not rows:
            return None
        note = rows[0][0]
        try:
            if not isinstance(note, bytes):
                raise NoteError("not bytes")
            return Checkpoint.parse(parse_note(note).text), note
        except NoteError as error:
            raise LedgerUnavailable("the newest checkpoint cannot be read") from error

    async def prove(
        self, session: uuid.UUID, head: Checkpoint, note: bytes, since_size: int
    ) -> SessionProof | None:
        """Return the proof under a checkpoint; None where it covers no row of the session.

        since_size: at most the checkpoint's; 0 leaves the consistency proof out. Raises RowsMissing,
        LedgerUnavailable.
        """
        rows = await self._read(_LAST, (session, head.size))
        if not rows:
            return None
        n, index = (int(str(column)) for column in rows[0])
        path = [await self._root(*part) for part in inclusion_ranges(index, head.size)]
        consistency = []
        if since_size:
            consistency = [await self._root(*part) for part in consistency_ranges(since_size, head.size)]
        return SessionProof(n, index, note, tuple(path), tuple(consistency))

    async def _root(self, start: int, end: int) -> bytes:
        """The root over the rows start..end-1."""
        if end - start < TILE:
            return range_root(await self._leaves(start, end))
        # So large a range begins at a multiple of a power of two that is no smaller than a tile.
        last = end // TILE
        await self._fill(last)
        rest = await self._leaves(last * TILE, end)
        return await asyncio.to_thread(tiled_root, self._tiles[start // TILE : last], rest)

    async def _fill(self, tiles: int) -> None:
        """Hash whole tiles until there are so many."""
        async with self._filling:
            while len(self._tiles) < tiles:
                first = len(self._tiles)
                count = min(_TILES_AT_ONCE, tiles - first)
                leaves = await self._leaves(first * TILE, (first + count) * TILE)
                self._tiles += await asyncio.to_thread(_roots, leaves)

    async def _leaves(self, start: int, end: int) -> list[bytes]:
        if start == end:
            return []
        rows = await self._read(_LEAVES, (start, end))
        leaves = [row[0] for row in rows if isinstance(row[0], bytes)]
        if len(leaves) != end - start:
            raise RowsMissing("sealed rows are not in the ledger any more")
        return leaves

    async def _read(self, query: LiteralString, values: tuple[object, ...]) -> list[tuple[object, ...]]:
        try:
            async with self._pool.connection() as connection:
                return await (await connection.execute(query, values)).fetchall()
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the ledger cannot be read") from error


def _roots(leaves: list[bytes]) -> list[bytes]:
    return [range_root(leaves[at : at + TILE]) for at in range(0, len(leaves), TILE)]
