"""How fast the sealer reads a log, beside reading the same rows without looking at them, in one run.

    python eval/bench/sealer_read.py [--quick] [--rows N] [--bindir DIR]

Starts a throwaway PostgreSQL, copies N rows of 500 sessions into the ledger, and reads them all, in pages of 1000:

    read     the pages alone
    start    as a start does: each row is hashed again, and the tree extended
    seal     as new rows are read: hash, link, number, kind and time of each, and the tree
    verify   the whole log as `ledger verify --all` reads it

Prints rows a second, and how much longer each takes than `read`. It judges nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psycopg
from doublethink_gate.database.migrate import migrate
from doublethink_ledger import BodyValue, encode_body, first_prev, row_hash
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE_DATABASE, MIGRATOR, SEALER
from doublethink_sealer.audit import audit
from doublethink_sealer.claims import Claims
from doublethink_sealer.postgres_store import PostgresStore
from doublethink_sealer.walk import Walk, rehash_to

SESSIONS = 500
PAGE = 1000
WHO: dict[str, BodyValue] = {"gate": "0" * 64, "policy": "0" * 64}
OPEN = encode_body(
    WHO
    | {
        "kind": "session.open",
        "source": "corpus",
        "max_queries": 9,
        "max_pages": 9,
        "max_calls": 9,
        "max_bytes": 9,
        "expires_us": 9,
    }
)
HELD = encode_body(
    WHO
    | {
        "kind": "held",
        "verdict": "ask",
        "rules": [],
        "method": "search",
        "host": "api.example",
        "commit": "0" * 64,
        "bytes": 200,
    }
)


def rows(number: int) -> Iterator[tuple[object, ...]]:
    """Rows as the append function would have written them."""
    heads: dict[int, tuple[int, bytes]] = {}
    for seq in range(number):
        session = uuid.UUID(int=seq % SESSIONS + 1)
        n, prev = heads.get(seq % SESSIONS, (0, first_prev(session.bytes)))
        id, body = uuid.uuid4(), HELD if n else OPEN
        body_sha256 = hashlib.sha256(body).digest()
        made = row_hash(
            session=session.bytes, n=n, at_us=seq, id=id.bytes, prev=prev, body_sha256=body_sha256
        )
        heads[seq % SESSIONS] = n + 1, made
        yield seq, session, n, id, seq, prev, body, made


def fill(dsn: str, number: int) -> None:
    """Copy the rows in."""
    statement = "COPY ledger.entry (seq, session, n, id, at_us, prev, body, hash) FROM STDIN (FORMAT BINARY)"
    with psycopg.connect(dsn) as connection, connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(["int8", "uuid", "int8", "uuid", "int8", "bytea", "bytea", "bytea"])
        for row in rows(number):
            copy.write_row(row)
    with psycopg.connect(dsn) as connection:
        # What the rows commit to: nobody here opens it, it is only there.
        connection.execute(
            "INSERT INTO ledger.payload (id, key_version, iv, ciphertext)"
            " SELECT id, 1, decode(repeat('00', 12), 'hex'), decode(repeat('00', 48), 'hex')"
            " FROM ledger.entry WHERE n > 0"
        )


async def read(store: PostgresStore, number: int) -> None:
    """The pages alone."""
    at = 0
    while found := await store.rows(at, PAGE):
        at += len(found)
    assert at == number


async def start(store: PostgresStore, number: int) -> None:
    """As a start."""
    walk = Walk()
    await rehash_to(store, walk, number, PAGE)
    assert walk.size == number


async def seal(store: PostgresStore, number: int) -> None:
    """As new rows."""
    walk = Walk()
    while found := await store.rows(walk.size, PAGE):
        await walk.check(store, found)
    assert walk.size == number


async def verify(store: PostgresStore, number: int) -> None:
    """As a check of the whole log."""
    report = await audit(store, "ledger.example/bench", Claims(), PAGE)
    assert (report.rows, report.findings) == (number, ())


async def measure(dsn: str, number: int) -> None:
    """Print every way."""
    ways: tuple[Callable[[PostgresStore, int], Awaitable[None]], ...] = (read, start, seal, verify)
    baseline = 0.0
    for way in ways:
        async with PostgresStore(dsn) as store:
            began = time.perf_counter()
            await way(store, number)
            seconds = time.perf_counter() - began
        baseline = baseline or seconds
        print(
            f"{way.__name__:8} {number / seconds:10,.0f} rows/s  {seconds:8.2f} s  {seconds / baseline:5.1f} x read"
        )


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--bindir", type=Path, help="another PostgreSQL's programs")
    options = parser.parse_args()
    number = options.rows // 10 if options.quick else options.rows
    folder = Path(tempfile.mkdtemp(prefix="dt-bench-"))
    folder.chmod(0o711)
    try:
        with EmbeddedPostgres(folder / "data", folder / "s", bindir=options.bindir) as server:
            migrate(server.dsn(MIGRATOR, GATE_DATABASE))
            fill(server.admin_dsn(GATE_DATABASE), number)
            print(f"{number:,} rows of {SESSIONS} sessions")
            asyncio.run(measure(server.dsn(SEALER, GATE_DATABASE), number))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
