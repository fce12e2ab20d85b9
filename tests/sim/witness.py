"""Two independent records of one run: the gate's ledger, and the search source's own log of requests.

What stands in the second and not in the first left without a record.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from doublethink_gate.ledger import KeyRing, LedgerReader, SessionKeys
from doublethink_gate.sessions.pool import make_pool
from doublethink_ledger import BodyValue, Row, check_chain, decode_body

Request = tuple[str, str]


def body_of(row: Row) -> dict[str, BodyValue]:
    """The body of a row that was read with it."""
    assert row.body is not None
    return decode_body(row.body)


@dataclass(frozen=True)
class Attempt:
    """An attempt row with what it committed to: the path, and the query or the addresses."""

    row: Row
    body: Mapping[str, Any]
    request: Request


async def _read(dsn: str, keys: Path) -> tuple[list[Row], list[Attempt]]:
    pool = make_pool(dsn, 2)
    await pool.open()
    try:
        reader = LedgerReader(pool, SessionKeys(KeyRing.load(keys), pool))
        rows: list[Row] = []
        while page := await reader.rows_after(rows[-1].seq if rows else -1):
            rows.extend(page)
        attempts = []
        for row in rows:
            body = body_of(row)
            if body["kind"] == "attempt" and body["verdict"] in ("allow", "rewrite"):
                opened = await reader.open_payload(row)
                attempts.append(Attempt(row, body, _request(opened.payload)))
        return rows, attempts
    finally:
        await pool.close()


def read_ledger(dsn: str, keys: Path) -> tuple[list[Row], list[Attempt]]:
    """All rows, chain-checked session by session, and the allowed attempts with their payloads opened."""
    rows, attempts = asyncio.run(_read(dsn, keys))
    sessions: dict[bytes, list[Row]] = {}
    for row in rows:
        sessions.setdefault(row.session, []).append(row)
    for chain in sessions.values():
        check_chain(chain)
    assert [row.seq for row in rows] == list(range(len(rows)))
    return rows, attempts


def _request(payload: bytes) -> Request:
    # PreparedRequest.canonical: "METHOD URL", header lines, an empty line, the body.
    head, _, body = payload.partition(b"\n\n")
    url = head.split(b"\n", 1)[0].split(b" ", 1)[1].decode()
    return _asked(urlsplit(url).path, json.loads(body))


def _asked(path: str, fields: Mapping[str, Any]) -> Request:
    if "query" in fields:
        return path, str(fields["query"])
    urls = fields["urls"]
    return path, " ".join([urls] if isinstance(urls, str) else urls)


def read_requests(log: Path) -> list[tuple[float, Request]]:
    """What the source says that it received, with the time in seconds."""
    if not log.exists():
        return []
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return [(float(line["time"]), _asked(line["path"], line)) for line in lines]


def unrecorded(requests: Iterable[tuple[float, Request]], attempts: Iterable[Attempt]) -> list[Request]:
    """The requests that left without a row of their own that is older than they are."""
    open_rows: dict[Request, list[float]] = {}
    for attempt in attempts:
        open_rows.setdefault(attempt.request, []).append(attempt.row.at_us / 1_000_000)
    missing = []
    for at, request in sorted(requests):
        # Each row pays for one request: the oldest row first.
        paid = sorted(open_rows.get(request, []))
        if paid and paid[0] <= at:
            open_rows[request] = paid[1:]
        else:
            missing.append(request)
    return missing


def counted(requests: Iterable[tuple[float, Request]]) -> Counter[Request]:
    """How often each request was received."""
    return Counter(request for _, request in requests)
