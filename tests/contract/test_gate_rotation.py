"""Rotation of the key-encryption key: the command that wraps sessions' keys anew, on a real database."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import psycopg
import pytest
from doublethink_gate import rotation_command
from doublethink_gate.ids import IdType, from_bytes
from doublethink_gate.ledger import KeyMissing, KeyRing, PayloadErased, PayloadError
from doublethink_gate.ledger.session_keys import key_context
from doublethink_gate.retention import erasure
from doublethink_ledger import Kind
from sim.database import GateDatabase
from sim.ledger import CLOSE, DEADLINE_S, attempt, closed_session, gate

pytestmark = pytest.mark.postgres

K1, K2, K3 = bytes(range(32)), bytes(range(1, 33)), bytes(range(2, 34))
OLD = KeyRing({"k1": K1}, "k1")
BOTH = KeyRing({"k1": K1, "k2": K2}, "k2")
NEW = KeyRing({"k2": K2}, "k2")


@pytest.fixture
def dsn_file(gate_database: GateDatabase, tmp_path: Path) -> Path:
    """How a gate connects, in a file."""
    path = tmp_path / "dsn"
    path.write_text(gate_database.dsn())
    path.chmod(0o600)
    return path


def folder(tmp_path: Path, keys: dict[str, bytes], active: str) -> Path:
    """A folder of key-encryption keys, as gates have it."""
    place = tmp_path / f"keys-{uuid.uuid4().hex}"
    place.mkdir(mode=0o700)
    for version, key in keys.items():
        (place / f"{version}.key").write_text(key.hex())
        (place / f"{version}.key").chmod(0o600)
    (place / "active").write_text(active)
    return place


def run(dsn_file: Path, keys: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command as an operator does."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "doublethink_gate", "rewrap"),
            *("--dsn-file", str(dsn_file), "--keys", str(keys), *options),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def rewrap(database: GateDatabase, keys: KeyRing) -> rotation_command.Done:
    """Run it in this process."""
    with psycopg.connect(database.dsn(), autocommit=True) as connection:
        return rotation_command.rewrap(connection, keys)


async def test_after_it_the_old_key_is_needed_no_more(
    gate_database: GateDatabase, dsn_file: Path, tmp_path: Path
) -> None:
    """Every payload of before opens with the new key alone; a second run finds nothing to do."""
    async with gate(gate_database.dsn(), keys=OLD) as g:
        rows = [(await closed_session(g, 1))[1][0] for _ in range(3)]
    async with gate(gate_database.dsn(), keys=NEW) as g:
        with pytest.raises(KeyMissing, match="k1"):
            await g.reader.open_payload(rows[0])
    keys = folder(tmp_path, {"k1": K1, "k2": K2}, "k2")
    done = run(dsn_file, keys)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "wrapped 3 session keys under k2 as well; no older version is needed: take its file from every gate\n"
    )
    async with gate(gate_database.dsn(), keys=NEW) as g:
        assert [(await g.reader.open_payload(row)).payload for row in rows] == [b"0"] * 3
    again = run(dsn_file, keys, "--json")
    assert json.loads(again.stdout) == {"active": "k2", "wrapped": 0, "unopened": {}, "open_sessions": {}}


async def test_many_sessions_are_wrapped_in_several_batches(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No session is left out where a batch ends."""
    monkeypatch.setattr(rotation_command, "_BATCH", 2)
    async with gate(gate_database.dsn(), keys=OLD) as g:
        for _ in range(5):
            await closed_session(g, 1)
    assert rewrap(gate_database, BOTH).wrapped == 5
    assert rewrap(gate_database, NEW) == rotation_command.Done("k2")


