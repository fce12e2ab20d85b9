"""Erasure: a payload goes together with the row that says so, or stays; what is left verifies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import psycopg
import pytest
from doublethink_gate.build_digest import build_digest
from doublethink_gate.ids import IdType, from_bytes
from doublethink_gate.ledger import PayloadErased
from doublethink_gate.policy import default_policy
from doublethink_gate.retention import erasure
from doublethink_gate.retention.errors import NothingThere, SessionStillOpen
from doublethink_ledger import Kind, Row, check_log, decode_body
from sim.database import GateDatabase
from sim.ledger import DEADLINE_S, attempt, closed_session, gate

pytestmark = pytest.mark.postgres

RETENTION = "doublethink_retention"
DIGESTS = erasure.Digests(b"\x0a" * 32, b"\x0b" * 32)


def name(session: uuid.UUID) -> str:
    """The id by which people know a session."""
    return from_bytes(IdType.SESSION, session.bytes)


def erase_session(database: GateDatabase, session: uuid.UUID, row: int | None = None, batch: int = 2) -> int:
    """Erase as the command does; return how many payloads went."""
    with psycopg.connect(database.dsn(RETENTION), autocommit=True) as connection:
        return sum(
            erasure.erase(connection, targets, "request", DIGESTS)
            for targets in erasure.of_session(connection, name(session), row, batch)
        )


def counts(database: GateDatabase) -> tuple[int, int, int]:
    """Payloads, wrapped keys, and redactions that are there."""
    with psycopg.connect(database.admin_dsn()) as connection:
        found = connection.execute(
            "SELECT (SELECT count(*) FROM ledger.payload), (SELECT count(*) FROM ledger.session_key),"
            " (SELECT count(*) FROM ledger.entry WHERE convert_from(body, 'UTF8')::json->>'kind' = 'redaction')"
        ).fetchone()
    assert found is not None
    return int(found[0]), int(found[1]), int(found[2])


def redactions(rows: tuple[Row, ...]) -> list[dict[str, object]]:
    """The bodies of all redaction rows."""
    bodies = [decode_body(row.body or b"") for row in rows]
    return [dict(body) for body in bodies if body["kind"] == Kind.REDACTION]


@pytest.fixture
def dsn_file(gate_database: GateDatabase, tmp_path: Path) -> Path:
    """The connection string of the retention role in a file."""
    path = tmp_path / "retention.dsn"
    path.write_text(gate_database.dsn(RETENTION))
    path.chmod(0o600)
    return path


def run(dsn_file: Path, command: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run one of the two commands in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "doublethink_gate", command, "--dsn-file", str(dsn_file), *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_an_erased_row_is_named_and_the_chain_stays_whole(gate_database: GateDatabase) -> None:
    """One row's payload goes and no other's; a redaction in a closed session of its own names session and n; the
    whole log checks, and every row that was there before is there unchanged.
    """
    async with gate(gate_database.dsn()) as g:
        session, rows = await closed_session(g, 3)
        before = await g.reader.rows_after()
        assert erase_session(gate_database, session, row=rows[1].n) == 1
        after = await g.reader.rows_after()
        assert after[: len(before)] == before
        checker = check_log(after)
        assert checker.size == len(before) + 3
        assert redactions(after) == [
            {
                "kind": "redaction",
                "gate": DIGESTS.gate.hex(),
                "policy": DIGESTS.policy.hex(),
                "of": str(uuid.UUID(bytes=rows[1].id)),
                "of_session": name(session),
                "of_n": rows[1].n,
                "reason": "request",
            }
        ]
        assert decode_body(after[-1].body or b"")["kind"] == Kind.SESSION_CLOSE
        with pytest.raises(PayloadErased):
            await g.reader.open_payload(rows[1])
        assert (await g.reader.open_payload(rows[0])).payload == b"0"
    assert counts(gate_database) == (2, 1, 1)


async def test_a_sessions_key_goes_with_its_last_payload(gate_database: GateDatabase) -> None:
    """While one payload is left the wrapped key stays; with the last it goes, and a ciphertext that was kept aside
    opens for nobody any more: not for the gate that held the key before, once it forgets, nor for a new one.
    """
    async with gate(gate_database.dsn()) as g:
        session, rows = await closed_session(g, 2)
        other, kept = await closed_session(g, 1)
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute("CREATE TABLE public.aside AS SELECT * FROM ledger.payload")
    assert erase_session(gate_database, session, row=rows[0].n) == 1
    assert counts(gate_database)[:2] == (2, 2)
    assert erase_session(gate_database, session) == 1
    assert counts(gate_database)[:2] == (1, 1)
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        # Somebody past all grants puts the ciphertext back.
        connection.execute("INSERT INTO ledger.payload SELECT * FROM public.aside ON CONFLICT DO NOTHING")
    async with gate(gate_database.dsn()) as g:
        for row in rows:
            with pytest.raises(PayloadErased):
                await g.reader.open_payload(row)
        assert (await g.reader.open_payload(kept[0])).payload == b"0"
        assert other != session


async def test_erasing_twice_writes_one_redaction(gate_database: GateDatabase) -> None:
    """A repetition finds nothing, erases nothing and writes no row; many batches give one redaction a payload."""
    async with gate(gate_database.dsn()) as g:
        session, _ = await closed_session(g, 7)
        assert erase_session(gate_database, session, batch=3) == 7
        size = len(await g.reader.rows_after())
        assert erase_session(gate_database, session) == 0
        rows = await g.reader.rows_after()
        assert len(rows) == size
        assert sorted(int(str(body["of_n"])) for body in redactions(rows)) == list(range(1, 8))
        check_log(rows)


async def test_an_open_session_is_not_erased(gate_database: GateDatabase) -> None:
    """The checks of an open session read its payloads: erasing them is refused, and nothing is written."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        await g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
        before = await g.reader.rows_after()
        with pytest.raises(SessionStillOpen):
            erase_session(gate_database, session)
        assert await g.reader.rows_after() == before
    assert counts(gate_database) == (1, 1, 0)


