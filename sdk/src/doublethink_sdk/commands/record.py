"""`doublethink record`: what a session asked and got, as a file that answers the same questions without the web."""

import os
import tempfile
from pathlib import Path

import click

from doublethink_sdk import output, preflight
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.options import connect, data_option
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
@reporting
def record(session: str, out: Path | None, data: Path) -> Exit:
    """Write what SESSION asked and got as one file, for `--source replay:FILE`.

    The file holds the requests as they were sent, without headers and keys, and the stored
    responses. The gate runs its checks over all of it first: on any finding nothing is written,
    and the rows and rules are named. Every payload that is given out is noted in the ledger.

    Exit codes: 0 written, 1 refused, 2 wrong use, 4 a service is missing.
    """
    target = out or Path(f"{session}{_SUFFIX}")
    descriptor, name = _beside(target)
    written = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file, connect(data) as client:
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


def _beside(target: Path) -> tuple[int, str]:
    """A new file in the folder of the target, to be renamed. Ends the command where none can be made."""
    try:
        if target.exists() and not target.is_file():
            raise fail(f"cannot write {target}: it is not a regular file", Exit.WRONG_USE)
        return tempfile.mkstemp(prefix=f".{target.name}.", dir=target.absolute().parent)
    except OSError as error:
        raise fail(f"cannot write {target}: {error.strerror}", Exit.WRONG_USE) from error
