"""The whole product on one machine: sealed as it runs, and what a person sees when somebody changed the database.

The tests stand in their order: each goes on with the data that the one before it left.
"""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from doublethink_casefile import Case
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.errors import LaunchError, ProcessFailed
from doublethink_sdk.launcher.log_files import LogFiles
from doublethink_sdk.launcher.log_tools import database_alone
from doublethink_sdk.launcher.stack import Stack, StackOptions
from doublethink_sdk.postgres.layout import GATE_DATABASE
from sim.survivors import FINISHED

DEMO = Path(__file__).parents[2] / "demo"
QUESTION = "What was the revenue of Brenner Flow Technology in fiscal 2024?"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of all tests here."""
    return tmp_path_factory.mktemp("sealed") / "data"


def _doublethink(data: Path, *words: str) -> tuple[int, str]:
    argv = (str(Path(sys.executable).parent / "doublethink"), *words, "--data", str(data))
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def _ask(stack: Stack, case: Case) -> None:
    with stack.client() as client:
        run = client.start_run(client.add_case(self_contained(case)), QUESTION, planner="rules")
        for _ in client.run_events(run):
            pass
        assert client.run(run)["status"] in FINISHED


def _notes(data: Path) -> set[Path]:
    return set((data / "checkpoints").rglob("*.note"))


def test_what_is_asked_is_sealed_by_the_end(data: Path, demo_case: Case) -> None:
    """While it runs and when it has stopped, verify finds the log whole; the last row is under a published note."""
    with Stack(StackOptions(data=data, pages=DEMO / "pages")) as stack:
        _ask(stack, demo_case)
        code, printed = _doublethink(data, "ledger", "verify", "--all")
        assert (code, "the log is whole" in printed) == (0, True), printed
        with psycopg.connect(stack.administrator_dsn(GATE_DATABASE)) as connection:
            assert connection.execute("SELECT count(*) > 5 FROM ledger.entry").fetchone() == (True,)
    code, printed = _doublethink(data, "ledger", "verify", "--all", "--json")
    assert code == 0, printed
    with database_alone(data) as postgres, psycopg.connect(postgres.admin_dsn(GATE_DATABASE)) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM ledger.entry").fetchone() or (0,)
    assert max(int(path.stem) for path in _notes(data)) == rows


def test_an_edited_row_stops_the_start_and_is_named(data: Path) -> None:
    """A superuser edits a row: nothing starts, the message says which row, verify says it too, and ends with 1."""
    with database_alone(data) as postgres, psycopg.connect(postgres.admin_dsn(GATE_DATABASE)) as connection:
        connection.execute("ALTER TABLE ledger.entry DISABLE TRIGGER ALL")
        connection.execute("UPDATE ledger.entry SET at_us = at_us + 1 WHERE seq = 2")
    with pytest.raises(ProcessFailed, match="row_edited: row 2"), Stack(StackOptions(data=data, pages=None)):
        pass
    code, printed = _doublethink(data, "ledger", "verify", "--all")
    assert (code, "row_edited: row 2" in printed) == (1, True), printed
    with database_alone(data) as postgres, psycopg.connect(postgres.admin_dsn(GATE_DATABASE)) as connection:
        connection.execute("UPDATE ledger.entry SET at_us = at_us - 1 WHERE seq = 2")
        connection.execute("ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_statement")
        connection.execute("ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_row")


def test_a_database_that_was_set_back_is_refused_and_recovered(data: Path, demo_case: Case) -> None:
    """The last rows and their checkpoints go: refused. After the recovery it starts, answers, and verify is content
    again; the pinned keys are those of both logs.
    """
    before = _notes(data)
    with database_alone(data) as postgres, psycopg.connect(postgres.admin_dsn(GATE_DATABASE)) as connection:
        connection.execute("SET session_replication_role = replica")
        for table in ("entry", "checkpoint"):
            connection.execute(f"ALTER TABLE ledger.{table} DISABLE TRIGGER ALL")
        connection.execute(
            "DELETE FROM ledger.payload WHERE id IN (SELECT id FROM ledger.entry WHERE seq >= 4)"
        )
        connection.execute("DELETE FROM ledger.entry WHERE seq >= 4")
        connection.execute("DELETE FROM ledger.checkpoint WHERE size > 4")
    with pytest.raises(ProcessFailed, match="rolled_back"), Stack(StackOptions(data=data, pages=None)):
        pass
    assert _doublethink(data, "ledger", "recover")[0] == 2
    code, printed = _doublethink(data, "ledger", "recover", "--from-published")
    assert code == 1, printed
    code, printed = _doublethink(data, "ledger", "recover", "--because", "rolled-back")
    assert (code, "over 4 rows" in printed) == (0, True), printed
    with Stack(StackOptions(data=data, pages=DEMO / "pages")) as stack:
        _ask(stack, demo_case)
    code, printed = _doublethink(data, "ledger", "verify", "--all")
    assert (code, "the log is whole" in printed) == (0, True), printed
    assert before < _notes(data)
    assert len(LogFiles(data).vkeys.read_text().splitlines()) == 2


def test_another_key_than_the_pinned_one_starts_nothing(data: Path) -> None:
    """Somebody puts a key of his own in place."""
    files = LogFiles(data)
    pinned = files.vkeys.read_text()
    files.vkeys.write_text(pinned.splitlines()[0] + "\n")
    with pytest.raises(LaunchError, match="is not a key that"), Stack(StackOptions(data=data, pages=None)):
        pass
    files.vkeys.write_text(pinned)


def test_a_stolen_key_is_followed_by_a_new_log_under_a_new_one(data: Path) -> None:
    """With the old key still there nothing is opened. With a new one, or with none, the log can be verified; then it
    goes on under the new key, and everything is whole.
    """
    files = LogFiles(data)
    old = files.key.read_bytes()
    code, printed = _doublethink(data, "ledger", "recover", "--because", "key-lost")
    assert (code, "openssl genpkey" in printed) == (2, True), printed
    files.key.unlink()
    assert _doublethink(data, "ledger", "recover", "--because", "key-lost")[0] == 2
    code, printed = _doublethink(data, "ledger", "verify", "--all")
    assert (code, "the log is whole" in printed) == (0, True), printed
    made = subprocess.run(
        ("openssl", "genpkey", "-algorithm", "ed25519", "-out", str(files.key)), umask=0o077, check=False
    )
    assert made.returncode == 0
    assert files.key.read_bytes() != old
    code, printed = _doublethink(data, "ledger", "recover", "--because", "key-lost")
    assert (code, "(key-lost)" in printed) == (0, True), printed
    with Stack(StackOptions(data=data, pages=None)):
        pass
    code, printed = _doublethink(data, "ledger", "verify", "--all")
    assert (code, "the log is whole" in printed) == (0, True), printed


def test_data_without_a_ledger_is_wrong_use(tmp_path: Path) -> None:
    """Nothing is made where nothing was."""
    assert _doublethink(tmp_path / "none", "ledger", "verify", "--all")[0] == 2
    assert _doublethink(tmp_path / "none", "ledger", "verify")[0] == 2
    assert not (tmp_path / "none").exists()
