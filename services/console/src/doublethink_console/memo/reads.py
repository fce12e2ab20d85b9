"""The pages that a session read, out of its ledger: an outcome names the page, its attempt the address."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from doublethink.figures.v1 import figures_pb2 as figures

from doublethink_console.explaining.notices import attempt_of
from doublethink_console.store.events import RunEvent
from doublethink_console.store.ledger_rows import LedgerRow

from .view import Read


def unchecked_in(events: Iterable[RunEvent]) -> int:
    """Of how many queries the pages could not be checked."""
    steps = (event.step for event in events if event.step is not None and event.step.HasField("examined"))
    return sum(step.examined.verdict == figures.VERDICT_CANNOT_CHECK for step in steps)


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
