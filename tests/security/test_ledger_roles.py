"""Nobody changes the ledger: each forbidden statement, tried for real by each role, with the rows
unchanged.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest
from doublethink_ledger import Kind
from psycopg import sql
from sim.database import GateDatabase
from sim.ledger import DEADLINE_S, attempt, gate

pytestmark = pytest.mark.postgres

GATE, SEALER, RETENTION = "doublethink_gate", "doublethink_sealer", "doublethink_retention"
MIGRATOR, CONSOLE, OWNER = "doublethink_migrator", "doublethink_console", "doublethink_owner"
LOGINS = (GATE, SEALER, RETENTION, MIGRATOR)

INSERT_ENTRY = (
    "INSERT INTO ledger.entry SELECT seq + 100, session, n + 100, gen_random_uuid(), at_us, prev, body, hash"
    " FROM ledger.entry"
)
INSERT_PAYLOAD = (
    "INSERT INTO ledger.payload SELECT e.id, 1, decode(repeat('00', 12), 'hex'),"
    " decode(repeat('00', 48), 'hex') FROM ledger.entry AS e WHERE n = 0"
)
ERASE = (
    "SELECT * FROM ledger.erase(ARRAY(SELECT id FROM ledger.payload), 'request',"
    " decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'))"
)
APPEND = "SELECT * FROM ledger.append('{}', '{}', '{}', '{}', '{}', '{}', '{}')"

ENTRY_CHANGES = (
    "UPDATE ledger.entry SET body = '{}'",
    "UPDATE ledger.entry SET body = '{}' WHERE false",
    "DELETE FROM ledger.entry",
    "DELETE FROM ledger.entry WHERE false",
    "TRUNCATE ledger.entry CASCADE",
    "MERGE INTO ledger.entry AS e USING (SELECT 1) AS s ON true WHEN MATCHED THEN DELETE",
    INSERT_ENTRY,
    "COPY ledger.entry FROM PROGRAM 'true'",
)
CHECKPOINT_CHANGES = (
    "UPDATE ledger.checkpoint SET root = decode(repeat('00', 32), 'hex')",
    "UPDATE ledger.checkpoint SET note = note WHERE false",
    "DELETE FROM ledger.checkpoint",
    "DELETE FROM ledger.checkpoint WHERE false",
    "TRUNCATE ledger.checkpoint",
    "MERGE INTO ledger.checkpoint AS c USING (SELECT 1) AS s ON true WHEN MATCHED THEN DELETE",
    "INSERT INTO ledger.checkpoint SELECT origin, size + 1, root, note, at_us + 1 FROM ledger.checkpoint",
    "DROP TRIGGER checkpoint_row ON ledger.checkpoint",
    "ALTER TABLE ledger.checkpoint DISABLE TRIGGER ALL",
)
STORE_CHECKPOINT = (
    "SELECT ledger.store_checkpoint('o', 2, 'o', 2, decode(repeat('00', 32), 'hex'), 'note', NULL)"
)
PAYLOAD_CHANGES = (
    "UPDATE ledger.payload SET iv = '\\x000000000000000000000000'",
    "TRUNCATE ledger.payload CASCADE",
    INSERT_PAYLOAD,
)
PAYLOAD_DELETES = ("DELETE FROM ledger.payload", "DELETE FROM ledger.session_key")
KEY_CHANGES = ("UPDATE ledger.session_key SET kek = 'k9'", "TRUNCATE ledger.session_key")
SCHEMA_CHANGES = (
    "DROP TABLE ledger.entry CASCADE",
    "DROP FUNCTION ledger.append CASCADE",
    "ALTER TABLE ledger.entry DISABLE TRIGGER ALL",
    "ALTER TABLE ledger.entry ADD COLUMN more text",
    "ALTER TABLE ledger.entry OWNER TO CURRENT_USER",
    "DROP TRIGGER entry_row ON ledger.entry",
    "CREATE RULE ignore AS ON INSERT TO ledger.entry DO INSTEAD NOTHING",
    "CREATE OR REPLACE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql"
    " AS 'BEGIN RETURN NEW; END'",
    "CREATE TABLE ledger.other (x int)",
    "CREATE TABLE public.entry (x int)",
    "CREATE TEMPORARY TABLE entry (x int)",
    "CREATE SCHEMA other",
    "SET session_replication_role = replica",
    "SET ROLE postgres",
)
READS = {
    GATE: ("UPDATE gate.reason SET key_version = 2", "DELETE FROM gate.reason", "TRUNCATE gate.reason"),
    SEALER: (
        "SELECT * FROM ledger.payload",
        "SELECT ciphertext FROM ledger.payload",
        "SELECT * FROM ledger.session_key",
        "SELECT * FROM gate.page",
        "SELECT * FROM gate.reason",
    ),
    RETENTION: (
        "SELECT ciphertext FROM ledger.payload",
        "SELECT wrapped FROM ledger.session_key",
        "SELECT pack_wrapped FROM gate.session",
        "SELECT text FROM gate.page",
        "SELECT ciphertext FROM gate.reason",
        "DELETE FROM gate.reason",
        "DELETE FROM gate.session",
        "DELETE FROM gate.query",
        "DELETE FROM gate.page",
        "DELETE FROM gate.fact",
        "DELETE FROM gate.capability",
        "UPDATE gate.session SET closed_us = 0",
        "INSERT INTO migration.applied VALUES (999, 'x', decode(repeat('00', 32), 'hex'))",
    ),
    MIGRATOR: ("SELECT * FROM ledger.entry", "SELECT * FROM ledger.payload", "SELECT * FROM gate.session"),
}


def forbidden() -> Iterator[tuple[str, str]]:
    """Every role with every statement that it must not be able to run."""
    for role in LOGINS:
        for statement in (
            *ENTRY_CHANGES,
            *CHECKPOINT_CHANGES,
            *PAYLOAD_CHANGES,
            *KEY_CHANGES,
            *SCHEMA_CHANGES,
        ):
            yield role, statement
        # Retention too: what it erases, it erases by the function that writes it down.
        for statement in PAYLOAD_DELETES:
            yield role, statement
        if role != RETENTION:
            yield role, ERASE
        if role != MIGRATOR:
            yield role, f"SET ROLE {OWNER}"
        if role != SEALER:
            yield role, STORE_CHECKPOINT
        if role != GATE:
            yield role, APPEND
            yield (
                role,
                "INSERT INTO ledger.session_key VALUES (gen_random_uuid(), 1, 'k1',"
                " decode(repeat('00', 12), 'hex'), decode(repeat('00', 48), 'hex'))",
            )
        for statement in READS.get(role, ()):
            yield role, statement


@dataclass(frozen=True)
class Filled:
    """A ledger with two rows and one payload, the same for all statements of this file."""

    database: GateDatabase

    def snapshot(self) -> list[list[tuple[object, ...]]]:
        """Everything in the ledger, and the definitions that protect it."""
        with psycopg.connect(self.database.admin_dsn()) as connection:
            return [
                connection.execute(query).fetchall()
                for query in (
                    "SELECT * FROM ledger.entry ORDER BY seq",
                    "SELECT * FROM ledger.payload",
                    "SELECT * FROM ledger.checkpoint",
                    "SELECT * FROM ledger.session_key",
                    "SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
                    "SELECT oid::regprocedure::text, prosrc, proowner, proacl::text FROM pg_proc"
                    " WHERE pronamespace = 'ledger'::regnamespace ORDER BY 1",
                    "SELECT relname, relowner, relacl::text, relnatts FROM pg_class"
                    " WHERE relnamespace = 'ledger'::regnamespace ORDER BY 1",
                    "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_(temp|toast_temp)' ORDER BY 1",
                )
            ]


def run(dsn: str, statement: str) -> str | None:
    """Run one statement; return the SQLSTATE of its error, or None if it succeeded."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        try:
            connection.execute(statement)
        except psycopg.Error as error:
            return error.sqlstate
    return None


