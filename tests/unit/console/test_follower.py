"""The copies of ledger rows go on over a database that was away for a moment."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import psycopg
import pytest
from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink_console.runs import follower
from doublethink_console.runs.conduct import Conductor
from doublethink_console.runs.follower import Follower
from doublethink_console.runs.hub import Hub
from psycopg_pool import PoolClosed


class _Rows:
    """Copies whose database is away the first time."""

    def __init__(self) -> None:
        self.kept: list[int] = []
        self.asked = 0

    async def last_n(self, session_id: str) -> int:
        self.asked += 1
        if self.asked == 1:
            raise psycopg.OperationalError("away")
        return -1

    async def add(self, run: uuid.UUID, session_id: str, row: ledger.Row, payload: str | None) -> None:
        self.kept.append(row.n)


class _Gate:
    """A gate whose ledger has one row, the closing one."""

    async def rows(self, capability: bytes, after: int, *, follow: bool) -> AsyncIterator[Any]:
        body = json.dumps({"kind": "session.close"}).encode()
        yield SimpleNamespace(row=ledger.Row(n=0, body=body))


async def test_a_database_that_is_away_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the database ends one try and not the copying."""
    monkeypatch.setattr(follower, "_RETRY_S", 0.0)
    rows = _Rows()
    following = Follower(cast("Any", _Gate()), cast("Any", rows), Hub())
    await following.follow(uuid.uuid4(), "ses_" + "a" * 26, b"c" * 32)
    assert (rows.asked, rows.kept) == (2, [0])


async def test_a_console_that_ends_copies_no_more() -> None:
    """The pool that is closed stays closed: the copying ends, also where it was not cancelled."""

    class _Closed(_Rows):
        async def last_n(self, session_id: str) -> int:
            raise PoolClosed("closed")

    following = Follower(cast("Any", _Gate()), cast("Any", _Closed()), Hub())
    async with asyncio.timeout(10):
        with pytest.raises(PoolClosed):
            await following.follow(uuid.uuid4(), "ses_" + "a" * 26, b"c" * 32)


async def test_the_copying_ends_with_its_run_where_the_database_is_away() -> None:
    """What a run leaves to be done at its end cannot be read: its copying is ended all the same."""

    async def away(*_: object) -> None:
        raise psycopg.OperationalError("away")

    tools = SimpleNamespace(runs=SimpleNamespace(get=away), peers=None, rows=None, hub=None)
    conductor = Conductor(cast("Any", tools))
    copying = asyncio.create_task(asyncio.sleep(3600))
    await asyncio.sleep(0)
    with pytest.raises(psycopg.OperationalError):
        await conductor._settle(uuid.uuid4(), cast("Any", copying), close=True)
    assert copying.cancelled()
