"""What somebody with every right in the database may do to a sealed log, and the name that each act gets.

Each act is done to a copy of one log of 40 rows with checkpoints at 10, 20, 30 and 40, all of them published; the same
log untouched is the control.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from doublethink_ledger import Checkpoint, encode_body, row_hash
from doublethink_sealer.audit import Report, audit
from doublethink_sealer.claims import Claims, read_places, read_table
from doublethink_sealer.errors import DatabaseAway, SealingRefused
from doublethink_sealer.findings import Reason
from doublethink_sealer.log_store import StoredCheckpoint, StoredRow
from doublethink_sealer.resume import Allowed
from sim.ledger import OPEN, attempt
from sim.sealed import FIRST, KEYS, ORIGIN, SimLog, SimPlace, signing_key, started

SESSION = (1).to_bytes(16, "big")
BODY = encode_body({"kind": "held", **attempt("ask"), "commit": "d" * 64, "bytes": 1})


async def sealed() -> tuple[SimLog, SimPlace]:
    """The log of all these tests: four sessions, written in turn."""
    log, place = SimLog(), SimPlace()
    sealing = await started(log, place, allowed=FIRST)
    for _ in range(4):
        log.append([1, 2, 1, 3, 4, 4, 2, 1, 3, 4])
        await sealing.seal_and_publish(place)
    return log, place


def rehashed(row: StoredRow, **changes: object) -> StoredRow:
    """A row with other fields, and the hash that goes with them."""
    row = row._replace(**changes)  # type: ignore[arg-type]  # one of the fields, by name
    made = row_hash(
        session=row.session,
        n=row.n,
        at_us=row.at_us,
        id=row.id,
        prev=row.prev,
        body_sha256=hashlib.sha256(row.body).digest(),
    )
    return row._replace(hash=made)


def rechained(log: SimLog, first: int) -> None:
    """Give every row from `first` on the prev and the hash that follow from the rows before it."""
    last: dict[bytes, bytes] = {}
    for seq, row in enumerate(log.table):
        if seq >= first and row.session in last:
            row = log.table[seq] = rehashed(row, prev=last[row.session])
        last[row.session] = row.hash


def _edit(log: SimLog) -> None:
    log.table[17] = log.table[17]._replace(body=BODY)


def _edit_with_hash(log: SimLog) -> None:
    log.table[17] = rehashed(log.table[17], body=BODY)


def _edit_and_rechain(log: SimLog) -> None:
    log.table[17] = rehashed(log.table[17], body=BODY)
    rechained(log, 17)


def _edit_a_sessions_last(log: SimLog) -> None:
    log.table[39] = rehashed(log.table[39], body=BODY)


def _edit_time(log: SimLog) -> None:
    log.table[17] = rehashed(log.table[17], at_us=1)


def _delete(log: SimLog) -> None:
    del log.table[17]


def _delete_and_renumber(log: SimLog) -> None:
    del log.table[17]
    log.renumber()


def _delete_session(log: SimLog) -> None:
    log.table = [row for row in log.table if row.session != log.table[3].session]
    log.renumber()


def _cut(log: SimLog) -> None:
    del log.table[33:]


def _truncate(log: SimLog) -> None:
    log.table.clear()


def _swap(log: SimLog) -> None:
    # Rows 3 and 4 begin two sessions: each chain stays whole.
    log.table[3], log.table[4] = log.table[4], log.table[3]
    log.renumber()


def _swap_with_times(log: SimLog) -> None:
    times = [row.at_us for row in log.table]
    log.table[3], log.table[4] = log.table[4], log.table[3]
    log.renumber()
    log.table = [rehashed(row, at_us=time) for row, time in zip(log.table, times, strict=True)]
    rechained(log, 0)


def _insert(log: SimLog) -> None:
    log.table.insert(
        17,
        rehashed(
            log.table[0],
            session=bytes(range(16)),
            prev=hashlib.sha256(bytes(range(16))).digest(),
            id=bytes(16),
            at_us=log.table[17].at_us,
        ),
    )
    log.renumber()


def _duplicate_seq(log: SimLog) -> None:
    log.table.insert(17, log.table[17])


def _roll_back(log: SimLog) -> None:
    del log.table[30:]
    del log.checks[3:]


def _roll_back_and_write(log: SimLog) -> None:
    _roll_back(log)
    log.append([5] * 15)


def _cut_checkpoints(log: SimLog) -> None:
    del log.checks[2:]


def _forge_checkpoint(log: SimLog) -> None:
    log.checks[-1] = StoredCheckpoint(ORIGIN, 40, bytes(32), log.checks[-1].note, log.checks[-1].at_us)


def _sign_with_another_key(log: SimLog) -> None:
    text = log.checks[-1].note.split(b"\n\n")[0] + b"\n"
    note = b"\n".join([text, f"— {ORIGIN} ".encode() + b"AAAA" * 22 + b"AA==", b""])
    log.checks[-1] = StoredCheckpoint(ORIGIN, 40, log.checks[-1].root, note, log.checks[-1].at_us)


# What is done -> all that a full reading finds; a start names the first of it.
ACTS: dict[Callable[[SimLog], None], set[Reason]] = {
    _edit: {Reason.ROW_EDITED},
    _edit_with_hash: {Reason.CHAIN_BROKEN, Reason.REWRITTEN},
    _edit_and_rechain: {Reason.REWRITTEN},
    _edit_a_sessions_last: {Reason.REWRITTEN},
    _edit_time: {Reason.RESEQUENCED, Reason.CHAIN_BROKEN, Reason.REWRITTEN},
    _delete: {Reason.ROW_MISSING},
    _delete_and_renumber: {Reason.REWRITTEN, Reason.ROW_MISSING, Reason.TAIL_CUT},
    _delete_session: {Reason.REWRITTEN, Reason.TAIL_CUT},
    _cut: {Reason.TAIL_CUT},
    _truncate: {Reason.TRUNCATED},
    _swap: {Reason.RESEQUENCED, Reason.REWRITTEN},
    _swap_with_times: {Reason.REWRITTEN},
    _insert: {Reason.REWRITTEN},
    _duplicate_seq: {Reason.DUPLICATE, Reason.RESEQUENCED},
    _roll_back: {Reason.ROLLED_BACK},
    _roll_back_and_write: {Reason.FORKED},
    _cut_checkpoints: {Reason.CHECKPOINTS_MISSING},
    # What is forged does not count: the good ones end before it.
    _forge_checkpoint: {Reason.CHECKPOINT_FORGED, Reason.CHECKPOINTS_MISSING},
    _sign_with_another_key: {Reason.CHECKPOINT_FORGED, Reason.CHECKPOINTS_MISSING},
}


async def read(log: SimLog, place: SimPlace) -> Report:
    """A full reading of the log."""
    claims = Claims()
    await read_places([place], KEYS, [ORIGIN], 1000, claims)
    await read_table(log, KEYS, claims)
    return await audit(log, ORIGIN, claims, batch=7)


async def test_the_untouched_log_is_whole() -> None:
    """The control: the sealer starts, and a full reading compares every checkpoint and finds nothing."""
    log, place = await sealed()
    report = await read(log, place)
    assert (report.rows, report.compared, report.findings) == (40, 8, ())
    sealing = await started(log, place)
    await sealing.sealer.seal()
    assert len(log.checks) == 4


async def test_a_payload_that_went_without_a_redaction_is_named() -> None:
    """Each by its row; the sealer seals on, since the rows are whole."""
    log, place = await sealed()
    log.gone = {3, 17, 39}
    report = await read(log, place)
    assert [(one.reason, one.first) for one in report.findings] == [
        (Reason.PAYLOAD_MISSING, seq) for seq in (3, 17, 39)
    ]
    await (await started(log, place)).sealer.seal()
    # It hides nothing else, however many there are.
    log.gone = set(range(40))
    _delete(log)
    report = await read(log, place)
    assert report.findings[0].reason is Reason.ROW_MISSING
    with pytest.raises(SealingRefused, match="row_missing"):
        await started(log, place)


async def test_a_reading_holds_no_more_checkpoints_than_rows_of_a_batch() -> None:
    """With a checkpoint for each row the table is read by pages, and compared a batch at a time."""
    log, place = await sealed()
    sealing = await started(log, place)
    for _ in range(60):
        log.append([1])
        await sealing.sealer.seal()
    report = await read(log, place)
    assert report.findings == ()
    assert report.compared == len(log.checks) + len(place.held[ORIGIN])
    assert 1 <= log.most_at_once <= 7


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__.strip("_"))
async def test_the_sealer_does_not_start_and_says_why(act: Callable[[SimLog], None]) -> None:
    """Nothing is signed over a log that is not the sealed one, and the first thing that is wrong has its name."""
    log, place = await sealed()
    act(log)
    before = list(log.checks)
    with pytest.raises(SealingRefused) as refused:
        await started(log, place)
    found = await read(log, place)
    assert refused.value.finding.reason in ACTS[act]
    assert refused.value.finding.reason is found.findings[0].reason
    assert log.checks == before


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__.strip("_"))
async def test_a_full_reading_names_every_thing_that_is_wrong(act: Callable[[SimLog], None]) -> None:
    """The set of names for each act is exact: nothing missing, nothing that is not the case."""
    log, place = await sealed()
    act(log)
    assert {one.reason for one in (await read(log, place)).findings} == ACTS[act]


@pytest.mark.parametrize(
    ("act", "first", "last"),
    [
        (_edit, 17, 17),
        (_edit_and_rechain, 10, 19),
        (_edit_a_sessions_last, 30, 39),
        (_delete, 17, 17),
        (_cut, 33, 39),
        (_truncate, 0, 39),
        (_swap_with_times, 0, 9),
        (_roll_back, 30, 39),
        (_roll_back_and_write, 30, 39),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else str(value),
)
async def test_the_place_of_the_damage_is_named(act: Callable[[SimLog], None], first: int, last: int) -> None:
    """The row where one row tells it, else the rows between the last right and the first wrong checkpoint."""
    log, place = await sealed()
    act(log)
    finding = (await read(log, place)).findings[0]
    assert (finding.first, finding.last) == (first, last)


async def test_a_database_that_breaks_off_while_the_damage_is_named_does_not_take_the_refusal_back() -> None:
    """A full reading that ends early (a statement that takes too long, say) leaves the general refusal as it is."""

    class Breaking(SimLog):
        async def duplicate_id(self) -> int | None:
            raise DatabaseAway("the statement took too long")

    whole, place = await sealed()
    log = Breaking(whole.table, whole.checks, made=whole.made)
    await started(log, place)
    _edit_and_rechain(log)
    with pytest.raises(SealingRefused) as refused:
        await started(log, place)
    assert refused.value.finding.reason is Reason.REWRITTEN


async def _to_running(act: Callable[[SimLog], None], then: Callable[[SimLog], None]) -> Reason:
    log, place = await sealed()
    sealing = await started(log, place)
    act(log)
    then(log)
    with pytest.raises(SealingRefused) as refused:
        await sealing.sealer.seal()
    return refused.value.finding.reason


def _nothing(log: SimLog) -> None:
    pass


def _more(log: SimLog) -> None:
    log.append([1, 2, 3])


@pytest.mark.parametrize(
    ("act", "then", "reason"),
    [
        (_cut, _nothing, Reason.TAIL_CUT),
        (_truncate, _nothing, Reason.TAIL_CUT),
        (_roll_back, _nothing, Reason.TAIL_CUT),
        (_edit_a_sessions_last, _nothing, Reason.REWRITTEN),
        (_roll_back_and_write, _nothing, Reason.REWRITTEN),
        (_cut_checkpoints, _more, Reason.ROLLED_BACK),
    ],
)
async def test_a_running_sealer_stops_at_its_next_turn(
    act: Callable[[SimLog], None], then: Callable[[SimLog], None], reason: Reason
) -> None:
    """A log that loses its end under a running sealer is found without a restart."""
    assert await _to_running(act, then) is reason


async def test_a_bad_new_row_is_never_sealed() -> None:
    """A row that does not continue its chain, its time or its session stops the sealing before any signature."""

    def edited(log: SimLog) -> None:
        log.table[-1] = log.table[-1]._replace(body=BODY)

    def unlinked(log: SimLog) -> None:
        log.table[-1] = rehashed(log.table[-1], prev=bytes(32))

    def earlier(log: SimLog) -> None:
        log.table[-1] = rehashed(log.table[-1], at_us=5)

    def skipped(log: SimLog) -> None:
        log.table[-1] = rehashed(log.table[-1], n=99)

    def again(log: SimLog) -> None:
        log.table[-1] = rehashed(log.table[-1], n=0, body=encode_body({"kind": "session.open", **OPEN}))

    wanted = {
        edited: Reason.ROW_EDITED,
        unlinked: Reason.CHAIN_BROKEN,
        earlier: Reason.RESEQUENCED,
        skipped: Reason.ROW_MISSING,
        again: Reason.RESEQUENCED,
    }
    for act, reason in wanted.items():
        log, place = await sealed()
        sealing = await started(log, place)
        log.append([7, 1])
        act(log)
        with pytest.raises(SealingRefused) as refused:
            await sealing.sealer.seal()
        assert (refused.value.finding.reason, refused.value.finding.first) == (reason, 41)
        assert len(log.checks) == 4


async def test_a_row_after_the_close_is_never_sealed() -> None:
    """A closed session stays closed, also where its head is no longer in memory."""
    log, place = await sealed()
    sealing = await started(log, place, heads=1)
    log.append([1], close=True)
    log.append([2, 3, 4])
    await sealing.seal_and_publish(place)
    log.append([1])
    with pytest.raises(SealingRefused, match="chain_broken"):
        await sealing.sealer.seal()


def _write_anew(log: SimLog) -> None:
    first = next(seq for seq, row in enumerate(log.table) if row.session == SESSION and row.n == 1)
    log.table[first] = rehashed(log.table[first], body=BODY)
    rechained(log, first)


def _begin_anew(log: SimLog) -> None:
    log.table = [
        row if row.session != SESSION else rehashed(row, session=bytes([9]) * 16) for row in log.table
    ]


def _take_back(log: SimLog) -> None:
    """The session's sealed end goes to another session: what is left of it is as it was sealed."""
    last = max(seq for seq, row in enumerate(log.table) if row.session == SESSION)
    log.table[last] = log.table[last]._replace(session=bytes([9]) * 16)


