"""`doublethink case init`: propose a case file from a memo."""

import os
from pathlib import Path

import click
from doublethink_casefile import propose, render_case

from doublethink_sdk import output, preflight
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.inputs import read_text
from doublethink_sdk.options import data_option
from doublethink_sdk.terminal import json_line, visible

_MAX_MEMO_BYTES = 262_144


@click.group()
def case() -> None:
    """Case files: a memo, its confirmed secrets, and what may be searched.

    `ask` stores a case with the console, sealed under a key of this machine: `list` and `delete`
    are about what is stored there.
    """


@case.command("init")
@click.argument("memo", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--title", help="The case's title; the memo's first line by default.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here, not to stdout.")
@reporting
def init(memo: Path, title: str | None, out: Path | None) -> Exit:
    """Propose secrets and public terms found in MEMO, as a case file for a person to confirm.

    With --out it also says how many of 10,000 ordinary searches each secret would stop; above five it asks for the
    phrase that the secret stands in. `check` and `ask` say so again.

    Exit codes: 0 written, 2 wrong use.
    """
    text = read_memo(memo)
    proposals = propose(text)
    rendered = render_case(title or text.strip().splitlines()[0].strip("# ")[:80], text, proposals)
    if out is None:
        click.echo(rendered, nl=False)
        return Exit.DONE
    try:
        # Never over a case that somebody has confirmed already.
        # Private from its first byte on: it holds every secret.
        with os.fdopen(
            os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(rendered)
    except FileExistsError:
        raise fail(f"{out} exists; remove it or name another file with --out", Exit.WRONG_USE) from None
    except OSError as error:
        raise fail(f"cannot write {out}: {error.strerror}", Exit.WRONG_USE) from error
    found = f"{len(proposals.secrets)} secrets and {len(proposals.public_terms)} public terms proposed"
    output.say_aside(visible(f"{out}: {found}; read every line, correct it, then ask with --case {out}"))
    preflight.say_alarms(out, proposals.secrets, every=True)
    if proposals.notes:
        output.say_aside("some of them need a decision: look for LOOK in the file")
    return Exit.DONE


@case.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a case.")
@data_option
@console_options
@reporting
def list_cases(as_json: bool, data: Path, console: str | None, token_file: Path | None) -> Exit:
    """Print the stored cases, the newest first: id, when it was stored, title."""
    with client_of(console, token_file, data) as client:
        cases = client.cases()
        for stored in cases:
            created = stored["created_at"]
            output.say(
                json_line(stored) if as_json else visible(f"{stored['id']}  {created}  {stored['title']}")
            )
        if not cases:
            output.say_aside("doublethink: no case is stored; asking with a case file stores it")
    return Exit.DONE


@case.command("delete")
@click.argument("case_id", metavar="ID")
@data_option
@console_options
@reporting
def delete(case_id: str, data: Path, console: str | None, token_file: Path | None) -> Exit:
    """Delete the stored case ID: memo, secrets, questions, answers, and the authority over its sessions.

    The ledger's rows stay: they are the record of what left. `doublethink export` takes the record
    of a session out as long as its case is there. A case file on disk is not touched.

    Exit codes: 0 deleted, 1 there is none, or a run of it goes on, 2 wrong use, 4 a service is missing.
    """
    with client_of(console, token_file, data) as client:
        client.delete_case(case_id)
    output.say_aside(visible(f"case {case_id} is deleted, with its questions and answers"))
    return Exit.DONE


def read_memo(path: Path) -> str:
    """The memo's text. Ends the command with a clear line if it cannot be used."""
    text = read_text(path, _MAX_MEMO_BYTES, "a memo")
    if not text.strip():
        raise fail(f"{path} is empty", Exit.WRONG_USE)
    return text
