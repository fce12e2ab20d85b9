"""The ledger's log on one machine: its name, its key, and where its checkpoints are copied to.

DATA/ledger.vkey               the pinned keys, vkeys one a line: what `verify` believes
DATA/checkpoints/              the copies outside of the database
DATA/keys/sealer/log.pem       the private key, the sealer's alone
DATA/keys/sealer/origin        the log's name, which the checkpoints carry
DATA/keys/sealer/first-start   there until the log was sealed and published for the first time
"""

import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from doublethink_ledger import LedgerFormatError, SigningKey, VerifierKey

from doublethink_sdk.launcher.directories import write_private
from doublethink_sdk.launcher.errors import LaunchError

_ORIGIN_START = "ledger.doublethink.internal/"
_ORIGIN_BYTES = 8


@dataclass(frozen=True)
class LogFiles:
    """The files of one data directory."""

    data: Path

    @property
    def vkeys(self) -> Path:
        """The pinned keys."""
        return self.data / "ledger.vkey"

    @property
    def published(self) -> Path:
        """The folder of the copies."""
        return self.data / "checkpoints"

    @property
    def keys(self) -> Path:
        """The sealer's own folder."""
        return self.data / "keys" / "sealer"

    @property
    def key(self) -> Path:
        """The private key."""
        return self.keys / "log.pem"

    @property
    def first_start(self) -> Path:
        """The mark of a log that was not published yet."""
        return self.keys / "first-start"

    @property
    def origin(self) -> str:
        """The log's name. Raises LaunchError if there is none."""
        try:
            return (self.keys / "origin").read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise LaunchError(
                f"{self.keys / 'origin'} cannot be read; restore keys/ from a backup"
            ) from error

    def set_origin(self, origin: str) -> None:
        """Name the log. Raises OSError."""
        write_private(self.keys / "origin", f"{origin}\n".encode(), self._owner())

    def vkey(self, origin: str) -> VerifierKey:
        """The public half of the key, under a log's name. Raises LaunchError."""
        try:
            return SigningKey.from_pem(origin, self.key.read_bytes()).verifier
        except (OSError, LedgerFormatError) as error:
            raise LaunchError(f"{self.key} cannot be used; restore keys/ from a backup") from error

    def pin(self, key: VerifierKey) -> None:
        """Add a key to the pinned ones. Raises OSError."""
        lines = self.vkeys.read_text(encoding="utf-8") if self.vkeys.exists() else ""
        if key.format() not in lines.splitlines():
            write_private(self.vkeys, f"{lines}{key.format()}\n".encode())
        # Public, and checked by people and programs that are not the owner.
        self.vkeys.chmod(0o644)

    def prepare(self, user: int | None) -> VerifierKey:
        """Make what is missing at the first start, and give the sealer's user what is the sealer's.

        Returns the key. Raises OSError, or LaunchError where the key is not one that was pinned.
        """
        for folder in (self.keys, self.published):
            folder.mkdir(mode=0o700, exist_ok=True)
        if not self.key.exists():
            if self.vkeys.exists() and not self.first_start.exists():
                raise LaunchError(
                    f"{self.key} is missing, and {self.vkeys} is not: restore keys/ from a backup"
                )
            # The mark comes before the key: a start that is killed in between begins anew.
            write_private(self.first_start, b"")
            self.set_origin(new_origin())
            private = Ed25519PrivateKey.generate()
            write_private(self.key, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        key = self.vkey(self.origin)
        if self.first_start.exists():
            self.pin(key)
        elif not self.vkeys.exists() or key.format() not in self.vkeys.read_text("utf-8").splitlines():
            raise LaunchError(
                f"{self.key} is not a key that {self.vkeys} names: restore the one that is, or add this one's vkey "
                "if you put it there"
            )
        self._give(user)
        return key

    def settings(self) -> dict[str, Any]:
        """The sections of the sealer's configuration that concern the log."""
        return {
            "log": {"origin": self.origin},
            "keys": {"sign": [str(self.key)], "trusted": [str(self.vkeys)]},
            "places": {"folders": [str(self.published)]},
        }

    def _give(self, user: int | None) -> None:
        if os.geteuid() != 0:
            return
        owner = 0 if user is None else user
        folders = [one for one in self.published.iterdir() if one.is_dir() and not one.is_symlink()]
        for path in (self.keys, *self.keys.iterdir(), self.published, *folders):
            shutil.chown(path, owner, owner)

    def _owner(self) -> int | None:
        # A file that replaces another is the same user's.
        owner = self.keys.stat().st_uid
        return owner if os.geteuid() == 0 else None


def new_origin() -> str:
    """A name for a log that no other has."""
    return _ORIGIN_START + secrets.token_hex(_ORIGIN_BYTES)
