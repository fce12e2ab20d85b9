"""`doublethink ledger`: what left and what was let in, from the ledger itself, and what is erased of it."""

import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from doublethink_sdk import maintenance, present
from doublethink_sdk.collecting import Cursor, Wanted, collect, flushing, shown_as
from doublethink_sdk.commands.ledger_log import recover, verify
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.explaining import explanation
from doublethink_sdk.options import data_option
from doublethink_sdk.postgres.layout import GATE
from doublethink_sdk.terminal import json_line

_Function = TypeVar("_Function", bound=Callable[..., Any])
_FILTERS = (
    ("--kind", "Rows of this kind: attempt, held, outcome, fact, redaction, ..."),
    ("--verdict", "Rows with this verdict: allow, ask, block, ..."),
    ("--rule", "Rows with this rule, or with one of this family (secret, canary, ...)."),
    ("--host", "Attempts to this host, where the policy names it."),
    ("--since", "Rows from this time on, such as 2026-01-31T00:00:00Z."),
    ("--until", "Rows from before this time."),
)


@click.group()
def ledger() -> None:
    """What left, what was let in, and what was erased of it.

    Uses the `doublethink up` that runs on the same data; if none runs, database, gate, console and the others
    are started for the time, without a source to search.
    """


def _filters(function: _Function) -> _Function:
    for name, words in reversed(_FILTERS):
        time = _time if name in ("--since", "--until") else None
        function = click.option(name, help=words, callback=time)(function)
    return function


def _time(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """What the console would refuse is wrong use, said before anything starts."""
    del context, option
    micros = value is not None and value.isascii() and value.isdecimal()
    if value is not None and not micros:
        try:
            zone = datetime.fromisoformat(value).tzinfo
        except ValueError:
            zone = None
        if zone is None:
            raise click.BadParameter(
                "a time with its zone is needed, such as 2026-01-31T00:00:00Z, or microseconds since 1970"
            )
    return value


def _given(filters: Mapping[str, str | None]) -> dict[str, str]:
    return {key: value for key, value in filters.items() if value is not None}


@ledger.command("show")
@click.argument("session")
@_filters
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
@data_option
@console_options
@reporting
def show(
    session: str,
    as_json: bool,
    data: Path,
    console: str | None,
    token_file: Path | None,
    **filters: str | None,
) -> Exit:
    """Print the rows of SESSION: each attempt with what came of it, and what was erased or opened since.

    An attempt that no outcome answers is shown as "sent or crashed": whether it left is not known.
    """
    with client_of(console, token_file, data) as client:
        view = client.record(session, filters=_given(filters))
        for entry in view["rows"]:
            click.echo(json_line(entry) if as_json else present.row(entry))
        for entry in view["about"]:
            click.echo(json_line(entry) if as_json else present.row(entry))
        if view["cut"]:
            click.echo("doublethink: the session has more rows than are shown", err=True)
            return Exit.PARTLY
    return Exit.DONE


@ledger.command("why")
@click.argument("session")
@click.argument("row", type=click.IntRange(0), required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object an attempt.")
@data_option
@console_options
@reporting
def why(
    session: str, row: int | None, as_json: bool, data: Path, console: str | None, token_file: Path | None
) -> Exit:
    """Say why attempt ROW of SESSION did not go as it was: by which rule, how it was found, where, and what to do.

    ROW is the number that `ledger show` prints; without it, every attempt that was stopped, held or rewritten.
    No value is ever shown. Only the console that asked in the session can say it.
    """
    with client_of(console, token_file, data) as client:
        rows = [row] if row is not None else _not_as_they_were(client.record(session))
        for number in rows:
            told = client.why(session, number)
            for line in [json_line(told)] if as_json else explanation(told):
                click.echo(line)
        if not rows:
            click.echo("doublethink: every attempt of this session was let go as it was", err=True)
    return Exit.DONE


def _not_as_they_were(view: Mapping[str, Any]) -> list[int]:
    tried = (entry for entry in view["rows"] if entry["kind"] in ("attempt", "held"))
    return [entry["n"] for entry in tried if entry["verdict"] != "allow"]


@ledger.command("trace")
@click.argument("session")
@data_option
@console_options
@reporting
def trace(session: str, data: Path, console: str | None, token_file: Path | None) -> Exit:
    """Print SESSION as an OpenTelemetry trace: one line of OTLP's JSON, as a collector's file receiver reads it.

    A span for each request, from its row to its outcome's, under one for the session. Its ids are the session's and the
    rows'. It holds no payload, no word of a question and, of an address, nothing but the host.

    Exit codes: 0 done, 1 no such session, 2 wrong use, 4 a service is missing.
    """
    with client_of(console, token_file, data) as client:
        click.echo(json_line(client.trace(session)))
    return Exit.DONE


@ledger.command("tail")
@_filters
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "ocsf", "cef"]),
    default="text",
    show_default=True,
    help="ocsf: Open Cybersecurity Schema Framework 1.3.0, JSON lines. cef: Common Event Format.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--from", "first", type=click.IntRange(0), help="The seq to begin with; 0 is the first row.")
