"""The queue of runs: procrastinate's, in the console's own database.

The library keeps the order, hands each job to one taker, and brings back what is given back. A job names its run and
nothing else. What a queue cannot know, whether the taker of a job still lives, is told by the run: it names the
instance that works on it (see `runs`), and no job, however often it is handed out, makes a second writer.

A job lives from the run's request to its end; it is added in the transaction that adds the run. Where the two part
company, since a console died in between, `restore` and the engine's round put them together again.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from procrastinate.psycopg_connector import PsycopgConnector
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from .cases import Pool

SCHEMA: Final = "console"
MOST_TURNS: Final = 2_000_000_000
_TASK: Final = "run"
_ALL: Final = "runs"
_STALE_S: Final = 300.0
"""After so long without a sign of life the library forgets a worker; the runs have a quicker way to tell."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A job that was handed out. run: the run that it names."""

    job: int
    run: uuid.UUID


class RunQueue:
    """The queue as one console sees it. Its methods raise psycopg.Error or QueueAway.

    With `own_only` a console takes nothing but what was asked of it since its start, and leaves the rest to others.
    """

    def __init__(self, pool: Pool, instance: int, *, own_only: bool) -> None:
        self._pool = pool
        self._connector = PsycopgConnector()
        self._manager = JobManager(self._connector)
        self._queue = f"own-{instance:x}" if own_only else _ALL
        self._taken_from = [self._queue] if own_only else None
        self._worker: int | None = None

    async def open(self) -> None:
        """Begin to take jobs."""
        await self._connector.open_async(self._pool)
        self._worker = await self._manager.register_worker()

    async def close(self) -> None:
        """Take no more. Jobs that are out stay out, until their runs are free."""
        if self._worker is not None:
            await self._manager.unregister_worker(self._worker)

    async def alive(self) -> None:
        """Tell that this console lives, and forget those that have not for long."""
        if self._worker is not None:
            await self._manager.update_heartbeat(self._worker)
            await self._manager.prune_stalled_workers(_STALE_S)

    async def add(self, connection: AsyncConnection, run: uuid.UUID, turn: int) -> None:
        """Queue a run in the caller's transaction: the lower its turn, the sooner it is taken."""
        await self._manager.defer_job_async(_job(self._queue, run, turn), connection=connection)

    async def take(self) -> Taken | None:
        """The next job, or None. Whoever takes it claims its run, or gives the job back."""
        assert self._worker is not None  # noqa: S101 - the engine opens the queue before it takes anything
        job = await self._manager.fetch_job(self._taken_from, self._worker)
        return None if job is None else _taken(job)

    async def out(self) -> list[Taken]:
        """The jobs that are handed out, to this console and to others."""
        queue = None if self._taken_from is None else self._queue
        jobs = await self._manager.list_jobs_async(task=_TASK, queue=queue, status=Status.DOING.value)
        return [_taken(job) for job in jobs]

    async def give_back(self, taken: Taken) -> None:
        """Put a job back into the queue, at its old place. One that another console was faster with stays as it is."""
        try:
            await self._manager.retry_job_by_id_async(taken.job, datetime.now(UTC))
        except ConnectorException:
            if any(job.job == taken.job for job in await self.out()):
                raise

    async def done(self, run: uuid.UUID) -> None:
        """Delete every job of a run that has ended."""
        for job in await self._manager.list_jobs_async(task=_TASK, lock=str(run)):
            if job.id is not None and job.status in (Status.TODO.value, Status.DOING.value):
                await self._finish(job.id)

    async def restore(self) -> int:
        """Queue every unfinished run that has no job; return how many there were."""
        restored = 0
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT id, turn FROM console.run WHERE state IN ('queued', 'running') AND NOT EXISTS"
                " (SELECT FROM console.procrastinate_jobs AS job WHERE job.lock = run.id::text)"
                " ORDER BY created_at"
            )
            for run, turn in await cursor.fetchall():
                try:
                    async with connection.transaction():
                        await self._manager.defer_job_async(_job(_ALL, run, turn), connection=connection)
                except AlreadyEnqueued:
                    # Another console starts as well.
                    continue
                restored += 1
        return restored

    async def _finish(self, job: int) -> None:
        try:
            await self._manager.finish_job_by_id_async(job, Status.SUCCEEDED, delete_job=True)
        except ConnectorException:
            if await self._manager.list_jobs_async(id=job):
                raise


QueueAway = ConnectorException
"""What the library raises in place of psycopg.Error."""


def with_schema(dsn: str) -> str:
    """The connection string with the schema in which the library's names are found."""
    options = str(conninfo_to_dict(dsn).get("options") or "")
    return make_conninfo(dsn, options=f"{options} -c search_path={SCHEMA}".strip())


def _job(queue: str, run: uuid.UUID, turn: int) -> Job:
    name = str(run)
    return Job(
        queue=queue,
        priority=-turn,
        lock=name,
        queueing_lock=name,
        task_name=_TASK,
        task_kwargs={"run": name},
    )


def _taken(job: Job) -> Taken:
    fields: dict[str, Any] = job.task_kwargs
    assert job.id is not None  # noqa: S101 - it is stored, and so has one
    return Taken(job.id, uuid.UUID(str(fields["run"])))