@pytest.mark.parametrize("act", [_write_anew, _begin_anew, _take_back])
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
async def test_no_row_that_links_to_a_rewritten_session_is_sealed(
    act: Callable[[SimLog], None], closed: bool
) -> None:
    """A proof binds a session by its last row: the sealer does not sign one that continues another history than it
    read, whatever the database says now, also after a start and before the log is read again.
    """
    log, place = await sealed()
    if closed:
        log.append([1], close=True)
    log.append([2])
    await (await started(log, place)).seal_and_publish(place)
    sealing = await started(log, place, heads=100)
    checkpoints = len(log.checks)
    act(log)
    log.append([1], close=True)
    with pytest.raises(SealingRefused) as refused:
        await sealing.sealer.seal()
    assert refused.value.finding.reason in (Reason.CHAIN_BROKEN, Reason.ROW_MISSING, Reason.RESEQUENCED)
    assert len(log.checks) == checkpoints


async def test_what_lies_in_a_place_is_not_believed() -> None:
    """A note that another key signed, or one of other bytes, stops the start by the place's name."""
    log, place = await sealed()
    place.held[ORIGIN][50] = b"no note"
    with pytest.raises(SealingRefused, match=r"published_forged.*folder-1"):
        await started(log, place)
    place.held[ORIGIN][50] = Checkpoint(ORIGIN, 50, bytes(32)).sign(signing_key(9))
    with pytest.raises(SealingRefused, match="published_forged"):
        await started(log, place)