@pytest.fixture
async def filled(gate_database: GateDatabase) -> Filled:
    """A database with a session.open row, a blocked attempt with its payload, and a checkpoint."""
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        await g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
    stored = "SELECT ledger.store_checkpoint(NULL, NULL, 'o', 1, decode(repeat('01', 32), 'hex'), 'note', NULL) > 0"
    with psycopg.connect(gate_database.dsn(SEALER), autocommit=True) as connection:
        assert connection.execute(stored).fetchone() == (True,)
    return Filled(gate_database)


@pytest.mark.parametrize("role", LOGINS)
async def test_forbidden_statements_are_refused_and_change_nothing(filled: Filled, role: str) -> None:
    """Each statement that a role must not run fails when it is run, and every row is there and unchanged."""
    before = filled.snapshot()
    tried = 0
    for who, statement in forbidden():
        if who != role:
            continue
        assert run(filled.database.dsn(role), statement) == "42501", statement
        assert filled.snapshot() == before, statement
        tried += 1
    assert [len(table) for table in before[:3]] == [2, 1, 1]
    # PostgreSQL answers a grant without the right to grant with a warning instead of an error.
    run(filled.database.dsn(role), "GRANT ALL ON ledger.entry TO PUBLIC")
    assert filled.snapshot() == before
    assert tried >= 30


