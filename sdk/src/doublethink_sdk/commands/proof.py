"""`doublethink export`, `verify` and `tamper`: the record of a session as a file, and what it proves."""

import os
from pathlib import Path

import click

from doublethink_sdk import new_file, tampering, verifier
from doublethink_sdk.elsewhere import client_of, console_options
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.inputs import read_bytes, read_text
from doublethink_sdk.options import data_option

_MAX_NOTE_BYTES = 65_536
_SUFFIX = ".dtbundle"

_file = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("session")
@click.option("--out", type=_file, help="The file to write; SESSION.dtbundle in this folder if none.")
@click.option("--since", type=_file, help="A checkpoint kept from before, which the bundle is to be tied to.")
@click.option(
    "--opened", is_flag=True, help="With what left and what was let in, where the gate's policy grants it."
)
@click.option(
    "--redact", type=click.IntRange(min=0), multiple=True, metavar="ROW", help="Leave out this row's body."
)
@click.option(
    "--key",
    type=_file,
    help="The pinned keys; $DOUBLETHINK_VKEY if none, or DATA/ledger.vkey for a console of this machine.",
)
@data_option
@console_options
@reporting
def export(
    session: str,
    out: Path | None,
    since: Path | None,
    opened: bool,
    redact: tuple[int, ...],
    key: Path | None,
    data: Path,
    console: str | None,
    token_file: Path | None,
) -> Exit:
    """Write the signed record of SESSION as one file that anybody can check.

    The file is checked with the pinned key before this command ends, and its verdict is the
    command's: 0 COMPLETE, 3 OPEN, 1 INVALID. A file that is INVALID is kept: it shows what is
    wrong with the ledger. A file that is there already is never written over: 2. What a console
    elsewhere gives is checked with --key; without one the file is written, and the command says so.
    """
    target = out or Path(f"{session}{_SUFFIX}")
    note = None if since is None else read_text(since, _MAX_NOTE_BYTES, "a checkpoint")
    # Before anything is started for it: a start takes a while, and may be in vain.
    descriptor, name = new_file.beside(target)
    written = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file, client_of(console, token_file, data) as client:
            for piece in client.bundle(session, since=note, opened=opened):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        if redact:
            tampering.redact(written, redact)
        written.replace(target)
    finally:
        written.unlink(missing_ok=True)
    click.echo(f"{target}, {target.stat().st_size} bytes")
    # The key of this machine's own ledger says nothing about another's.
    key = key or (verifier.named_key() if console is not None else verifier.pinned_key(data))
    if key is None:
        click.echo("doublethink: no key is pinned here, so that the bundle was not checked", err=True)
        return Exit.DONE
    return verifier.run(target, key)


@click.command()
@click.argument("bundle", type=_file)
@click.option("--key", type=_file, help="The pinned keys; $DOUBLETHINK_VKEY or DATA/ledger.vkey if none.")
@click.option(
    "--known-checkpoint", type=_file, help="A checkpoint kept from before, which the log must continue."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of words.")
@data_option
@reporting
def verify(bundle: Path, key: Path | None, known_checkpoint: Path | None, as_json: bool, data: Path) -> Exit:
    """Check BUNDLE offline: COMPLETE, OPEN, INVALID and where, or UNKNOWN KEY.

    Runs the standalone verifier, one file that needs nothing else of this program. Exit codes: 0
    COMPLETE, 3 OPEN, 1 INVALID or UNKNOWN KEY, 2 wrong use.
    """
    options = ["--json"] if as_json else []
    if known_checkpoint is not None:
        options += ["--known-checkpoint", str(known_checkpoint.absolute())]
    return verifier.run(bundle, key or verifier.pinned_key(data), options)


@click.command()
@click.argument("bundle", type=_file)
@click.argument("row", type=click.IntRange(min=0))
@click.option("--out", type=_file, help="The changed copy; BUNDLE.tampered if none.")
@click.option("--key", type=_file, help="The pinned keys; $DOUBLETHINK_VKEY or DATA/ledger.vkey if none.")
@data_option
@reporting
def tamper(bundle: Path, row: int, out: Path | None, key: Path | None, data: Path) -> Exit:
    """Change one byte of ROW in a copy of BUNDLE, and show what the verifier says of it.

    The exit code is the verifier's: 1 where it finds the change.
    """
    whole = read_bytes(bundle, tampering.MAX_BYTES, "a bundle")
    try:
        changed = tampering.change_row(whole, row)
    except tampering.NoSuchRow as error:
        raise fail(f"{bundle} {error}", Exit.WRONG_USE) from error
    target = out or bundle.with_name(f"{bundle.name}.tampered")
    if out is not None:
        # The default name is the command's own, and each try at a row goes there.
        new_file.refuse_existing(out)
    try:
        target.write_bytes(changed.data)
    except OSError as error:
        raise fail(f"cannot write {target}: {error.strerror}", Exit.WRONG_USE) from error
    click.echo(
        f"{target}: row {row}, byte {changed.place} of the file: {changed.old!r} is now {changed.new!r}"
    )
    return verifier.run(target, key or verifier.pinned_key(data))
