"""Several gate processes on one ledger, and either side killed: nothing acknowledged is lost, nothing
unwritten sent.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from doublethink_gate.database.migrate import migrate
from doublethink_ledger import Kind, decode_body
from doublethink_rpc.failpoint import VARIABLE
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE, GATE_DATABASE, MIGRATOR
from sim.database import GateDatabase, bindir_for_tests, folder
from sim.ledger import gate, whole_log

pytestmark = pytest.mark.postgres

TESTS = Path(__file__).parents[1]
SECONDS = 240


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    """The processes of one test; what still runs when it ends is killed, whatever it ended with."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def appender(*arguments: str, failpoints: str = "", program: str = "sim.appender") -> subprocess.Popen[str]:
    """Start a gate process that is reduced to its ledger."""
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    environment.pop(VARIABLE, None)
    if failpoints:
        environment[VARIABLE] = failpoints
    return subprocess.Popen(
        [sys.executable, "-m", program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def words(output: str, word: str) -> set[uuid.UUID]:
    """The ids that a process printed after a word."""
    return {uuid.UUID(line.split()[1]) for line in output.splitlines() if line.startswith(word)}


async def test_six_processes_write_one_log(gate_database: GateDatabase) -> None:
    """Six processes append 500 rows each at once: seq has no gap, every session is one chain, every row
    is there.
    """
    processes = [appender(gate_database.dsn(), "500", "100") for _ in range(6)]
    outputs = [process.communicate(timeout=SECONDS) for process in processes]
    assert [process.returncode for process in processes] == [0] * 6, outputs[0][1]
    rows, checker = await whole_log(gate_database.dsn())
    assert checker.size == 3000
    assert [head.n for head in checker.heads()] == [499] * 6
    acked = set().union(*(words(output, "acked") for output, _ in outputs))
    assert {uuid.UUID(bytes=row.id) for row in rows} == acked
    assert {row.seq for row in rows} == set(range(3000))
    mixed = sum(a.session != b.session for a, b in itertools.pairwise(rows))
    assert mixed > 6, "the processes did not run at the same time"


async def test_six_processes_race_for_every_attempt_of_one_session(
    gate_database: GateDatabase, started: list[subprocess.Popen[str]]
) -> None:
    """Six gate processes want the same session's next attempt all the time: each state is followed by one attempt, the
    one whose process saw that state, and whoever was late is refused and wins later.
    """
    wins = 25
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
    arguments = (gate_database.dsn(), str(session), str(wins))
    started += [appender(*arguments, program="sim.race_gate") for _ in range(6)]
    outputs = [await asyncio.to_thread(process.communicate, timeout=SECONDS) for process in started]
    assert [process.returncode for process in started] == [0] * 6, outputs[0][1]
    said = [line.split() for output, _ in outputs for line in output.splitlines()]
    saw = {int(words[1]): int(words[2]) for words in said if words[0] == "won"}
    rows, checker = await whole_log(gate_database.dsn())
    assert checker.size == len(rows) == 1 + 6 * wins
    # Every row is an attempt that may be sent, so that each must have seen the one before it.
    assert saw == {n: n - 1 for n in range(1, len(rows))}
    assert sum(int(words[1]) for words in said if words[0] == "lost") > 0, "nobody was ever late"


@pytest.fixture
def own_server() -> Iterator[EmbeddedPostgres]:
    """A server for one test that may be killed."""
    with folder() as path:
        server = EmbeddedPostgres(path / "data", path / "s", bindir=bindir_for_tests())
        server.start()
        try:
            migrate(server.dsn(MIGRATOR, GATE_DATABASE))
            yield server
        finally:
            server.stop()


async def test_killing_postgres_under_load_loses_no_acknowledged_row(
    own_server: EmbeddedPostgres, started: list[subprocess.Popen[str]]
) -> None:
    """PostgreSQL is killed twice while three processes append: each row that was acknowledged is there
    afterwards, the rows whose commit was unknown are there once, and the log checks.
    """
    dsn = own_server.dsn(GATE, GATE_DATABASE)
    processes = started
    processes += [appender(dsn, "1500", "100") for _ in range(3)]
    seen = [""] * len(processes)

    async def read(index: int) -> None:
        stream = processes[index].stdout
        assert stream is not None
        while line := await asyncio.to_thread(stream.readline):
            seen[index] += line

    readers = [asyncio.create_task(read(index)) for index in range(len(processes))]
    for threshold in (600, 1800):
        # A process needs the server once to start: it is killed under three that append.
        while not all(seen) or sum(text.count("acked") for text in seen) < threshold:
            await asyncio.sleep(0.01)
            assert all(process.poll() in (None, 0) for process in processes)
        assert own_server.process is not None
        own_server.process.kill()
        acked_before = set().union(*(words(text, "acked") for text in seen))
        await asyncio.to_thread(own_server.process.wait)
        await asyncio.to_thread(own_server.stop)
        await asyncio.to_thread(own_server.start)
        with psycopg.connect(own_server.admin_dsn(GATE_DATABASE)) as connection:
            present = {row[0] for row in connection.execute("SELECT id FROM ledger.entry")}
        assert acked_before <= present
    await asyncio.gather(*readers)
    assert [await asyncio.to_thread(process.wait, SECONDS) for process in processes] == [0, 0, 0]
    rows, checker = await whole_log(dsn)
    acked = set().union(*(words(text, "acked") for text in seen))
    unknown = set().union(*(words(text, "unknown") for text in seen))
    assert checker.size == 4500
    assert {uuid.UUID(bytes=row.id) for row in rows} == acked
    assert unknown <= acked
    assert unknown, "no append was under way when the server was killed"


STEPS = {
    # point: kinds of rows afterwards, whether the process sent
    "after_check": ([Kind.SESSION_OPEN], False),
    "before_append@2": ([Kind.SESSION_OPEN], False),
    "after_append@2": ([Kind.SESSION_OPEN, Kind.ATTEMPT], False),
    "before_send": ([Kind.SESSION_OPEN, Kind.ATTEMPT], False),
    "after_send": ([Kind.SESSION_OPEN, Kind.ATTEMPT], True),
    "before_outcome": ([Kind.SESSION_OPEN, Kind.ATTEMPT], True),
    "after_outcome": ([Kind.SESSION_OPEN, Kind.ATTEMPT, Kind.OUTCOME], True),
}


@pytest.mark.parametrize("step", STEPS)
async def test_a_gate_killed_at_any_step_has_sent_nothing_unwritten(
    gate_database: GateDatabase, step: str
) -> None:
    """SIGKILL at each step between check and outcome: what was sent has its row, and the log checks."""
    point, _, passage = step.partition("@")
    action = f"{point}=kill" + (f"@{passage}" if passage else "")
    process = appender(gate_database.dsn(), "steps", failpoints=action)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == -9, errors
    rows, _ = await whole_log(gate_database.dsn())
    kinds, sent = STEPS[step]
    assert [decode_body(row.body or b"")["kind"] for row in rows] == kinds
    assert bool(words(output, "sent")) is sent
    assert words(output, "sent") <= {uuid.UUID(bytes=row.id) for row in rows}
