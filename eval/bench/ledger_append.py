"""How fast the ledger takes rows, beside bare inserts of the same bytes into the same server, in one run.

    python eval/bench/ledger_append.py [--quick] [--bindir DIR]

Starts a throwaway PostgreSQL with fsync on, then, with 1, 3 and 6 processes in turn:

    single    each process inserts one row and its payload per transaction, without lock, chain or hash
    batched   each process inserts 256 rows and payloads per transaction, likewise
    closed    the gate's writer; 128 sessions a process, each appends an attempt that names the row it saw,
    waits
              for it, appends the outcome, and so on
    open      the gate's writer; 3,000 rows a second are offered in all, whether or not earlier ones are done;
              a row's time counts from when it was due

At the end the whole ledger is read and checked. Times are in milliseconds; a batched insert's time is its
transaction's. Ratios compare figures of this run only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
from doublethink_gate.database.migrate import migrate
from doublethink_gate.ledger import KeyRing, LedgerError, LedgerReader, LedgerWriter, SessionKeys
from doublethink_ledger import BodyValue, Kind, LogChecker, encode_body
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE, GATE_DATABASE, MIGRATOR
from psycopg_pool import AsyncConnectionPool

PROCESSES = (1, 3, 6)
SESSIONS = 128
BATCH = 256
OFFERED = 3000
PAYLOAD = b"x" * 200
DIGEST = "0" * 64
WHO: dict[str, BodyValue] = {"gate": DIGEST, "policy": DIGEST}
OPEN: dict[str, BodyValue] = WHO | {
    "source": "corpus",
    "max_queries": 9,
    "max_pages": 9,
    "max_calls": 9,
    "max_bytes": 9,
    "expires_us": 9,
}
ATTEMPT: dict[str, BodyValue] = WHO | {"rules": [], "method": "search", "host": "api.example"}
OUTCOME: dict[str, BodyValue] = WHO | {"status": "sent", "http": 200, "sent": 200, "received": 9000}
DEADLINE_S = 30.0

BARE = """
CREATE SCHEMA bare;
CREATE TABLE bare.entry (LIKE ledger.entry INCLUDING ALL);
CREATE TABLE bare.payload (LIKE ledger.payload INCLUDING ALL);
CREATE SEQUENCE bare.seq;
GRANT USAGE ON SCHEMA bare TO doublethink_gate;
GRANT USAGE ON SEQUENCE bare.seq TO doublethink_gate;
GRANT INSERT ON bare.entry, bare.payload TO doublethink_gate;
"""

INSERT = (
    "WITH given AS (SELECT * FROM unnest(%b::uuid[], %b::bigint[], %b::uuid[]) AS t (session, n, id)),"
    " entry AS (INSERT INTO bare.entry SELECT nextval('bare.seq'), session, n, id, 1, %b, %b, %b FROM given)"
    " INSERT INTO bare.payload SELECT id, 1, %b, %b FROM given"
)


@dataclass
class Measured:
    """What one process saw: rows written, rows refused, the time it took, and each row's time in seconds."""

    rows: int
    failed: int
    seconds: float
    times: list[float]


async def bare(dsn: str, seconds: float, batch: int) -> Measured:
    """Insert `batch` rows a transaction, one transaction after the other, on one connection."""
    body = encode_body(
        {**ATTEMPT, "kind": "attempt", "verdict": "allow", "commit": DIGEST, "bytes": len(PAYLOAD)}
    )
    fixed = (bytes(32), body, bytes(32), bytes(12), bytes(48 + len(PAYLOAD)))
    session, n, times = uuid.uuid4(), 0, []
    connection = await psycopg.AsyncConnection.connect(dsn, autocommit=True, prepare_threshold=0)
    async with connection:
        await ready()
        begin = time.perf_counter()
        while (now := time.perf_counter()) < begin + seconds:
            numbers = list(range(n, n + batch))
            ids = [uuid.uuid4() for _ in numbers]
            await connection.execute(INSERT, ([session] * batch, numbers, ids, *fixed))
            n += batch
            times.append(time.perf_counter() - now)
        return Measured(n, 0, time.perf_counter() - begin, times)


async def with_writer(dsn: str, run: Callable[[LedgerWriter], Awaitable[Measured]]) -> Measured:
    """Run a load on the gate's own writer."""
    async with AsyncConnectionPool(dsn, min_size=1, max_size=2, open=False) as pool:
        keys = SessionKeys(KeyRing({"k1": bytes(32)}, "k1"), pool)
        async with LedgerWriter(dsn, keys) as writer:
            return await run(writer)


async def open_sessions(writer: LedgerWriter) -> list[uuid.UUID]:
    """Open this process's sessions."""
    sessions = [uuid.uuid4() for _ in range(SESSIONS)]
    for session in sessions:
        await writer.append(session, Kind.SESSION_OPEN, OPEN, deadline_s=DEADLINE_S)
    return sessions