@pytest.mark.parametrize("replica", [False, True], ids=["origin", "replica"])
@pytest.mark.parametrize("as_owner", [True, False], ids=["owner", "superuser"])
async def test_triggers_refuse_even_the_owner(filled: Filled, as_owner: bool, replica: bool) -> None:
    """Update, delete and truncate fail for the owner and a superuser too, in the replication role as well."""
    before = filled.snapshot()
    statements = [
        *(statement for statement in ENTRY_CHANGES[:6]),
        *(statement for statement in CHECKPOINT_CHANGES[:6]),
        *PAYLOAD_CHANGES[:2],
        *KEY_CHANGES,
    ]
    for statement in statements:
        with psycopg.connect(filled.database.admin_dsn(), autocommit=True) as connection:
            if replica:
                connection.execute("SET session_replication_role = replica")
            if as_owner:
                connection.execute(f"SET ROLE {OWNER}")
            with pytest.raises(psycopg.Error) as caught:
                connection.execute(statement)
            assert caught.value.sqlstate == "DT100", statement
        assert filled.snapshot() == before, statement


async def test_what_each_role_is_for_works(filled: Filled) -> None:
    """The positive control: the statements that each role exists for do succeed."""
    allowed = {
        GATE: (
            "SELECT * FROM ledger.entry",
            "SELECT * FROM ledger.payload",
            "SELECT * FROM ledger.session_key",
            "SELECT * FROM gate.session",
            "SELECT * FROM migration.applied",
            "SELECT * FROM ledger.checkpoint",
        ),
        SEALER: ("SELECT * FROM ledger.entry", "SELECT * FROM ledger.checkpoint", STORE_CHECKPOINT),
        RETENTION: (
            "SELECT id FROM ledger.payload",
            "SELECT session FROM ledger.session_key",
            "SELECT * FROM migration.applied",
            "SELECT * FROM ledger.erase(ARRAY[gen_random_uuid()], 'request',"
            " decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'))",
            "SELECT gate.forget('ses_' || repeat('a', 26))",
        ),
        MIGRATOR: (f"SET ROLE {OWNER}",),
    }
    for role, statements in allowed.items():
        with psycopg.connect(filled.database.dsn(role), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)


