"""`doublethink cancel`: end a run that goes on or waits."""

from pathlib import Path

import click

from doublethink_sdk import output
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.options import data_option
from doublethink_sdk.terminal import visible


@click.command()
@click.argument("run")
@data_option
@console_options
@reporting
def cancel(run: str, data: Path, console: str | None, token_file: Path | None) -> Exit:
    """End the run with the id RUN: nothing more of it is searched.

    A start names the runs that it takes up, or leaves as they are.

    Exit codes: 0 cancelled, 1 there is no such run, or it has ended, 2 wrong use, 4 a service is missing.
    """
    with client_of(console, token_file, data) as client:
        if not client.cancel(run):
            raise fail(f"run {run} has ended already", Exit.REFUSED)
    output.say_aside(visible(f"run {run} is cancelled"))
    return Exit.DONE
