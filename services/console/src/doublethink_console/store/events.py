"""The steps of runs: written before they are shown, read in order."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from doublethink.planner.v1 import research_pb2 as research

from doublethink_console.errors import ClaimLost

from .cases import Pool


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One step. `step` is the planner's own event, None for a step of the console."""

    position: int
    at: datetime
    kind: str
    step: research.ResearchEvent | None


class Events:
    """The table of run events. Writing needs the claim on the run."""

    def __init__(self, pool: Pool, instance: int) -> None:
        self._pool, self._instance = pool, instance

    async def append(self, run: uuid.UUID, kind: str, step: research.ResearchEvent | None = None) -> bool:
        """Write the next step. Returns whether somebody has asked to cancel the run. Raises ClaimLost."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "INSERT INTO console.run_event (run_id, position, kind, step)"
                " SELECT run.id, coalesce((SELECT max(position) + 1 FROM console.run_event WHERE run_id ="
                " run.id), 0),"
                " %s, %s FROM console.run WHERE run.id = %s AND run.instance = %s"
                " RETURNING (SELECT cancel_requested FROM console.run WHERE id = run_id)",
                (kind, None if step is None else step.SerializeToString(), run, self._instance),
            )
            row = await cursor.fetchone()
        if row is None:
            raise ClaimLost("the run is another console's")
        return bool(row[0])

    async def after(self, run: uuid.UUID, position: int) -> list[RunEvent]:
        """The steps behind `position`; all of them for -1."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT position, at, kind, step FROM console.run_event WHERE run_id = %s AND position > %s"
                " ORDER BY position",
                (run, position),
            )
            rows = await cursor.fetchall()
        return [
            RunEvent(
                row[0], row[1], row[2], None if row[3] is None else research.ResearchEvent.FromString(row[3])
            )
            for row in rows
        ]

    async def history(self, run: uuid.UUID) -> list[research.ResearchEvent]:
        """The planner's own events so far."""
        return [event.step for event in await self.after(run, -1) if event.step is not None]
