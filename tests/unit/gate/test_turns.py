"""Turns: one at a time for one key, no waiting between keys, and nothing is kept."""

from __future__ import annotations

import asyncio
import contextlib

from doublethink_gate.sessions.turns import Turns


async def test_one_key_has_one_holder() -> None:
    """The second waits until the first leaves; another key is free meanwhile; then all is forgotten."""
    turns, order = Turns(), []

    async def second() -> None:
        await turns.take("a")
        order.append("second")
        turns.leave("a")

    await turns.take("a")
    waiting = asyncio.create_task(second())
    await turns.take("b")
    turns.leave("b")
    order.append("first")
    turns.leave("a")
    await waiting
    assert order == ["first", "second"]
    assert len(turns) == 0


async def test_one_who_stops_waiting_is_forgotten() -> None:
    """A waiter that is cancelled leaves the turn to the next one."""
    turns = Turns()
    await turns.take("a")
    gone = asyncio.create_task(turns.take("a"))
    await asyncio.sleep(0)
    gone.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await gone
    turns.leave("a")
    assert len(turns) == 0
    await turns.take("a")
    turns.leave("a")