async def test_what_is_not_there_is_said(gate_database: GateDatabase) -> None:
    """An unknown session, an unknown row and a row that never had a payload are refused by name."""
    async with gate(gate_database.dsn()) as g:
        session, _ = await closed_session(g, 1)
    for who, row in ((uuid.uuid4(), None), (session, 99), (session, 0)):
        with pytest.raises(NothingThere):
            erase_session(gate_database, who, row)
    assert counts(gate_database) == (1, 1, 0)


@pytest.mark.parametrize(
    "call",
    [
        "'{}', 'request', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')",
        "NULL, 'request', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')",
        "ARRAY[NULL]::uuid[], 'request', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')",
        "(SELECT array_agg(gen_random_uuid()) FROM generate_series(1, 251)), 'request',"
        " decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')",
        "ARRAY[gen_random_uuid()], 'because', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')",
        "ARRAY[gen_random_uuid()], NULL, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')",
        "ARRAY[gen_random_uuid()], 'request', '\\x00', decode(repeat('00', 32), 'hex')",
        "ARRAY[gen_random_uuid()], 'request', decode(repeat('00', 32), 'hex'), NULL",
    ],
)
async def test_a_malformed_call_is_refused(gate_database: GateDatabase, call: str) -> None:
    """Too few or too many rows, an unknown reason, a digest of another length: refused as a whole."""
    with psycopg.connect(gate_database.dsn(RETENTION), autocommit=True) as connection:
        with pytest.raises(psycopg.Error) as caught:
            connection.execute(f"SELECT * FROM ledger.erase({call})".encode())  # noqa: S608  a constant above
        assert caught.value.sqlstate == "DT003"


async def test_no_crash_comes_between_the_payload_and_its_redaction(
    gate_database: GateDatabase, dsn_file: Path
) -> None:
    """The command is killed, and its server process too, once the payload is deleted and the redaction is not yet
    written: payload and key are still there and no row was written. Run again, it does both.
    """
    async with gate(gate_database.dsn()) as g:
        session, _ = await closed_session(g, 2)
        before = await g.reader.rows_after()
    with (
        psycopg.connect(gate_database.admin_dsn()) as holder,
        psycopg.connect(gate_database.admin_dsn(), autocommit=True) as watcher,
    ):
        holder.execute("LOCK TABLE ledger.turn IN EXCLUSIVE MODE")
        waiting = _killed_while_it_waits(watcher, dsn_file, "--session", name(session), "--reason", "court")
        watcher.execute("SELECT pg_terminate_backend(%s)", (waiting,))
    assert counts(gate_database) == (2, 1, 0)
    async with gate(gate_database.dsn()) as g:
        assert await g.reader.rows_after() == before
    done = run(dsn_file, "erase", "--session", name(session), "--reason", "court", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["payloads"] == 2
    assert counts(gate_database) == (0, 0, 2)


def _killed_while_it_waits(
    connection: psycopg.Connection[tuple[object, ...]], dsn_file: Path, *options: str
) -> int:
    """Start an erasure, kill it once it waits for the append lock; return its server process, which lives on."""
    command = [sys.executable, "-m", "doublethink_gate", "erase", "--dsn-file", str(dsn_file), *options]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        waiting = _waiting(connection)
        os.kill(process.pid, signal.SIGKILL)
    return waiting


def _killed_at_the_first_change(database: GateDatabase, command: list[str]) -> None:
    """Start a run and kill it as soon as a payload has gone."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        left = counts(database)[0]
        deadline = time.monotonic() + 60
        while counts(database)[0] == left and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        process.kill()


def _waiting(connection: psycopg.Connection[tuple[object, ...]]) -> int:
    """The server process that waits for the append lock, once there is one. It has deleted by then."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found = connection.execute(
            "SELECT l.pid FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid"
            " WHERE l.relation = 'ledger.turn'::regclass AND NOT l.granted AND a.query LIKE '%ledger.erase%'"
        ).fetchone()
        if found is not None:
            return int(str(found[0]))
        time.sleep(0.02)
    raise AssertionError("the command never came to the append lock")


