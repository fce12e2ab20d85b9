"""Makes the roles and databases of `layout`, or brings them to what it says. Run at every start."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
from psycopg import sql

from doublethink_sdk.postgres.layout import Database, Role
from doublethink_sdk.postgres.passwords import PasswordDirectory

_ATTRIBUTES = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"
_SYSTEM_DATABASES = ("postgres", "template1")


def provision(
    connection: psycopg.Connection,
    passwords: PasswordDirectory,
    roles: Sequence[Role],
    databases: Sequence[Database],
) -> None:
    """Make what is missing. `connection` is the administrator's, in autocommit. Raises psycopg.Error."""
    for role in roles:
        make_role(connection, passwords, role)
    for database in databases:
        make_database(connection, database)
    for name in _SYSTEM_DATABASES:
        connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name)))


def make_role(connection: psycopg.Connection, passwords: PasswordDirectory, role: Role) -> None:
    """Make a role, or set the attributes and the password of an existing one."""
    known = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (role.name,)).fetchone()
    verb = "ALTER" if known is not None else "CREATE"
    statement = sql.SQL("{} ROLE {} {} {} {} CONNECTION LIMIT {}").format(
        sql.SQL(verb),
        sql.Identifier(role.name),
        sql.SQL("LOGIN" if role.login else "NOLOGIN"),
        # What a role may become it must ask for: it does not have those rights all the time.
        sql.SQL("INHERIT" if role.becomes is None else "NOINHERIT"),
        sql.SQL(_ATTRIBUTES),
        # So that no role takes the connections that the others need; -1 is no bound.
        sql.Literal(-1 if role.connections is None else role.connections),
    )
    if role.login:
        # The server gets the SCRAM verifier: the password itself is in no statement.
        verifier = connection.pgconn.encrypt_password(
            passwords.read_or_make(role.name).text.encode(), role.name.encode(), b"scram-sha-256"
        )
        statement += sql.SQL(" PASSWORD {}").format(sql.Literal(verifier.decode()))
    connection.execute(statement)
    for other in (role.becomes, role.ends):
        if other is not None:
            connection.execute(
                sql.SQL("GRANT {} TO {}").format(sql.Identifier(other), sql.Identifier(role.name))
            )


def make_database(connection: psycopg.Connection, database: Database, template: str = "template0") -> None:
    """Make a database unless it exists, and let exactly the named roles connect."""
    name = sql.Identifier(database.name)
    known = connection.execute("SELECT FROM pg_database WHERE datname = %s", (database.name,)).fetchone()
    if known is None:
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
                name, sql.Identifier(database.owner), sql.Identifier(template)
            )
        )
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    for role in database.connect:
        connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, sql.Identifier(role)))
