"""A recovery: another log over the rows that are there, with a statement that cites the old one."""

from __future__ import annotations

import pytest
from doublethink_ledger import Checkpoint, NoteError, open_note
from doublethink_sealer.audit import audit
from doublethink_sealer.claims import Claims, read_table
from doublethink_sealer.errors import PlaceAway, SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.keys import Keys
from doublethink_sealer.log_store import StoredCheckpoint
from doublethink_sealer.recovery import Statement, Why, open_new_origin, restore_published
from hypothesis import given
from hypothesis import strategies as st
from sim.sealed import (
    FIRST,
    KEYS,
    ORIGIN,
    OTHER_ORIGIN,
    SimLog,
    SimPlace,
    keys_of,
    linked,
    signing_key,
    started,
)

NEW = keys_of(signing_key(2, OTHER_ORIGIN), trusted=[signing_key(1)])


async def set_back() -> tuple[SimLog, SimPlace]:
    """A log of 20 published rows, of which an older state with 10 was restored and written on to 15."""
    log, place = SimLog(), SimPlace()
    sealing = await started(log, place, allowed=FIRST)
    for _ in range(2):
        log.append([1, 2] * 5)
        await sealing.seal_and_publish(place)
    del log.table[10:], log.checks[1:]
    log.append([3] * 5)
    return log, place


async def test_the_statement_cites_the_largest_head_that_is_known() -> None:
    """Not the database's own, which went back with it: the published one. And the new log starts and goes on."""
    log, place = await set_back()
    old = KEYS.open(place.held[ORIGIN][20])
    statement = await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.ROLLED_BACK)
    assert statement.old == old
    assert statement.new == NEW.open(log.checks[-1].note)
    assert statement.new.size == 15
    signed = place.statements[OTHER_ORIGIN]
    assert log.checks[-1].statement == signed
    assert Statement.parse(open_note(signed, [signing_key(2, OTHER_ORIGIN).verifier]).text) == statement
    sealing = await started(log, place, keys=NEW, origin=OTHER_ORIGIN)
    log.append([3])
    await sealing.seal_and_publish(place)
    assert max(place.held[OTHER_ORIGIN]) == 16
    assert max(place.held[ORIGIN]) == 20


async def test_the_old_log_is_never_continued() -> None:
    """A sealer that is still set to it does not start."""
    log, place = await set_back()
    await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.OTHER)
    with pytest.raises(SealingRefused, match="other_origin"):
        await started(log, place)


async def test_an_empty_table_is_cited_by_what_is_published() -> None:
    """The whole database is new: the places alone know the old head."""
    log, place = await set_back()
    log.checks.clear()
    statement = await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.ROWS_LOST)
    assert (statement.old.size, statement.why) == (20, Why.ROWS_LOST)


async def test_rows_that_are_not_whole_are_not_taken_over() -> None:
    """An edited or a missing row: a backup comes first. Nothing is stored."""
    log, place = await set_back()
    del log.table[4]
    with pytest.raises(SealingRefused, match="row_missing"):
        await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.OTHER)
    assert (len(log.checks), place.statements) == (1, {})


async def test_a_body_of_no_known_form_does_not_keep_the_log_unsealed() -> None:
    """A gate in wrong hands wrote it, through the append function and so with its hash, and it cannot be taken back."""
    log, place = await set_back()
    session, prev = log.table[-1].session, log.table[-1].hash
    log.table.append(linked(session, 5, 5_000, 99, prev, b'{"kind":"mischief"}', len(log.table)))
    await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.OTHER)
    sealing = await started(log, place, keys=NEW, origin=OTHER_ORIGIN, heads=100)
    log.made += 10_000
    log.append([1, 3])
    await sealing.seal_and_publish(place)
    assert max(place.held[OTHER_ORIGIN]) == 18
    claims = Claims()
    await read_table(log, NEW, claims)
    report = await audit(log, OTHER_ORIGIN, claims)
    assert [(one.reason, one.first) for one in report.findings] == [(Reason.ROW_EDITED, 15)]


async def test_a_body_of_no_known_form_hides_no_edit() -> None:
    """Its row's hash, link and number are held against the others as ever."""
    log, place = await set_back()
    log.table[12] = log.table[12]._replace(body=b'{"kind":"mischief"}')
    with pytest.raises(SealingRefused, match="row_edited"):
        await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.OTHER)
    assert (len(log.checks), place.statements) == (1, {})


