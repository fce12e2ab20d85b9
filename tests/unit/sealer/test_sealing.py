"""Sealing over a simulated log: what is signed is the root over the rows, and two sealers are one."""

from __future__ import annotations

import pytest
from doublethink_ledger import Checkpoint, open_checkpoint, range_root
from doublethink_sealer.errors import DatabaseAway, SealingRefused
from doublethink_sealer.findings import Reason
from hypothesis import given
from hypothesis import strategies as st
from sim.sealed import FIRST, KEYS, ORIGIN, SimLog, SimPlace, keys_of, signing_key, started


def root_of(log: SimLog, size: int) -> bytes:
    """The root over the first rows, computed from their hashes."""
    return range_root(row.hash for row in log.table[:size])


async def test_a_checkpoint_is_the_root_over_all_rows() -> None:
    """The note opens under the log's key, and says size and root of what is there."""
    log = SimLog()
    log.append([1, 2, 1, 3, 2, 2, 1, 4, 5, 6, 1])
    sealing = await started(log, SimPlace(), allowed=FIRST)
    await sealing.sealer.seal()
    (stored,) = log.checks
    opened = open_checkpoint(stored.note, signing_key(1).verifier, ORIGIN)
    assert opened == Checkpoint(ORIGIN, 11, root_of(log, 11))


async def test_an_empty_log_is_sealed_once_and_then_only_what_is_new() -> None:
    """The first start signs size 0; without new rows nothing is signed."""
    log = SimLog()
    sealing = await started(log, SimPlace(), allowed=FIRST)
    for _ in range(3):
        await sealing.sealer.seal()
    assert [one.size for one in log.checks] == [0]
    log.append([1])
    await sealing.sealer.seal()
    await sealing.sealer.seal()
    assert [one.size for one in log.checks] == [0, 1]
    assert [one.size for one in sealing.heads] == [0, 1]


@given(st.lists(st.lists(st.integers(1, 9), max_size=12), max_size=8), st.integers(1, 9), st.integers(1, 5))
async def test_any_growth_in_any_steps_gives_the_same_roots(
    steps: list[list[int]], batch: int, heads: int
) -> None:
    """Whatever the batches, the bound on heads and the restarts in between, each checkpoint is the naive root."""
    log, place = SimLog(), SimPlace()
    sealing = await started(log, place, allowed=FIRST, batch=batch, heads=heads)
    await sealing.seal_and_publish(place)
    for index, step in enumerate(steps):
        log.append(step)
        if index % 3 == 2:
            sealing = await started(log, place, batch=batch, heads=heads)
        await sealing.seal_and_publish(place)
    for stored in log.checks:
        assert KEYS.open(stored.note) == Checkpoint(ORIGIN, stored.size, root_of(log, stored.size))
    assert log.checks[-1].size == len(log.table)


async def test_a_sealer_that_lost_goes_on_from_the_stored_checkpoint() -> None:
    """Both see other sizes; the one that comes second takes over what the first stored, and the chain goes on."""
    log, place = SimLog(), SimPlace()
    log.append([1, 1, 2])
    one = await started(log, place, allowed=FIRST)
    await one.seal_and_publish(place)
    two = await started(log, place)
    log.append([3, 3])
    await one.sealer.seal()
    log.append([4, 4, 4])
    await two.sealer.seal()
    assert two.sealer.head == one.sealer.head
    await two.sealer.seal()
    assert [check.size for check in log.checks] == [3, 5, 8]
    await one.sealer.seal()
    assert [check.size for check in log.checks] == [3, 5, 8]
    for stored in log.checks:
        assert stored.root == root_of(log, stored.size)


async def test_a_sealer_that_is_behind_reads_up_to_the_stored_checkpoint() -> None:
    """The other one had read more rows when it won."""
    log, place = SimLog(), SimPlace()
    one = await started(log, place, allowed=FIRST)
    await one.seal_and_publish(place)
    two = await started(log, place)
    log.append([1] * 3)
    table, log.table = log.table, log.table[:2]
    await two.sealer._read(100)
    log.table = table
    await one.sealer.seal()
    await two.sealer.seal()
    assert two.sealer.head == one.sealer.head
    assert two.sealer.head is not None
    assert two.sealer.head.size == 3


async def test_a_stored_checkpoint_of_other_rows_stops_a_sealer() -> None:
    """Two databases under one key: whoever reads the other's checkpoint does not go on."""
    log, place = SimLog(), SimPlace()
    one = await started(log, place, allowed=FIRST)
    await one.seal_and_publish(place)
    fork = log.copy()
    two = await started(fork, place)
    log.append([1, 1])
    fork.append([2, 2])
    await two.sealer.seal()
    log.checks = list(fork.checks)
    with pytest.raises(SealingRefused, match="forked"):
        await one.sealer.seal()
    assert len(log.checks) == 2


async def test_both_keys_sign_while_one_follows_the_other() -> None:
    """During the overlap the note opens under either key; before and after, under one; and a restart accepts all."""
    old, new = signing_key(1), signing_key(2)
    log, place = SimLog(), SimPlace()
    sealing = await started(log, place, keys=keys_of(old), allowed=FIRST)
    await sealing.seal_and_publish(place)
    log.append([1])
    sealing = await started(log, place, keys=keys_of(old, new))
    await sealing.seal_and_publish(place)
    both = log.checks[-1].note
    for key in (old, new):
        assert open_checkpoint(both, key.verifier, ORIGIN).size == 1
    log.append([1])
    sealing = await started(log, place, keys=keys_of(new, trusted=[old]))
    await sealing.seal_and_publish(place)
    assert open_checkpoint(log.checks[-1].note, new.verifier, ORIGIN).size == 2
    # The new key alone knows nothing of what only the old one signed, and does with what both did.
    await started(log, place, keys=keys_of(new))


async def test_an_unknown_key_is_refused() -> None:
    """A sealer with another key does not take over a log that it cannot check."""
    log, place = SimLog(), SimPlace()
    await (await started(log, place, allowed=FIRST)).seal_and_publish(place)
    with pytest.raises(SealingRefused, match=Reason.PUBLISHED_FORGED):
        await started(log, place, keys=keys_of(signing_key(3)))
    place.held.clear()
    with pytest.raises(SealingRefused, match=Reason.CHECKPOINT_FORGED):
        await started(log, place, keys=keys_of(signing_key(3)), allowed=FIRST)


async def test_a_database_that_is_away_loses_nothing() -> None:
    """The call fails, and the next one seals what came meanwhile."""
    log, place = SimLog(), SimPlace()
    sealing = await started(log, place, allowed=FIRST)
    log.append([1, 2])
    log.away = True
    with pytest.raises(DatabaseAway):
        await sealing.sealer.seal()
    log.away = False
    log.append([2])
    await sealing.sealer.seal()
    assert [one.size for one in log.checks] == [3]
