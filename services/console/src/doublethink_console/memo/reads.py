"""The pages that a session read, out of its ledger: an outcome names the page, its attempt the address."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from doublethink_console.explaining.notices import attempt_of
from doublethink_console.store.ledger_rows import LedgerRow

from .view import Read


def reads_of(rows: Sequence[LedgerRow]) -> list[Read]:
    """The pages in the order in which they came, each once. A text that was erased since leaves no address."""
    texts = {row.id: row.payload for row in rows}
    found: dict[str, Read] = {}
    for row in rows:
        attempt = attempt_of(row)
        if attempt is None or "page" not in row.body:
            continue
        at = datetime.fromtimestamp(row.at_us / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        url = (texts.get(attempt) or "").removeprefix("GET ").strip()
        found.setdefault(url or row.id.hex(), Read(url, at))
    return list(found.values())
