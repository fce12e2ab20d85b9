"""Expired sessions are closed one by one: what goes wrong with one stays with that one."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import psycopg
from doublethink_gate.ids import IdType, mint, to_uuid
from doublethink_gate.sessions.closing import close_expired, start_closing
from sim.logs import caught_log, records


class _Store:
    def __init__(self, *ids: str) -> None:
        self.open = list(ids)
        self.asked = asyncio.Event()
        self.fails = False

    async def expired(self, now: int, most: int) -> list[Any]:
        if self.fails:
            self.fails = False
            raise psycopg.OperationalError("away")
        return [SimpleNamespace(id=one) for one in self.open]

    async def abandoned(self, before: int, most: int) -> list[Any]:
        return []

    async def close(self, id: str, reason: str, now: int) -> None:
        self.open.remove(id)


class _Rows:
    def __init__(self, broken: str) -> None:
        self.broken = broken

    async def write(self, session: object, kind: object, keys: object) -> object:
        if session == to_uuid(IdType.SESSION, self.broken):
            raise ValueError("a fault")
        return SimpleNamespace(n=1)


class _Registry:
    def __init__(self, rounds: asyncio.Event) -> None:
        self.rounds = rounds

    def drop(self, record: object) -> None:
        return

    async def forget_ended(self, now: int) -> None:
        self.rounds.set()


def _runtime(store: _Store, broken: str, rounds: asyncio.Event) -> Any:
    return cast(
        "Any",
        SimpleNamespace(
            store=store,
            rows=_Rows(broken),
            registry=_Registry(rounds),
            clock=lambda: 0,
            limits=SimpleNamespace(expiry_every_s=0),
        ),
    )


async def test_a_session_that_cannot_be_closed_keeps_no_other_open() -> None:
    """The others are closed, and the fault is logged by its type."""
    broken, whole = mint(IdType.SESSION), mint(IdType.SESSION)
    store = _Store(broken, whole)
    with caught_log() as written:
        assert await close_expired(_runtime(store, broken, asyncio.Event())) == 1
    assert store.open == [broken]
    (record,) = [one for one in records(written) if one["event"] == "session_not_ended"]
    assert (record["session"], record["error"]) == (broken, "builtins.ValueError")


async def test_closing_goes_on_after_any_fault() -> None:
    """A round that fails is logged, and the next one is made."""
    rounds = asyncio.Event()
    store = _Store()
    store.fails = True
    with caught_log() as written:
        task = start_closing(_runtime(store, "", rounds))
        await rounds.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert [record["event"] for record in records(written)] == ["expiry_failed"]


async def test_an_end_of_the_closing_is_never_silent() -> None:
    """Whatever ends the task, other than its cancellation, is logged."""

    class _Ends(BaseException):
        """Something that no handler catches."""

    class _Ending(_Store):
        async def expired(self, now: int, most: int) -> list[Any]:
            raise _Ends

    with caught_log() as written:
        task = start_closing(_runtime(_Ending(), "", asyncio.Event()))
        await asyncio.gather(task, return_exceptions=True)
    assert [record["event"] for record in records(written)] == ["expiry_ended"]