async def closed(writer: LedgerWriter, seconds: float) -> Measured:
    """Every session goes from attempt to outcome to attempt as fast as it is answered."""
    sessions = await open_sessions(writer)
    times: list[float] = []
    await ready()
    begin = time.perf_counter()

    async def one(session: uuid.UUID) -> None:
        seen = 0
        while (start := time.perf_counter()) < begin + seconds:
            sent = await writer.append(
                session,
                Kind.ATTEMPT,
                {**ATTEMPT, "verdict": "allow"},
                PAYLOAD,
                expect_n=seen,
                deadline_s=DEADLINE_S,
            )
            seen = sent.n
            middle = time.perf_counter()
            await writer.append(session, Kind.OUTCOME, {**OUTCOME, "of": str(sent.id)}, deadline_s=DEADLINE_S)
            times.extend((middle - start, time.perf_counter() - middle))

    async with asyncio.TaskGroup() as group:
        for session in sessions:
            group.create_task(one(session))
    return Measured(len(times), 0, time.perf_counter() - begin, times)


async def offered(writer: LedgerWriter, seconds: float, rate: float) -> Measured:
    """Rows come at a fixed rate, whatever became of the earlier ones."""
    sessions = await open_sessions(writer)
    times: list[float] = []
    failed = 0
    await ready()
    begin = time.perf_counter()

    async def one(session: uuid.UUID, due: float) -> None:
        nonlocal failed
        try:
            await writer.append(
                session, Kind.ATTEMPT, {**ATTEMPT, "verdict": "block"}, PAYLOAD, deadline_s=DEADLINE_S
            )
        except LedgerError:
            failed += 1
        else:
            times.append(time.perf_counter() - due)

    async with asyncio.TaskGroup() as group:
        for number in range(int(seconds * rate)):
            due = begin + number / rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            group.create_task(one(sessions[number % SESSIONS], due))
    return Measured(len(times), failed, time.perf_counter() - begin, times)


async def ready() -> None:
    """Tell the parent that this process is warm, and wait until all are."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)


async def worker(kind: str, dsn: str, seconds: float, processes: int) -> Measured:
    """One process's part of a load."""
    if kind == "single":
        return await bare(dsn, seconds, 1)
    if kind == "batched":
        return await bare(dsn, seconds, BATCH)
    if kind == "closed":
        return await with_writer(dsn, lambda writer: closed(writer, seconds))
    return await with_writer(dsn, lambda writer: offered(writer, seconds, OFFERED / processes))


def measure(kind: str, dsn: str, seconds: float, processes: int) -> Measured:
    """Run one load in so many processes at once and put their figures together."""
    command = [sys.executable, __file__, "--worker", kind, dsn, str(seconds), str(processes)]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    for process in running:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise SystemExit(f"a process of the load {kind} did not start")
    for process in running:
        if process.stdin is not None:
            process.stdin.write("go\n")
            process.stdin.flush()
    parts = [Measured(**json.loads(process.communicate(timeout=120)[0])) for process in running]
    times = sorted(value for part in parts for value in part.times)
    slowest = max(part.seconds for part in parts)
    return Measured(sum(part.rows for part in parts), sum(part.failed for part in parts), slowest, times)


async def check(dsn: str) -> int:
    """Check every row of the ledger; return how many there are."""
    checker = LogChecker()
    async with AsyncConnectionPool(dsn, min_size=1, max_size=1, open=False) as pool:
        reader = LedgerReader(pool, SessionKeys(KeyRing({"k1": bytes(32)}, "k1"), pool))
        while rows := await reader.rows_after(checker.size - 1):
            for row in rows:
                checker.add(row)
    return checker.size


def report(seconds: float, bindir: Path | None) -> None:
    """Run every load, print its figures, then the ratios."""
    folder = Path(tempfile.mkdtemp(prefix="dt-bench-"))
    folder.chmod(0o711)
    rates: dict[tuple[str, int], float] = {}
    try:
        with EmbeddedPostgres(folder / "data", folder / "s", bindir=bindir) as server:
            migrate(server.dsn(MIGRATOR, GATE_DATABASE))
            with psycopg.connect(server.admin_dsn(GATE_DATABASE), autocommit=True) as connection:
                connection.execute(BARE)
                version = connection.info.server_version // 10000
            print(f"PostgreSQL {version}, fsync on, {seconds:g} s a load")
            print(f"{'load':8} {'processes':>9} {'rows/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'failed':>7}")
            dsn = server.dsn(GATE, GATE_DATABASE)
            for kind in ("single", "batched", "closed", "open"):
                for processes in PROCESSES:
                    got = measure(kind, dsn, seconds, processes)
                    rate = rates[kind, processes] = got.rows / got.seconds
                    p50, p99 = (got.times[int(len(got.times) * q)] * 1000 for q in (0.5, 0.99))
                    print(f"{kind:8} {processes:9} {rate:8.0f} {p50:8.1f} {p99:8.1f} {got.failed:7}")
            print(f"checked {asyncio.run(check(dsn))} rows: one chain a session, no gap")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for processes in PROCESSES:
        against = {
            kind: rates["closed", processes] / rates[kind, processes] for kind in ("single", "batched")
        }
        print(
            f"{processes} processes: the ledger takes {against['single']:.2f} times the rows of single "
            f"inserts, {against['batched']:.2f} times those of batched inserts"
        )


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="half a second a load instead of three")
    parser.add_argument("--bindir", type=Path, help="PostgreSQL programs other than the wheel's")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        kind, dsn, seconds, processes = options.worker
        measured = asyncio.run(worker(kind, dsn, float(seconds), int(processes)))
        print(json.dumps(asdict(measured)))
    else:
        report(0.5 if options.quick else 3.0, options.bindir)


if __name__ == "__main__":
    main()
