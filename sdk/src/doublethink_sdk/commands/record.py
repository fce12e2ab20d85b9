"""`doublethink record`: what a session asked and got, as a file that answers the same questions without the web."""

import os
from pathlib import Path

import click

from doublethink_sdk import new_file, output, preflight
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.options import data_option
from doublethink_sdk.terminal import visible

_SUFFIX = ".dtrecording"


@click.command()
@click.argument("session")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; SESSION.dtrecording in this folder if none.",
)
@data_option
@console_options
@reporting
def record(session: str, out: Path | None, data: Path, console: str | None, token_file: Path | None) -> Exit:
    """Write what SESSION asked and got as one file, for `--source replay:FILE`.

    The file holds the requests to the source and to the reader's model as they were sent, without
    headers and keys, and the stored responses. The gate runs its checks over all of it first: on
    any finding nothing is written, and the rows and rules are named. Every payload that is given
    out is noted in the ledger. A file that is there already is never written over.

    Exit codes: 0 written, 1 refused, 2 wrong use, 4 a service is missing.
    """
    target = out or Path(f"{session}{_SUFFIX}")
    descriptor, name = new_file.beside(target)
    written = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file, client_of(console, token_file, data) as client:
            for piece in client.recording(session):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        told = preflight.recording_told(written)
        if told is None:
            raise fail("the recording came cut short: see the gate's log, and try again", Exit.REFUSED)
        written.replace(target)
    finally:
        written.unlink(missing_ok=True)
    output.say(visible(f"{target}, {target.stat().st_size} bytes: {told}"))
    return Exit.DONE
