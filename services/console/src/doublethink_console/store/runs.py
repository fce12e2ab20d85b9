"""Runs at rest, and who may write to one.

A console that works on runs holds, on one connection of its own, the advisory lock of a random number; the
run names that number. When the console dies the lock is gone, and another may take the run over. Every write
to a run names the writer, so that one that was taken over cannot write any more.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Final

from doublethink.gate.v1 import session_pb2 as session
from psycopg import AsyncConnection

from doublethink_console.errors import ClaimLost
from doublethink_console.identity.people import Sight
from doublethink_console.sealing import Place, Sealer

from .cases import Pool
from .queue import MOST_TURNS, RunQueue

_IF_OURS: Final = " WHERE id = %s AND instance = %s AND state = 'running'"
_SEEN: Final = "(%(teams)s::text[] IS NULL OR team = ANY(%(teams)s))"
UNFINISHED: Final = frozenset({"queued", "running"})
_COLUMNS: Final = (
    "id, case_id, created_at, started_at, ended_at, state, planner, max_queries, budget_queries,"
    " budget_pages,"
    " budget_model_calls, budget_seconds, sealed_question, session_id, sealed_capabilities, attempts,"
    " cancel_requested, code, decided, approval_seconds, asked_by"
)


# The turn that is on: that of the next run that waits, else of the last one that was begun.
_TURN: Final = (
    "least(%(most_turns)s, greatest(coalesce("
    "(SELECT min(turn) FROM console.run WHERE state = 'queued'),"
    " (SELECT max(turn) FROM console.run WHERE state = 'running'), 0),"
    " (SELECT coalesce(max(turn) + 1, 0) FROM console.run WHERE team = asking AND state IN ('queued', 'running'))))"
)


class Claim(Enum):
    """What came of the attempt to become a run's writer."""

    OURS = 1
    TAKEN = 2
    ENDED = 3


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The three authorities over a session, 32 bytes each."""

    console: bytes = field(repr=False)
    planner: bytes = field(repr=False)
    validator: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewRun:
    """What a person asks for. Budgets of 0 take the gate's own.

    team: whose turn it takes in the queue; None for the team of its case. sees: whose cases may be asked about.
    approval_s: seconds that a held search may wait for a person; at 0 it is refused.
    asked_by: the pseudonym of who asks; None where nobody is known.
    """

    case_id: uuid.UUID
    question: str = field(repr=False)
    planner: str
    max_queries: int
    team: str | None
    sees: Sight
    queries: int = 0
    pages: int = 0
    model_calls: int = 0
    seconds: int = 0
    approval_s: int = 0
    asked_by: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is stored.

    decided: the state in which it will end, once that is certain and not yet told.
    asked_by: the pseudonym of who asked; None where nobody was known.
    """

    id: uuid.UUID
    case_id: uuid.UUID
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    state: str
    planner: str
    max_queries: int
    budgets: session.Budgets
    question: str = field(repr=False)
    session_id: str | None
    capabilities: Capabilities | None
    attempts: int
    cancel_requested: bool
    code: int
    decided: str | None
    approval_s: int
    asked_by: str | None

    @property
    def finished(self) -> bool:
        """Whether nothing will change any more."""
        return self.state not in UNFINISHED