def _no_witness(log: SimLog, place: SimPlace) -> None:
    log.checks.clear()
    place.held.clear()


def _empty_place(log: SimLog, place: SimPlace) -> None:
    place.held.clear()


def _empty_table(log: SimLog, place: SimPlace) -> None:
    log.checks.clear()


def _empty_table_and_a_row_less(log: SimLog, place: SimPlace) -> None:
    log.checks.clear()
    log.table.pop()


def _empty_database(log: SimLog, place: SimPlace) -> None:
    log.checks.clear()
    log.table.clear()


def _no_answer(log: SimLog, place: SimPlace) -> None:
    place.away = True


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (_no_witness, Reason.NOTHING_PUBLISHED),
        (_empty_place, Reason.PLACE_EMPTY),
        (_empty_table, Reason.CHECKPOINTS_MISSING),
        (_empty_table_and_a_row_less, Reason.ROLLED_BACK),
        (_empty_database, Reason.TRUNCATED),
        (_no_answer, Reason.PLACES_AWAY),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else str(value),
)
async def test_a_start_without_a_witness_is_a_persons_decision(
    act: Callable[[SimLog, SimPlace], None], reason: Reason
) -> None:
    """Table or place empty, or nobody answers: refused, whatever the other says."""
    log, place = await sealed()
    act(log, place)
    with pytest.raises(SealingRefused) as refused:
        await started(log, place)
    assert refused.value.finding.reason is reason


