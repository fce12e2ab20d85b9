"""Signed notes and their keys (C2SP signed-note), Ed25519 alone.

    text, which ends in a newline
    an empty line
    — name base64(key id[4] || signature[64])      one line or more

    key id = SHA-256(name || 0x0A || 0x01 || public key[32])[:4]
    vkey   = name+hex(key id)+base64(0x01 || public key[32])

A signing key is an unencrypted PKCS #8 PEM file, as `openssl genpkey -algorithm ed25519` writes it: every tool that
keeps keys can make, read and rotate it. The note's own form of a private key carries nothing more than a name, which
is configuration here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from doublethink_ledger import base64_text
from doublethink_ledger.errors import NoteError, SignatureError, UnknownKeyError

MAX_NOTE_BYTES: Final = 262_144
MAX_SIGNATURES: Final = 64
MAX_NAME_CHARS: Final = 255

_ED25519: Final = b"\x01"
_DASH: Final = "— "
_ID_BYTES: Final = 4
_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key with its name; the two give its id. Raises NoteError for a bad name or width."""

    name: str
    public: bytes

    def __post_init__(self) -> None:
        _check_name(self.name)
        if len(self.public) != _KEY_BYTES:
            raise NoteError(f"an Ed25519 public key has {_KEY_BYTES} bytes")

    @property
    def id(self) -> bytes:
        """The 4 bytes that, beside the name, tell this key from others. No protection: anybody can collide them."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_ID_BYTES]

    @property
    def label(self) -> str:
        """`name+hash`, for people."""
        return f"{self.name}+{self.id.hex()}"

    def format(self) -> str:
        """Return the vkey, one line without a newline."""
        return f"{self.label}+{base64_text.encode(_ED25519 + self.public)}"

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        """Return the key of a vkey. Raises NoteError for another form or algorithm, or an id that is not its own."""
        name, id, encoded = _three(text)
        public = base64_text.decode(encoded)
        if public[:1] != _ED25519:
            raise NoteError("a key is not of the Ed25519 type")
        key = cls(name, public[1:])
        if key.id.hex() != id:
            raise NoteError("a key's id is not that of its name and bytes")
        return key

    def verify(self, text: bytes, signature: bytes) -> None:
        """Raise SignatureError unless the 64 bytes are this key's signature of the text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text)
        except (InvalidSignature, ValueError):
            raise SignatureError(f"the signature by {self.label} does not fit the text") from None


class SigningKey:
    """An Ed25519 private key with its name. Shows and pickles nothing of itself."""

    __slots__ = ("_private", "verifier")

    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.verifier = VerifierKey(name, private.public_key().public_bytes_raw())

    @classmethod
    def from_pem(cls, name: str, pem: bytes) -> SigningKey:
        """Return the key of an unencrypted PKCS #8 PEM file. Raises NoteError, which repeats nothing of the file."""
        try:
            private = load_pem_private_key(pem, password=None)
        except (ValueError, TypeError):
            raise NoteError("not an unencrypted private key in PEM") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise NoteError("a private key is not of the Ed25519 type")
        return cls(name, private)

    def sign(self, text: bytes) -> bytes:
        """Return the 64-byte signature (RFC 8032) of the text."""
        return self._private.sign(text)

    def __repr__(self) -> str:
        return f"<SigningKey {self.verifier.label}>"

    def __reduce__(self) -> str:
        raise TypeError("a signing key is not pickled")


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line: the key's name and id as the line says them, and the bytes after the id."""

    name: str
    id: bytes
    signature: bytes

    @property
    def label(self) -> str:
        """`name+hash`, as `VerifierKey.label`."""
        return f"{self.name}+{self.id.hex()}"

    def line(self) -> str:
        """Return the line, with its newline."""
        return f"{_DASH}{self.name} {base64_text.encode(self.id + self.signature)}\n"


