"""Bundles and proofs as bytes: they come back as they were written, and nothing else is read."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest
from doublethink_ledger import (
    BundleError,
    BundleRow,
    LedgerFormatError,
    NoteError,
    Opening,
    ProofError,
    Since,
    TlogProof,
    parse_bundle,
    without_bodies,
)
from doublethink_ledger.bundle import MAX_LINE_BYTES
from hypothesis import given, settings
from hypothesis import strategies as st
from sim import bundles

LOG = bundles.log()
WHOLE = LOG.bundle(since=9, opened=[1, 7])
DATA = WHOLE.encode()
PROOF = WHOLE.proof.encode()


def test_a_bundle_comes_back() -> None:
    """With everything that a bundle can have, with nothing of it, and with bodies left out."""
    for bundle in (WHOLE, LOG.bundle(), LOG.bundle(1), without_bodies(WHOLE, [0, 7])):
        assert parse_bundle(bundle.encode()) == bundle


def test_a_body_of_any_bytes_comes_back() -> None:
    """What somebody did to a body past every grant is exported as it is."""
    rows = (replace(WHOLE.rows[0], body=bytes(range(256))), *WHOLE.rows[1:])
    damaged = replace(WHOLE, rows=rows)
    assert parse_bundle(damaged.encode()) == damaged


def test_leaving_out_a_body_takes_its_opening_along() -> None:
    """No payload stays whose commitment is not there; a row that is not there is an error."""
    assert [opening.n for opening in without_bodies(WHOLE, [7]).openings] == [1]
    assert without_bodies(WHOLE, []) == WHOLE
    assert without_bodies(without_bodies(WHOLE, [7]), [7]) == without_bodies(WHOLE, [7])
    with pytest.raises(BundleError):
        without_bodies(WHOLE, [10])


@pytest.mark.parametrize(
    "bundle",
    [
        replace(WHOLE, rows=(replace(WHOLE.rows[0], body=None), *WHOLE.rows[1:])),
        replace(WHOLE, rows=(replace(WHOLE.rows[0], body_sha256=bytes(32)), *WHOLE.rows[1:])),
        replace(WHOLE, openings=(Opening(1, bytes(31), b""),)),
        replace(WHOLE, openings=(Opening(1, bytes(32), bytes(MAX_LINE_BYTES)),)),
        replace(WHOLE, since=Since(b"\xff", ())),
    ],
    ids=["no body", "both", "a short nonce", "a long payload", "not UTF-8"],
)
def test_what_would_not_be_read_is_not_written(bundle: object) -> None:
    """Encoding refuses parts without a form."""
    with pytest.raises(BundleError):
        bundle.encode()  # type: ignore[attr-defined]  # a bundle


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        PROOF,
        DATA[:-1],
        DATA + b"\n",
        DATA.replace(b'"n":4', b'"n": 4', 1),
        DATA.replace(b'"n":4', b'"n":4,"n":4', 1),
        DATA.replace(b'"n":4', b'"n":true', 1),
        DATA.replace(b'"n":4', b'"m":4', 1),
        DATA.replace(b'"rows":10', b'"rows":11'),
        DATA.replace(b'"rows":10', b'"rows":"10"'),
        DATA.replace(b'"rows":10', b'"rows":1e1'),
        DATA.replace(b"dtbundle/1", b"dtbundle/2"),
        DATA.replace(b"ses_a", b"ses_1"),
        DATA.replace(b"ses_a", b"SES_a"),
        DATA.replace(b'"nonce":"a', b'"nonce":"A'),
        DATA.replace(b'"since":"', b'"since":1,"x":"'),
        DATA.replace(b'{"consistency":[', b'{"consistency":[1,'),
        DATA.replace(b'{"consistency":', b'{"consistency":[],"since":""}\n{"consistency":'),
        DATA.replace(b'\n{"n":1', b'\n{"n":"1"'),
        DATA.replace(b'\n{"n":1', b'\n[]\n{"n":1'),
        DATA.replace(b'"body":"{', b'"body":"\\u1234{', 1),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_bytes_that_were_not_written_here_are_refused(data: bytes) -> None:
    """Another encoding, another type, another key, cut, or with something behind."""
    with pytest.raises(BundleError):
        parse_bundle(data)


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
@settings(max_examples=300, deadline=None)
def test_no_changed_byte_reads_as_the_same(place: int, mask: int) -> None:
    """A changed bundle is refused or is another bundle, and then it is that bundle's one encoding."""
    changed = bytearray(DATA)
    changed[place] ^= mask
    with contextlib.suppress(BundleError):
        found = parse_bundle(bytes(changed))
        assert found != WHOLE
        assert found.encode() == changed


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    """Any bytes in the place of the rows raise BundleError or are a bundle's."""
    for whole in (data, DATA[: DATA.index(b"\n") + 1] + data + b"\n" + PROOF):
        with contextlib.suppress(BundleError):
            assert parse_bundle(whole).encode() == whole


def test_a_row_is_taken_over_with_or_without_its_body() -> None:
    """Its index in the log is not: nothing in a bundle would vouch for it."""
    row = LOG.rows[3]
    assert BundleRow.of(row) == BundleRow(3, row.at_us, row.id, row.prev, row.hash, row.body, None)
    assert BundleRow.of(row, with_body=False).body_sha256 == row.body_sha256


def test_a_proof_comes_back() -> None:
    """Index, hashes, checkpoint; also without hashes, for a log of one row."""
    for proof in (WHOLE.proof, TlogProof(0, (), LOG.checkpoint(1))):
        assert TlogProof.parse(proof.encode()) == proof


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        PROOF[1:],
        PROOF.replace(b"@v1", b"@v2"),
        PROOF.replace(b"\nindex", b"\nextra AAAA\nindex"),
        PROOF.replace(b"index 23", b"index 023"),
        PROOF.replace(b"index 23", b"index -1"),
        PROOF.replace(b"index 23\n", b""),
        PROOF.replace(b"index 23", b"index 9223372036854775807"),
        PROOF.replace(b"index 23\n", b"index 23\nAAAA\n"),
        PROOF.replace(b"index 23\n", b"index 23\n*\n"),
        PROOF.replace(b"index 23\n", "index 23\né\n".encode()),
        PROOF.replace(b"index 23\n", b"index 23\n" + (b"A" * 43 + b"=\n") * 65),
        PROOF.replace(b"\n\n", b"\n\n\n", 1),
        PROOF + b"x",
        PROOF + b"x" * 300_000,
    ],
    ids=lambda data: repr(data[:40]),
)
def test_what_is_no_proof_is_refused(data: bytes) -> None:
    """Other lines, other numbers, other base64, extra data that nothing vouches for."""
    with pytest.raises((ProofError, NoteError)):
        TlogProof.parse(data)


@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(lambda text: b"c2sp.org/tlog-proof@v1\n" + text.encode())
)
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_proofs_reader(data: bytes) -> None:
    """Any bytes are a proof that encodes to themselves, or raise an error of ours."""
    with contextlib.suppress(LedgerFormatError):
        assert TlogProof.parse(data).encode() == data
