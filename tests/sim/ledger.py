"""What a test of the ledger needs: bodies that are valid, keys, and a writer with its pool."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from doublethink_gate.ledger import KeyRing, LedgerReader, LedgerWriter, SessionKeys, WriterLimits
from doublethink_ledger import BodyValue, Kind, LogChecker, Row
from psycopg_pool import AsyncConnectionPool

GATE_DIGEST = "a" * 64
POLICY_DIGEST = "b" * 64
WHO: dict[str, BodyValue] = {"gate": GATE_DIGEST, "policy": POLICY_DIGEST}

OPEN: dict[str, BodyValue] = {
    **WHO,
    "source": "corpus",
    "max_queries": 10,
    "max_pages": 20,
    "max_calls": 30,
    "max_bytes": 1_000_000,
    "expires_us": 1_800_000_000_000_000,
}
CLOSE: dict[str, BodyValue] = {**WHO, "reason": "closed"}

DEADLINE_S = 30.0


def attempt(verdict: str = "allow") -> dict[str, BodyValue]:
    """The body of an attempt, as a caller gives it."""
    body: dict[str, BodyValue] = {
        **WHO, "verdict": verdict, "rules": [], "method": "search", "host": "api.example",
    }  # fmt: skip
    return {**body, "original": "e" * 64} if verdict == "rewrite" else body


def outcome(of: uuid.UUID, response: str | None = None) -> dict[str, BodyValue]:
    """The body of an outcome; with a response it changes the check state."""
    body: dict[str, BodyValue] = {**WHO, "of": str(of), "status": "sent", "sent": 10, "received": 20}
    return body if response is None else {**body, "response": response}


@dataclass(frozen=True)
class Gate:
    """One gate's ledger side."""

    writer: LedgerWriter
    reader: LedgerReader
    keys: SessionKeys

    async def open(self, session: uuid.UUID | None = None) -> uuid.UUID:
        """Open a session; return its id."""
        session = uuid.uuid4() if session is None else session
        await self.writer.append(session, Kind.SESSION_OPEN, OPEN, deadline_s=DEADLINE_S)
        return session


def keyring() -> KeyRing:
    """A key ring with one version."""
    return KeyRing({"k1": bytes(range(32))}, "k1")


@asynccontextmanager
async def gate(
    dsn: str, limits: WriterLimits | None = None, keys: KeyRing | None = None
) -> AsyncIterator[Gate]:
    """A writer and a reader on one database, as one gate process has them."""
    async with AsyncConnectionPool(dsn, min_size=1, max_size=2, open=False) as pool:
        session_keys = SessionKeys(keys or keyring(), pool)
        async with LedgerWriter(dsn, session_keys, limits) as writer:
            yield Gate(writer, LedgerReader(pool, session_keys), session_keys)


async def whole_log(dsn: str) -> tuple[list[Row], LogChecker]:
    """Every row of the ledger, and the checker that has accepted them all."""
    checker = LogChecker()
    rows: list[Row] = []
    async with gate(dsn) as g:
        while batch := await g.reader.rows_after(len(rows) - 1):
            for row in batch:
                checker.add(row)
            rows += batch
    return rows, checker


async def closed_session(g: Gate, payloads: int) -> tuple[uuid.UUID, list[Row]]:
    """A closed session with some payloads; its id and the rows that commit to them."""
    session = await g.open()
    rows = [
        (await g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"%d" % i, deadline_s=DEADLINE_S)).row
        for i in range(payloads)
    ]
    await g.writer.append(session, Kind.SESSION_CLOSE, CLOSE, deadline_s=DEADLINE_S)
    return session, rows
