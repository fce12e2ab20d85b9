"""`doublethink holds`, `approve` and `reject`: searches that wait for a person, and what the person decides."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from doublethink_sdk import output, present
from doublethink_sdk.client import Client
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.options import data_option
from doublethink_sdk.terminal import json_line, visible

_approver = click.option(
    "--as", "approver", metavar="NAME", help="Who decides; the ledger keeps a digest of it."
)


@click.command()
@click.argument("session")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a hold.")
@data_option
@console_options
@reporting
def holds(session: str, as_json: bool, data: Path, console: str | None, token_file: Path | None) -> Exit:
    """Print the searches of SESSION that wait for a person: the hold, until when, the rules, the very words.

    They wait only in a run that was asked with `--wait-approval`, and not longer than the policy's
    `approval.seconds`. Uses the `doublethink up` that runs on the same data, or the console that --console names.

    Exit codes: 0 done, also where nothing waits; 1 no such session, 2 wrong use, 4 a service is missing.
    """
    with client_of(console, token_file, data) as client:
        waiting = client.holds(session)
        for hold in waiting:
            output.say(json_line(hold) if as_json else present.hold(hold))
        if not waiting:
            output.say_aside("doublethink: no search of this session waits for a person")
    return Exit.DONE


@click.command()
@click.argument("session")
@click.argument("hold")
@_approver
@data_option
@console_options
@reporting
def approve(
    session: str, hold: str, approver: str | None, data: Path, console: str | None, token_file: Path | None
) -> Exit:
    """Let the search HOLD of SESSION go: its very bytes, once, if they pass every check again.

    Exit codes: 0 approved, 1 it cannot be decided (any more), 2 wrong use, 4 a service is missing.
    """
    with client_of(console, token_file, data) as client:
        return _decide(client, session, hold, approver, approve=True)


@click.command()
@click.argument("session")
@click.argument("hold")
@_approver
@data_option
@console_options
@reporting
def reject(
    session: str, hold: str, approver: str | None, data: Path, console: str | None, token_file: Path | None
) -> Exit:
    """Refuse the search HOLD of SESSION, which also ends an approval that was not used yet.

    Exit codes: 0 rejected, 1 it cannot be decided (any more), 2 wrong use, 4 a service is missing.
    """
    with client_of(console, token_file, data) as client:
        return _decide(client, session, hold, approver, approve=False)


def _decide(client: Client, session: str, hold: str, approver: str | None, *, approve: bool) -> Exit:
    known = next((each for each in client.holds(session) if each["hold"] == hold), None)
    if known is None:
        raise fail(
            "it does not wait there (any more): `doublethink holds SESSION` lists what does", Exit.REFUSED
        )
    client.decide(session, known, approve=approve, approver=approver)
    output.say_aside(visible(f"{hold} is {'approved' if approve else 'rejected'}"))
    return Exit.DONE


def asked_at_terminal(hold: Mapping[str, Any]) -> bool:
    """Ask the person at the terminal about a hold. Raises click.Abort where the terminal is gone."""
    output.say_aside(present.hold(hold))
    return click.confirm("  Let this search go?", default=False, err=True)
