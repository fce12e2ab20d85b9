"""`doublethink answer`: the answer of a session once more, for a memo, for a program or for paper."""

import os
from pathlib import Path

import click

from doublethink_sdk import new_file, output
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.options import data_option
from doublethink_sdk.terminal import json_line, visible_lines

_FORMS = ("markdown", "json", "html")


@click.command()
@click.argument("session")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    default="markdown",
    show_default=True,
    help="html is one file that prints and needs nothing beside itself.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it to this new file, not to stdout."
)
@data_option
@console_options
@reporting
def answer(
    session: str, form: str, out: Path | None, data: Path, console: str | None, token_file: Path | None
) -> Exit:
    """Print what SESSION answered: figures with company, period, quote, link, time of capture and hash.

    What was computed stands with its formula and the numbers of its figures; where nothing was
    found, the pages that were read are named. `sessions` lists the sessions.

    A file that is there already is never written over.

    Exit codes: 0 done, 1 no such session, 2 wrong use, 4 a service is missing.
    """
    if out is not None:
        new_file.refuse_existing(out)
    with client_of(console, token_file, data) as client:
        told = client.answer(session, form)
    text = json_line(told) + "\n" if form == "json" else str(told["text"])
    if out is None:
        output.say(visible_lines(text.removesuffix("\n")))
    else:
        _write(out, text)
    return Exit.DONE


def _write(target: Path, text: str) -> None:
    descriptor, name = new_file.beside(target)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(target)
    finally:
        Path(name).unlink(missing_ok=True)
