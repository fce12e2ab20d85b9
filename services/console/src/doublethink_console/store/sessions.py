"""The list of sessions: every run with its session, and what its copied ledger rows come to, in one bounded query."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from doublethink_console.identity.people import Sight

from .cases import Pool

MOST: Final = 500

# The copies hold the exact bytes of a row's body, which is JSON. What counts as stopped is what `LedgerRows.counts`
# counts so.
_SELECT: Final = """
    SELECT run.id, run.session_id, run.case_id, run.created_at, run.ended_at, run.state, run.planner,
           coalesce(held.rows, 0), coalesce(held.stopped, 0)
    FROM (SELECT * FROM console.run
          WHERE (%(teams)s::text[] IS NULL OR team = ANY(%(teams)s))
            AND (%(case)s::uuid IS NULL OR case_id = %(case)s)
            AND (%(state)s::text IS NULL OR state = %(state)s)
            AND (%(before)s::uuid IS NULL
                 OR (created_at, id) < (SELECT created_at, id FROM console.run
                                          WHERE id = %(before)s
                                            AND (%(teams)s::text[] IS NULL OR team = ANY(%(teams)s))))
          ORDER BY created_at DESC, id DESC LIMIT %(most)s) AS run
    LEFT JOIN LATERAL (
        SELECT count(*) AS rows,
               count(*) FILTER (WHERE body ->> 'kind' IN ('attempt', 'held') AND body ->> 'verdict' IN ('block', 'ask'))
               -- A held request that a person let go left after all, as the attempt that names it.
               - count(*) FILTER (WHERE body ->> 'kind' = 'attempt' AND body ->> 'verdict' = 'allow'
                                  AND body ->> 'of' IS NOT NULL)
               AS stopped
        FROM (SELECT convert_from(body, 'UTF8')::jsonb AS body FROM console.ledger_row
              WHERE session_id = run.session_id) AS each
    ) AS held ON true
    ORDER BY run.created_at DESC, run.id DESC
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A run as it is listed. session: None for one that has none yet, or got none.

    rows, stopped: of the copies that this console keeps of the session's ledger rows.
    """

    run: uuid.UUID
    session: str | None
    case: uuid.UUID
    asked_at: datetime
    ended_at: datetime | None
    state: str
    planner: str
    rows: int
    stopped: int


class Sessions:
    """The table of runs, to be listed."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def newest(
        self,
        most: int,
        sight: Sight,
        *,
        before: uuid.UUID | None = None,
        case: uuid.UUID | None = None,
        state: str | None = None,
    ) -> list[Listed]:
        """At most `most` runs to be seen, the newest first, asked for before `before`. No question is opened."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                _SELECT.encode(),
                {"case": case, "state": state, "before": before, "most": most, "teams": sight.for_sql},
            )
            return [Listed(*row) for row in await cursor.fetchall()]
