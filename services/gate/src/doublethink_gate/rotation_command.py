"""`python -m doublethink_gate rewrap`: after a rotation of the key-encryption key, wrap what the old version wrapped.

    rewrap --dsn-file FILE --keys DIR        DIR as the gates have it: every version, and the active one named

Every session's key is stored under the active version as well; nothing is deleted, and no payload is touched. Run it
once every gate was started with the new active version, since a gate wraps with the version that it started with. It
may be ended at any moment and run again. It connects as doublethink_gate, and says which versions are needed still.
Exit codes: 0 nothing needs an older version, 1 refused, or a key is wrapped under versions that are not in the
folder, 2 wrong use, 3 sessions that are open still need an older version, 4 the database does not answer.
"""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import psycopg
from doublethink_settings import SettingsError, read_secret

from doublethink_gate.database.errors import MigrationError
from doublethink_gate.database.migrate import check_schema
from doublethink_gate.ledger import KeyRing, PayloadError
from doublethink_gate.ledger.keys import Wrapped
from doublethink_gate.ledger.session_keys import key_context

_BATCH: Final = 500
"""Session keys of one transaction."""

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class _Stored:
    """A session's key as one version wraps it."""

    session: uuid.UUID
    version: int
    wrapped: Wrapped

    @property
    def context(self) -> bytes:
        return key_context(self.session, self.version)


@dataclass
class Done:
    """What a run did, and what is left. active: the version that wraps from now on.

    unopened: session keys under versions that are not held. open_sessions: of each older version, how many sessions
    that are open have their fingerprints under it; they go when the session closes.
    """

    active: str
    wrapped: int = 0
    unopened: dict[str, int] = field(default_factory=dict)
    open_sessions: dict[str, int] = field(default_factory=dict)

    def words(self) -> str:
        """One line for a person."""
        said = [f"wrapped {self.wrapped} session keys under {self.active} as well"]
        said += [
            f"{kek} is not among the key files, and {count} session keys are under it alone"
            for kek, count in sorted(self.unopened.items())
        ]
        said += [
            f"{kek} is needed by {count} open sessions: run it again when they are closed"
            for kek, count in sorted(self.open_sessions.items())
        ]
        if not (self.unopened or self.open_sessions):
            said.append("no older version is needed: take its file from every gate")
        return "; ".join(said)

    @property
    def code(self) -> int:
        """The exit code."""
        return 1 if self.unopened else 3 if self.open_sessions else 0


def main(arguments: list[str]) -> int:
    """Run the command; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        keyring = KeyRing.load(options.keys)
        with psycopg.connect(
            read_secret(options.dsn_file, "--dsn-file"), autocommit=True, connect_timeout=10
        ) as connection:
            check_schema(connection)
            done = rewrap(connection, keyring)
    except SettingsError as error:
        return _fail(2, str(error))
    except (PayloadError, MigrationError) as error:
        return _fail(1, str(error))
    # The server's and libpq's own words may quote the connection string: only the type is said.
    except psycopg.OperationalError as error:
        return _fail(4, f"the database does not answer ({type(error).__name__})")
    except psycopg.Error as error:
        return _fail(1, f"the database refused ({type(error).__name__})")
    sys.stdout.write((json.dumps(asdict(done)) if options.json else done.words()) + "\n")
    return done.code


def rewrap(connection: Connection, keyring: KeyRing) -> Done:
    """Store every session's key under the active version as well; an autocommitting connection.

    Raises PayloadError where a wrapped key was changed or moved to another session: nothing after it is wrapped.
    """
    done = Done(keyring.active)
    for batch in _behind(connection, keyring):
        done.wrapped += _store(connection, keyring, batch)
    done.unopened = _counted(
        connection,
        "SELECT kek, count(*) FROM ledger.session_key AS s WHERE NOT EXISTS (SELECT FROM ledger.session_key AS k"
        " WHERE k.session = s.session AND k.key_version = s.key_version AND k.kek = ANY(%s)) GROUP BY kek",
        sorted(keyring.versions),
    )
    done.open_sessions = _counted(
        connection,
        "SELECT pack_kek, count(*) FROM gate.session WHERE pack_kek IS NOT NULL AND pack_kek <> ALL(%s)"
        " GROUP BY pack_kek",
        [keyring.active],
    )
    return done


def _behind(connection: Connection, keyring: KeyRing) -> Iterator[list[_Stored]]:
    """Yield batches of session keys that lie under a version that is held, and not under the active one."""
    last = (uuid.UUID(int=0), 0)
    while True:
        found = connection.execute(
            "SELECT DISTINCT ON (session, key_version) session, key_version, kek, iv, wrapped"
            " FROM ledger.session_key AS s WHERE (session, key_version) > (%s, %s) AND kek = ANY(%s)"
            " AND NOT EXISTS (SELECT FROM ledger.session_key AS k"
            " WHERE k.session = s.session AND k.key_version = s.key_version AND k.kek = %s)"
            " ORDER BY session, key_version, kek DESC LIMIT %s",
            (*last, sorted(keyring.versions), keyring.active, _BATCH),
        ).fetchall()
        keys = [_Stored(row[0], row[1], Wrapped(row[2], bytes(row[3]), bytes(row[4]))) for row in found]
        if not keys:
            return
        yield keys
        last = (keys[-1].session, keys[-1].version)


def _store(connection: Connection, keyring: KeyRing, keys: list[_Stored]) -> int:
    """Store some keys under the active version; return how many there were still."""
    again = [keyring.wrap(keyring.unwrap(key.wrapped, key.context), key.context) for key in keys]
    row = connection.execute(
        "SELECT ledger.wrap_again(%s::uuid[], %s::integer[], %s::text[], %s, %s::bytea[], %s::bytea[])",
        (
            [key.session for key in keys],
            [key.version for key in keys],
            [key.wrapped.kek for key in keys],
            keyring.active,
            [wrapped.iv for wrapped in again],
            [wrapped.ciphertext for wrapped in again],
        ),
    ).fetchone()
    return 0 if row is None else int(str(row[0]))


def _counted(connection: Connection, query: str, versions: list[str]) -> dict[str, int]:
    return {str(row[0]): int(str(row[1])) for row in connection.execute(query, (versions,))}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m doublethink_gate rewrap",
        description="store every session's key under the active key-encryption key as well",
    )
    parser.add_argument("--dsn-file", type=Path, required=True, help="file with one libpq connection string")
    parser.add_argument("--keys", type=Path, required=True, help="the gates' folder of key-encryption keys")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    return parser


def _fail(code: int, message: str) -> int:
    sys.stderr.write(f"{message}\n")
    return code
