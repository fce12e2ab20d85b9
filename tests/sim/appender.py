"""A gate process reduced to its ledger: `python -m sim.appender DSN ROWS IN_FLIGHT`, or `... DSN steps`.

With ROWS it opens a session and appends that many rows, IN_FLIGHT at a time, through failures: a row whose
commit is unknown, or that was not written, is tried again with the same id. It prints `acked ID` for each
row.

With `steps` it passes one attempt through check, append, send and outcome with a failpoint at each step, and
prints `sent ID` where a gate would send.
"""

from __future__ import annotations

import asyncio
import sys
import uuid

from doublethink_gate.failpoints import Point
from doublethink_gate.ledger import CommitUnknown, NotWritten, PreparedRow
from doublethink_ledger import Kind
from doublethink_rpc import failpoint
from sim.ledger import OPEN, Gate, attempt, gate, outcome

_TRY_S = 5.0
_TRIES = 100


async def _insist(g: Gate, row: PreparedRow) -> None:
    for _ in range(_TRIES):
        try:
            written = await g.writer.append_prepared(row, deadline_s=_TRY_S)
        except CommitUnknown:
            sys.stdout.write(f"unknown {row.id}\n")
        except NotWritten:
            # The server is away for a moment; the row stays the same.
            await asyncio.sleep(0.05)
        else:
            sys.stdout.write(f"acked {written.id}\n")
            sys.stdout.flush()
            return
    raise SystemExit(f"row {row.id} was not written")


async def _many(dsn: str, rows: int, in_flight: int) -> None:
    session = uuid.uuid4()
    async with gate(dsn) as g:
        await _insist(g, await g.writer.prepare(session, Kind.SESSION_OPEN, OPEN))
        left = iter(range(rows - 1))

        async def some() -> None:
            for _ in left:
                row = await g.writer.prepare(session, Kind.ATTEMPT, attempt("block"), b"payload")
                await _insist(g, row)

        async with asyncio.TaskGroup() as group:
            for _ in range(in_flight):
                group.create_task(some())


async def _steps(dsn: str) -> None:
    failpoint.arm(Point, True)
    async with gate(dsn) as g:
        session = await g.open()
        await failpoint.reach(Point.AFTER_CHECK)
        # The session's opening passed the append's own points before.
        tried = await g.writer.append(session, Kind.ATTEMPT, attempt(), b"payload", expect_n=0, deadline_s=30)
        await failpoint.reach(Point.BEFORE_SEND)
        sys.stdout.write(f"sent {tried.id}\n")
        sys.stdout.flush()
        await failpoint.reach(Point.AFTER_SEND)
        await failpoint.reach(Point.BEFORE_OUTCOME)
        await g.writer.append(session, Kind.OUTCOME, outcome(tried.id), deadline_s=30)
        await failpoint.reach(Point.AFTER_OUTCOME)


def main(arguments: list[str]) -> None:
    """Run one of the two programs."""
    if arguments[1:] == ["steps"]:
        asyncio.run(_steps(arguments[0]))
    else:
        dsn, rows, in_flight = arguments
        asyncio.run(_many(dsn, int(rows), int(in_flight)))


if __name__ == "__main__":
    main(sys.argv[1:])
