"""A real session, sealed, exported and checked by the standalone verifier, and what a changed database shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
from doublethink_casefile import Case
from doublethink_ledger import parse_bundle
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.stack import Stack
from sim import verifier

_COMMAND = Path(sys.executable).with_name("doublethink")
_QUESTION = "What was the revenue of Halvorsen Pumps in fiscal 2024?"


def command(stack: Stack, *words: str, code: int = 0) -> str:
    """Run the command line on the stack's data; return what it printed. The exit code must be `code`."""
    done = subprocess.run(
        [str(_COMMAND), *words, "--data", str(stack.directories.data)],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def session(stack: Stack, demo_case: Case) -> str:
    """The id of a session that has ended."""
    with stack.client() as client:
        stored = client.add_case(self_contained(demo_case))
        return str(ask(client, Question(stored, _QUESTION, "rules"), lambda _: None)["session"])


@pytest.fixture(scope="module")
def bundle(stack: Stack, session: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The session's bundle, as the command writes it."""
    file = tmp_path_factory.mktemp("exported") / "bundle"
    printed = command(stack, "export", session, "--out", str(file))
    assert printed.splitlines()[1] == "COMPLETE"
    return file


def test_a_real_session_is_complete(stack: Stack, session: str, bundle: Path) -> None:
    """Exported right after its end, checked with the key that the installation pinned, by the file alone."""
    key = stack.directories.data / "ledger.vkey"
    done = verifier.run(str(bundle), "--key", str(key), "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["verdict"], found["session"]) == (0, "COMPLETE", session)
    with stack.client() as client:
        assert found["rows"] == len(client.ledger(session))
    assert verifier.run(str(bundle)).returncode == 1


def test_the_commands_on_a_real_bundle(stack: Stack, bundle: Path) -> None:
    """verify says COMPLETE; tamper shows INVALID at the row that was changed"""
    assert command(stack, "verify", str(bundle)).startswith("COMPLETE\n")
    rows = len(parse_bundle(bundle.read_bytes()).rows)
    for row in (0, rows // 2, rows - 1):
        assert f"INVALID at row {row}: " in command(stack, "tamper", str(bundle), str(row), code=1)
    assert command(stack, "verify", f"{bundle}.tampered", code=1).startswith("INVALID at row ")


def test_a_published_checkpoint_is_continued_by_a_later_export(
    stack: Stack, session: str, demo_case: Case, tmp_path: Path
) -> None:
    """A copy from the publication place, kept; the log grows; the next export proves that it continues it."""
    published = stack.directories.data / "checkpoints"
    notes = sorted(
        (path for path in published.rglob("*") if path.is_file()), key=lambda path: path.stat().st_mtime
    )
    kept = tmp_path / "kept"
    kept.write_bytes(
        next(note for note in reversed(notes) if note.read_bytes().count(b"\n") == 5).read_bytes()
    )
    with stack.client() as client:
        stored = client.add_case(self_contained(demo_case))
        later = str(ask(client, Question(stored, _QUESTION, "rules"), lambda _: None)["session"])
    for one in (session, later):
        file = str(tmp_path / one)
        command(stack, "export", one, "--since", str(kept), "--out", file)
        assert "known checkpoint: continued" in command(
            stack, "verify", file, "--known-checkpoint", str(kept)
        )


def test_openings_are_not_granted_by_default(stack: Stack, session: str, tmp_path: Path) -> None:
    """The shipped policy opens nothing: the export is refused and leaves no file."""
    command(stack, "export", session, "--opened", "--out", str(tmp_path / "opened"), code=1)
    assert os.listdir(tmp_path) == []


def test_a_session_that_is_not_there(stack: Stack, tmp_path: Path) -> None:
    """Refused, in words, and no file."""
    command(stack, "export", "ses_" + "a" * 26, "--out", str(tmp_path / "none"), code=1)
    assert os.listdir(tmp_path) == []


def test_a_row_changed_by_a_superuser_is_named(stack: Stack, demo_case: Case, tmp_path: Path) -> None:
    """Triggers switched off and a row's body changed: the export says INVALID at that row, and keeps the file.

    The last test of this file: the ledger stays as it is changed here.
    """
    with stack.client() as client:
        stored = client.add_case(self_contained(demo_case))
        session = str(ask(client, Question(stored, _QUESTION, "rules"), lambda _: None)["session"])
    command(stack, "export", session, "--out", str(tmp_path / "before"))
    head = parse_bundle((tmp_path / "before").read_bytes()).rows[0]
    with psycopg.connect(stack.administrator_dsn("doublethink_gate"), autocommit=True) as connection:
        connection.execute("ALTER TABLE ledger.entry DISABLE TRIGGER ALL")
        changed = connection.execute(
            "UPDATE ledger.entry SET body = overlay(body placing '\\x31'::bytea from 40) WHERE n = 2 AND session ="
            " (SELECT session FROM ledger.entry WHERE hash = %s)",
            (head.hash,),
        )
        assert changed.rowcount == 1
        connection.execute("ALTER TABLE ledger.entry ENABLE TRIGGER ALL")
    time.sleep(1)
    after = tmp_path / "after"
    assert "INVALID at row 2: " in command(stack, "export", session, "--out", str(after), code=1)
    assert after.exists()