@click.option(
    "--cursor",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Go on where this file says, and keep it up to date; a new one begins with --from, or at 0.",
)
@click.option("--once", is_flag=True, help="End when there are no more rows, in place of waiting.")
@click.option(
    "--batch", type=click.IntRange(1, 1000), default=500, show_default=True, help="Rows of one answer."
)
@data_option
@console_options
@reporting
def tail(
    form: str,
    as_json: bool,
    first: int | None,
    cursor: Path | None,
    once: bool,
    batch: int,
    data: Path,
    console: str | None,
    token_file: Path | None,
    **filters: str | None,
) -> Exit:
    """Print the rows of all sessions as they are written, until Ctrl-C; no row holds a payload.

    With --cursor every row comes at least once, in order, whatever kills this command: the cursor
    is moved once the rows are written. Without --from and --cursor it begins with the next row; with
    --since or --once, which ask for what is there already, with the first.
    """
    form = "json" if as_json else form
    kept = None if cursor is None else Cursor(cursor)
    at = first
    if kept is not None:
        read = kept.read()
        at = read if read is not None else first or 0
    elif first is None and (once or filters.get("since")):
        at = 0
    wanted = Wanted("json" if form == "text" else form, batch, _given(filters))
    write = shown_as(present.row_of_any, click.echo) if form == "text" else flushing(sys.stdout.buffer)
    try:
        with client_of(console, token_file, data) as client:
            collect(client, wanted, write, first=at, cursor=kept, once=once)
    except KeyboardInterrupt:
        return Exit.DONE
    return Exit.DONE


def _erasing(function: _Function) -> _Function:
    for option in (
        data_option,
        click.option("--yes", is_flag=True, help="Do not ask before anything is erased."),
        click.option("--dry-run", is_flag=True, help="Erase nothing; say what would be erased."),
        click.option(
            "--policy",
            type=click.Path(path_type=Path, dir_okay=False, exists=True),
            help="The gate's policy file; the shipped policy if none.",
        ),
    ):
        function = option(function)
    return function


def _options(policy: Path | None, dry_run: bool) -> list[str]:
    return [
        *(() if policy is None else ("--policy", str(policy.absolute()))),
        *(("--dry-run",) if dry_run else ()),
    ]


@ledger.command("erase")
@click.argument("session")
@click.option("--row", type=click.IntRange(0), help="One row's payload; all of the session's if none.")
@click.option(
    "--reason",
    type=click.Choice(["request", "court", "retention"]),
    required=True,
    help="Why; it stands in every redaction.",
)
@_erasing
@reporting
def erase(
    session: str, row: int | None, reason: str, policy: Path | None, dry_run: bool, yes: bool, data: Path
) -> Exit:
    """Erase the payloads of SESSION, for good; the rows stay, and one more says of each that it was erased.

    The session must be closed. With its last payload a session's key goes too.
    """
    what = "all payloads" if row is None else f"the payload of row {row}"
    if not (yes or dry_run):
        click.confirm(f"Erase {what} of {session}? Nobody can bring them back.", abort=True, err=True)
    where = ("--session", session, *(() if row is None else ("--row", str(row))), "--reason", reason)
    return maintenance.run(data, "erase", [*where, *_options(policy, dry_run)])


@ledger.command("retention")
@click.option("--older-than", type=click.IntRange(0), metavar="DAYS", help="In place of the policy's days.")
@_erasing
@reporting
def retention(older_than: int | None, policy: Path | None, dry_run: bool, yes: bool, data: Path) -> Exit:
    """Erase the payloads and pages that the policy keeps no longer; for a job that runs every day.

    Only closed sessions are touched. It may be ended at any moment and run again.
    """
    if not (yes or dry_run):
        click.confirm("Erase what the policy keeps no longer?", abort=True, err=True)
    days = () if older_than is None else ("--payloads-days", str(older_than))
    return maintenance.run(data, "retention", [*days, *_options(policy, dry_run)])


@ledger.command("rewrap")
@data_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@reporting
def rewrap(as_json: bool, data: Path) -> Exit:
    """Wrap the keys of payloads anew, after the key-encryption key in keys/gate was rotated.

    Start with the new active key first, and stop: a gate wraps with the key that it started with. Says whether an older
    key is needed still; ends with 3 where sessions are open under one, with 1 where one is missing.
    """
    shown = ("--json",) if as_json else ()
    return maintenance.run(data, "rewrap", ["--keys", str(data / "keys" / "gate"), *shown], GATE)


ledger.add_command(verify)
ledger.add_command(recover)