class Runs:
    """The table of runs, as one writer among several sees it."""

    def __init__(self, pool: Pool, sealer: Sealer, instance: int, queue: RunQueue) -> None:
        self._pool, self._sealer, self._instance, self._queue = pool, sealer, instance, queue

    async def add(self, new: NewRun) -> uuid.UUID | None:
        """Queue a run and return its id; None if no such case is to be seen. Its turn is fair between teams."""
        key = uuid.uuid4()
        question = self._sealer.seal(new.question.encode(), Place("run.question", key.bytes))
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "INSERT INTO console.run (id, case_id, planner, max_queries, budget_queries, budget_pages,"  # noqa: S608 - _TURN is a constant
                " budget_model_calls, budget_seconds, approval_seconds, asked_by, sealed_question, team, turn)"
                " SELECT %(key)s, id, %(planner)s, %(max_queries)s, %(queries)s, %(pages)s, %(model_calls)s,"
                f" %(seconds)s, %(approval_s)s, %(asked_by)s, %(question)s, asking, {_TURN}"
                " FROM (SELECT id, team, coalesce(%(team)s, team) AS asking FROM console.case_file) AS cases"
                f" WHERE id = %(case_id)s AND {_SEEN} RETURNING turn",
                {
                    "key": key, "planner": new.planner, "max_queries": new.max_queries, "queries": new.queries,
                    "pages": new.pages, "model_calls": new.model_calls, "seconds": new.seconds,
                    "approval_s": new.approval_s, "asked_by": new.asked_by, "question": question, "team": new.team,
                    "most_turns": MOST_TURNS, "case_id": new.case_id, "teams": new.sees.for_sql,
                },
            )  # fmt: skip
            row = await cursor.fetchone()
            if row is None:
                return None
            await self._queue.add(connection, key, int(row[0]))
        return key

    async def get(self, key: uuid.UUID, sight: Sight) -> Run | None:
        """A run, or None where none is to be seen. Raises SealBroken."""
        found = await self._some("id = %(key)s", sight, 1, key=key)
        return found[0] if found else None

    async def by_session(self, session_id: str, sight: Sight) -> Run | None:
        """The run of a session, or None where none is to be seen. Raises SealBroken."""
        found = await self._some("session_id = %(key)s", sight, 1, key=session_id)
        return found[0] if found else None

    async def unfinished(self) -> int:
        """How many runs wait or go on."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT count(*) FROM console.run WHERE state IN ('queued', 'running')"
            )
            row = await cursor.fetchone()
        assert row is not None  # noqa: S101 - a count gives one row
        return int(row[0])

    async def newest(self, most: int, sight: Sight) -> list[Run]:
        """The runs to be seen that were asked for last, the newest first. Raises SealBroken."""
        return await self._some("true", sight, most)

    async def _some(self, where: str, sight: Sight, most: int, **values: object) -> list[Run]:
        statement = (
            f"SELECT {_COLUMNS} FROM console.run WHERE {where} AND {_SEEN} ORDER BY created_at DESC, id"  # noqa: S608 - constants of this module
        )
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"{statement} LIMIT %(most)s".encode(), {**values, "teams": sight.for_sql, "most": most}
            )
            rows = await cursor.fetchall()
        return [self._read(row) for row in rows]

    async def claim(self, key: uuid.UUID, most_attempts: int) -> Claim:
        """Become the writer of a run that nobody works on: one that waits, or one whose writer is dead.

        A run that was taken up `most_attempts` times already is taken too, so that its writer can end it.
        """
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT instance, state FROM console.run WHERE id = %s FOR UPDATE", (key,)
            )
            row = await cursor.fetchone()
            if row is None or row[1] not in UNFINISHED:
                return Claim.ENDED
            if not await self._is_free(connection, row[0]):
                return Claim.TAKEN
            await self._take(connection, key, most_attempts)
        return Claim.OURS

    async def claim_cancelled(self, most_attempts: int) -> uuid.UUID | None:
        """Become the writer of a run that somebody wants ended and nobody works on: it waits for no turn."""
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT id, instance FROM console.run WHERE state IN ('queued', 'running') AND cancel_requested"
                " AND instance IS DISTINCT FROM %s ORDER BY created_at LIMIT 64 FOR UPDATE SKIP LOCKED",
                (self._instance,),
            )
            for key, instance in await cursor.fetchall():
                if await self._is_free(connection, instance):
                    await self._take(connection, key, most_attempts)
                    return uuid.UUID(str(key))
        return None

    async def look(self, key: uuid.UUID) -> Claim:
        """What `claim` would give, without claiming: OURS for a run that is free."""
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute("SELECT instance, state FROM console.run WHERE id = %s", (key,))
            row = await cursor.fetchone()
            if row is None or row[1] not in UNFINISHED:
                return Claim.ENDED
            return Claim.OURS if await self._is_free(connection, row[0]) else Claim.TAKEN

    async def ours(self) -> list[uuid.UUID]:
        """Unfinished runs whose writer this console is."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT id FROM console.run WHERE state = 'running' AND instance = %s", (self._instance,)
            )
            return [uuid.UUID(str(row[0])) for row in await cursor.fetchall()]

    async def _is_free(self, connection: AsyncConnection, instance: int | None) -> bool:
        """Whether the instance that a run names is dead, or none is named; the lock is held for the transaction."""
        if instance is None:
            return True
        cursor = await connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (instance,))
        row = await cursor.fetchone()
        return row is not None and bool(row[0])

    async def _take(self, connection: AsyncConnection, key: uuid.UUID, most_attempts: int) -> None:
        await connection.execute(
            "UPDATE console.run SET instance = %s, state = 'running', attempts = least(attempts + 1, %s),"
            " started_at = coalesce(started_at, clock_timestamp()) WHERE id = %s",
            (self._instance, most_attempts + 1, key),
        )

    async def opened(self, key: uuid.UUID, session_id: str, capabilities: Capabilities) -> None:
        """Note the session of a run. Raises ClaimLost."""
        sealed = self._sealer.seal(
            capabilities.console + capabilities.planner + capabilities.validator,
            Place("run.capabilities", key.bytes),
        )
        owner = self._sealer.seal(capabilities.console, Place("run.owner", key.bytes))
        await self._write(
            key, "session_id = %s, sealed_capabilities = %s, sealed_owner = %s", session_id, sealed, owner
        )

    async def owner(self, session_id: str, sight: Sight) -> bytes | None:
        """The owner's capability over a session of this console, open or closed; None if none is to be seen.

        Raises SealBroken.
        """
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"SELECT id, sealed_owner FROM console.run WHERE session_id = %(key)s AND {_SEEN}".encode(),  # noqa: S608 - a constant of this module
                {"key": session_id, "teams": sight.for_sql},
            )
            row = await cursor.fetchone()
        if row is None or row[1] is None:
            return None
        return self._sealer.open(row[1], Place("run.owner", row[0].bytes))

    async def asked_by(self, session_id: str, sight: Sight) -> str | None:
        """The pseudonym of who asked what a session is about; None where nobody was known, or none is to be seen."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"SELECT asked_by FROM console.run WHERE session_id = %(key)s AND {_SEEN}".encode(),  # noqa: S608 - a constant of this module
                {"key": session_id, "teams": sight.for_sql},
            )
            row = await cursor.fetchone()
        return None if row is None else row[0]

    async def closed(self, key: uuid.UUID) -> None:
        """Forget the capabilities of a session that is closed, but for its owner's, which reads only from then on."""
        async with self._pool.connection() as connection:
            await connection.execute(
                "UPDATE console.run SET sealed_capabilities = NULL WHERE id = %s", (key,)
            )

    async def decide(self, key: uuid.UUID, state: str, code: int) -> None:
        """Write down how a run will end, while its session is still open. Raises ClaimLost."""
        await self._write(key, "decided = %s, code = %s", state, code)

    async def finish(self, key: uuid.UUID, state: str, code: int) -> None:
        """End a run. Raises ClaimLost."""
        await self._write(key, "state = %s, code = %s, ended_at = clock_timestamp()", state, code)

    async def _write(self, key: uuid.UUID, assignments: str, *values: object) -> None:
        async with self._pool.connection() as connection:
            statement = f"UPDATE console.run SET {assignments}{_IF_OURS}"  # noqa: S608 - constants of this module
            cursor = await connection.execute(statement.encode(), (*values, key, self._instance))
            if cursor.rowcount != 1:
                raise ClaimLost("the run is another console's")

    async def cancel(self, key: uuid.UUID) -> bool:
        """Ask for a run's end; one that waits ends at once. False where there is nothing to cancel."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "UPDATE console.run SET cancel_requested = true"
                " WHERE id = %s AND state IN ('queued', 'running')",
                (key,),
            )
            return cursor.rowcount == 1

    async def unclosed(self) -> list[uuid.UUID]:
        """Runs that have ended while their session may still be open."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT id FROM console.run WHERE sealed_capabilities IS NOT NULL"
                " AND state NOT IN ('queued', 'running') LIMIT 256"
            )
            return [uuid.UUID(str(row[0])) for row in await cursor.fetchall()]

    async def save_answer(self, key: uuid.UUID, answer: dict[str, Any]) -> None:
        """Store an answer."""
        sealed = self._sealer.seal(
            json.dumps(answer, ensure_ascii=False).encode(), Place("answer.sealed", key.bytes)
        )
        async with self._pool.connection() as connection:
            await connection.execute(
                "INSERT INTO console.answer (run_id, sealed) VALUES (%s, %s)"
                " ON CONFLICT (run_id) DO UPDATE SET sealed = excluded.sealed",
                (key, sealed),
            )

    async def answer(self, key: uuid.UUID) -> dict[str, Any] | None:
        """The answer of a run, or None. Raises SealBroken."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute("SELECT sealed FROM console.answer WHERE run_id = %s", (key,))
            row = await cursor.fetchone()
        if row is None:
            return None
        answer: dict[str, Any] = json.loads(self._sealer.open(row[0], Place("answer.sealed", key.bytes)))
        return answer

    def _read(self, row: tuple[Any, ...]) -> Run:
        key = row[0]
        capabilities = None
        if row[14] is not None:
            plain = self._sealer.open(row[14], Place("run.capabilities", key.bytes))
            capabilities = Capabilities(plain[:32], plain[32:64], plain[64:96])
        return Run(
            id=key,
            case_id=row[1],
            created_at=row[2],
            started_at=row[3],
            ended_at=row[4],
            state=row[5],
            planner=row[6],
            max_queries=row[7],
            budgets=session.Budgets(queries=row[8], pages=row[9], model_calls=row[10], seconds=row[11]),
            question=self._sealer.open(row[12], Place("run.question", key.bytes)).decode(),
            session_id=row[13],
            capabilities=capabilities,
            attempts=row[15],
            cancel_requested=row[16],
            code=row[17],
            decided=row[18],
            approval_s=row[19],
            asked_by=row[20],
        )
