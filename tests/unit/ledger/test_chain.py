"""The chain check: a good chain passes, each kind of damage is named, no byte can be changed unseen."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from doublethink_ledger import (
    ChainError,
    Kind,
    LogChecker,
    Part,
    Row,
    RowFormatError,
    check_chain,
    check_log,
    encode_body,
    first_prev,
    row_hash,
)
from hypothesis import given, settings
from hypothesis import strategies as st

DIGEST = "0" * 64
WHO = {"gate": DIGEST, "policy": DIGEST}
OPEN = encode_body(
    {
        **WHO,
        "kind": Kind.SESSION_OPEN.value,
        "source": "corpus",
        "max_queries": 1,
        "max_pages": 1,
        "max_calls": 1,
        "max_bytes": 1,
        "expires_us": 1,
    }
)
APPROVAL = encode_body(
    {
        **WHO,
        "kind": Kind.APPROVAL.value,
        "of": "00000000-0000-0000-0000-000000000000",
        "verdict": "reject",
        "approver": DIGEST,
    }
)
CLOSE = encode_body({**WHO, "kind": Kind.SESSION_CLOSE.value, "reason": "closed"})

A, B = b"a" * 16, b"b" * 16


def chain(session: bytes, *bodies: bytes, seqs: list[int] | None = None) -> list[Row]:
    """A good chain with these bodies; seq counts from 0 unless given."""
    rows: list[Row] = []
    prev = first_prev(session)
    for n, body in enumerate(bodies):
        seq = n if seqs is None else seqs[n]
        rows.append(sealed(session, n, prev, body, seq))
        prev = rows[-1].hash
    return rows


def sealed(session: bytes, n: int, prev: bytes, body: bytes, seq: int, at_us: int | None = None) -> Row:
    """One row whose hash is right for what it holds."""
    at_us = 1000 + seq if at_us is None else at_us
    id = hashlib.sha256(session + bytes([n])).digest()[:16]
    body_sha256 = hashlib.sha256(body).digest()
    hash = row_hash(session=session, n=n, at_us=at_us, id=id, prev=prev, body_sha256=body_sha256)
    return Row(seq, session, n, id, at_us, prev, body_sha256, hash, body)


GOOD = chain(A, OPEN, APPROVAL, APPROVAL, CLOSE)


def broken(rows: list[Row]) -> ChainError:
    """The error that a chain gives."""
    with pytest.raises(ChainError) as caught:
        check_chain(rows)
    return caught.value


def test_a_good_chain_passes_and_gives_its_head() -> None:
    """The head is the last row's; it says whether the session is closed."""
    head = check_chain(GOOD)
    assert (head.session, head.n, head.seq, head.at_us, head.hash) == (A, 3, 3, 1003, GOOD[3].hash)
    assert head.closed
    assert not check_chain(GOOD[:3]).closed


def test_bodies_may_be_left_out() -> None:
    """A chain without some of its bodies still checks: the hash of each body is enough."""
    rows = [replace(row, body=None) if row.n in (1, 2) else row for row in GOOD]
    assert check_chain(rows) == check_chain(GOOD)


def test_no_rows_are_no_chain() -> None:
    """An empty sequence is an error, not a success."""
    assert broken([]).part is Part.N


@pytest.mark.parametrize(
    ("rows", "index", "part"),
    [
        pytest.param(GOOD[1:], 0, Part.N, id="the first row is missing"),
        pytest.param([GOOD[0], *GOOD[2:]], 1, Part.N, id="a row inside is missing"),
        pytest.param([GOOD[0], GOOD[0]], 1, Part.SEQ, id="a row twice"),
        pytest.param([GOOD[0], GOOD[2], GOOD[1]], 1, Part.N, id="two rows swapped"),
        pytest.param([GOOD[0], *chain(B, OPEN, seqs=[5])], 1, Part.SESSION, id="another session's row"),
        pytest.param(
            [GOOD[0], sealed(A, 1, bytes(32), APPROVAL, 1)], 1, Part.PREV, id="a row that was made anew"
        ),
        pytest.param([sealed(A, 0, first_prev(B), OPEN, 0)], 0, Part.PREV, id="another session's beginning"),
        pytest.param([replace(GOOD[0], hash=bytes(32))], 0, Part.HASH, id="a wrong hash"),
        pytest.param([replace(GOOD[0], body=CLOSE)], 0, Part.BODY, id="another body"),
        pytest.param(
            [GOOD[0], sealed(A, 1, GOOD[0].hash, APPROVAL, 1, at_us=999)], 1, Part.AT_US, id="time runs back"
        ),
        pytest.param([*GOOD[:2], replace(GOOD[2], seq=1)], 2, Part.SEQ, id="the log's order is another"),
        pytest.param(chain(A, OPEN, CLOSE, APPROVAL), 2, Part.KIND, id="a row after the close"),
        pytest.param(chain(A, OPEN, OPEN), 1, Part.KIND, id="opened twice"),
        pytest.param(chain(A, APPROVAL), 0, Part.KIND, id="never opened"),
        pytest.param(chain(A, OPEN, b"{}"), 1, Part.BODY, id="a body that is none"),
        pytest.param(chain(A, OPEN, APPROVAL + b" "), 1, Part.BODY, id="a body in another encoding"),
    ],
)
def test_each_damage_is_named(rows: list[Row], index: int, part: Part) -> None:
    """The error says which row and which part of it."""
    error = broken(rows)
    assert (error.index, error.part) == (index, part)
    assert str(index) in str(error)


