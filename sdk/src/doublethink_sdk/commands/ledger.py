"""`doublethink ledger`: what left and what was let in."""

from pathlib import Path

import click

from doublethink_sdk import present
from doublethink_sdk.commands.ledger_log import recover, verify
from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.options import connect, data_option
from doublethink_sdk.terminal import json_line


@click.group()
def ledger() -> None:
    """What left, and what was let in.

    Uses the `doublethink up` that runs on the same data; if none runs, database, gate, console and the others
    are started for the time, without a source to search.
    """


@ledger.command("show")
@click.argument("session")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
@data_option
@reporting
def show(session: str, as_json: bool, data: Path) -> Exit:
    """Print the rows of SESSION."""
    with connect(data) as client:
        for entry in client.ledger(session):
            click.echo(json_line(entry) if as_json else present.row(entry))
    return Exit.DONE


@ledger.command("tail")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
@data_option
@reporting
def tail(as_json: bool, data: Path) -> Exit:
    """Print rows of all sessions as they are written, until Ctrl-C."""
    try:
        with connect(data) as client:
            for event in client.tail_ledger():
                click.echo(json_line(event.data) if as_json else present.row(event.data))
    except KeyboardInterrupt:
        return Exit.DONE
    return Exit.DONE


ledger.add_command(verify)
ledger.add_command(recover)
