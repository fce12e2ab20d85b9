"""The migrator, the roles file, and the ties between the gate's tables."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest
from doublethink_gate.database.__main__ import main
from doublethink_gate.database.errors import (
    DatabaseSetupError,
    MigrationChangedError,
    MigrationPendingError,
    MigrationUnknownError,
)
from doublethink_gate.database.migrate import Migration, check_schema, migrate, shipped_migrations
from doublethink_gate.ids import IdType, mint
from doublethink_sdk.postgres import Binaries, EmbeddedPostgres
from doublethink_sdk.postgres.layout import DATABASES, MIGRATOR, OWNER, ROLES, Database
from doublethink_sdk.postgres.provision import make_database
from sim.database import GateDatabase, PostgresForTests, bindir_for_tests, folder

pytestmark = pytest.mark.postgres


@pytest.fixture
def empty(postgres: PostgresForTests) -> str:
    """The migrator's connection string to a database without any schema."""
    with psycopg.connect(postgres.server.admin_dsn(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS empty WITH (FORCE)")
        make_database(connection, Database("empty", OWNER, (MIGRATOR, "doublethink_gate")))
    return postgres.server.dsn(MIGRATOR, "empty")


GOOD = Migration(1, "0001_good.sql", "CREATE TABLE public.good (x int);")
BAD = Migration(2, "0002_bad.sql", "CREATE TABLE public.bad (x int); SELECT 1 / 0;")


def tables(dsn: str) -> list[str]:
    """The tables of the schema public."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        return [str(row[0]) for row in rows]


def test_each_migration_is_applied_once(empty: str) -> None:
    """The first run applies all in order, the second none; everything belongs to the owner."""
    assert [one.number for one in migrate(empty)] == [one.number for one in shipped_migrations()]
    assert migrate(empty) == ()
    with psycopg.connect(empty) as connection:
        owners = connection.execute(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname IN ('ledger', 'gate', 'migration')"
        ).fetchall()
    assert owners == [(OWNER,)]


def test_a_failing_migration_leaves_nothing_of_itself(empty: str) -> None:
    """What came before stays; of the failing file nothing is applied and nothing recorded."""
    with pytest.raises(psycopg.errors.DivisionByZero):
        migrate(empty, (GOOD, BAD))
    assert tables(empty) == ["good"]
    mended = replace(BAD, sql="CREATE TABLE public.mended (x int);")
    assert migrate(empty, (GOOD, mended)) == (mended,)


def test_a_changed_migration_stops_everything(empty: str) -> None:
    """A file that is not what was applied is refused before anything new is applied."""
    migrate(empty, (GOOD,))
    new = Migration(2, "0002_new.sql", "CREATE TABLE public.new (x int);")
    with pytest.raises(MigrationChangedError, match=r"0001_good\.sql"):
        migrate(empty, (replace(GOOD, sql=GOOD.sql + " "), new))
    assert tables(empty) == ["good"]


def test_an_unknown_migration_stops_everything(empty: str) -> None:
    """A database of a newer version is refused."""
    migrate(empty, (GOOD, Migration(2, "0002_newer.sql", "SELECT 1;")))
    with pytest.raises(MigrationUnknownError, match="newer"):
        migrate(empty, (GOOD,))


def test_a_service_can_check_and_not_migrate(empty: str, postgres: PostgresForTests) -> None:
    """The gate's role sees whether the schema is current: pending, then exact; it cannot migrate."""
    gate_dsn = postgres.server.dsn("doublethink_gate", "empty")
    with psycopg.connect(gate_dsn, autocommit=True) as connection, pytest.raises(MigrationPendingError):
        check_schema(connection)
    with pytest.raises(DatabaseSetupError, match=r"roles\.sql"):
        migrate(gate_dsn)
    migrate(empty, shipped_migrations()[:1])
    with psycopg.connect(gate_dsn, autocommit=True) as connection, pytest.raises(MigrationPendingError):
        check_schema(connection)
    migrate(empty)
    with psycopg.connect(gate_dsn, autocommit=True) as connection:
        check_schema(connection)


def test_two_migrators_at_once_apply_each_file_once(empty: str, tmp_path: Path) -> None:
    """Of two processes that start together both succeed, and together they applied every file once, by turns."""
    dsn_file = tmp_path / "migrator.dsn"
    dsn_file.write_text(empty)
    dsn_file.chmod(0o600)
    command = [sys.executable, "-m", "doublethink_gate.database", "--dsn-file", str(dsn_file)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    lines = "".join(outputs).splitlines()
    applied = [line for line in lines if line.startswith("applied")]
    assert sorted(applied) == [f"applied {one.name}" for one in shipped_migrations()]


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file and a missing server end with one line and a code of their own."""
    assert main(["--dsn-file", str(tmp_path / "absent")]) == 2
    (tmp_path / "dsn").write_text(f"host={tmp_path} dbname=x user=y")
    (tmp_path / "dsn").chmod(0o644)
    assert main(["--dsn-file", str(tmp_path / "dsn")]) == 2
    (tmp_path / "dsn").chmod(0o600)
    assert main(["--dsn-file", str(tmp_path / "dsn")]) == 4
    assert "does not answer" in capsys.readouterr().err


LAYOUT_QUERIES = (
    "SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,"
    " rolbypassrls, rolconnlimit"
    " FROM pg_roles WHERE rolname LIKE 'doublethink%' ORDER BY 1",
    "SELECT member::regrole::text, roleid::regrole::text, admin_option FROM pg_auth_members"
    " WHERE member::regrole::text LIKE 'doublethink%' ORDER BY 1, 2",
    "SELECT datname, datdba::regrole::text, a.grantee::regrole::text, a.privilege_type FROM pg_database,"
    " aclexplode(datacl) AS a WHERE datname LIKE 'doublethink%' ORDER BY 1, 2, 3, 4",
)


def test_the_roles_file_makes_what_the_embedded_server_makes(postgres: PostgresForTests) -> None:
    """Applied to a server on which the runner made nothing, roles.sql gives the same roles, ties and
    grants.
    """
    psql = Binaries.find(bindir_for_tests()).directory / "psql"
    with psycopg.connect(postgres.server.admin_dsn()) as connection:
        by_runner = [connection.execute(query).fetchall() for query in LAYOUT_QUERIES]
    roles = files("doublethink_gate.database") / "roles.sql"
    with (
        folder() as path,
        EmbeddedPostgres(
            path / "data", path / "s", bindir=bindir_for_tests(), roles=(), databases=()
        ) as second,
    ):
        for _ in range(2):
            subprocess.run(
                [psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", str(roles), second.admin_dsn()],
                check=True,
                timeout=60,
                capture_output=True,
            )
        with psycopg.connect(second.admin_dsn()) as connection:
            by_file = [connection.execute(query).fetchall() for query in LAYOUT_QUERIES]
    assert by_file == by_runner
    assert len(by_runner[0]) == len(ROLES)
    assert {row[0] for row in by_runner[2]} == {database.name for database in DATABASES}


def test_a_row_cannot_tie_two_sessions(gate_database: GateDatabase) -> None:
    """A result, page, fact or capability that names another session's query or page is refused by the
    database.
    """
    with psycopg.connect(gate_database.dsn(), autocommit=True) as connection:
        mine, other = open_session(connection), open_session(connection)
        query, result, page = (mint(kind) for kind in (IdType.QUERY, IdType.RESULT, IdType.PAGE))
        connection.execute(QUERY, (mine, query))
        for session in (other, mine):
            attempts = [
                (RESULT, (session, result, query)),
                (PAGE, (session, page, result)),
                (FACT, (session, mint(IdType.FACT), query, page)),
                (CAPABILITY, (session, query)),
            ]
            for statement, values in attempts:
                if session == other:
                    with pytest.raises(psycopg.errors.ForeignKeyViolation):
                        connection.execute(statement, values)
                else:
                    connection.execute(statement, values)


def test_a_stored_page_is_what_its_hashes_say(gate_database: GateDatabase) -> None:
    """A page whose bytes do not have the stored hash is refused."""
    with psycopg.connect(gate_database.dsn(), autocommit=True) as connection:
        session, query, result = open_session(connection), mint(IdType.QUERY), mint(IdType.RESULT)
        connection.execute(QUERY, (session, query))
        connection.execute(RESULT, (session, result, query))
        for wrong in ("raw", "text"):
            statement = PAGE.replace(f"sha256('{wrong}')", "sha256('other')")
            with pytest.raises(psycopg.errors.CheckViolation):
                connection.execute(statement, (session, mint(IdType.PAGE), result))


def test_a_closed_session_keeps_no_fingerprints(gate_database: GateDatabase) -> None:
    """A session cannot be closed while its wrapped pack stays; its limits cannot be changed at all."""
    with psycopg.connect(gate_database.dsn(), autocommit=True) as connection:
        session = open_session(connection)
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute(
                "UPDATE gate.session SET state = 'closed', closed_us = 2 WHERE id = %s", (session,)
            )
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("UPDATE gate.session SET max_queries = 99")
        connection.execute(
            "UPDATE gate.session SET state = 'closed', closed_us = 2, pack_kek = NULL, pack_iv = NULL,"
            " pack_wrapped = NULL WHERE id = %s",
            (session,),
        )


QUERY = "INSERT INTO gate.query VALUES (%s, %s, gen_random_uuid(), 1, 1)"
RESULT = (
    "INSERT INTO gate.result (session, id, query, rank, source_class, url)"
    " VALUES (%s, %s, %s, 1, 'company', 'https://example.com/')"
)
PAGE = (
    "INSERT INTO gate.page (session, id, result, row_id, url, fetched_at_us, raw, raw_sha256, text,"
    " text_sha256, extractor) VALUES (%s, %s, %s, gen_random_uuid(), 'https://example.com/', 1, 'raw',"
    " sha256('raw'), 'text', sha256('text'), 'page-text/1')"
)
FACT = "INSERT INTO gate.fact VALUES (%s, %s, %s, %s, gen_random_uuid(), 'body', 1)"
CAPABILITY = "INSERT INTO gate.capability VALUES (sha256('capability'), %s, 'reader', %s)"


def open_session(connection: psycopg.Connection) -> str:
    """Insert an open session with a wrapped pack."""
    session = mint(IdType.SESSION)
    connection.execute(
        "INSERT INTO gate.session VALUES (%s, 'tenant', sha256('policy'), 'corpus', 'open', 1, 9, NULL,"
        " 1, 1, 1, 1, 'k1', '123456789012', '1234567890123456')",
        (session,),
    )
    return session
