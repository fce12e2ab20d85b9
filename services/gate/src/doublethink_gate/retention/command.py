"""`python -m doublethink_gate retention` and `... erase`: for the role that may erase and may do nothing else.

    retention --dsn-file FILE [--policy FILE]                     what is due by the policy; for a job that runs daily
    erase --dsn-file FILE --session ses_... [--row N] --reason request|court        by hand

Both take --dry-run, which erases nothing and says what would be erased, and --json. They may be ended at any moment
and run again. The file holds one libpq connection string for doublethink_retention, and is its owner's alone.
Exit codes: 0 done, 1 refused, 2 wrong use, 3 as many as --most allows were erased and more is due, 4 the database
does not answer.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import psycopg
from doublethink_settings import SettingsError, read_secret

from doublethink_gate.build_digest import build_digest
from doublethink_gate.database.errors import MigrationError
from doublethink_gate.database.migrate import check_schema
from doublethink_gate.ids import IdError, IdType, to_bytes
from doublethink_gate.policy import Policy, PolicyError, load_policy
from doublethink_gate.retention import erasure, pages
from doublethink_gate.retention.errors import NothingToKeepBy, RetentionError

_DAY_US: Final = 24 * 60 * 60 * 1_000_000
_REASONS: Final = ("request", "court", "retention")
_PAGES_AT_ONCE: Final = 100


@dataclass
class Done:
    """What a run did, or with dry_run would do."""

    dry_run: bool
    payloads: int = 0
    sessions: int = 0
    page_sessions: int = 0
    more: bool = False

    def words(self) -> str:
        """One line for a person."""
        verb = "would erase" if self.dry_run else "erased"
        more = "; more is due: run it again" if self.more else ""
        return (
            f"{verb} {self.payloads} payloads of {self.sessions} sessions,"
            f" and the pages of {self.page_sessions} sessions{more}"
        )


def main(command: str, arguments: list[str]) -> int:
    """Run `retention` or `erase`; return the exit code."""
    options = _parser(command).parse_args(arguments)
    try:
        if command == "erase":
            to_bytes(IdType.SESSION, options.session)
        policy = load_policy(options.policy)
        with psycopg.connect(
            read_secret(options.dsn_file, "--dsn-file"), autocommit=True, connect_timeout=10
        ) as connection:
            check_schema(connection)
            digests = erasure.Digests(build_digest(), policy.digest)
            done = _by_hand(connection, options, digests) if command == "erase" else None
            done = done or _by_age(connection, options, policy, digests)
    except (SettingsError, PolicyError, IdError) as error:
        return _fail(2, str(error))
    except OSError as error:
        return _fail(2, f"the policy file cannot be read: {error.strerror}")
    except (RetentionError, MigrationError) as error:
        return _fail(1, str(error))
    # The server's and libpq's own words may quote the connection string: only the type is said.
    except psycopg.OperationalError as error:
        return _fail(4, f"the database does not answer ({type(error).__name__})")
    except psycopg.Error as error:
        return _fail(1, f"the database refused ({type(error).__name__})")
    sys.stdout.write((json.dumps(asdict(done)) if options.json else done.words()) + "\n")
    return 3 if done.more else 0


def _by_age(
    connection: erasure.Connection, options: argparse.Namespace, policy: Policy, digests: erasure.Digests
) -> Done:
    days = policy.retention.payloads_days if options.payloads_days is None else options.payloads_days
    if days is None:
        raise NothingToKeepBy(
            "the policy names no retention.payloads_days: add it, or give --payloads-days; nothing was erased"
        )
    now_us = time.time_ns() // 1000
    done = _erase_all(
        connection, erasure.due(connection, now_us - days * _DAY_US, options.batch), options, digests
    )
    pages_days = policy.retention.pages_days if options.pages_days is None else options.pages_days
    _erase_pages(connection, now_us - pages_days * _DAY_US, done)
    return done


def _by_hand(connection: erasure.Connection, options: argparse.Namespace, digests: erasure.Digests) -> Done:
    batches = erasure.of_session(connection, options.session, options.row, options.batch)
    return _erase_all(connection, batches, options, digests)


def _erase_all(
    connection: erasure.Connection,
    batches: Iterator[list[erasure.Target]],
    options: argparse.Namespace,
    digests: erasure.Digests,
) -> Done:
    done = Done(options.dry_run)
    sessions: set[str] = set()
    for found in batches:
        targets = found[: options.most - done.payloads]
        done.more = len(targets) < len(found)
        if targets:
            if options.dry_run:
                done.payloads += len(targets)
            else:
                done.payloads += erasure.erase(connection, targets, options.reason, digests)
            sessions |= {target.session for target in targets}
        if done.more:
            break
    done.sessions = len(sessions)
    return done


def _erase_pages(connection: erasure.Connection, before_us: int, done: Done) -> None:
    if done.dry_run:
        done.page_sessions = len(pages.due_sessions(connection, before_us, 1_000_000))
        return
    while sessions := pages.due_sessions(connection, before_us, _PAGES_AT_ONCE):
        for session in sessions:
            pages.erase_pages(connection, session)
        done.page_sessions += len(sessions)


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m doublethink_gate {command}",
        description="erase payloads, and write down that they were erased",
    )
    parser.add_argument("--dsn-file", type=Path, required=True, help="file with one libpq connection string")
    parser.add_argument("--policy", type=Path, help="the gate's policy file; the shipped policy if none")
    parser.add_argument("--dry-run", action="store_true", help="erase nothing; say what would be erased")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument(
        "--batch", type=_number(1, erasure.MAX_BATCH), default=100, help="payloads of one transaction"
    )
    parser.add_argument(
        "--most", type=_number(1, 10_000_000), default=1_000_000, help="payloads of this run, at most"
    )
    if command == "erase":
        parser.add_argument("--session", required=True, help="the session's id")
        parser.add_argument("--row", type=_number(0, 2**53 - 1), help="one row's n; all rows if none")
        parser.add_argument("--reason", choices=_REASONS, required=True, help="stands in every redaction")
    else:
        parser.set_defaults(reason="retention")
        parser.add_argument("--payloads-days", type=_number(0, 36_500), help="in place of the policy's")
        parser.add_argument("--pages-days", type=_number(0, 36_500), help="in place of the policy's")
    return parser


class _number:  # noqa: N801 - argparse shows the name in its errors
    """A whole number in a range, for argparse."""

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def __call__(self, text: str) -> int:
        value = int(text) if text.isascii() and text.isdecimal() else -1
        if not self._low <= value <= self._high:
            raise argparse.ArgumentTypeError(f"must be a whole number from {self._low} to {self._high}")
        return value


def _fail(code: int, message: str) -> int:
    sys.stderr.write(f"{message}\n")
    return code
