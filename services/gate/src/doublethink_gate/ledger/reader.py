"""Reads rows and opens payloads. Rows come back as they are stored; checking them is doublethink_ledger's
part."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, LiteralString

import psycopg
from doublethink_ledger import CommitmentError, Row, decode_body
from psycopg.rows import class_row
from psycopg_pool import PoolTimeout

from doublethink_gate.ledger.errors import LedgerUnavailable, PayloadErased, PayloadError
from doublethink_gate.ledger.payload import OpenedPayload, SealedPayload, committed_forms, unseal
from doublethink_gate.ledger.session_keys import Pool, SessionKeys

MAX_ROWS: Final = 1000
"""Rows of one answer, at most."""

_SELECT: Final = "SELECT seq, session, n, id, at_us, prev, body, hash FROM ledger.entry "


@dataclass(frozen=True, slots=True)
class _Entry:
    seq: int
    session: uuid.UUID
    n: int
    id: uuid.UUID
    at_us: int
    prev: bytes
    body: bytes
    hash: bytes

    def row(self) -> Row:
        return row_of(self.seq, self.session, self.n, self.id, self.at_us, self.prev, self.body, self.hash)


def row_of(*columns: Any) -> Row:
    """Return the row of a table's columns: seq, session, n, id, at_us, prev, body, hash."""
    seq, session, n, id, at_us, prev, body, hash = columns
    return Row(seq, session.bytes, n, id.bytes, at_us, prev, hashlib.sha256(body).digest(), hash, body)


class LedgerReader:
    """Reads what the gate's role may read. Every method may raise LedgerUnavailable."""

    def __init__(self, pool: Pool, keys: SessionKeys) -> None:
        self._pool = pool
        self._keys = keys

    async def session_rows(
        self, session: uuid.UUID, after_n: int = -1, limit: int = MAX_ROWS
    ) -> tuple[Row, ...]:
        """Return up to `limit` rows of a session with a larger n, in order."""
        return await self._rows(
            _SELECT + "WHERE session = %s AND n > %s ORDER BY n LIMIT %s",
            (session, after_n, min(limit, MAX_ROWS)),
        )

    async def rows_after(self, seq: int = -1, limit: int = MAX_ROWS) -> tuple[Row, ...]:
        """Return up to `limit` rows of the whole log with a larger seq, in order. Poll this to follow the
        log."""
        return await self._rows(_SELECT + "WHERE seq > %s ORDER BY seq LIMIT %s", (seq, min(limit, MAX_ROWS)))

    async def row(self, id: uuid.UUID) -> Row | None:
        """Return one row, or None if there is none with this id."""
        rows = await self._rows(_SELECT + "WHERE id = %s", (id,))
        return rows[0] if rows else None

    async def present(self, ids: Sequence[uuid.UUID]) -> frozenset[uuid.UUID]:
        """Return which of some rows still have their payload."""
        try:
            async with self._pool.connection() as connection:
                cursor = await connection.execute(
                    "SELECT id FROM ledger.payload WHERE id = ANY(%s)", (list(ids),)
                )
                return frozenset(row[0] for row in await cursor.fetchall() if isinstance(row[0], uuid.UUID))
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the payloads cannot be listed") from error

    async def open_payload(self, row: Row) -> OpenedPayload:
        """Return the payload that a row commits to, checked against its commitment; of a rewritten request, what
        was sent.

        Raises PayloadErased if it or its key was deleted, PayloadError if the row has none, or if what is
        stored is not what the row commits to; KeyMissing.
        """
        return (await self._open(row))[0]

    async def open_original(self, row: Row) -> OpenedPayload:
        """Return what was asked for where a rewritten request was sent, checked against its commitment.

        It holds what was taken out, and is for nobody but the gate. Raises as `open_payload` does.
        """
        original = (await self._open(row))[1]
        if original is None:
            raise PayloadError("the row is of no rewritten request")
        return original

    async def _open(self, row: Row) -> tuple[OpenedPayload, OpenedPayload | None]:
        if row.body is None:
            raise PayloadError("the row was read without its body")
        body = decode_body(row.body)
        if "commit" not in body:
            raise PayloadError("the row commits to no payload")
        session, id = uuid.UUID(bytes=row.session), uuid.UUID(bytes=row.id)
        try:
            async with (
                self._pool.connection() as connection,
                connection.cursor(row_factory=class_row(SealedPayload)) as cursor,
            ):
                await cursor.execute(
                    "SELECT key_version, iv, ciphertext FROM ledger.payload WHERE id = %s", (id,)
                )
                sealed = await cursor.fetchone()
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the payload cannot be read") from error
        if sealed is None:
            raise PayloadErased(f"the payload of row {id} was erased")
        opened = unseal(await self._keys.load(session), session, id, sealed)
        try:
            return committed_forms(body, opened)
        except CommitmentError as error:
            raise PayloadError(f"the payload of row {id} is not the one that the row commits to") from error

    async def _rows(self, query: LiteralString, values: tuple[object, ...]) -> tuple[Row, ...]:
        try:
            async with (
                self._pool.connection() as connection,
                connection.cursor(row_factory=class_row(_Entry)) as cursor,
            ):
                await cursor.execute(query, values)
                return tuple(entry.row() for entry in await cursor.fetchall())
        except (psycopg.OperationalError, PoolTimeout) as error:
            raise LedgerUnavailable("the ledger cannot be read") from error
