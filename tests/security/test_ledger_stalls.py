"""Nobody else holds the gates up: what a role that may connect can lock, hold or end, tried for real by each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg
import pytest
from doublethink_ledger import Kind
from doublethink_sdk.postgres.layout import (
    CONSOLE,
    CONSOLE_DATABASE,
    GATE,
    MIGRATOR,
    RETENTION,
    ROLES,
    SEALER,
    Role,
)
from sim.database import GateDatabase
from sim.ledger import CLOSE, DEADLINE_S, attempt, gate

pytestmark = pytest.mark.postgres

OTHERS = (SEALER, RETENTION, MIGRATOR)
BOUND = [role for role in ROLES if role.connections is not None]
AS_THE_SEALER = (
    "-c lock_timeout=10s -c default_transaction_isolation=read\\ committed -c synchronous_commit=on"
)
MODES = (
    "ACCESS SHARE",
    "ROW SHARE",
    "ROW EXCLUSIVE",
    "SHARE UPDATE EXCLUSIVE",
    "SHARE",
    "SHARE ROW EXCLUSIVE",
    "EXCLUSIVE",
    "ACCESS EXCLUSIVE",
)
TABLES = (
    "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables"
    " WHERE schemaname IN ('ledger', 'gate', 'migration') ORDER BY 1"
)
ADVISORY = (
    # Numbers that versions before used for the append, migrations, checkpoints and erasures.
    *(f"SELECT pg_advisory_lock({number})" for number in range(7238529683823224178, 7238529683823224182)),
    "SELECT pg_advisory_lock(n) FROM generate_series(0, 99) AS n",
)
OTHER_HOLDS = (
    "LOCK TABLE pg_catalog.pg_settings IN ACCESS EXCLUSIVE MODE",
    "LISTEN entry",
    "NOTIFY entry",
    "ALTER ROLE CURRENT_USER SET synchronous_commit = off",
    "ALTER ROLE CURRENT_USER SET default_transaction_isolation = 'serializable'",
    "SELECT lo_create(0)",
    "SELECT pg_current_xact_id()",
)


def hold_everything(connection: psycopg.Connection, tables: list[str]) -> int:
    """In one transaction that stays open take every lock that the server gives; return how many tries it refused."""
    refused = 0
    statements = (
        *(f"LOCK TABLE {table} IN {mode} MODE NOWAIT" for table in tables for mode in MODES),
        *(f"SELECT FROM {table} FOR UPDATE NOWAIT" for table in tables),
        *ADVISORY,
        *OTHER_HOLDS,
    )
    for statement in statements:
        try:
            with connection.transaction():
                connection.execute(statement.encode())
        except psycopg.errors.InsufficientPrivilege:
            refused += 1
    return refused


@pytest.fixture
def unsettled(gate_database: GateDatabase) -> Iterator[GateDatabase]:
    """A database; what roles have set for themselves is taken back in the end, since they outlive it."""
    yield gate_database
    with psycopg.connect(gate_database.admin_dsn(), autocommit=True) as connection:
        for role in OTHERS:
            connection.execute(f"ALTER ROLE {role} RESET ALL".encode())


@pytest.mark.parametrize("role", OTHERS)
async def test_no_other_role_holds_up_the_ledger(unsettled: GateDatabase, role: str) -> None:
    """While a role holds every lock that it gets, in an open transaction, a gate opens sessions and appends, the
    sealer stores a checkpoint and a migrator finds the record unlocked.
    """
    async with gate(unsettled.dsn()) as g:
        session = await g.open()
    with psycopg.connect(unsettled.admin_dsn()) as connection:
        tables = [row[0] for row in connection.execute(TABLES).fetchall()]
    with psycopg.connect(unsettled.dsn(role)) as holder:
        refused = hold_everything(holder, tables)
        assert len(tables) >= 14
        assert refused >= len(tables) * (len(MODES) - 1)
        async with gate(unsettled.dsn()) as g:
            await g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
            await g.open()
        with psycopg.connect(unsettled.dsn(), options="-c lock_timeout=10s") as connection:
            connection.execute("LOCK TABLE gate.opening IN EXCLUSIVE MODE")
        with psycopg.connect(unsettled.dsn(SEALER), autocommit=True, options=AS_THE_SEALER) as connection:
            stored = connection.execute(
                "SELECT ledger.store_checkpoint(NULL, NULL, 'o', 1, sha256(''), 'note', NULL) > 0"
            ).fetchone()
            assert stored == (True,)
        with psycopg.connect(unsettled.admin_dsn(), options="-c lock_timeout=10s") as connection:
            connection.execute("LOCK TABLE migration.applied IN SHARE ROW EXCLUSIVE MODE")
            held = connection.execute(
                "SELECT DISTINCT l.mode FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid"
                " JOIN pg_class AS c ON c.oid = l.relation"
                " WHERE a.usename = %s AND c.relnamespace::regnamespace::text IN ('ledger', 'gate', 'migration')",
                (role,),
            ).fetchall()
        assert held in ([], [("AccessShareLock",)])


async def test_an_erasure_that_does_not_commit_is_ended(gate_database: GateDatabase) -> None:
    """Retention erases in a transaction and leaves it open, with the append's turn in it: the next append ends that
    connection and is written, the payload is back, and no redaction is there.
    """
    async with gate(gate_database.dsn()) as g:
        session = await g.open()
        row = await g.writer.append(session, Kind.ATTEMPT, attempt("block"), b"q", deadline_s=DEADLINE_S)
        await g.writer.append(session, Kind.SESSION_CLOSE, CLOSE, deadline_s=DEADLINE_S)
        holder = psycopg.connect(gate_database.dsn(RETENTION))
        erased = holder.execute(
            "SELECT id FROM ledger.erase(ARRAY[%s], 'request', sha256(''), sha256(''))", (row.id,)
        ).fetchall()
        assert erased == [(row.id,)]
        await g.open()
        with pytest.raises(psycopg.OperationalError):
            holder.execute("COMMIT")
        holder.close()
        assert (await g.reader.open_payload(row.row)).payload == b"q"
        rows = await g.reader.rows_after()
    assert len(rows) == 4


@pytest.mark.parametrize("role", BOUND, ids=lambda role: role.name)
def test_no_role_takes_all_connections(gate_database: GateDatabase, role: Role) -> None:
    """A role gets as many connections as it may have and no more, and a gate still gets one."""
    dsn = gate_database.server.dsn(
        role.name, gate_database.name if role.name != CONSOLE else CONSOLE_DATABASE
    )
    with contextlib.ExitStack() as open_ones:
        for _ in range(role.connections or 0):
            open_ones.enter_context(psycopg.connect(dsn))
        with pytest.raises(psycopg.OperationalError, match="too many connections"):
            psycopg.connect(dsn)
        with psycopg.connect(gate_database.dsn()) as connection:
            connection.execute("SELECT 1")


@pytest.mark.parametrize("role", OTHERS)
def test_no_other_role_ends_or_bounds_a_gate(gate_database: GateDatabase, role: str) -> None:
    """A gate's connection cannot be ended by another role, nor its role or database be given other settings."""
    with (
        psycopg.connect(gate_database.dsn()) as gates,
        psycopg.connect(gate_database.dsn(role), autocommit=True) as connection,
    ):
        pid = gates.info.backend_pid
        for statement in (
            f"SELECT pg_terminate_backend({pid})",
            f"SELECT pg_cancel_backend({pid})",
            f"ALTER ROLE {GATE} SET statement_timeout = '1ms'",
            f"ALTER ROLE {GATE} CONNECTION LIMIT 0",
            "ALTER ROLE CURRENT_USER CONNECTION LIMIT -1",
            f"ALTER DATABASE {gate_database.name} SET statement_timeout = '1ms'",
            f"ALTER DATABASE {gate_database.name} CONNECTION LIMIT 0",
            "ALTER SYSTEM SET fsync = off",
            "SELECT pg_reload_conf()",
            "CREATE TEMPORARY TABLE x (y integer)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
        gates.execute("SELECT 1")
