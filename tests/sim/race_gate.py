"""A gate process that races for one session: `python -m sim.race_gate DSN SESSION WINS`.

It reads the last row that changed the check state, appends an attempt that names it, and begins again when it lost,
until it has won so often. Prints `won N EXPECTED` for each attempt that was written, and at the end `lost COUNT`.
"""

from __future__ import annotations

import asyncio
import sys
import uuid

from doublethink_gate.ledger import LostRace
from doublethink_ledger import Kind, decode_body
from sim.ledger import DEADLINE_S, Gate, attempt, gate


async def _last_change(g: Gate, session: uuid.UUID, known: int) -> int:
    """The n of the last attempt that may have been sent; `known` is an earlier one, or 0."""
    last = known
    for row in await g.reader.session_rows(session, after_n=known):
        if row.body is not None and decode_body(row.body)["kind"] == Kind.ATTEMPT:
            last = row.n
    return last


async def _race(dsn: str, session: uuid.UUID, wins: int) -> None:
    seen, won, lost = 0, 0, 0
    async with gate(dsn) as g:
        while won < wins:
            seen = await _last_change(g, session, seen)
            try:
                row = await g.writer.append(
                    session, Kind.ATTEMPT, attempt(), b"payload", expect_n=seen, deadline_s=DEADLINE_S
                )
            except LostRace:
                lost += 1
            else:
                sys.stdout.write(f"won {row.n} {seen}\n")
                won += 1
    sys.stdout.write(f"lost {lost}\n")


if __name__ == "__main__":
    asyncio.run(_race(sys.argv[1], uuid.UUID(sys.argv[2]), int(sys.argv[3])))
