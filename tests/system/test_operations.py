"""The procedures of docs/operations.md, done as they are written there: erase, retain, collect, back up, restore."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from doublethink_casefile import Case
from doublethink_gate.database.migrate import check_schema
from doublethink_ledger import parse_bundle
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.binaries import Binaries
from doublethink_sdk.postgres.layout import CONSOLE, CONSOLE_DATABASE, GATE_DATABASE, MIGRATOR, OWNER
from sim.database import folder
from sim.gate import granting_openings

_COMMAND = Path(sys.executable).with_name("doublethink")
_QUESTION = "What was the revenue of Halvorsen Pumps in fiscal 2024?"
_DEMO = Path(__file__).parents[2] / "demo"


def run(data: Path, *words: str, code: int = 0) -> str:
    """Run the command line on some data; return what it printed. The exit code must be `code`."""
    done = subprocess.run(
        [str(_COMMAND), *words, "--data", str(data)], capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def asked(stack: Stack, case: Case) -> str:
    """Ask one question; return the id of its session, which is closed."""
    with stack.client() as client:
        stored = client.add_case(self_contained(case))
        return str(ask(client, Question(stored, _QUESTION, "rules"), lambda _: None)["session"])


def rows(stack: Stack) -> list[tuple[object, ...]]:
    """Every row of the ledger, as it lies in the database."""
    with psycopg.connect(stack.administrator_dsn(GATE_DATABASE)) as connection:
        return connection.execute("SELECT * FROM ledger.entry ORDER BY seq").fetchall()


def test_an_officer_erases_a_session_and_everything_still_verifies(
    stack: Stack, demo_case: Case, tmp_path: Path
) -> None:
    """A dry run changes nothing. After the erasure no payload and no key of the session is there, the rows from before
    are unchanged, the session is shown as erased with its reason, its bundle is the same and COMPLETE, the whole log
    verifies, and an export with opened payloads has none to open.
    """
    data = stack.directories.data
    session = asked(stack, demo_case)
    kept = tmp_path / "before.dtbundle"
    assert run(data, "export", session, "--out", str(kept)).splitlines()[1] == "COMPLETE"
    before = rows(stack)
    planned = run(data, "ledger", "erase", session, "--reason", "court", "--dry-run")
    assert planned.startswith("would erase ")
    assert rows(stack) == before
    done = run(data, "ledger", "erase", session, "--reason", "court", "--yes")
    assert done == planned.replace("would erase", "erased")
    after = rows(stack)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    shown = [json.loads(line) for line in run(data, "ledger", "show", session, "--json").splitlines()]
    erased = [row for row in shown if row["erased"]]
    assert erased
    assert {row["redaction"]["reason"] for row in erased} == {"court"}
    assert not any("payload" in row for row in erased)
    assert len([row for row in shown if row["kind"] == "redaction"]) == len(erased)
    words = run(data, "ledger", "show", session)
    assert "erased (court, " in words
    assert "payload missing" not in words
    with psycopg.connect(stack.administrator_dsn(GATE_DATABASE)) as connection:
        left = connection.execute(
            "SELECT count(*) FROM ledger.payload AS p JOIN ledger.entry AS e ON e.id = p.id WHERE e.session ="
            " (SELECT session FROM ledger.entry WHERE ledger.session_name(session) = %s LIMIT 1)",
            (session,),
        ).fetchone()
    assert left == (0,)
    again = tmp_path / "after.dtbundle"
    assert run(data, "export", session, "--out", str(again)).splitlines()[1] == "COMPLETE"
    assert run(data, "verify", str(kept)).startswith("COMPLETE\n")
    run(data, "ledger", "verify", "--all")
    redacted = tmp_path / "redacted.dtbundle"
    said = run(data, "export", session, "--out", str(redacted), "--redact", "1")
    assert said.splitlines()[1] == "COMPLETE"
    assert "redacted" in said or "left out" in said


def test_retention_erases_what_is_due_and_nothing_else(stack: Stack, demo_case: Case) -> None:
    """With the shipped policy nothing of today is due; with no days at all everything closed is, once."""
    data = stack.directories.data
    asked(stack, demo_case)
    assert run(data, "ledger", "retention", "--yes").startswith("erased 0 payloads of 0 sessions")
    done = run(data, "ledger", "retention", "--yes", "--older-than", "0")
    assert not done.startswith("erased 0 ")
    assert run(data, "ledger", "retention", "--yes", "--older-than", "0").startswith("erased 0 payloads")
    run(data, "ledger", "verify", "--all")


def test_a_collector_gets_every_row_without_a_secret(stack: Stack, demo_case: Case, tmp_path: Path) -> None:
    """OCSF and CEF have one line for each row of the ledger; no line holds a confirmed secret or what was searched."""
    data = stack.directories.data
    asked(stack, demo_case)
    total = len(rows(stack))
    for form in ("ocsf", "cef"):
        cursor = tmp_path / f"{form}.cursor"
        printed = run(data, "ledger", "tail", "--format", form, "--cursor", str(cursor), "--once")
        lines = printed.splitlines()
        assert len(lines) >= total
        assert int(cursor.read_text()) == len(lines)
        for secret in demo_case.secrets:
            assert secret.value not in printed
        assert "Halvorsen" not in printed
        if form == "ocsf":
            assert [json.loads(line)["metadata"]["sequence"] for line in lines] == list(range(len(lines)))


def test_a_dump_of_the_running_database_is_restored_and_verifies(
    stack: Stack, demo_case: Case, tmp_path: Path
) -> None:
    """pg_dump as the migrator while everything runs, pg_restore into the empty databases of a new server: the rows,
    their triggers and their grants are those of before, and the schema is the one that this version knows.
    """
    asked(stack, demo_case)
    programs = Path(Binaries.find(None).postgres).parent
    server = EmbeddedPostgres(stack.directories.data / "postgres", stack.directories.run / "postgres")
    before = rows(stack)
    dumps = {GATE_DATABASE: (MIGRATOR, ("--role", OWNER)), CONSOLE_DATABASE: (CONSOLE, ())}
    for database, (role, options) in dumps.items():
        _tool(
            programs / "pg_dump",
            *("--format=custom", f"--file={tmp_path / database}", *options, server.dsn(role, database)),
        )
    with folder() as place, EmbeddedPostgres(place / "data", place / "s") as fresh:
        for database, (role, options) in dumps.items():
            _tool(
                programs / "pg_restore",
                *("--exit-on-error", "--no-owner", *options, f"--dbname={fresh.dsn(role, database)}"),
                str(tmp_path / database),
            )
        with psycopg.connect(fresh.dsn(MIGRATOR, GATE_DATABASE), autocommit=True) as connection:
            connection.execute(f"SET ROLE {OWNER}".encode())
            restored = connection.execute("SELECT * FROM ledger.entry ORDER BY seq").fetchall()
            assert restored[: len(before)] == before
            check_schema(connection)
            with pytest.raises(psycopg.Error) as caught:
                connection.execute("DELETE FROM ledger.entry")
            assert caught.value.sqlstate == "DT100"
        with psycopg.connect(fresh.dsn("doublethink_gate", GATE_DATABASE), autocommit=True) as connection:
            for statement in (
                "DELETE FROM ledger.payload",
                "INSERT INTO ledger.entry SELECT * FROM ledger.entry",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.encode())


def test_a_copy_of_the_stopped_database_is_restored_and_goes_on(demo_case: Case, tmp_path: Path) -> None:
    """Stop, copy, lose the original, put the copy in its place: the whole log verifies, a bundle from before verifies,
    and the next question is answered and sealed.
    """
    data, kept, bundle = tmp_path / "data", tmp_path / "copy", tmp_path / "bundle"
    with Stack(StackOptions(data=data, pages=_DEMO / "pages")) as stack:
        session = asked(stack, demo_case)
        run(data, "export", session, "--out", str(bundle))
    subprocess.run(["cp", "-a", str(data / "postgres"), str(kept)], check=True, timeout=120)
    shutil.rmtree(data / "postgres")
    subprocess.run(["cp", "-a", str(kept), str(data / "postgres")], check=True, timeout=120)
    run(data, "ledger", "verify", "--all")
    assert run(data, "verify", str(bundle)).startswith("COMPLETE\n")
    with Stack(StackOptions(data=data, pages=_DEMO / "pages")) as stack:
        later = asked(stack, demo_case)
        done = run(data, "export", later, "--out", str(tmp_path / "later"), "--since", str(_newest(data)))
        assert done.splitlines()[1] == "COMPLETE"


def test_openings_are_granted_recorded_and_end_with_an_erasure(demo_case: Case, tmp_path: Path) -> None:
    """With a policy that grants it an export has payloads and is COMPLETE, and the session is shown with its openings;
    after an erasure the same export is COMPLETE and has none, and no opening is written for what is gone.
    """
    data, policy = tmp_path / "data", tmp_path / "policy.yaml"
    policy.write_text(granting_openings())
    with Stack(StackOptions(data=data, pages=_DEMO / "pages", policy=policy)) as stack:
        session = asked(stack, demo_case)
        file = tmp_path / "opened"
        assert run(data, "export", session, "--opened", "--out", str(file)).splitlines()[1] == "COMPLETE"
        openings = parse_bundle(file.read_bytes()).openings
        assert b"Halvorsen" in b"".join(opening.payload for opening in openings)
        shown = [json.loads(line) for line in run(data, "ledger", "show", session, "--json").splitlines()]
        opened = {row["n"] for row in shown if "openings" in row}
        assert opened == {opening.n for opening in openings}
        assert len([row for row in shown if row["kind"] == "opening"]) == len(openings)
        run(data, "ledger", "erase", session, "--reason", "request", "--yes")
        again = tmp_path / "again"
        assert run(data, "export", session, "--opened", "--out", str(again)).splitlines()[1] == "COMPLETE"
        assert parse_bundle(again.read_bytes()).openings == ()
        later = [json.loads(line) for line in run(data, "ledger", "show", session, "--json").splitlines()]
        assert len([row for row in later if row["kind"] == "opening"]) == len(openings)
        run(data, "ledger", "verify", "--all")


def test_after_a_rotation_the_old_key_is_needed_no_more(demo_case: Case, tmp_path: Path) -> None:
    """Without rewrap the old key is missed; with it the payloads of before open with the new key alone."""
    data, policy = tmp_path / "data", tmp_path / "policy.yaml"
    policy.write_text(granting_openings())
    options = StackOptions(data=data, pages=_DEMO / "pages", policy=policy)
    with Stack(options) as stack:
        session = asked(stack, demo_case)
    keys = data / "keys" / "gate"
    (keys / "v2.key").write_text(secrets.token_hex(32))
    (keys / "v2.key").chmod(0o600)
    (keys / "active").write_text("v2")
    old = (keys / "v1.key").rename(tmp_path / "v1.key")
    assert "v1 is not among the key files" in run(data, "ledger", "rewrap", code=1)
    old.rename(keys / "v1.key")
    said = run(data, "ledger", "rewrap")
    assert said.endswith("no older version is needed: take its file from every gate\n")
    (keys / "v1.key").unlink()
    with Stack(options):
        file = tmp_path / "opened"
        assert run(data, "export", session, "--opened", "--out", str(file)).splitlines()[1] == "COMPLETE"
    openings = parse_bundle(file.read_bytes()).openings
    assert b"Halvorsen" in b"".join(opening.payload for opening in openings)


def _newest(data: Path) -> Path:
    """The newest published checkpoint of the data."""
    files = [path for path in (data / "checkpoints").rglob("*") if path.is_file()]
    notes = [path for path in files if path.read_bytes().count(b"\n") == 5]
    return max(notes, key=lambda path: path.stat().st_mtime_ns)


def _tool(program: Path, *options: str) -> None:
    done = subprocess.run(
        [str(program), *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
    )
    assert done.returncode == 0, done.stderr
