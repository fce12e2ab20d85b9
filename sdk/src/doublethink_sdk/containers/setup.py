"""Makes certificates, keys and passwords, once, each in the folder of the one service that reads it.

    python -m doublethink_sdk.containers.setup make --out FOLDER     what is missing; certificates that end soon, anew
    python -m doublethink_sdk.containers.setup token --out FOLDER    the console's token
    python -m doublethink_sdk.containers.setup vkey --out FOLDER     the ledger's public key, for whoever verifies

FOLDER holds a folder a service, each a volume of its own. Nothing that exists is replaced but certificates: they live
for 30 days, and from ten days before their end on all of them are made anew, with a new authority, whose key is never
written. Needs to be root, to give each file to its service's user.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from doublethink_ledger import SigningKey
from doublethink_rpc.certificates import make_authority
from psycopg.conninfo import make_conninfo

from doublethink_sdk.containers.places import CERTIFIED, USERS
from doublethink_sdk.launcher.directories import write_private
from doublethink_sdk.postgres.layout import (
    CONSOLE,
    CONSOLE_DATABASE,
    GATE,
    GATE_DATABASE,
    MIGRATOR,
    RETENTION,
    SEALER,
)
from doublethink_sdk.postgres.passwords import PasswordDirectory

ORIGIN: Final = "ledger.doublethink.internal/compose"
RENEW_BEFORE: Final = timedelta(days=10)
# Folder, role and database of each connection string.
_CONNECTIONS: Final = (
    ("gate", "dsn", GATE, GATE_DATABASE),
    ("console", "dsn", CONSOLE, CONSOLE_DATABASE),
    ("sealer", "dsn", SEALER, GATE_DATABASE),
    ("migrate", "dsn", MIGRATOR, GATE_DATABASE),
    ("retention", "dsn", RETENTION, GATE_DATABASE),
)
# Who reads the folders that are no service's own.
_READERS: Final = {"migrate": "gate", "retention": "gate", "database": "operator"}


@dataclass(frozen=True)
class Folders:
    """The folders of all services below one."""

    root: Path

    def user(self, name: str) -> int:
        """The number of who reads the folder `name`; 0 is root."""
        return USERS.get(_READERS.get(name, name), 0)

    def folder(self, *parts: str, group: int | None = None) -> Path:
        """A folder of the service `parts[0]`, its owner's alone, or open to one group."""
        user = self.user(parts[0])
        path = self.root / parts[0]
        for part in ("", *parts[1:]):
            path = path / part
            path.mkdir(mode=0o700, exist_ok=True)
            path.chmod(0o700 if group is None else 0o750)
            os.chown(path, user, user if group is None else group)
        return path

    def once(self, content: bytes, *parts: str) -> None:
        """Write a file unless it is there."""
        path = self.folder(*parts[:-1]) / parts[-1]
        if not path.exists():
            write_private(path, content, self.user(parts[0]))


def make(root: Path, origin: str) -> list[str]:
    """Make what is missing below `root`; return what was done, in lines for a person. Raises OSError."""
    folders, done = Folders(root), []
    for name in ("gate", "console"):
        folders.once(secrets.token_hex(32).encode(), name, "keys", "v1.key")
        folders.once(b"v1", name, "keys", "active")
    folders.once(secrets.token_hex(32).encode(), "console", "secrets", "token")
    if _make_log(folders, origin):
        done.append("a key for the ledger's log")
    passwords = PasswordDirectory(folders.folder("database", "passwords"))
    for folder, file, role, database in _CONNECTIONS:
        password = passwords.read_or_make(role)
        os.chown(password.file, USERS["operator"], USERS["operator"])
        dsn = make_conninfo("", host="postgres", dbname=database, user=role, password=password.text)
        folders.once(dsn.encode(), folder, "secrets", file)
    administrator = secrets.token_urlsafe(32).encode()
    folders.once(administrator, "database", "administrator")
    # The same for the server. Its images differ in who reads it, root or their own user, whose number is not ours to
    # know: nobody else mounts that folder.
    folders.once((root / "database" / "administrator").read_bytes(), "postgres", "password")
    (root / "postgres").chmod(0o755)
    (root / "postgres" / "password").chmod(0o444)
    # Folders of unix sockets: whose they are, and whose group may connect.
    folders.folder("console-http")
    os.chown(root / "console-http", USERS["console"], USERS["console"])
    for name, owner, peer in (("source", "corpus", "gate"), ("model", "forwarder", "planner")):
        path = folders.folder(name, group=USERS[peer])
        os.chown(path, USERS[owner], USERS[peer])
    if certificates_end(root) < datetime.now(UTC) + RENEW_BEFORE:
        make_certificates(folders)
        done.append("certificates for 30 days")
    return done


def _make_log(folders: Folders, origin: str) -> bool:
    if (folders.folder("sealer", "keys") / "log.vkey").exists():
        return False
    # The mark comes first: a set-up that is killed in between begins anew.
    lasting = folders.folder("checkpoints")
    for path in (lasting, folders.folder("checkpoints", "published")):
        os.chown(path, USERS["sealer"], USERS["sealer"])
    write_private(lasting / "first-start", b"", USERS["sealer"])
    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    folders.once(key, "sealer", "keys", "log.pem")
    kept = (folders.root / "sealer" / "keys" / "log.pem").read_bytes()
    vkey = SigningKey.from_pem(origin, kept).verifier.format()
    folders.once(f"{vkey}\n".encode(), "sealer", "keys", "log.vkey")
    return True


def certificates_end(root: Path) -> datetime:
    """When the first of the certificates ends; the year 1 where one is missing."""
    ends = []
    for name in CERTIFIED:
        path = root / name / "tls" / "tls.crt"
        if not path.exists():
            return datetime.min.replace(tzinfo=UTC)
        ends.append(x509.load_pem_x509_certificate(path.read_bytes()).not_valid_after_utc)
    return min(ends)


def make_certificates(folders: Folders) -> None:
    """A new authority and a certificate of it for each service that has one. Raises OSError."""
    authority = make_authority()
    for name in CERTIFIED:
        issued, user = authority.issue(name), folders.user(name)
        place = folders.folder(name, "tls")
        write_private(place / "ca.crt", issued.authority, user)
        write_private(place / "tls.key", issued.key, user)
        write_private(place / "tls.crt", issued.certificate, user)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code: 0 done, 2 wrong use or not possible here."""
    parser = argparse.ArgumentParser(
        prog="python -m doublethink_sdk.containers.setup",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["make", "token", "vkey"])
    parser.add_argument("--out", type=Path, required=True, help="the folder of the services' folders")
    parser.add_argument(
        "--origin", default=ORIGIN, help="the log's name, as the sealer's configuration has it"
    )
    options = parser.parse_args(arguments)
    out: Path = options.out
    try:
        if options.command == "make":
            for line in make(out, options.origin):
                sys.stdout.write(f"made {line}\n")
        else:
            shown = out / ("console/secrets/token" if options.command == "token" else "sealer/keys/log.vkey")
            sys.stdout.write(shown.read_text("ascii").strip() + "\n")
    except OSError as error:
        sys.stderr.write(f"setup: {error.filename or out}: {error.strerror}; is it root's, and set up?\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