@dataclass(frozen=True, slots=True)
class Note:
    """A note taken apart: `text` with its last newline, and every signature line. Nothing is verified."""

    text: bytes
    signatures: tuple[Signature, ...]

    def encode(self) -> bytes:
        """Return the note's bytes."""
        return self.text + b"\n" + "".join(each.line() for each in self.signatures).encode()


def sign(text: bytes, key: SigningKey) -> bytes:
    """Return the note of this text, signed by one key. Raises NoteError for a text that cannot be a note's."""
    _check_text(text)
    mine = Signature(key.verifier.name, key.verifier.id, key.sign(text))
    return Note(text, (mine,)).encode()


def parse_note(data: bytes) -> Note:
    """Return the parts of a note, unverified. Raises NoteError for bytes that are not one note, byte for byte."""
    if len(data) > MAX_NOTE_BYTES:
        raise NoteError(f"a note has more than {MAX_NOTE_BYTES} bytes")
    border = data.rfind(b"\n\n")
    if border < 0:
        raise NoteError("a note has no empty line before its signatures")
    text, rest = data[: border + 1], data[border + 2 :]
    _check_text(text)
    if not rest.endswith(b"\n"):
        raise NoteError("a note has no signature, or does not end in a newline")
    try:
        lines = rest[:-1].decode().split("\n")
    except UnicodeDecodeError:
        raise NoteError("a signature line is not UTF-8") from None
    if len(lines) > MAX_SIGNATURES:
        raise NoteError(f"a note has more than {MAX_SIGNATURES} signatures")
    return Note(text, tuple(_signature(line) for line in lines))


def open_note(data: bytes, keys: Iterable[VerifierKey]) -> Note:
    """Return a note that at least one of the keys has signed.

    Signatures by other keys are passed over, as the format demands. Raises NoteError for bytes that are not a note,
    SignatureError when a signature that names a known key does not fit or stands there twice, UnknownKeyError when no
    signature names a known key.
    """
    note = parse_note(data)
    known = {(key.name, key.id): key for key in keys}
    seen: set[tuple[str, bytes]] = set()
    for each in note.signatures:
        key = known.get((each.name, each.id))
        if key is None:
            continue
        if (each.name, each.id) in seen:
            raise SignatureError(f"{key.label} has signed twice")
        key.verify(note.text, each.signature)
        seen.add((each.name, each.id))
    if not seen:
        raise UnknownKeyError(tuple(each.label for each in note.signatures))
    return note


def _signature(line: str) -> Signature:
    if not line.startswith(_DASH):
        raise NoteError("a signature line does not begin with a dash")
    name, space, encoded = line[len(_DASH) :].partition(" ")
    if not space:
        raise NoteError("a signature line has no signature")
    _check_name(name)
    data = base64_text.decode(encoded)
    if len(data) <= _ID_BYTES:
        raise NoteError("a signature is cut short")
    return Signature(name, data[:_ID_BYTES], data[_ID_BYTES:])


def _three(text: str) -> tuple[str, str, str]:
    # The base64 part may hold a plus; name and id may not.
    parts = text.split("+", 2)
    if len(parts) != 3:
        raise NoteError("a key is not name+hash+base64")
    return parts[0], parts[1], parts[2]


def _check_name(name: str) -> None:
    if not 0 < len(name) <= MAX_NAME_CHARS:
        raise NoteError(f"a key's name has 1 to {MAX_NAME_CHARS} characters")
    if "+" in name or any(letter.isspace() or not letter.isprintable() for letter in name):
        raise NoteError("a key's name has a space, a plus or a character that does not print")


def _check_text(text: bytes) -> None:
    if len(text) > MAX_NOTE_BYTES:
        raise NoteError(f"a note has more than {MAX_NOTE_BYTES} bytes")
    if not text.endswith(b"\n"):
        raise NoteError("a note's text does not end in a newline")
    try:
        letters = text.decode()
    except UnicodeDecodeError:
        raise NoteError("a note's text is not UTF-8") from None
    if any(letter < " " and letter != "\n" for letter in letters):
        raise NoteError("a note's text has a control character")
