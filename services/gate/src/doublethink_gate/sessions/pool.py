"""The gate's pooled connections for everything but the append, which has a connection of its own."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import psycopg
from doublethink_rpc import log
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from doublethink_gate.errors import LedgerUnavailable

Pool = AsyncConnectionPool[psycopg.AsyncConnection[tuple[Any, ...]]]


def make_pool(dsn: str, size: int) -> Pool:
    """Return a closed pool of at most `size` connections; the caller opens and closes it.

    Statements are bounded at 15 s: nothing here waits for a person or the network.
    """
    return AsyncConnectionPool(
        dsn,
        min_size=1,
        max_size=size,
        timeout=10,
        open=False,
        kwargs={"options": "-c statement_timeout=15000", "connect_timeout": 10},
        name="gate",
    )


@contextlib.asynccontextmanager
async def transaction(pool: Pool) -> AsyncIterator[psycopg.AsyncConnection[tuple[Any, ...]]]:
    """Lend a connection inside one transaction.

    Raises LedgerUnavailable where the database does not answer or breaks off; a statement that the schema
    refuses is a fault of the gate's and is raised as it is.
    """
    try:
        async with pool.connection() as connection, connection.transaction():
            yield connection
    except (psycopg.OperationalError, PoolTimeout) as error:
        log().warning("database_unavailable")
        raise LedgerUnavailable from error
