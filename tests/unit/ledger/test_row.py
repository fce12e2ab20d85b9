"""The row's hash against a second implementation and against values that were worked out outside this
code.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import replace

import pytest
from doublethink_ledger import (
    ChainError,
    Part,
    Row,
    RowFormatError,
    check_row_hash,
    first_prev,
    leaf_data,
    row_hash,
)
from hypothesis import given, settings
from hypothesis import strategies as st

SESSION = bytes(range(16))
ID = bytes(range(16, 32))
BODY = b'{"kind":"session.close"}'

# Made with printf and sha256sum, 117 bytes for the row:
#   printf '\x00dtl1' SESSION '\x00..\x03' '\x00\x06\x0a\x24\x18\x1e\x40\x00' ID 32-zero-bytes SHA256(BODY)
KNOWN_ROW_HASH = "9a6ee90c3e3fd0a252f88b88818c67681497173f8c1af8a497225141b666adb2"
KNOWN_FIRST_PREV = "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991"


def independent_hash(session: bytes, n: int, at_us: int, id: bytes, prev: bytes, body: bytes) -> bytes:
    """The formula, written a second time and in another way."""
    digest = hashlib.sha256()
    for piece in (
        bytes([0]),
        "dtl1".encode("ascii"),
        session,
        n.to_bytes(8, "big"),
        struct.pack("!Q", at_us),
        id,
        prev,
        hashlib.sha256(body).digest(),
    ):
        digest.update(piece)
    return digest.digest()


def row(**changes: object) -> Row:
    """A good row, then changed."""
    prev = first_prev(SESSION)
    good = Row(
        seq=5,
        session=SESSION,
        n=0,
        id=ID,
        at_us=1_700_000_000_000_000,
        prev=prev,
        body_sha256=hashlib.sha256(BODY).digest(),
        hash=independent_hash(SESSION, 0, 1_700_000_000_000_000, ID, prev, BODY),
        body=BODY,
    )
    return replace(good, **changes)  # type: ignore[arg-type]  # names and types are the tests' own


def test_first_prev_is_the_hash_of_the_session() -> None:
    """The first row's prev is SHA-256 of the 16 bytes of the session."""
    assert first_prev(SESSION).hex() == KNOWN_FIRST_PREV
    assert first_prev(SESSION) == hashlib.sha256(SESSION).digest()


def test_a_row_hashes_to_the_known_value() -> None:
    """One row's hash is the value that the shell's sha256sum gives for the bytes of the format."""
    got = row_hash(
        session=SESSION,
        n=3,
        at_us=1_700_000_000_000_000,
        id=ID,
        prev=bytes(32),
        body_sha256=hashlib.sha256(BODY).digest(),
    )
    assert got.hex() == KNOWN_ROW_HASH


def test_leaf_data_is_the_hashed_bytes_without_the_prefix() -> None:
    """The leaf data has 116 bytes; with 0x00 before them they hash to the row's hash (RFC 6962)."""
    one = row()
    data = one.leaf_data()
    assert len(data) == 116
    assert hashlib.sha256(b"\x00" + data).digest() == one.hash
    assert data.startswith(b"dtl1" + SESSION)


@given(
    session=st.binary(min_size=16, max_size=16),
    id=st.binary(min_size=16, max_size=16),
    n=st.integers(0, 2**63 - 1),
    at_us=st.integers(0, 2**63 - 1),
    prev=st.binary(min_size=32, max_size=32),
    body=st.binary(max_size=200),
)
@settings(max_examples=200, deadline=None)
def test_both_implementations_agree(
    session: bytes, id: bytes, n: int, at_us: int, prev: bytes, body: bytes
) -> None:
    """For any row the library and the second implementation give the same hash."""
    body_sha256 = hashlib.sha256(body).digest()
    got = row_hash(session=session, n=n, at_us=at_us, id=id, prev=prev, body_sha256=body_sha256)
    assert got == independent_hash(session, n, at_us, id, prev, body)


@pytest.mark.parametrize(
    "changes",
    [
        {"session": bytes(15)},
        {"session": bytes(17)},
        {"id": b""},
        {"prev": bytes(31)},
        {"body_sha256": bytes(33)},
        {"hash": bytes(20)},
        {"n": -1},
        {"n": 2**63},
        {"at_us": -1},
        {"at_us": 2**63},
        {"seq": -1},
        {"n": True},
        {"n": 1.0},
        {"session": bytearray(16)},
        {"id": "0123456789abcdef"},
    ],
    ids=str,
)
def test_a_wrong_width_or_range_is_refused(changes: dict[str, object]) -> None:
    """A row with a field of another width, range or type cannot be made."""
    with pytest.raises(RowFormatError):
        row(**changes)


def test_a_good_row_passes() -> None:
    """The check says nothing about a row that is right, with its body and without."""
    check_row_hash(row())
    check_row_hash(row(body=None))


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"n": 1}, Part.HASH),
        ({"at_us": 1}, Part.HASH),
        ({"session": bytes(16)}, Part.HASH),
        ({"id": bytes(16)}, Part.HASH),
        ({"prev": bytes(32)}, Part.HASH),
        ({"hash": bytes(32)}, Part.HASH),
        ({"body": b"{}"}, Part.BODY),
        ({"body_sha256": bytes(32)}, Part.BODY),
        ({"body_sha256": bytes(32), "body": None}, Part.HASH),
    ],
    ids=str,
)
def test_a_changed_field_shows(changes: dict[str, object], part: Part) -> None:
    """Any changed field fails the check, and the error names the part."""
    with pytest.raises(ChainError) as caught:
        check_row_hash(row(**changes), 7)
    assert (caught.value.part, caught.value.index) == (part, 7)


def test_leaf_data_checks_its_fields() -> None:
    """The function for loose fields refuses what the class refuses."""
    with pytest.raises(RowFormatError):
        leaf_data(session=b"", n=0, at_us=0, id=ID, prev=bytes(32), body_sha256=bytes(32))
