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
from typing import Any, Final

from doublethink.gate.v1 import session_pb2 as session

from doublethink_console.errors import ClaimLost
from doublethink_console.sealing import Place, Sealer

from .cases import Pool

_IF_OURS: Final = " WHERE id = %s AND instance = %s AND state = 'running'"
UNFINISHED: Final = frozenset({"queued", "running"})
_COLUMNS: Final = (
    "id, case_id, created_at, started_at, ended_at, state, planner, max_queries, budget_queries,"
    " budget_pages,"
    " budget_model_calls, budget_seconds, sealed_question, session_id, sealed_capabilities, attempts,"
    " cancel_requested, code, decided"
)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The three authorities over a session, 32 bytes each."""

    console: bytes = field(repr=False)
    planner: bytes = field(repr=False)
    validator: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewRun:
    """What a person asks for. Budgets of 0 take the gate's own."""

    case_id: uuid.UUID
    question: str = field(repr=False)
    planner: str
    max_queries: int
    queries: int = 0
    pages: int = 0
    model_calls: int = 0
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is stored. decided: the state in which it will end, once that is certain and not yet told."""

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

    @property
    def finished(self) -> bool:
        """Whether nothing will change any more."""
        return self.state not in UNFINISHED


class Runs:
    """The table of runs, as one writer among several sees it."""

    def __init__(self, pool: Pool, sealer: Sealer, instance: int) -> None:
        self._pool, self._sealer, self._instance = pool, sealer, instance

    async def add(self, new: NewRun) -> uuid.UUID | None:
        """Queue a run and return its id; None if the case is not there."""
        key = uuid.uuid4()
        question = self._sealer.seal(new.question.encode(), Place("run.question", key.bytes))
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "INSERT INTO console.run (id, case_id, planner, max_queries, budget_queries, budget_pages,"
                " budget_model_calls, budget_seconds, sealed_question)"
                " SELECT %s, id, %s, %s, %s, %s, %s, %s, %s FROM console.case_file WHERE id = %s RETURNING"
                " id",
                (
                    key, new.planner, new.max_queries, new.queries, new.pages, new.model_calls, new.seconds,
                    question, new.case_id,
                ),
            )  # fmt: skip
            return None if await cursor.fetchone() is None else key

    async def get(self, key: uuid.UUID) -> Run | None:
        """A run, or None. Raises SealBroken."""
        return await self._one("id = %s", key)

    async def by_session(self, session_id: str) -> Run | None:
        """The run of a session, or None. Raises SealBroken."""
        return await self._one("session_id = %s", session_id)

    async def newest(self, most: int) -> list[Run]:
        """The runs that were asked for last, the newest first. Raises SealBroken."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"SELECT {_COLUMNS} FROM console.run ORDER BY created_at DESC, id LIMIT %s".encode(),  # noqa: S608 - constants of this module
                (most,),
            )
            rows = await cursor.fetchall()
        return [self._read(row) for row in rows]

    async def _one(self, where: str, value: object) -> Run | None:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"SELECT {_COLUMNS} FROM console.run WHERE {where}".encode(),  # noqa: S608 - both parts are constants of this module
                (value,),
            )
            row = await cursor.fetchone()
        return None if row is None else self._read(row)

    async def now(self) -> datetime:
        """The database's time, which the runs' times are."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute("SELECT clock_timestamp()")
            row = await cursor.fetchone()
        assert row is not None  # noqa: S101 - the statement gives one row
        moment: datetime = row[0]
        return moment

    async def claim_next(self, most_attempts: int, since: datetime | None = None) -> uuid.UUID | None:
        """Take the oldest run that nobody works on: a queued one, or one whose writer is dead.

        A run that was taken up `most_attempts` times already is taken too, so that its writer can end it.
        Of those asked before `since` only the cancelled are taken.
        """
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT id, instance FROM console.run WHERE state IN ('queued', 'running')"
                " AND instance IS DISTINCT FROM %s"
                " AND (cancel_requested OR created_at >= coalesce(%s, '-infinity'::timestamptz))"
                " ORDER BY created_at LIMIT 64 FOR UPDATE SKIP LOCKED",
                (self._instance, since),
            )
            for key, instance in await cursor.fetchall():
                if instance is not None:
                    cursor = await connection.execute("SELECT pg_try_advisory_xact_lock(%s)", (instance,))
                    free = await cursor.fetchone()
                    if not free or not free[0]:
                        continue
                await connection.execute(
                    "UPDATE console.run SET instance = %s, state = 'running', attempts = least(attempts +"
                    " 1, %s),"
                    " started_at = coalesce(started_at, clock_timestamp()) WHERE id = %s",
                    (self._instance, most_attempts + 1, key),
                )
                return uuid.UUID(str(key))
        return None

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

    async def owner(self, session_id: str) -> bytes | None:
        """The owner's capability over a session of this console, open or closed; None if it has none.

        Raises SealBroken.
        """
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT id, sealed_owner FROM console.run WHERE session_id = %s", (session_id,)
            )
            row = await cursor.fetchone()
        if row is None or row[1] is None:
            return None
        return self._sealer.open(row[1], Place("run.owner", row[0].bytes))

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
        )
