"""The way to a place: the newest note, kept until it is taken, and nothing to a place that knows more than we do."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from doublethink_ledger import Checkpoint
from doublethink_sealer.errors import PlaceAway, SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.log_store import StoredCheckpoint
from doublethink_sealer.metrics import Metrics
from doublethink_sealer.publishing import Publisher
from sim.logs import caught_log, records
from sim.sealed import KEYS, ORIGIN, SimPlace, keys_of, signing_key


def head(size: int, root: bytes = b"r" * 32) -> StoredCheckpoint:
    """A stored checkpoint of some rows."""
    note = KEYS.sign(Checkpoint(ORIGIN, size, root).encode())
    return StoredCheckpoint(ORIGIN, size, root, note, size)


@dataclass
class Desk:
    """A publisher with its place, its clock, and the checkpoints that it had compared."""

    place: SimPlace = field(default_factory=SimPlace)
    now: float = 100.0
    compared: list[int] = field(default_factory=list)
    may_be_empty: bool = True

    def __post_init__(self) -> None:
        self.metrics = Metrics([self.place.name])
        self.publisher = Publisher(
            self.place,
            1,
            KEYS,
            ORIGIN,
            self.compare,
            self.metrics,
            lambda: self.now,
            may_be_empty=self.may_be_empty,
            late_after_s=60,
        )

    async def compare(self, found: Checkpoint) -> None:
        """Takes every checkpoint up to 50 for one of the log's."""
        self.compared.append(found.size)
        if found.size > 50:
            raise SealingRefused(Reason.ROLLED_BACK, "the place has more than the database")

    def measured(self, name: str, **labels: str) -> float | None:
        """One of the metrics."""
        return self.metrics.registry.get_sample_value(name, labels)


async def test_the_newest_waits_while_the_place_is_away() -> None:
    """Ten checkpoints come, one is put; the lag counts from the first that is missing and ends with the last."""
    desk = Desk()
    desk.place.away = True
    for size in range(1, 11):
        desk.publisher.offer(head(size))
        assert not await desk.publisher.publish()
        desk.now += 3
    assert desk.measured("sealer_publication_lag_seconds", place="folder-1") == 30
    assert desk.measured("sealer_publications_total", place="folder-1", outcome="away") == 10
    assert not desk.publisher.complete.is_set()
    desk.place.away = False
    assert await desk.publisher.publish()
    assert list(desk.place.held[ORIGIN]) == [10]
    assert desk.measured("sealer_publication_lag_seconds", place="folder-1") == 0
    assert desk.publisher.complete.is_set()


async def test_a_late_place_is_said_once_and_so_is_its_return() -> None:
    """One event when the bound is passed, one when it has caught up."""
    desk = Desk()
    desk.place.away = True
    with caught_log("sealer") as written:
        desk.publisher.offer(head(1))
        for _ in range(50):
            await desk.publisher.publish()
            desk.now += 5
        desk.place.away = False
        await desk.publisher.publish()
    events = [(record["event"], record["level"]) for record in records(written)]
    assert events == [("publication_late", "error"), ("publication_caught_up", "info")]


async def test_a_clock_that_goes_back_gives_no_negative_lag() -> None:
    """Whatever the clock does the lag is at least 0."""
    desk = Desk()
    desk.place.away = True
    desk.publisher.offer(head(1))
    desk.now = 0.0
    assert desk.publisher.lag() == 0


async def test_a_place_is_compared_before_it_is_given_anything() -> None:
    """What lies there is held against the log first; more than the log has stops the sealer, and nothing is put."""
    desk = Desk()
    await desk.place.put(ORIGIN, 40, head(40).note)
    desk.publisher.offer(head(45))
    await desk.publisher.publish()
    assert desk.compared == [40]
    assert list(desk.place.held[ORIGIN]) == [40, 45]

    desk = Desk()
    await desk.place.put(ORIGIN, 60, head(60).note)
    desk.publisher.offer(head(45))
    with pytest.raises(SealingRefused, match="rolled_back"):
        await desk.publisher.publish()
    assert list(desk.place.held[ORIGIN]) == [60]


async def test_a_place_that_came_back_is_compared_again() -> None:
    """A share may have been replaced while it was away: one that lost our notes stops the sealer."""
    desk = Desk()
    desk.publisher.offer(head(1))
    await desk.publisher.publish()
    desk.place.away = True
    desk.publisher.offer(head(2))
    await desk.publisher.publish()
    desk.place.away = False
    desk.place.held.clear()
    with pytest.raises(SealingRefused, match="place_empty"):
        await desk.publisher.publish()


async def test_an_empty_place_is_a_persons_decision() -> None:
    """One that was away at the start and turns out to be empty, too."""
    desk = Desk(may_be_empty=False)
    desk.publisher.offer(head(2))
    with pytest.raises(SealingRefused, match="place_empty"):
        await desk.publisher.publish()


async def test_another_root_under_the_same_size_is_a_fork() -> None:
    """The place has a note by our key for other rows: the sealer stops, and the note stays."""
    desk = Desk()
    desk.publisher.met(None)
    other = head(5, b"s" * 32).note
    await desk.place.put(ORIGIN, 5, other)
    desk.publisher.offer(head(5))
    with pytest.raises(SealingRefused, match="forked"):
        await desk.publisher.publish()
    assert desk.place.held[ORIGIN][5] == other


async def test_the_same_checkpoint_by_more_keys_is_no_fork() -> None:
    """While keys follow one another two sealers may sign the same text with different keys."""
    desk = Desk()
    desk.publisher.met(None)
    both = keys_of(signing_key(1), signing_key(2))
    note = both.sign(Checkpoint(ORIGIN, 5, b"r" * 32).encode())
    await desk.place.put(ORIGIN, 5, note)
    desk.publisher.offer(head(5))
    assert await desk.publisher.publish()
    assert desk.place.held[ORIGIN][5] == note


async def test_what_another_sealer_published_is_not_put_again() -> None:
    """Of two sealers the second finds the place complete."""
    desk = Desk()
    await desk.place.put(ORIGIN, 7, head(7).note)
    puts = desk.place.puts
    desk.publisher.offer(head(7))
    assert await desk.publisher.publish()
    assert desk.place.puts == puts
    assert desk.publisher.complete.is_set()


async def test_a_place_that_answers_to_no_call_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between meeting it and putting: it is met again before the next put."""
    desk = Desk()
    desk.publisher.met(None)

    async def away(*_: object) -> None:
        raise PlaceAway("gone")

    monkeypatch.setattr(desk.place, "put", away)
    desk.publisher.offer(head(1))
    assert not await desk.publisher.publish()
    monkeypatch.undo()
    desk.may_be_empty = True
    assert await desk.publisher.publish()
    assert list(desk.place.held[ORIGIN]) == [1]
