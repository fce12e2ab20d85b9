"""An embedded PostgreSQL: the ledger's database on a machine that has no server.

    with EmbeddedPostgres(data_dir, socket_dir) as pg:
        psycopg.connect(pg.dsn("doublethink_gate", "doublethink_gate"))

The launcher supervises the server itself: `prepare()`, then the process of `command()`, then `wait_ready()`
and `provision()`, and SIGINT to end it.
"""

from doublethink_sdk.postgres.binaries import Binaries
from doublethink_sdk.postgres.errors import (
    AlreadyRunningError,
    BinariesError,
    ClusterError,
    EmbeddedPostgresError,
    NoUserError,
    StartError,
)
from doublethink_sdk.postgres.layout import DATABASES, ROLES, Database, Role
from doublethink_sdk.postgres.server import EmbeddedPostgres

__all__ = [
    "DATABASES",
    "ROLES",
    "AlreadyRunningError",
    "Binaries",
    "BinariesError",
    "ClusterError",
    "Database",
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "NoUserError",
    "Role",
    "StartError",
]