async def test_a_killed_run_is_taken_up_again(gate_database: GateDatabase, dsn_file: Path) -> None:
    """kill -9 in the middle of many batches; after the next run every payload is gone and has one redaction."""
    async with gate(gate_database.dsn()) as g:
        for _ in range(4):
            await closed_session(g, 15)
    command = [sys.executable, "-m", "doublethink_gate", "retention", "--dsn-file", str(dsn_file)]
    options = ["--payloads-days", "0", "--batch", "1"]
    killed_within = 0
    for _ in range(10):
        _killed_at_the_first_change(gate_database, [*command, *options])
        payloads, _, written = counts(gate_database)
        assert payloads + written == 60
        killed_within += 0 < payloads < 60
        if payloads == 0:
            break
    assert killed_within >= 1, "no run was killed within"
    done = run(dsn_file, "retention", *options, "--json")
    assert done.returncode == 0
    assert counts(gate_database) == (0, 0, 60)
    async with gate(gate_database.dsn()) as g:
        rows = await g.reader.rows_after()
        check_log(rows)
        assert len({str(body["of"]) for body in redactions(rows)}) == 60


async def test_retention_goes_by_the_policys_days(
    gate_database: GateDatabase, dsn_file: Path, tmp_path: Path
) -> None:
    """What is younger than the policy keeps stays, also where older rows stand before it; an open session's stays
    whatever its age; --dry-run erases nothing and says as much; --most bounds a run, which then ends with 3.
    """
    async with gate(gate_database.dsn()) as g:
        await closed_session(g, 5)
        open_session = await g.open()
        await g.writer.append(open_session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
    done = run(dsn_file, "retention", "--json")
    assert (done.returncode, json.loads(done.stdout)["payloads"]) == (0, 0), "the default policy keeps a year"
    done = run(dsn_file, "retention", "--payloads-days", "0", "--dry-run", "--json")
    assert json.loads(done.stdout) == {
        "dry_run": True,
        "payloads": 5,
        "sessions": 1,
        "page_sessions": 0,
        "more": False,
    }
    assert counts(gate_database) == (6, 2, 0)
    done = run(dsn_file, "retention", "--payloads-days", "0", "--most", "2", "--batch", "2")
    assert done.returncode == 3
    assert "more is due" in done.stdout
    assert counts(gate_database) == (4, 2, 2)
    assert run(dsn_file, "retention", "--payloads-days", "0").returncode == 0
    assert counts(gate_database) == (1, 1, 5)
    async with gate(gate_database.dsn()) as g:
        written = redactions(await g.reader.rows_after())
    assert {(body["reason"], body["gate"], body["policy"]) for body in written} == {
        ("retention", build_digest().hex(), default_policy().digest.hex())
    }


async def test_without_a_number_of_days_nothing_is_erased(
    gate_database: GateDatabase, dsn_file: Path, tmp_path: Path
) -> None:
    """A policy that does not say how long payloads are kept keeps them: the job is refused, not guessing."""
    async with gate(gate_database.dsn()) as g:
        await closed_session(g, 1)
    shipped = Path(sys.modules["doublethink_gate.policy"].__file__ or "").parent / "default.yaml"
    policy = tmp_path / "policy.yaml"
    policy.write_text(shipped.read_text().replace("  payloads_days: 365\n", ""))
    done = run(dsn_file, "retention", "--policy", str(policy))
    assert done.returncode == 1
    assert "payloads_days" in done.stderr
    assert counts(gate_database) == (1, 1, 0)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--session", "ses_x", "--reason", "court"), 2),
        (("--session", "ses_" + "a" * 26, "--reason", "court"), 1),
        (("--session", "ses_" + "a" * 26), 2),
        (("--session", "ses_" + "a" * 26, "--reason", "whim"), 2),
        (("--session", "ses_" + "a" * 26, "--reason", "court", "--row", "-1"), 2),
        (("--session", "ses_" + "a" * 26, "--reason", "court", "--batch", "251"), 2),
    ],
)
def test_wrong_use_of_the_command_is_refused(dsn_file: Path, options: tuple[str, ...], code: int) -> None:
    """A malformed id, a missing or unknown reason, a number out of range: one clear line and no traceback."""
    done = run(dsn_file, "erase", *options)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_database_that_is_away_is_said_without_its_connection_string(tmp_path: Path) -> None:
    """The command ends with 4, and nothing of the connection string is shown."""
    path = tmp_path / "dsn"
    path.write_text("host=/nowhere user=doublethink_retention password=hunter2 dbname=x")
    path.chmod(0o600)
    done = run(path, "retention")
    assert done.returncode == 4
    assert "hunter2" not in done.stdout + done.stderr