async def test_a_session_with_two_keys_is_not_left_out_where_a_batch_ends(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The schema lets a session have several keys: a batch that ends between two of them goes on with the second."""
    monkeypatch.setattr(rotation_command, "_BATCH", 1)
    session = uuid.uuid4()
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        for version in (1, 2):
            wrapped = OLD.wrap(K3, key_context(session, version))
            connection.execute(
                "INSERT INTO ledger.session_key (session, key_version, kek, iv, wrapped) VALUES (%s, %s, %s, %s, %s)",
                (session, version, wrapped.kek, wrapped.iv, wrapped.ciphertext),
            )
    assert rewrap(gate_database, BOTH).wrapped == 2
    assert rewrap(gate_database, NEW) == rotation_command.Done("k2")


async def test_a_version_that_is_missing_is_named(
    gate_database: GateDatabase, dsn_file: Path, tmp_path: Path
) -> None:
    """Keys under a version that is not in the folder are counted and kept; the others are wrapped all the same."""
    async with gate(gate_database.dsn(), keys=KeyRing({"k3": K3}, "k3")) as g:
        await closed_session(g, 1)
    async with gate(gate_database.dsn(), keys=OLD) as g:
        await closed_session(g, 1)
    done = run(dsn_file, folder(tmp_path, {"k1": K1, "k2": K2}, "k2"))
    assert done.returncode == 1
    assert done.stdout == (
        "wrapped 1 session keys under k2 as well; k3 is not among the key files, and 1 session keys are under it"
        " alone\n"
    )


async def test_an_open_session_keeps_its_fingerprints_under_the_old_key(
    gate_database: GateDatabase, dsn_file: Path, tmp_path: Path
) -> None:
    """Its pack goes when it closes: until then the command ends with 3 and says so."""
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO gate.session (id, tenant, policy_sha256, source, state, created_us, expires_us, max_queries,"
            " max_pages, max_calls, max_bytes, pack_kek, pack_iv, pack_wrapped) VALUES (%s, 'team', %s, 'corpus',"
            " 'open', 1, 2, 1, 1, 1, 1, 'k1', %s, %s)",
            ("ses_" + "a" * 26, b"\0" * 32, b"\0" * 12, b"\0" * 64),
        )
    done = run(dsn_file, folder(tmp_path, {"k1": K1, "k2": K2}, "k2"))
    assert done.returncode == 3
    assert "k1 is needed by 1 open sessions" in done.stdout


async def test_a_wrapped_key_that_was_moved_is_not_wrapped_anew(gate_database: GateDatabase) -> None:
    """A key that somebody put under another session is refused, and does not become right by a rotation."""
    async with gate(gate_database.dsn(), keys=OLD) as g:
        session = await g.open()
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO ledger.session_key SELECT %s, key_version, kek, iv, wrapped FROM ledger.session_key"
            " WHERE session = %s",
            (uuid.uuid4(), session),
        )
    with pytest.raises(PayloadError):
        rewrap(gate_database, BOTH)


async def test_an_erased_sessions_key_does_not_come_back(
    gate_database: GateDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure that has begun when the key was read is waited for, and nothing is stored for what it erased."""
    async with gate(gate_database.dsn(), keys=OLD) as g:
        session, rows = await closed_session(g, 1)
    digests = erasure.Digests(b"\x0a" * 32, b"\x0b" * 32)
    read, results = threading.Event(), list[int]()
    behind = rotation_command._behind

    def and_say(*given: object) -> object:
        for batch in behind(*given):  # type: ignore[arg-type]
            read.set()
            assert erased.wait(30)
            yield batch

    erased = threading.Event()
    monkeypatch.setattr(rotation_command, "_behind", and_say)
    wrapping = threading.Thread(target=lambda: results.append(rewrap(gate_database, BOTH).wrapped))
    with psycopg.connect(gate_database.dsn("doublethink_retention")) as connection:
        wrapping.start()
        assert read.wait(30)
        for targets in erasure.of_session(connection, from_bytes(IdType.SESSION, session.bytes), None, 10):
            assert erasure.erase(connection, targets, "request", digests) == 1
        # The erasure is done and not committed: the wrapping comes to its lock now.
        erased.set()
        wrapping.join(0.3)
        connection.commit()
    wrapping.join(30)
    assert results == [0]
    async with gate(gate_database.dsn(), keys=BOTH) as g:
        with pytest.raises(PayloadErased):
            await g.reader.open_payload(rows[0])
    with psycopg.connect(gate_database.dsn()) as connection:
        assert connection.execute("SELECT count(*) FROM ledger.session_key").fetchone() == (0,)


async def test_gates_go_on_while_keys_are_wrapped(gate_database: GateDatabase) -> None:
    """A gate that writes before, during and after opens all of it, and so does one with both keys."""
    async with gate(gate_database.dsn(), keys=OLD) as one, gate(gate_database.dsn(), keys=BOTH) as two:
        session = await one.open()
        before = await one.writer.append(session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
        assert rewrap(gate_database, BOTH).wrapped == 1
        after = await two.writer.append(session, Kind.ATTEMPT, attempt("block"), b"r", deadline_s=DEADLINE_S)
        await one.writer.append(session, Kind.SESSION_CLOSE, CLOSE, deadline_s=DEADLINE_S)
        for g in (one, two):
            assert [(await g.reader.open_payload(row.row)).payload for row in (before, after)] == [b"q", b"r"]


@pytest.mark.parametrize(
    ("keys", "said"),
    [({"k1": b"\1" * 31}, "64 hexadecimal digits"), ({}, "0 key files"), ({"k1": K1}, "not among the keys")],
)
def test_a_folder_that_is_not_right_is_refused(
    dsn_file: Path, tmp_path: Path, keys: dict[str, bytes], said: str
) -> None:
    """One clear line, and no key in it."""
    done = run(dsn_file, folder(tmp_path, keys, "k2"))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert K1.hex() not in done.stderr


def test_a_database_that_is_away_is_said_without_its_connection_string(tmp_path: Path) -> None:
    """The command ends with 4, and nothing of the connection string is shown."""
    path = tmp_path / "dsn"
    path.write_text("host=/nowhere user=doublethink_gate password=hunter2 dbname=x")
    path.chmod(0o600)
    done = run(path, folder(tmp_path, {"k1": K1}, "k1"))
    assert done.returncode == 4
    assert "hunter2" not in done.stdout + done.stderr
