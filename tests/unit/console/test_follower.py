"""The copies of ledger rows go on over a database that was away for a moment."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import psycopg
import pytest
from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink_console.runs import follower
from doublethink_console.runs.follower import Follower
from doublethink_console.runs.hub import Hub


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
