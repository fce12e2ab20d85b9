"""How fast the ledger takes rows, beside bare inserts of the same bytes into the same server, in one run.

    python eval/bench/ledger_append.py [--quick] [--bindir DIR]

Starts a throwaway PostgreSQL with fsync on, then, with 1, 3 and 6 processes in turn, each on a connection of its own:

    single   one bare row a transaction
    bare     256 bare rows a transaction: tables with the ledger's columns, checks and unique indexes, without lock,
             chain, hash, triggers or answers
    append   the same rows, 256 a call, through the ledger's function; every answer is verified as a gate does it
    queue    the gate's writer with the bare insert in place of the function: 128 sessions a process, each writes an
             attempt, waits for it, writes the outcome, and so on; rows are encoded, sealed and queued as in a gate
    closed   the gate's writer as it is, under the same load
    open     the gate's writer; 3,000 rows a second are offered in all, whether or not earlier ones are done; a row's
             time counts from when it was due

The rows are the same everywhere but in `open`, attempts that may be sent and outcomes in turn, a sealed payload of
200 bytes with each attempt. `single`, `bare` and `append` have them prepared before they begin, and give them new
ids; in these a row's time is its transaction's.

The times are in milliseconds, the two last columns the processor time that a row took in the processes and in the
server, in microseconds: what else runs on the machine changes those least. At the end the whole ledger is read and
checked. Ratios compare figures of this run only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import psycopg
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from doublethink_gate.database.migrate import migrate
from doublethink_gate.ledger import (
    AppendedRow,
    KeyRing,
    LedgerError,
    LedgerReader,
    LedgerWriter,
    PreparedRow,
    SessionKeys,
)
from doublethink_gate.ledger.call import Answer, Connection, append, connect, judge
from doublethink_gate.ledger.payload import SessionKey, seal
from doublethink_gate.ledger.writer import _Pending
from doublethink_ledger import BodyValue, Kind, LogChecker, commitment, encode_body
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
CREATE SEQUENCE bare.seq CACHE 256;
GRANT USAGE ON SCHEMA bare TO doublethink_gate;
GRANT USAGE ON SEQUENCE bare.seq TO doublethink_gate;
GRANT INSERT ON bare.entry, bare.payload TO doublethink_gate;
"""

INSERT = (
    "WITH given AS (SELECT * FROM unnest(%b::uuid[], %b::bigint[], %b::uuid[], %b::bytea[], %b::bytea[], %b::bytea[],"
    " %b::integer[], %b::bytea[], %b::bytea[]) AS t (session, n, id, prev, body, hash, key_version, iv, ciphertext)),"
    " entry AS (INSERT INTO bare.entry SELECT nextval('bare.seq'), session, n, id, 1, prev, body, hash FROM given)"
    " INSERT INTO bare.payload SELECT id, key_version, iv, ciphertext FROM given WHERE key_version > 0"
)


@dataclass
class Measured:
    """What one process saw: rows written, rows refused, the time it took, each row's time, and the processor time
    that it took from the common start on; all in seconds.
    """

    rows: int
    failed: int
    seconds: float
    times: list[float]
    processor: float = 0.0


def rows_of_one_call(sessions: Sequence[uuid.UUID]) -> list[PreparedRow]:
    """An attempt and its outcome for each session, as a gate prepares them."""
    key = SessionKey(1, AESGCM(bytes(32)))
    nonce = bytes(32)
    about: dict[str, BodyValue] = {"commit": commitment(nonce, PAYLOAD).hex(), "bytes": len(PAYLOAD)}
    rows = []
    for session in sessions:
        id = uuid.uuid4()
        tried = encode_body({**ATTEMPT, **about, "kind": "attempt", "verdict": "allow"})
        rows.append(
            PreparedRow(session, id, Kind.ATTEMPT, tried, seal(key, session, id, nonce, PAYLOAD), expect_n=0)
        )
        sent = encode_body({**OUTCOME, "kind": "outcome", "of": str(id)})
        rows.append(PreparedRow(session, uuid.uuid4(), Kind.OUTCOME, sent, None, None))
    return rows


