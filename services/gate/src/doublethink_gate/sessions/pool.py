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

    Connections are in autocommit, so that a single statement is a single round trip. Statements are bounded
    at 15 s: nothing here waits for a person or the network.
    """
    return AsyncConnectionPool(
        dsn,
        min_size=1,
        max_size=size,
        timeout=10,
        open=False,
        kwargs={"options": "-c statement_timeout=15000", "connect_timeout": 10, "autocommit": True},
        name="gate",
    )


@contextlib.asynccontextmanager
async def connection(pool: Pool) -> AsyncIterator[psycopg.AsyncConnection[tuple[Any, ...]]]:
    """Lend a connection for single statements.

    Raises LedgerUnavailable where the database does not answer or breaks off; a statement that the schema
    refuses is a fault of the gate's and is raised as it is.
    """
    try:
        async with pool.connection() as lent:
            yield lent
    except (psycopg.OperationalError, PoolTimeout) as error:
        log().warning("database_unavailable", error=error)
        raise LedgerUnavailable from error


@contextlib.asynccontextmanager
async def transaction(pool: Pool) -> AsyncIterator[psycopg.AsyncConnection[tuple[Any, ...]]]:
    """Lend a connection inside one transaction. Raises what `connection` raises."""
    async with connection(pool) as lent, lent.transaction():
        yield lent
