"""Ledger rows, progress and answers as a person reads them in a terminal: `visible` before any colour."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import click

from doublethink_sdk.terminal import visible

_STOPPED = frozenset({"block", "ask", "held"})
_TITLE = 60
"""Characters of a case's title in a list."""
_MOST_QUOTE = 400
_ABOUT_ANOTHER = frozenset({"redaction", "opening"})
_FATES = {
    "sent_or_crashed": "→ sent or crashed",
    "under_way": "→ no outcome yet",
}


def row(entry: Mapping[str, Any]) -> str:
    """One ledger row as one line; red if the gate stopped it. No payload of a stopped row exists here."""
    at = datetime.fromtimestamp(entry["at_us"] / 1_000_000, UTC).strftime("%H:%M:%S.%f")[:-3]
    parts = [f"{entry['n']:>4}", at, f"{entry['kind']:<13}"]
    verdict = entry.get("verdict")
    if verdict:
        parts.append(f"{verdict:<5}")
    if entry.get("rules"):
        parts.append(f"[{', '.join(entry['rules'])}]")
    for name in ("destination", "status", "error"):
        if entry.get(name) is not None:
            parts.append(str(entry[name]))
    parts += _hidden(entry)
    parts += _came_of(entry)
    if entry.get("notice"):
        parts.append(_notice(entry["notice"]))
    if entry.get("payload"):
        parts.append(f"“{entry['payload']}”")
    line = visible(f"  ledger {' '.join(parts)}  {entry['hash'][:12]}")
    if verdict in _STOPPED:
        return click.style(line, fg="red")
    return click.style(line, dim=entry["kind"] == "outcome")


def hold(entry: Mapping[str, Any]) -> str:
    """A search that waits for a person, as one line."""
    state = "approved" if entry["approved"] else f"waits until {entry['expires']}"
    return visible(f"  {entry['hold']} {state} [{', '.join(entry['rules'])}] “{entry['query']}”")


def row_of_any(entry: Mapping[str, Any]) -> str:
    """A row among those of all sessions, as one line: the day and the session before what `row` says of it."""
    day = datetime.fromtimestamp(entry["at_us"] / 1_000_000, UTC).strftime("%Y-%m-%d")
    return visible(f"{day} {entry['session']}") + row(entry)


def _notice(notice: Mapping[str, Any]) -> str:
    """What a page says of the case, in one piece: no value, and the address where it is known."""
    address = f" At {notice['address']}" if notice.get("address") else ""
    return f"{notice['text']}{address}"


def _hidden(entry: Mapping[str, Any]) -> Iterator[str]:
    """What a page holds that nobody would see on it."""
    for key, one in (("hidden_elements", "hidden element"), ("hidden_characters", "hidden character")):
        if entry.get(key):
            yield _count(entry[key], one, f"{one}s")


def _came_of(entry: Mapping[str, Any]) -> Iterator[str]:
    """What is known of a row beside the row itself, where it was put together with others."""
    fate = entry.get("fate")
    if fate in _FATES:
        yield _FATES[fate]
    elif entry.get("outcome"):
        outcome = entry["outcome"]
        yield f"→ {outcome['status']} {outcome.get('http', outcome.get('error', ''))}".rstrip()
    if entry.get("facts"):
        yield _count(len(entry["facts"]), "fact", "facts")
    if entry["kind"] in _ABOUT_ANOTHER:
        yield f"of {entry.get('of_session')} row {entry.get('of_n')} ({entry.get('reason', entry.get('purpose'))})"
    if entry.get("erased"):
        redaction = entry.get("redaction")
        if redaction is not None:
            yield f"erased ({redaction['reason']}, {redaction['time'][:10]})"
        else:
            # In a view of one row alone it is not known who erased it; in a session's it would be.
            yield "payload missing" if "redaction" in entry else "erased"
    if entry.get("openings"):
        yield f"opened {len(entry['openings'])}×"


def session(entry: Mapping[str, Any]) -> str:
    """One entry of the list of sessions as one line; red where the gate stopped something."""
    at = entry["asked_at"][:16].replace("T", " ")
    title = entry["case_title"] or "a case that is not there any more"
    if len(title) > _TITLE:
        title = f"{title[: _TITLE - 1]}…"
    line = visible(
        f"{entry['session'] or '-':<30}  {at}  {entry['status']:<9}  {_count(entry['rows'], 'row', 'rows')}, "
        f"{entry['stopped']} stopped  run {entry['run']}  case {entry['case_id']} {title}"
    )
    return click.style(line, fg="red") if entry["stopped"] else line


def answer(run: Mapping[str, Any]) -> Iterator[str]:
    """A finished run as lines: the composed text, which holds every quote and source, then what it took."""
    status = run["status"]
    if status != "answered":
        conflicts = run["answer"].get("conflicts", ())
        words = f"{status.replace('_', ' ')}: {run.get('reason') or 'nothing was proven'}"
        if conflicts and status == "not_found":
            words = "not decided: figures that answer the question were found, and they differ"
        yield click.style(visible(words), bold=True)
        for conflict in conflicts:
            yield from map(visible, _conflict(conflict["figures"]))
    else:
        headline, *rest = map(visible, run["answer"]["text"].split("\n"))
        yield click.style(headline, bold=True)
        yield from rest
    for notice in run.get("notices", ()):
        yield click.style(visible(f"notice: {_notice(notice)} (row {notice['n']})"), fg="yellow")
    counts = run["counts"]
    effort = (
        f"session {run['session']} · {_count(counts['queries'], 'query', 'queries')} · "
        f"{_count(counts['pages'], 'page', 'pages')} · "
        f"{counts['blocked']} stopped · {''.join(_spent(counts))}{run['seconds']:.1f} s"
    )
    yield click.style(visible(effort), dim=True)


def _conflict(figures: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Figures that fit one query and differ, each with what shows it."""
    yield "these fit one query and differ; none was chosen, nothing was averaged:"
    for figure in figures:
        what = ", ".join(part for part in (figure["label"], figure["period"]) if part)
        captured = datetime.fromtimestamp(figure["fetched_at_us"] / 1_000_000, UTC)
        yield f"  {figure['shown']}: {what}"
        yield f"    quote: “{_shortened(figure['quote'])}”"
        yield f"    source: {figure['url']}"
        yield f"    captured {captured:%Y-%m-%d %H:%M:%S} UTC, text SHA-256 {figure['page_sha256']}"


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _MOST_QUOTE else plain[: _MOST_QUOTE - 1] + "…"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _spent(counts: Mapping[str, Any]) -> Iterator[str]:
    """What left and came, and what providers were paid with, where any were asked."""
    if counts.get("requests"):
        kilobytes = (counts["bytes_sent"] + counts["bytes_received"]) / 1000
        yield f"{_count(counts['requests'], 'request', 'requests')}, {kilobytes:.0f} kB · "
    if counts.get("credits"):
        yield f"{_count(counts['credits'], 'credit', 'credits')} · "
    if counts.get("model_calls"):
        tokens = sum(counts[key] for key in counts if key.endswith("_tokens"))
        cost = counts.get("cost_usd")
        money = "cost unknown" if cost is None else f"${cost:.4f}"
        calls = _count(counts["model_calls"], "model call", "model calls")
        yield f"{calls} · {tokens} tokens · {money} · "
