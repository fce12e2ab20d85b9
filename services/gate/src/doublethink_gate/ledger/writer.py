"""Writes rows durably, many at a time, and acknowledges only what it has verified.

One flusher per writer owns one connection. It takes whatever waits, up to 256 rows, in one call; while that
commits, the next rows gather: the previous commit is the only linger, there is no timer. A row is
acknowledged when its batch is committed and its hash, computed again here, is the one that the database gave.

A call is never cancelled. When a caller gives up, or the call takes too long, the connection is broken off or
left to finish, and every row in it is CommitUnknown; the caller retries the very same row to learn what
became of it. Any warning from the server counts as a lost connection: one of them says that a commit is not
replicated.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import uuid
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType
from typing import Final, Self

import psycopg
from doublethink_ledger import NONCE_BYTES, BodyValue, Kind, commitment, encode_body
from doublethink_rpc import failpoint
from doublethink_rpc.logs import log

from doublethink_gate.failpoints import Point
from doublethink_gate.ledger.call import (
    MAX_BATCH_ROWS,
    NOT_DURABLE,
    Answer,
    Connection,
    append,
    connect,
    cut,
    judge,
)
from doublethink_gate.ledger.errors import (
    CommitUnknown,
    DeadlinePassed,
    LedgerError,
    LedgerMismatch,
    LedgerUnavailable,
    QueueFull,
)
from doublethink_gate.ledger.payload import OpenedPayload, seal
from doublethink_gate.ledger.rows import AppendedRow, PreparedRow
from doublethink_gate.ledger.session_keys import SessionKeys

_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class WriterLimits:
    """queued_rows, queued_bytes: what may wait. batch_bytes: of one call. Seconds: connect_s to get a
    connection, call_s until a call is given up, close_s for what still waits when the writer stops."""

    queued_rows: int = 4096
    queued_bytes: int = 64 * 1024 * 1024
    batch_bytes: int = 8 * 1024 * 1024
    connect_s: float = 5.0
    call_s: float = 30.0
    close_s: float = 15.0


class _DoubtfulCommit(Exception):
    """A batch whose commit is not known."""


class _State(Enum):
    WAITING = auto()
    IN_FLIGHT = auto()
    GIVEN_UP = auto()


@dataclass(slots=True, eq=False)
class _Pending:
    row: PreparedRow
    answer: asyncio.Future[AppendedRow | LedgerError]
    state: _State = _State.WAITING


class LedgerWriter:
    """Appends rows for one gate process. Use it in one event loop, as an async context manager.

    dsn: the gate's role, directly at the server and not through a transaction pooler.
    """

    def __init__(self, dsn: str, keys: SessionKeys, limits: WriterLimits | None = None) -> None:
        self._dsn = dsn
        self._keys = keys
        self._limits = limits or WriterLimits()
        self._queue: deque[_Pending] = deque()
        self._queued_bytes = 0
        self._wakeup = asyncio.Event()
        self._connection: Connection | None = None
        self._warned = False
        self._closing = False
        self._mismatch = False
        self._flusher: asyncio.Task[None] | None = None

    async def prepare(
        self,
        session: uuid.UUID,
        kind: Kind,
        body: Mapping[str, BodyValue],
        payload: bytes | None = None,
        expect_n: int | None = None,
        row_id: uuid.UUID | None = None,
        original: bytes | None = None,
    ) -> PreparedRow:
        """Build a row: its body with `kind`, `commit` and `bytes` added, its payload sealed.

        original: of a rewritten request, what was asked for: it is sealed and committed to as well (`original`).

        Raises BodyError for a body that is not of the kind's form; LedgerUnavailable, KeyMissing or
        PayloadErased where the session's key cannot be had; RowRefused for a payload that is too large.
        """
        id = uuid.UUID(bytes=os.urandom(16)) if row_id is None else row_id
        whole: dict[str, BodyValue] = {**body, "kind": kind.value}
        nonce = secrets.token_bytes(NONCE_BYTES)
        if payload is not None:
            whole |= {"commit": commitment(nonce, payload).hex(), "bytes": len(payload)}
        asked = None
        if original is not None:
            asked = OpenedPayload(secrets.token_bytes(NONCE_BYTES), original)
            whole["original"] = commitment(asked.nonce, asked.payload).hex()
        encoded = encode_body(whole)
        sealed = None
        if kind is Kind.SESSION_OPEN:
            # Every session has a key from its first row on, whatever that row carries.
            key = await self._keys.create(session)
        elif payload is not None:
            key = await self._keys.load(session)
        if payload is not None:
            sealed = seal(key, session, id, nonce, payload, asked)
        return PreparedRow(session, id, kind, encoded, sealed, expect_n)

    async def append(
        self,
        session: uuid.UUID,
        kind: Kind,
        body: Mapping[str, BodyValue],
        payload: bytes | None = None,
        *,
        expect_n: int | None = None,
        row_id: uuid.UUID | None = None,
        deadline_s: float,
    ) -> AppendedRow:
        """Write one row; return when it is durable and its hash verified.

        body: without `kind`, `commit` and `bytes`, which are added. expect_n: for an attempt, the n of the
        last row that changed the check state as the checks saw it. deadline_s: seconds from now.
        Raises what `prepare` and `append_prepared` raise. After any exception nothing may be sent.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + deadline_s
        try:
            async with asyncio.timeout_at(end):
                row = await self.prepare(session, kind, body, payload, expect_n, row_id)
        except TimeoutError:
            raise DeadlinePassed("the deadline passed before the row was built") from None
        return await self.append_prepared(row, deadline_s=end - loop.time())

    async def append_prepared(self, row: PreparedRow, *, deadline_s: float) -> AppendedRow:
        """Write a prepared row, or learn what became of it: a row that is already there is acknowledged as it
        is.

        Raises a NotWritten (see errors), CommitUnknown or LedgerMismatch.
        """
        await failpoint.reach(Point.BEFORE_APPEND)
        pending = self._enqueue(row)
        try:
            async with asyncio.timeout(deadline_s):
                # Shielded: giving up must not cancel what the flusher will resolve.
                outcome = await asyncio.shield(pending.answer)
        except TimeoutError:
            in_flight = pending.state is _State.IN_FLIGHT
            self._give_up(pending)
            if in_flight:
                raise CommitUnknown(row) from None
            raise DeadlinePassed(f"row {row.id} was still waiting") from None
        except asyncio.CancelledError:
            self._give_up(pending)
            raise
        if isinstance(outcome, LedgerError):
            raise outcome
        await failpoint.reach(Point.AFTER_APPEND)
        return outcome

    async def start(self) -> None:
        """Connect and begin to write. Raises LedgerUnavailable if the database does not answer in time."""
        try:
            self._connection = await self._connect()
        except (psycopg.Error, OSError, TimeoutError) as error:
            raise LedgerUnavailable("the database does not answer") from error
        self._flusher = asyncio.create_task(self._run(), name="ledger-flusher")
        self._flusher.add_done_callback(self._ended)

    async def close(self) -> None:
        """Take no more rows, write what waits within the limit, and end."""
        self._closing = True
        self._wakeup.set()
        flusher = self._flusher
        if flusher is not None:
            done, _ = await asyncio.wait({flusher}, timeout=self._limits.close_s)
            if not done:
                if self._connection is not None:
                    cut(self._connection)
                # Between calls nothing is in flight; during one the cut connection ends it first.
                await asyncio.wait({flusher}, timeout=self._limits.connect_s)
                flusher.cancel()
            # A failure was logged when it happened; its rows have their answers.
            await asyncio.wait({flusher})
        await self._drop_connection()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _enqueue(self, row: PreparedRow) -> _Pending:
        if self._mismatch:
            raise LedgerMismatch("the ledger gave a wrong answer before: this gate writes no more")
        if self._closing or self._flusher is None or self._flusher.done():
            raise LedgerUnavailable("the writer is not running")
        if (
            len(self._queue) >= self._limits.queued_rows
            or self._queued_bytes + row.size > self._limits.queued_bytes
        ):
            raise QueueFull(f"{len(self._queue)} rows wait")
        pending = _Pending(row, asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        self._queued_bytes += row.size
        self._wakeup.set()
        return pending

    def _give_up(self, pending: _Pending) -> None:
        if pending.state is _State.WAITING:
            self._queue.remove(pending)
            self._queued_bytes -= pending.row.size
        pending.state = _State.GIVEN_UP

    def _ended(self, flusher: asyncio.Task[None]) -> None:
        if not flusher.cancelled() and flusher.exception() is not None:
            log().error("ledger_flusher_failed", error=flusher.exception())
        while self._queue:
            _resolve(self._queue.popleft(), LedgerUnavailable("the writer has stopped"))

    async def _run(self) -> None:
        pause = _FIRST_PAUSE_S
        while True:
            if not self._queue:
                if self._closing:
                    return
                self._wakeup.clear()
                await self._wakeup.wait()
                continue
            if self._connection is None:
                try:
                    self._connection = await self._connect()
                except (psycopg.Error, OSError, TimeoutError) as error:
                    log().warning("ledger_connect_failed", error=error, waiting=len(self._queue))
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, _LONGEST_PAUSE_S)
                    continue
                pause = _FIRST_PAUSE_S
                # What waited may have been given up in the meantime.
                continue
            await self._flush(self._connection, self._take())

    def _take(self) -> list[_Pending]:
        """Take what waits, in order, up to the batch's bounds; a single row always fits."""
        batch: list[_Pending] = []
        size = 0
        while self._queue and len(batch) < MAX_BATCH_ROWS:
            if batch and size + self._queue[0].row.size > self._limits.batch_bytes:
                break
            pending = self._queue.popleft()
            pending.state = _State.IN_FLIGHT
            size += pending.row.size
            batch.append(pending)
        self._queued_bytes -= size
        return batch

    async def _flush(self, connection: Connection, batch: list[_Pending]) -> None:
        try:
            answers = await self._call(connection, [pending.row for pending in batch])
            for pending, answer in zip(batch, answers, strict=True):
                self._acknowledge(pending, answer)
        except LedgerUnavailable as error:
            for pending in batch:
                _resolve(pending, LedgerUnavailable(str(error)))
        except _DoubtfulCommit:
            for pending in batch:
                _resolve(pending, CommitUnknown(pending.row))
        except BaseException:
            # The flusher is being cancelled, or has a fault: it ends, and no caller is left waiting.
            for pending in batch:
                _resolve(pending, CommitUnknown(pending.row))
            raise

    async def _call(self, connection: Connection, rows: list[PreparedRow]) -> list[Answer]:
        """Run one batch. Raises LedgerUnavailable if it certainly did not happen, else _DoubtfulCommit."""
        self._warned = False
        watchdog = asyncio.get_running_loop().call_later(self._limits.call_s, cut, connection)
        try:
            answers = await append(connection, rows)
        except psycopg.Error as error:
            refused = error.sqlstate in NOT_DURABLE and not connection.broken
            log().error("ledger_call_failed", error=error, rows=len(rows), refused=refused)
            await self._drop_connection()
            if refused:
                raise LedgerUnavailable("the server does not commit durably") from error
            raise _DoubtfulCommit from error
        finally:
            watchdog.cancel()
        if self._warned or [answer.item for answer in answers] != list(range(len(rows))):
            log().error("ledger_call_doubtful", rows=len(rows), warned=self._warned)
            await self._drop_connection()
            raise _DoubtfulCommit
        return answers

    def _acknowledge(self, pending: _Pending, answer: Answer) -> None:
        outcome = judge(pending.row, answer)
        if isinstance(outcome, LedgerMismatch):
            self._mismatch = True
            log().error("ledger_mismatch")
        _resolve(pending, outcome)

    async def _connect(self) -> Connection:
        connection = await connect(self._dsn, self._limits.connect_s)
        connection.add_notice_handler(self._notice)
        return connection

    def _notice(self, diagnostic: psycopg.errors.Diagnostic) -> None:
        if diagnostic.severity_nonlocalized not in ("NOTICE", "DEBUG", "INFO", "LOG"):
            self._warned = True

    async def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _resolve(pending: _Pending, outcome: AppendedRow | LedgerError) -> None:
    if not pending.answer.done():
        pending.answer.set_result(outcome)