async def test_a_checkpoint_that_nobody_signed_does_not_stop_a_recovery() -> None:
    """Who has the sealer's database role and not its key can store one of another log; the last signed one is cited."""
    log, place = await set_back()
    log.checks.append(StoredCheckpoint("evil.test", 15, bytes(32), b"no note", 99, b"no statement"))
    statement = await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.OTHER)
    assert (statement.old.origin, statement.old.size) == (ORIGIN, 20)
    await (await started(log, place, keys=NEW, origin=OTHER_ORIGIN)).seal_and_publish(place)


async def test_a_place_that_is_away_may_know_a_later_head() -> None:
    """So the recovery waits for it."""
    log, place = await set_back()
    away = SimPlace("folder-2", away=True)
    with pytest.raises(SealingRefused, match="places_away: folder-2"):
        await open_new_origin(log, [place, away], NEW, OTHER_ORIGIN, Why.OTHER)
    assert len(log.checks) == 1


async def test_an_origin_is_opened_once() -> None:
    """Neither the old one's name nor one that was opened already."""
    log, place = await set_back()
    with pytest.raises(SealingRefused, match="other_origin"):
        await open_new_origin(log, [place], KEYS, ORIGIN, Why.OTHER)
    await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.OTHER)
    with pytest.raises(SealingRefused, match="other_origin"):
        await open_new_origin(log, [place], NEW, OTHER_ORIGIN, Why.OTHER)


async def test_without_an_old_log_there_is_nothing_to_recover() -> None:
    """A first start is no recovery; nor is a log whose keys are not known."""
    log = SimLog()
    log.append([1])
    with pytest.raises(SealingRefused, match="nothing_published"):
        await open_new_origin(log, [SimPlace()], NEW, OTHER_ORIGIN, Why.OTHER)
    log, place = await set_back()
    unknown = Keys(NEW.signing, NEW.trusted[:1])
    with pytest.raises(SealingRefused, match="nothing_published"):
        await open_new_origin(log, [place], unknown, OTHER_ORIGIN, Why.OTHER)


async def test_published_checkpoints_are_restored_only_over_their_own_rows() -> None:
    """The rows give the published root, or nothing is stored."""
    log, place = await set_back()
    with pytest.raises(SealingRefused, match="rewritten"):
        await restore_published(log, [place], KEYS, ORIGIN)
    log, place = SimLog(), SimPlace()
    log.append([1, 2, 3])
    sealing = await started(log, place, allowed=FIRST)
    await sealing.seal_and_publish(place)
    lost = log.checks.copy()
    log.checks.clear()
    assert (await restore_published(log, [place], KEYS, ORIGIN)).size == 3
    assert log.checks[0].note == lost[0].note
    with pytest.raises(SealingRefused, match="nothing_published"):
        await restore_published(log, [place], KEYS, ORIGIN)
    place.away = True
    with pytest.raises(PlaceAway):
        await restore_published(log, [place], KEYS, ORIGIN)


CHECKPOINTS = st.builds(
    Checkpoint,
    st.from_regex(r"\A[a-z0-9][a-z0-9./-]{0,30}\Z"),
    st.integers(1, 2**63 - 1),
    st.binary(min_size=32, max_size=32),
)


@given(CHECKPOINTS, CHECKPOINTS, st.sampled_from(Why))
def test_a_statement_has_one_form(new: Checkpoint, old: Checkpoint, why: Why) -> None:
    """What is written is read back, and no changed byte is read as the same."""
    written = Statement(new, old, why).encode()
    assert Statement.parse(written) == Statement(new, old, why)
    assert Statement.parse(written).encode() == written


@given(st.binary(max_size=300))
def test_other_bytes_are_no_statement(data: bytes) -> None:
    """Refused as a note's error, whatever they are."""
    with pytest.raises(NoteError):
        Statement.parse(data)


@given(CHECKPOINTS, CHECKPOINTS, st.sampled_from(Why), st.data())
def test_a_changed_statement_is_another_or_none(
    new: Checkpoint, old: Checkpoint, why: Why, data: st.DataObject
) -> None:
    """One byte changed: refused, or read as what it says now, and written as that."""
    written = bytearray(Statement(new, old, why).encode())
    at = data.draw(st.integers(0, len(written) - 1))
    written[at] ^= data.draw(st.integers(1, 255))
    try:
        read = Statement.parse(bytes(written))
    except NoteError:
        return
    assert read.encode() == bytes(written)
    assert read != Statement(new, old, why)