def fields() -> list[tuple[int, str, int]]:
    """Every byte of every field of every row of the good chain."""
    return [
        (index, name, position)
        for index, row in enumerate(GOOD)
        for name in ("session", "id", "prev", "body", "body_sha256", "hash", "n", "at_us")
        for position in range(8 if name in ("n", "at_us") else len(getattr(row, name)))
    ]


def test_no_byte_can_be_changed_unseen() -> None:
    """Flipping a bit in any byte of any field of any row breaks the chain at that row, or at the next by
    its prev.
    """
    checked = 0
    for index, name, position in fields():
        value = getattr(GOOD[index], name)
        if isinstance(value, int):
            changed: object = value ^ (1 << (8 * position))
        else:
            changed = value[:position] + bytes([value[position] ^ 1]) + value[position + 1 :]
        rows = list(GOOD)
        try:
            rows[index] = replace(rows[index], **{name: changed})  # type: ignore[arg-type]  # by name
        except RowFormatError:
            pytest.fail(f"bit 0 of byte {position} of {name} makes no row at all")
        assert broken(rows).index == index, (index, name, position)
        checked += 1
    assert checked == sum(16 + 16 + 32 + 32 + 32 + 8 + 8 + len(row.body or b"") for row in GOOD)


def test_a_cut_body_cannot_be_put_back_changed() -> None:
    """Without its body a row keeps the hash of it: another hash breaks the row."""
    rows = [replace(row, body=None) for row in GOOD]
    rows[1] = replace(rows[1], body_sha256=bytes(32))
    assert (broken(rows).index, broken(rows).part) == (1, Part.HASH)


def log() -> list[Row]:
    """Two sessions, interleaved."""
    first = chain(A, OPEN, APPROVAL, CLOSE, seqs=[0, 2, 4])
    second = chain(B, OPEN, APPROVAL, seqs=[1, 3])
    return sorted(first + second, key=lambda row: row.seq)


def test_a_whole_log_is_one_chain_per_session() -> None:
    """An interleaved log checks; its heads are those of the sessions."""
    checker = check_log(log())
    assert checker.size == 5
    assert [(head.session, head.n, head.closed) for head in checker.heads()] == [(A, 2, True), (B, 1, False)]


@pytest.mark.parametrize(
    ("rows", "part"),
    [
        pytest.param(log()[1:], Part.SEQ, id="begins late"),
        pytest.param(log()[:2] + log()[3:], Part.SEQ, id="a gap"),
        pytest.param([log()[0], replace(log()[1], seq=1, id=log()[0].id)], Part.ID, id="an id twice"),
        pytest.param(
            [log()[0], sealed(B, 0, first_prev(B), OPEN, 1, at_us=1)], Part.AT_US, id="time runs back"
        ),
    ],
)
def test_a_damaged_log_is_named(rows: list[Row], part: Part) -> None:
    """Gaps, repeated ids and time that runs back between sessions are found."""
    with pytest.raises(ChainError) as caught:
        check_log(rows)
    assert caught.value.part is part


def test_a_refused_row_leaves_the_checker_as_it_was() -> None:
    """After an error the checker stands before the bad row and takes the good one."""
    checker = LogChecker()
    rows = log()
    checker.add(rows[0])
    with pytest.raises(ChainError):
        checker.add(replace(rows[1], hash=bytes(32)))
    for row in rows[1:]:
        checker.add(row)
    assert checker.size == len(rows)


@given(order=st.permutations(range(5)))
@settings(max_examples=120, deadline=None)
def test_only_the_one_order_passes(order: list[int]) -> None:
    """Any other order of a log's rows is refused."""
    rows = [log()[index] for index in order]
    if order == sorted(order):
        check_log(rows)
    else:
        with pytest.raises(ChainError):
            check_log(rows)
