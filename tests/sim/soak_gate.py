"""A gate process that goes on: `python -m sim.soak_gate DSN SESSIONS`.

It holds SESSIONS sessions at a time. Each is opened, goes from attempt to outcome a few times, is closed and followed
by the next, through failures: a row whose commit is unknown, or that was not written, is tried again with the same id.
Prints `acked ID SEQ` for each row. Ends when its standard input does, after closing its sessions.
"""

from __future__ import annotations

import asyncio
import random
import sys
import uuid
from collections.abc import Mapping

from doublethink_gate.ledger import (
    AppendedRow,
    CommitUnknown,
    DeadlinePassed,
    LedgerUnavailable,
    PreparedRow,
    QueueFull,
)
from doublethink_ledger import BodyValue, Kind
from sim.ledger import CLOSE, OPEN, Gate, attempt, gate, outcome

_TRY_S = 5.0
_TRIES_S = 90.0
_PAUSE_S = 0.05
_MOST_ATTEMPTS = 12
_LONGEST_THINKING_S = 0.02
_RESPONSE = "e" * 64


async def _written(
    g: Gate,
    session: uuid.UUID,
    kind: Kind,
    body: Mapping[str, BodyValue],
    payload: bytes | None = None,
    expect_n: int | None = None,
) -> AppendedRow:
    """Insist on one row. What does not pass by itself, a lost race among it, ends the process with its error."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _TRIES_S
    row: PreparedRow | None = None
    while True:
        try:
            if row is None:
                row = await g.writer.prepare(session, kind, body, payload, expect_n)
            written = await g.writer.append_prepared(row, deadline_s=_TRY_S)
        except (CommitUnknown, LedgerUnavailable, DeadlinePassed, QueueFull):
            # The server is away for a moment.
            if loop.time() > end:
                raise
            await asyncio.sleep(_PAUSE_S)
        else:
            sys.stdout.write(f"acked {written.id} {written.seq}\n")
            sys.stdout.flush()
            return written


async def _sessions(g: Gate, stop: asyncio.Event) -> None:
    generator = random.Random()  # noqa: S311 - varies the load, no secret
    while not stop.is_set():
        session = uuid.uuid4()
        await _written(g, session, Kind.SESSION_OPEN, OPEN)
        seen = 0
        for _ in range(generator.randrange(_MOST_ATTEMPTS)):
            if generator.randrange(4) == 0:
                await _written(g, session, Kind.ATTEMPT, attempt("block"), b"blocked", expect_n=seen)
            # Enough gates for a busy machine, and none that starves what is being killed and started beside it.
            await asyncio.sleep(generator.uniform(0, _LONGEST_THINKING_S))
            tried = await _written(g, session, Kind.ATTEMPT, attempt(), b"payload", expect_n=seen)
            response = generator.choice((None, _RESPONSE))
            sent = await _written(g, session, Kind.OUTCOME, outcome(tried.id, response))
            seen = tried.n if response is None else sent.n
        await _written(g, session, Kind.SESSION_CLOSE, CLOSE)


async def _run(dsn: str, sessions: int) -> None:
    stop = asyncio.Event()
    async with gate(dsn) as g, asyncio.TaskGroup() as group:
        for _ in range(sessions):
            group.create_task(_sessions(g, stop))
        await asyncio.to_thread(sys.stdin.read)
        stop.set()


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], int(sys.argv[2])))
