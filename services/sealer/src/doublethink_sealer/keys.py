"""The keys that sign checkpoints, and those that are believed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from doublethink_ledger import Checkpoint, Note, NoteError, SigningKey, VerifierKey, open_note
from doublethink_ledger.note import Signature
from doublethink_settings import SettingsError
from doublethink_settings.files import read_file

_MAX_PEM_BYTES: Final = 4096
_MAX_LIST_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Keys:
    """signing: all of them sign; none in a process that only checks. trusted: what may have signed earlier notes,
    the keys of earlier origins included.
    """

    signing: tuple[SigningKey, ...]
    trusted: tuple[VerifierKey, ...]

    def sign(self, text: bytes) -> bytes:
        """Return the note of this text with one signature a key."""
        signatures = tuple(
            Signature(key.verifier.name, key.verifier.id, key.sign(text)) for key in self.signing
        )
        return Note(text, signatures).encode()

    def open(self, note: bytes) -> Checkpoint:
        """Return the checkpoint of a note that a trusted key with the name of the checkpoint's origin signed.

        Raises NoteError.
        """
        checkpoint = Checkpoint.parse(open_note(note, self.trusted).text)
        own = [key for key in self.trusted if key.name == checkpoint.origin]
        open_note(note, own)
        return checkpoint


def load_keys(origin: str, sign: Sequence[Path], trusted: Sequence[Path]) -> Keys:
    """Read private keys (PKCS #8 PEM, their owner's alone) and lists of vkeys, one a line. Raises SettingsError."""
    signing = tuple(_signing(origin, path) for path in sign)
    verifiers = [key.verifier for key in signing]
    for path in trusted:
        verifiers += read_vkeys(path)
    return Keys(signing, tuple(dict.fromkeys(verifiers)))


def read_vkeys(path: Path) -> list[VerifierKey]:
    """Return the vkeys of a file, one a line; lines that are empty or begin with # are passed over.

    Raises SettingsError.
    """
    try:
        lines = read_file(path, _MAX_LIST_BYTES, private=False).decode().splitlines()
        return [VerifierKey.parse(line) for line in lines if line and not line.startswith("#")]
    except (UnicodeDecodeError, NoteError) as error:
        raise SettingsError(f"{path} must hold vkeys, one a line") from error


def make_key() -> bytes:
    """Return a new Ed25519 private key as PKCS #8 PEM, as `openssl genpkey -algorithm ed25519` makes it."""
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _signing(origin: str, path: Path) -> SigningKey:
    try:
        return SigningKey.from_pem(origin, read_file(path, _MAX_PEM_BYTES, private=True))
    except NoteError as error:
        raise SettingsError(f"{path}: {error}") from error


def write_key(origin: str, key: Path, vkey: Path) -> None:
    """Make a private key in a new file of mode 0600, and add its vkey as a line to another. Raises SettingsError."""
    pem = make_key()
    try:
        # Before anything is written: a name that cannot be a key's leaves no file behind.
        line = SigningKey.from_pem(origin, pem).verifier.format() + "\n"
        descriptor = os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        with vkey.open("a", encoding="utf-8") as lines:
            lines.write(line)
    except OSError as error:
        raise SettingsError(f"cannot write {error.filename}: {error.strerror}") from None
    except NoteError as error:
        raise SettingsError(f"--origin: {error}") from None
