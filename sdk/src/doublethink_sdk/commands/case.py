"""`doublethink case init`: propose a case file from a memo."""

import os
from pathlib import Path

import click
from doublethink_casefile import propose, render_case

from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.inputs import read_text
from doublethink_sdk.terminal import visible

_MAX_MEMO_BYTES = 262_144


@click.group()
def case() -> None:
    """Case files: a memo, its confirmed secrets, and what may be searched."""


@case.command("init")
@click.argument("memo", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--title", help="The case's title; the memo's first line by default.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here, not to stdout.")
@reporting
def init(memo: Path, title: str | None, out: Path | None) -> Exit:
    """Propose secrets and public terms found in MEMO, as a case file for a person to confirm."""
    text = read_memo(memo)
    rendered = render_case(title or text.strip().splitlines()[0].strip("# ")[:80], text, propose(text))
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
    click.echo(visible(f"{out}: read every line, correct it, then ask with --case {out}"), err=True)
    return Exit.DONE


def read_memo(path: Path) -> str:
    """The memo's text. Ends the command with a clear line if it cannot be used."""
    text = read_text(path, _MAX_MEMO_BYTES, "a memo")
    if not text.strip():
        raise fail(f"{path} is empty", Exit.WRONG_USE)
    return text
