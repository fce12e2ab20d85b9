"""`doublethink sessions`: what was asked here, each with its session, and how to go on from it."""

from pathlib import Path

import click

from doublethink_sdk import output, present
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.options import data_option
from doublethink_sdk.terminal import json_line, visible

_STATES = ("queued", "running", "answered", "not_found", "refused", "failed")


@click.command()
@click.option("--case", "case_id", metavar="ID", help="Only of the stored case ID, as `case list` prints it.")
@click.option("--status", type=click.Choice(_STATES), help="Only runs in this state.")
@click.option(
    "--limit", type=click.IntRange(1, 500), default=50, show_default=True, help="Lines at the most."
)
@click.option("--before", metavar="RUN", help="Go on behind this run, which the end of a longer list names.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a run.")
@data_option
@console_options
@reporting
def sessions(
    case_id: str | None,
    status: str | None,
    limit: int,
    before: str | None,
    as_json: bool,
    data: Path,
    console: str | None,
    token_file: Path | None,
) -> Exit:
    """Print what was asked, the newest first: session, when, state, ledger rows, attempts stopped, run, case.

    Questions are not printed. The session is what `ledger show`, `export` and `record` take, the
    run what `cancel` takes, the case's id what `case delete` takes. A run that waits has no session
    yet. Uses the console that --console names, or the `doublethink up` that runs on the same data,
    else starts the console for the time.

    Exit codes: 0 done, also where there is nothing; 1 an id that is none, 2 wrong use, 4 a service
    is missing.
    """
    with client_of(console, token_file, data) as client:
        found = client.sessions(limit=limit, before=before, case=case_id, status=status)
    for each in found["sessions"]:
        output.say(json_line(each) if as_json else present.session(each))
    if not found["sessions"]:
        output.say_aside("doublethink: there is no question here that fits")
    if found["next"] is not None:
        output.say_aside(visible(f"doublethink: there are older ones: --before {found['next']}"))
    return Exit.DONE