def once_more(rows: Sequence[PreparedRow], seen: int) -> list[PreparedRow]:
    """The same rows with new ids; the attempts saw the row `seen` of their session."""
    return [
        replace(row, id=uuid.UUID(bytes=os.urandom(16)), expect_n=seen if row.kind is Kind.ATTEMPT else None)
        for row in rows
    ]


async def insert(connection: Connection, rows: Sequence[PreparedRow], first_n: int) -> None:
    """Insert rows bare, in one transaction; their n only has to be new in their session."""
    payloads = [row.payload for row in rows]
    none = [bytes(32)] * len(rows)
    await connection.execute(
        INSERT,
        (
            [row.session for row in rows],
            list(range(first_n, first_n + len(rows))),
            [row.id for row in rows],
            none,
            [row.body for row in rows],
            none,
            [payload.key_version if payload else 0 for payload in payloads],
            [payload.iv if payload else b"" for payload in payloads],
            [payload.ciphertext if payload else b"" for payload in payloads],
        ),
    )


async def bare(dsn: str, seconds: float, batch: int) -> Measured:
    """Insert `batch` rows a transaction, one transaction after the other, on one connection."""
    rows = rows_of_one_call([uuid.uuid4() for _ in range(SESSIONS)])[:batch]
    n, times = 0, []
    async with await connect(dsn, DEADLINE_S) as connection:
        await ready()
        begin = time.perf_counter()
        while (now := time.perf_counter()) < begin + seconds:
            await insert(connection, once_more(rows, n), n)
            n += batch
            times.append(time.perf_counter() - now)
        return Measured(n, 0, time.perf_counter() - begin, times)


async def called(dsn: str, seconds: float) -> Measured:
    """Append 256 rows a call, one call after the other, on one connection; verify each answer."""
    sessions = [uuid.uuid4() for _ in range(SESSIONS)]
    body = encode_body({**OPEN, "kind": "session.open"})
    opening = [
        PreparedRow(session, uuid.uuid4(), Kind.SESSION_OPEN, body, None, None) for session in sessions
    ]
    rows = rows_of_one_call(sessions)
    calls, times = 0, []
    async with await connect(dsn, DEADLINE_S) as connection:
        await append(connection, opening)
        await ready()
        begin = time.perf_counter()
        while (now := time.perf_counter()) < begin + seconds:
            # A session's rows: 0 its opening, 1 an attempt, 2 the outcome, 3 an attempt, ...
            batch = once_more(rows, max(0, 2 * calls - 1))
            for row, answer in zip(batch, await append(connection, batch), strict=True):
                if not isinstance(judge(row, answer), AppendedRow):
                    raise SystemExit(f"a row was not appended: {answer.status}")
            calls += 1
            times.append(time.perf_counter() - now)
        return Measured(calls * len(rows), 0, time.perf_counter() - begin, times)


class BareWriter(LedgerWriter):
    """The gate's writer, but its rows are inserted bare and nothing is verified."""

    inserted = 0

    async def _call(self, connection: Connection, rows: list[PreparedRow]) -> list[Answer]:
        await insert(connection, rows, self.inserted)
        self.inserted += len(rows)
        return [Answer(item, "appended", 0, 0, 0, b"", b"") for item in range(len(rows))]

    def _acknowledge(self, pending: _Pending, answer: Answer) -> None:
        row = pending.row
        pending.answer.set_result(AppendedRow(row.session, row.id, 0, 0, 0, b"", b"", b"", row.body))


async def with_writer(
    dsn: str, run: Callable[[LedgerWriter], Awaitable[Measured]], kind: type[LedgerWriter] = LedgerWriter
) -> Measured:
    """Run a load on the gate's own writer, or on the one without a ledger."""
    async with AsyncConnectionPool(dsn, min_size=1, max_size=2, open=False) as pool:
        keys = SessionKeys(KeyRing({"k1": bytes(32)}, "k1"), pool)
        async with kind(dsn, keys) as writer:
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


