"""Signed notes: the published note opens, one encoding each, and no changed byte gets through."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from doublethink_ledger import (
    LedgerFormatError,
    NoteError,
    SignatureError,
    SigningKey,
    UnknownKeyError,
    VerifierKey,
    open_note,
    parse_note,
    sign,
)
from doublethink_ledger.note import MAX_NOTE_BYTES, MAX_SIGNATURES
from hypothesis import given, settings
from hypothesis import strategies as st

# The note and the key of the documentation of golang.org/x/mod/sumdb/note, the format's first implementation.
PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PUBLISHED_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
).encode()

KEY = SigningKey("ledger.example/a", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = SigningKey("ledger.example/b", Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
TEXT = b"one line\n\nanother, \xc3\xa9\n"
NOTE = sign(TEXT, KEY)


def pem(key: SigningKey) -> bytes:
    """The key as a file has it."""
    return key._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def lines(note: bytes) -> str:
    """The signature lines of a note."""
    return note.rpartition(b"\n\n")[2].decode()


def test_the_published_note_opens() -> None:
    """A note that another implementation signed opens with its published key, and comes out byte for byte."""
    key = VerifierKey.parse(PUBLISHED_KEY)
    assert key.format() == PUBLISHED_KEY
    assert open_note(PUBLISHED_NOTE, [key]).encode() == PUBLISHED_NOTE


def test_what_is_signed_opens() -> None:
    """The text comes back with its last newline; empty lines inside are part of it; signing is deterministic."""
    note = open_note(NOTE, [KEY.verifier])
    assert (note.text, note.encode(), sign(TEXT, KEY)) == (TEXT, NOTE, NOTE)


def test_openssl_accepts_the_signature(tmp_path: Path) -> None:
    """A note's signature is plain Ed25519 over the text: another program accepts it, and refuses another text."""
    encoded = bytes.fromhex("302a300506032b6570032100") + KEY.verifier.public
    (tmp_path / "key").write_bytes(encoded)
    (tmp_path / "text").write_bytes(TEXT)
    (tmp_path / "signature").write_bytes(parse_note(NOTE).signatures[0].signature)
    command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", "key"]
    command += ["-sigfile", "signature", "-in", "text"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / "text").write_bytes(TEXT.replace(b"one", b"two"))
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_signatures_by_others_are_passed_over() -> None:
    """One known key among several is enough, in any place; both may be known."""
    both = NOTE + lines(sign(TEXT, OTHER)).encode()
    for keys in ([KEY], [OTHER], [KEY, OTHER]):
        assert len(open_note(both, [key.verifier for key in keys]).signatures) == 2


def test_a_note_by_a_stranger_is_refused_and_says_by_whom() -> None:
    """Without a known key the error names the keys that the note names."""
    with pytest.raises(UnknownKeyError) as caught:
        open_note(NOTE, [OTHER.verifier])
    assert caught.value.ids == (KEY.verifier.label,)
    with pytest.raises(UnknownKeyError):
        open_note(NOTE, [])


def test_a_known_keys_bad_signature_spoils_the_note() -> None:
    """A signature that names a known key and does not fit is an error, even beside a good one."""
    forged = lines(sign(b"another text\n", OTHER)).encode()
    with pytest.raises(SignatureError):
        open_note(NOTE + forged, [KEY.verifier, OTHER.verifier])
    assert open_note(NOTE + forged, [KEY.verifier]).text == TEXT
    with pytest.raises(SignatureError):
        open_note(NOTE + lines(NOTE).encode(), [KEY.verifier])


def test_a_key_that_takes_anothers_name_and_id_does_not_get_through() -> None:
    """Name and id are what the signature line says; only the pinned bytes decide."""
    line = lines(NOTE)
    thief = SigningKey("ledger.example/a", Ed25519PrivateKey.from_private_bytes(bytes(32)))
    stolen = parse_note(sign(TEXT, thief)).signatures[0]
    forged = type(stolen)(stolen.name, KEY.verifier.id, stolen.signature).line()
    with pytest.raises(SignatureError):
        open_note(NOTE.replace(line.encode(), forged.encode()), [KEY.verifier])


