"""Followers of a session's rows are woken by what this process writes."""

import asyncio
import uuid

from doublethink_gate.egress.following import Followers

_LONG_S = 3600.0
"""Nobody would wait for this: a test that does is ended as one that hangs."""


async def test_a_row_wakes_each_follower_of_its_session() -> None:
    """All that wait for the session return, and nobody who waits for another."""
    followers, session, other = Followers(), uuid.uuid4(), uuid.uuid4()
    with (
        followers.following(session) as first,
        followers.following(session) as second,
        followers.following(other) as elsewhere,
    ):
        waiting = [asyncio.create_task(one.wait(_LONG_S)) for one in (first, second)]
        await asyncio.sleep(0)
        followers.tell(session)
        await asyncio.gather(*waiting)
        assert not elsewhere.written.is_set()


async def test_a_row_written_while_the_rows_are_read_is_not_missed() -> None:
    """What comes between the look and the wait ends the wait at once; what came before the look does not."""
    followers, session = Followers(), uuid.uuid4()
    with followers.following(session) as follower:
        followers.tell(session)
        follower.look()
        assert not follower.written.is_set()
        followers.tell(session)
        await follower.wait(_LONG_S)


async def test_rows_of_another_process_are_looked_for_from_time_to_time() -> None:
    """Without news the wait ends by itself."""
    with Followers().following(uuid.uuid4()) as follower:
        await follower.wait(0)


def test_who_has_gone_is_forgotten() -> None:
    """Nothing is kept of a session that nobody follows."""
    followers, session = Followers(), uuid.uuid4()
    with followers.following(session), followers.following(session):
        assert followers._waiting
    assert not followers._waiting
    followers.tell(session)