processor_at_start = 0.0


async def ready() -> None:
    """Tell the parent that this process is warm, and wait until all are."""
    global processor_at_start
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)
    processor_at_start = time.process_time()


async def worker(kind: str, dsn: str, seconds: float, processes: int) -> Measured:
    """One process's part of a load."""
    match kind:
        case "single":
            return await bare(dsn, seconds, 1)
        case "bare":
            return await bare(dsn, seconds, BATCH)
        case "append":
            return await called(dsn, seconds)
        case "queue":
            return await with_writer(dsn, lambda writer: closed(writer, seconds), BareWriter)
        case "closed":
            return await with_writer(dsn, lambda writer: closed(writer, seconds))
    return await with_writer(dsn, lambda writer: offered(writer, seconds, OFFERED / processes))


def measure(kind: str, dsn: str, seconds: float, processes: int, postmaster: int) -> tuple[Measured, float]:
    """Run one load in so many processes at once and put their figures together; and the server's processor time."""
    command = [sys.executable, __file__, "--worker", kind, dsn, str(seconds), str(processes)]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    for process in running:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise SystemExit(f"a process of the load {kind} did not start")
    before = processor_of(postmaster)
    for process in running:
        if process.stdin is not None:
            process.stdin.write("go\n")
            process.stdin.flush()
    parts = [Measured(**json.loads(process.communicate(timeout=120)[0])) for process in running]
    in_server = processor_of(postmaster) - before
    times = sorted(value for part in parts for value in part.times)
    slowest = max(part.seconds for part in parts)
    whole = Measured(
        sum(part.rows for part in parts),
        sum(part.failed for part in parts),
        slowest,
        times,
        sum(part.processor for part in parts),
    )
    return whole, in_server


def processor_of(postmaster: int) -> float:
    """Seconds of processor time that a server took so far: its own, its ended and its running processes'."""
    ticks = 0
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(place.name) == postmaster:
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == postmaster:
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


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
            print(f"PostgreSQL {version}, fsync on, {seconds:g} s a load, {os.cpu_count()} processors")
            print(f"load of the machine over the last minute, at the start: {os.getloadavg()[0]:.1f}")
            print(
                f"{'load':8} {'processes':>9} {'rows/s':>8} {'p50 ms':>8} {'p99 ms':>8} {'failed':>7}"
                f" {'gate us':>8} {'server us':>9}"
            )
            dsn = server.dsn(GATE, GATE_DATABASE)
            if server.process is None:
                raise SystemExit("the server does not run")
            for kind in ("single", "bare", "append", "queue", "closed", "open"):
                for processes in PROCESSES:
                    got, in_server = measure(kind, dsn, seconds, processes, server.process.pid)
                    rate = rates[kind, processes] = got.rows / got.seconds
                    p50, p99 = (got.times[int(len(got.times) * q)] * 1000 for q in (0.5, 0.99))
                    print(
                        f"{kind:8} {processes:9} {rate:8.0f} {p50:8.1f} {p99:8.1f} {got.failed:7}"
                        f" {got.processor / got.rows * 1e6:8.0f} {in_server / got.rows * 1e6:9.0f}",
                        flush=True,
                    )
            print(f"checked {asyncio.run(check(dsn))} rows: one chain a session, no gap")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"load of the machine over the last minute, at the end: {os.getloadavg()[0]:.1f}")
    for processes in PROCESSES:
        calls, gates, whole, single = (
            rates[one, processes] / rates[other, processes]
            for one, other in (
                ("append", "bare"),
                ("closed", "queue"),
                ("closed", "bare"),
                ("closed", "single"),
            )
        )
        print(
            f"{processes} processes: append {calls:.2f} of bare, closed {gates:.2f} of queue, "
            f"closed {whole:.2f} of bare and {single:.2f} times single"
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
        measured.processor = time.process_time() - processor_at_start
        print(json.dumps(asdict(measured)))
    else:
        report(0.5 if options.quick else 3.0, options.bindir)


if __name__ == "__main__":
    main()