async def test_first_start_allows_nothing_but_empty_places() -> None:
    """With the option a rolled-back, cut or edited log is refused all the same."""
    for act in (_edit, _cut, _roll_back, _roll_back_and_write, _cut_checkpoints, _truncate):
        log, place = await sealed()
        act(log)
        with pytest.raises(SealingRefused):
            await started(log, place, allowed=FIRST)


async def test_first_start_lets_an_emptied_place_begin_anew() -> None:
    """The copies were lost, and a person says so: the whole log still has to be the table's."""
    log, place = await sealed()
    place.held.clear()
    sealing = await started(log, place, allowed=FIRST)
    assert sealing.sealer.head == log.checks[-1]
    log.table[17] = rehashed(log.table[17], body=BODY)
    with pytest.raises(SealingRefused, match=r"chain_broken|rewritten"):
        await started(log, place, allowed=FIRST)


async def test_a_second_place_that_is_empty_is_refused_until_a_person_says_that_it_is_new() -> None:
    """One witness that was emptied is not outvoted by the others."""
    log, place = await sealed()
    new = SimPlace("folder-2")
    with pytest.raises(SealingRefused, match=r"place_empty.*folder-2"):
        await started(log, place, new)
    sealing = await started(log, place, new, allowed=Allowed(new_places=frozenset({"folder-2"})))
    assert sealing.resumed.published["folder-2"] is None


async def test_a_checkpoint_that_was_stored_and_not_published_is_no_matter() -> None:
    """The sealer died between the two, or the place was away: the start goes on from the table."""
    log, place = await sealed()
    del place.held[ORIGIN][40], place.held[ORIGIN][30]
    sealing = await started(log, place)
    assert sealing.sealer.head == log.checks[-1]


async def test_the_database_is_read_again_and_not_remembered() -> None:
    """Two starts of one log: what was changed between them shows, though the first one was good."""
    log, place = await sealed()
    await started(log, place)
    _edit_and_rechain(log)
    with pytest.raises(SealingRefused, match="rows 10 to 19"):
        await started(log, place)
