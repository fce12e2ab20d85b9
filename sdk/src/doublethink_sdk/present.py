"""Ledger rows, progress and answers as a person reads them in a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import click

_STOPPED = frozenset({"block", "ask", "held"})


def row(entry: Mapping[str, Any]) -> str:
    """One ledger row as one line; red if the gate stopped it. No payload of a stopped row exists here."""
    at = datetime.fromtimestamp(entry["at_us"] / 1_000_000, UTC).strftime("%H:%M:%S.%f")[:-3]
    parts = [f"{entry['n']:>4}", at, f"{entry['kind']:<13}"]
    verdict = entry.get("verdict")
    if verdict:
        parts.append(f"{verdict:<5}")
    if entry.get("rules"):
        parts.append(f"[{', '.join(entry['rules'])}]")
    for name in ("destination", "status"):
        if entry.get(name) is not None:
            parts.append(str(entry[name]))
    if entry.get("payload"):
        parts.append(f"“{entry['payload']}”")
    line = f"  ledger {' '.join(parts)}  {entry['hash'][:12]}"
    if verdict in _STOPPED:
        return click.style(line, fg="red")
    return click.style(line, dim=entry["kind"] == "outcome")


def answer(run: Mapping[str, Any]) -> Iterator[str]:
    """A finished run as lines: the answer, each figure with its quote and source, each derived figure."""
    status = run["status"]
    if status != "answered":
        yield click.style(f"{status}: {run.get('reason') or 'nothing was proven'}", bold=True)
    composed = run.get("answer") or {}
    if composed.get("text"):
        yield click.style(composed["text"], bold=True)
    yield from _figures(composed.get("figures", ()))
    for derived in composed.get("derived", ()):
        result = f"{derived['value']} {derived['unit']}"
        yield f"  = {derived['operation']}: {result}  ({derived.get('formula', '')})"
    counts = run["counts"]
    yield click.style(
        f"  session {run['session']} · {counts['queries']} queries · {counts['pages']} pages · "
        f"{counts['blocked']} stopped · {run['seconds']:.1f} s",
        dim=True,
    )


def _figures(figures: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, figure in enumerate(figures, start=1):
        yield f"  [{number}] {figure['value']} {figure['unit']}  {figure['period']}"
        for quote in figure.get("quotes") or [{"text": figure["quote"]}]:
            yield f"      “{' '.join(quote['text'].split())}”"
        yield f"      {figure['url']}  at byte {figure['offset']}, page sha256 {figure['page_sha256'][:16]}…"