def test_no_bit_can_be_changed() -> None:
    """Each single-bit change of a note makes it no note, or one that the key has not signed."""
    for place in range(len(NOTE)):
        for bit in range(8):
            changed = bytearray(NOTE)
            changed[place] ^= 1 << bit
            with pytest.raises(NoteError):
                open_note(bytes(changed), [KEY.verifier])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\n\n",
        TEXT,
        TEXT + b"\n",
        NOTE[:-1],
        NOTE + b"\n",
        NOTE + b"x",
        NOTE + b" \n",
        NOTE.replace(b"one", b"o\te"),
        NOTE.replace(b"one", b"o\re"),
        NOTE.replace(b"one", b"o\x00e"),
        NOTE.replace(b"one", b"o\xffe"),
        NOTE.replace("— ".encode(), b"- "),
        NOTE.replace(b"ledger.example/a", b""),
        NOTE.replace(b"ledger.example/a", b"a+b"),
        NOTE.replace(b"ledger.example/a", "a\u00a0b".encode()),
        NOTE.replace(b"ledger.example/a", b"a\x7fb"),
        NOTE.replace(b"ledger.example/a", b"a\xff"),
        NOTE.replace(b"ledger.example/a", b"a" * 256),
        NOTE[:-3] + b"\n",
        NOTE[:-1] + b"=\n",
        NOTE[:-1] + b" \n",
        TEXT + "\n— a AAAAAA==\n".encode(),
        TEXT + "\n— a\n".encode(),
        TEXT + b"\n" + "— a AAAAAAE=\n".encode() * (MAX_SIGNATURES + 1),
        b"x" * MAX_NOTE_BYTES + NOTE,
    ],
    ids=lambda data: repr(data[-30:]),
)
def test_what_is_no_note_is_refused(data: bytes) -> None:
    """Cut, padded, controlled, or in another base64: refused before any key is asked."""
    with pytest.raises(NoteError):
        parse_note(data)


def test_base64_has_one_form() -> None:
    """A signature whose last base64 letter carries stray bits is refused."""
    # 68 bytes leave 2 in the last group: `xx=` + one letter with two bits that nothing uses.
    assert NOTE.endswith(b"=\n")
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    at = letters.index(NOTE[-3:-2])
    with pytest.raises(NoteError):
        parse_note(NOTE[:-3] + letters[at + 1 : at + 2] + NOTE[-2:])


@pytest.mark.parametrize("text", [b"", b"no newline", b"\x01\n", b"\xff\n", b"x" * (MAX_NOTE_BYTES + 1)])
def test_what_cannot_be_a_text_is_not_signed(text: bytes) -> None:
    """Signing refuses what no reader would open."""
    with pytest.raises(NoteError):
        sign(text, KEY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a+b",
        PUBLISHED_KEY + "=",
        PUBLISHED_KEY + "\n",
        " " + PUBLISHED_KEY,
        PUBLISHED_KEY.replace("c74f20a3", "c74f20a4"),
        PUBLISHED_KEY.replace("c74f20a3", "C74F20A3"),
        PUBLISHED_KEY.replace("PeterNeumann", "Peter Neumann"),
        PUBLISHED_KEY.replace("PeterNeumann", ""),
        PUBLISHED_KEY.replace("+ARpc", "+Axpc"),
        PUBLISHED_KEY[:-4],
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    """Another name, id, algorithm, width or base64 is no key."""
    with pytest.raises(NoteError):
        VerifierKey.parse(text)


def test_a_signing_key_comes_from_a_pem_file() -> None:
    """PKCS #8 as openssl writes it; another algorithm, an encrypted file or none is refused without repeating it."""
    assert SigningKey.from_pem("ledger.example/a", pem(KEY)).verifier == KEY.verifier
    locked = KEY._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x"))
    elliptic = generate_private_key(SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    for data in (locked, elliptic, b"", b"secret words", pem(KEY)[:60]):
        with pytest.raises(NoteError) as caught:
            SigningKey.from_pem("ledger.example/a", data)
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None


def test_a_signing_key_shows_nothing_of_itself() -> None:
    """Neither repr nor pickling gives the private key out."""
    assert repr(KEY) == f"<SigningKey {KEY.verifier.label}>"
    with pytest.raises(TypeError):
        pickle.dumps(KEY)


@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: NOTE + text.encode()))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    """Any bytes are a note that encodes to themselves, or raise NoteError."""
    with contextlib.suppress(NoteError):
        assert parse_note(data).encode() == data


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_no_text_crashes_the_key_reader(text: str) -> None:
    """Any text is a key that formats to itself, or raises an error of ours."""
    with contextlib.suppress(LedgerFormatError):
        assert VerifierKey.parse(text).format() == text
