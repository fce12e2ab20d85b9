"""Cases at rest: everything of a case in one sealed value."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from doublethink_casefile import Case, Secret, SecretClass, planted
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from doublethink_console.identity.people import Sight
from doublethink_console.sealing import Place, Sealer

_SELECT: Final = "SELECT id, created_at, team, sealed FROM console.case_file"
_SEEN: Final = "(%(teams)s::text[] IS NULL OR team = ANY(%(teams)s))"

Pool = AsyncConnectionPool[AsyncConnection[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class StoredCase:
    """A case with its id, the time it came, and whose it is."""

    id: uuid.UUID
    created_at: datetime
    team: str
    case: Case = field(repr=False)


class Cases:
    """The table of cases."""

    def __init__(self, pool: Pool, sealer: Sealer) -> None:
        self._pool, self._sealer = pool, sealer

    async def add(self, case: Case, team: str, *, apart: bool) -> tuple[uuid.UUID, bool]:
        """Store a case as it was given, planted, as `team`'s; returns its id, and whether it was not there yet.

        The same case given again is the stored one, with the canary that it has. With `apart` only the team's own is:
        no team then learns that another has the same.
        """
        marks = self._sealer.marks((f"{team}\0".encode() if apart else b"") + _encode(case))
        key = uuid.uuid4()
        sealed = self._sealer.seal(_encode(planted(case)), _place(key))
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT id FROM console.case_file WHERE mark = ANY(%s) LIMIT 1", (marks,)
            )
            found = await cursor.fetchone()
            if found is None:
                cursor = await connection.execute(
                    "INSERT INTO console.case_file (id, sealed, mark, team) VALUES (%s, %s, %s, %s)"
                    # Another request may store it between the two statements.
                    " ON CONFLICT (mark) DO UPDATE SET mark = excluded.mark RETURNING id",
                    (key, sealed, marks[0], team),
                )
                found = await cursor.fetchone()
        assert found is not None  # noqa: S101 - the statement gives one row
        stored = uuid.UUID(str(found[0]))
        return stored, stored == key

    async def get(self, key: uuid.UUID, sight: Sight) -> StoredCase | None:
        """A case, or None where none is to be seen. Raises SealBroken."""
        found = await self._read("id = %(id)s", sight, id=key, most=1)
        return found[0] if found else None

    async def all(self, limit: int, sight: Sight) -> list[StoredCase]:
        """The newest cases to be seen, at most `limit`. Raises SealBroken."""
        return await self._read("true", sight, most=limit)

    async def _read(self, where: str, sight: Sight, **values: object) -> list[StoredCase]:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"{_SELECT} WHERE {where} AND {_SEEN} ORDER BY created_at DESC, id LIMIT %(most)s".encode(),
                {**values, "teams": sight.for_sql},
            )
            rows = await cursor.fetchall()
        return [StoredCase(row[0], row[1], row[2], self._open(row[0], row[3])) for row in rows]

    async def delete(self, key: uuid.UUID, sight: Sight) -> bool | None:
        """Delete a case with its runs and answers: True if done, False if a run goes on, None if there is
        none to be seen.
        """
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                f"SELECT FROM console.case_file WHERE id = %(id)s AND {_SEEN} FOR UPDATE".encode(),
                {"id": key, "teams": sight.for_sql},
            )
            if await cursor.fetchone() is None:
                return None
            cursor = await connection.execute(
                "SELECT FROM console.run WHERE case_id = %s"
                " AND (state IN ('queued', 'running') OR sealed_capabilities IS NOT NULL) LIMIT 1",
                (key,),
            )
            if await cursor.fetchone() is not None:
                return False
            await connection.execute("DELETE FROM console.case_file WHERE id = %s", (key,))
        return True

    def _open(self, key: uuid.UUID, sealed: bytes) -> Case:
        return _decode(self._sealer.open(sealed, _place(key)))


def _place(key: uuid.UUID) -> Place:
    return Place("case_file.sealed", key.bytes)


def _encode(case: Case) -> bytes:
    fields = {
        "title": case.title,
        "memo": case.memo,
        "secrets": [
            {"class": str(secret.secret_class), "value": secret.value, "aliases": list(secret.aliases)}
            for secret in case.secrets
        ],
        "public_terms": list(case.public_terms),
        "canaries": list(case.canaries),
    }
    return json.dumps(fields, ensure_ascii=False).encode()


def _decode(plaintext: bytes) -> Case:
    fields = json.loads(plaintext)
    return Case(
        title=fields["title"],
        memo=fields["memo"],
        secrets=tuple(
            Secret(SecretClass(secret["class"]), secret["value"], tuple(secret["aliases"]))
            for secret in fields["secrets"]
        ),
        public_terms=tuple(fields["public_terms"]),
        canaries=tuple(fields["canaries"]),
    )
