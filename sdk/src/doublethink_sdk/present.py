"""Ledger rows, progress and answers as a person reads them in a terminal: `visible` before any colour."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import click

from doublethink_sdk.terminal import visible

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
    line = visible(f"  ledger {' '.join(parts)}  {entry['hash'][:12]}")
    if verdict in _STOPPED:
        return click.style(line, fg="red")
    return click.style(line, dim=entry["kind"] == "outcome")


def answer(run: Mapping[str, Any]) -> Iterator[str]:
    """A finished run as lines: the composed text, which holds every quote and source, then what it took."""
    status = run["status"]
    if status != "answered":
        yield click.style(visible(f"{status}: {run.get('reason') or 'nothing was proven'}"), bold=True)
    else:
        headline, *rest = map(visible, run["answer"]["text"].split("\n"))
        yield click.style(headline, bold=True)
        yield from rest
    counts = run["counts"]
    effort = (
        f"session {run['session']} · {counts['queries']} queries · {counts['pages']} pages · "
        f"{counts['blocked']} stopped · {run['seconds']:.1f} s"
    )
    yield click.style(visible(effort), dim=True)
