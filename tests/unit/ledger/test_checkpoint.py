"""Checkpoints: the specification's example parses, one encoding each, one log each."""

from __future__ import annotations

import contextlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from doublethink_ledger import (
    Checkpoint,
    NoteError,
    SigningKey,
    UnknownKeyError,
    empty_root,
    open_checkpoint,
    parse_note,
    sign,
)
from hypothesis import given, settings
from hypothesis import strategies as st

# The example of C2SP tlog-checkpoint.
EXAMPLE = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    "\n"
    "— example.com/behind-the-sofa "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
).encode()

ORIGIN = "ledger.example/a"
KEY = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = SigningKey("ledger.example/b", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
CHECKPOINT = Checkpoint(ORIGIN, 42, bytes(range(32)))
TEXT = CHECKPOINT.encode()


def test_the_specifications_example() -> None:
    """It parses, and encodes to the same text."""
    checkpoint = Checkpoint.parse(parse_note(EXAMPLE).text)
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert checkpoint.encode() == parse_note(EXAMPLE).text


def test_what_is_signed_opens() -> None:
    """A checkpoint comes back from its note; an empty log has the empty root."""
    for checkpoint in (
        CHECKPOINT,
        Checkpoint(ORIGIN, 0, empty_root()),
        Checkpoint(ORIGIN, 2**63 - 1, bytes(32)),
    ):
        assert open_checkpoint(checkpoint.sign(KEY), KEY.verifier, ORIGIN) == checkpoint


def test_another_logs_checkpoint_is_refused() -> None:
    """The key has to be the log's, the origin the one asked for, and the key is named after the log it signs."""
    with pytest.raises(UnknownKeyError):
        open_checkpoint(CHECKPOINT.sign(KEY), OTHER.verifier, ORIGIN)
    with pytest.raises(NoteError, match="another log"):
        open_checkpoint(CHECKPOINT.sign(KEY), KEY.verifier, "ledger.example/c")
    with pytest.raises(NoteError):
        CHECKPOINT.sign(OTHER)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n\n\n",
        TEXT[:-1],
        TEXT + b"extension\n",
        TEXT + b"\n",
        TEXT.replace(b"\n42\n", b"\n042\n"),
        TEXT.replace(b"\n42\n", b"\n+42\n"),
        TEXT.replace(b"\n42\n", b"\n-1\n"),
        TEXT.replace(b"\n42\n", b"\n4_2\n"),
        TEXT.replace(b"\n42\n", b"\n 42\n"),
        TEXT.replace(b"\n42\n", "\n٤٢\n".encode()),
        TEXT.replace(b"\n42\n", b"\n9223372036854775808\n"),
        TEXT.replace(b"\n42\n", b"\n" + b"9" * 5000 + b"\n"),
        TEXT.replace(b"\n42\n", b"\n0\n"),
        TEXT.replace(b"=\n", b"\n"),
        TEXT.replace(ORIGIN.encode(), b""),
        TEXT.replace(ORIGIN.encode(), b"two words"),
        TEXT.replace(ORIGIN.encode(), b"a+b"),
        TEXT.replace(ORIGIN.encode(), b"\xff"),
        TEXT.replace(ORIGIN.encode(), b"a" * 256),
    ],
    ids=lambda text: repr(text[:40]),
)
def test_what_is_no_checkpoint_is_refused(text: bytes) -> None:
    """Other numbers, other lines, other base64: refused, signed or not."""
    with pytest.raises(NoteError):
        Checkpoint.parse(text)
    if text.endswith(b"\n"):
        with contextlib.suppress(UnicodeDecodeError), pytest.raises(NoteError):
            open_checkpoint(sign(text, KEY), KEY.verifier, ORIGIN)


def test_no_bit_can_be_changed() -> None:
    """Each single-bit change of a signed checkpoint is refused."""
    note = CHECKPOINT.sign(KEY)
    for place in range(len(note)):
        for bit in range(8):
            changed = bytearray(note)
            changed[place] ^= 1 << bit
            with pytest.raises(NoteError):
                open_checkpoint(bytes(changed), KEY.verifier, ORIGIN)


@given(st.binary(max_size=120) | st.text(max_size=120).map(str.encode))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    """Any bytes are a checkpoint that encodes to themselves, or raise NoteError."""
    with contextlib.suppress(NoteError):
        assert Checkpoint.parse(data).encode() == data


@given(st.integers(0, 2**63 - 1), st.binary(min_size=32, max_size=32))
@settings(max_examples=100, deadline=None)
def test_every_checkpoint_comes_back(size: int, root: bytes) -> None:
    """Encoding and parsing are inverse."""
    checkpoint = Checkpoint(ORIGIN, size, root if size else empty_root())
    assert Checkpoint.parse(checkpoint.encode()) == checkpoint