async def test_the_console_cannot_connect_to_the_gates_database(gate_database: GateDatabase) -> None:
    """The console's role is let into its own database and no other, and the gate's roles are kept out of
    it.
    """
    with psycopg.connect(gate_database.server.dsn(CONSOLE, CONSOLE), autocommit=True) as connection:
        connection.execute("CREATE TABLE public.proof (x int)")
        connection.execute("DROP TABLE public.proof")
    for role, database in (
        (CONSOLE, gate_database.name),
        (CONSOLE, "doublethink_gate"),
        (CONSOLE, "postgres"),
        (GATE, CONSOLE),
        (SEALER, CONSOLE),
        (RETENTION, CONSOLE),
        (MIGRATOR, CONSOLE),
        (GATE, "postgres"),
        (GATE, "template1"),
        (OWNER, gate_database.name),
    ):
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(gate_database.server.dsn(role, database)).close()


async def test_no_login_role_has_an_attribute(gate_database: GateDatabase) -> None:
    """No role is a superuser or may make roles or databases, replicate, or pass row security; the owner
    has no login.
    """
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        rows = connection.execute(
            "SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls"
            " OR (rolinherit AND rolname = %s), rolcanlogin FROM pg_roles"
            " WHERE rolname LIKE 'doublethink%%' ORDER BY 1",
            (MIGRATOR,),
        ).fetchall()
    assert rows == sorted([(OWNER, False, False), *((role, False, True) for role in (*LOGINS, CONSOLE))])


async def test_security_definer_functions_are_few_and_pinned(gate_database: GateDatabase) -> None:
    """What appends, what erases, what forgets a session's queries, what stores a checkpoint and what wraps keys anew
    are the only functions that run with the owner's rights, and their search path is fixed.
    """
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        rows = connection.execute(
            "SELECT proname, proconfig, pg_get_userbyid(proowner) FROM pg_proc"
            " WHERE prosecdef AND pronamespace::regnamespace::text"
            " NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"
        ).fetchall()
    # What else a function sets is how its queries are planned.
    pinned = "search_path=pg_catalog, pg_temp"
    found = [(name, pinned in settings, owner) for name, settings, owner in rows]
    assert found == [
        (name, True, OWNER) for name in ("append", "erase", "forget", "store_checkpoint", "wrap_again")
    ]


async def test_public_has_no_right_anywhere(gate_database: GateDatabase) -> None:
    """Nothing in the gate's database is granted to PUBLIC: no schema of ours, no table, no function."""
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        rows = connection.execute(
            "SELECT 'schema', nspname FROM pg_namespace, aclexplode(nspacl) AS a"
            " WHERE a.grantee = 0 AND nspname IN ('ledger', 'gate', 'migration')"
            " UNION ALL SELECT 'table', relname FROM pg_class, aclexplode(relacl) AS a"
            " WHERE a.grantee = 0 AND relnamespace::regnamespace::text IN ('ledger', 'gate', 'migration')"
            " UNION ALL SELECT 'function', proname FROM pg_proc,"
            " aclexplode(coalesce(proacl, acldefault('f', proowner))) AS a"
            " WHERE a.grantee = 0 AND pronamespace::regnamespace::text IN ('ledger', 'gate', 'migration')"
            " UNION ALL SELECT 'database', datname FROM pg_database, aclexplode(datacl) AS a"
            " WHERE a.grantee = 0 AND datname = current_database()"
        ).fetchall()
    assert rows == []


async def test_no_payload_nor_nonce_nor_key_lies_in_clear(gate_database: GateDatabase) -> None:
    """A dump of every table holds neither the payload, nor its nonce, nor the session's key, in any
    column.
    """
    planted = b"Project Nordwind acquires Halvorsen"
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        row = await g.writer.append(session, Kind.ATTEMPT, attempt("block"), planted, deadline_s=DEADLINE_S)
        opened = await g.reader.open_payload(row.row)
    assert opened.payload == planted
    dump = b""
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('ledger', 'gate', 'migration')"
        ).fetchall()
        for table in tables:
            query = sql.SQL("COPY {} TO STDOUT (FORMAT binary)").format(sql.Identifier(*table))
            with connection.cursor().copy(query) as copy:
                dump += b"".join(bytes(block) for block in copy)
    assert row.hash in dump, "the dump holds what it should"
    assert planted not in dump
    assert opened.nonce not in dump
    assert uuid.UUID(bytes=row.row.session) == session
