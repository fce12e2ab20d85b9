"""Looks for a secret, in every form that it may have been written in, where no secret may be."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql
from sim.database import GateDatabase

_READABLE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw")


def forms(secret: str) -> dict[str, bytes]:
    """A secret in the forms that a table or a memory may hold it in."""
    plain = secret.encode()
    written = {
        "plain": plain,
        "lower": secret.lower().encode(),
        "upper": secret.upper().encode(),
        "casefolded letters": re.sub(r"\W", "", secret.casefold()).encode(),
        "reversed": secret[::-1].encode(),
        "reversed lower": secret[::-1].lower().encode(),
        "hex": plain.hex().encode(),
        "hex lower": secret.lower().encode().hex().encode(),
        "url": quote(secret, safe="").encode(),
        "utf-16": secret.encode("utf-16-le"),
        "utf-32": secret.encode("utf-32-le"),
    }
    for shift in range(3):
        # The letters of a base64 text that do not depend on what stands around the secret.
        encoded = base64.b64encode(b"\0" * shift + plain).rstrip(b"=")
        written[f"base64 at {shift}"] = encoded[(0, 2, 3)[shift] : -1]
    return written


def found_in(text: bytes, secret: str) -> list[str]:
    """The names of the forms of a secret that stand in some bytes."""
    return [name for name, form in forms(secret).items() if form in text]


def everything_stored(database: GateDatabase) -> bytes:
    """Every value of every table of a database, bytes as bytes and the rest as text."""
    parts: list[bytes] = []
    with psycopg.connect(database.admin_dsn()) as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables"
            " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for schema, table in tables:
            statement = sql.SQL("SELECT * FROM {}").format(sql.Identifier(schema, table))
            for row in connection.execute(statement):
                parts.extend(value if isinstance(value, bytes) else str(value).encode() for value in row)
    return b"\n".join(parts)


def memory_of(pid: int) -> Iterator[bytes]:
    """The writable memory of a process, one mapping at a time."""
    maps = (Path("/proc") / str(pid) / "maps").read_text()
    with (Path("/proc") / str(pid) / "mem").open("rb", buffering=0) as memory:
        for line in maps.splitlines():
            match = _READABLE.match(line)
            if match is None or "[vvar]" in line:
                continue
            start, end = int(match[1], 16), int(match[2], 16)
            memory.seek(start)
            try:
                yield memory.read(end - start)
            except OSError:
                continue  # a guard page or a device: nothing that the process itself could read
