"""`doublethink ledger verify` and `recover`: the whole log, against everything that was ever signed."""

from pathlib import Path

import click

from doublethink_sdk.exits import Exit, demand_ledger, exit_of, fail, reporting
from doublethink_sdk.launcher.log_files import LogFiles, new_origin
from doublethink_sdk.launcher.log_tools import database_alone, run_sealer, sealer_dsn
from doublethink_sdk.options import data_option
from doublethink_sdk.postgres.layout import GATE_DATABASE, SEALER
from doublethink_sdk.terminal import visible_lines


@click.command("verify")
@click.option("--all", "whole", is_flag=True, help="The whole database: the only thing to verify here.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@data_option
@reporting
def verify(whole: bool, as_json: bool, data: Path) -> Exit:
    """Read every row of the database and name everything that is wrong with it.

    Each row is checked by its hash, in its session and in the log, and the log against every signed checkpoint: those
    in the database and those in the folder of copies, with the pinned keys. It says what was done where it can tell: a
    row that was edited, deleted or put elsewhere, a tail that was cut, an older state put in place. The database is
    started for the time if nothing runs. For the exported record of one session there is `doublethink verify`.

    Ends with 0 if everything is as it was sealed, 1 if not, 4 if it cannot be told.
    """
    if not whole:
        raise click.UsageError("name what to verify: --all is the whole database")
    # Without the private key: whoever only checks needs none, and it may be lost.
    keys = {"trusted": [str(_demand_log(data).vkeys)]}
    with sealer_dsn(data) as dsn:
        return exit_of(run_sealer("verify", ("--json",) if as_json else (), data, dsn, keys=keys))


@click.command("recover")
@click.option(
    "--from-published",
    is_flag=True,
    help="The rows are whole and the database lost checkpoints: store the published ones again.",
)
@click.option(
    "--because",
    type=click.Choice(["rolled-back", "rows-lost", "key-lost", "other"]),
    help="The rows are not those that were sealed: open a new log over those that are there.",
)
@data_option
@reporting
def recover(from_published: bool, because: str | None, data: Path) -> Exit:
    """Go on after a disaster, when the sealer refuses to start. Nothing else may run on the data.

    A new log has a new name and so a new pinned key line; its first checkpoint comes with a signed statement that
    names the old log and its last known size and root. The old log's checkpoints stay where they are: they prove what
    was lost. With key-lost a new key has to lie in the place of the old one before.
    """
    if from_published == (because is not None):
        raise click.UsageError("name one of --from-published and --because")
    files = _demand_log(data)
    if because == "key-lost":
        _demand_new_key(files)
    with database_alone(data) as postgres:
        dsn = postgres.dsn(SEALER, GATE_DATABASE)
        if because is None:
            return exit_of(run_sealer("recover", ("--from-published",), data, dsn))
        origin = new_origin()
        # Pinned first: a key that signs nothing does no harm, and one that is not pinned stops the start.
        files.pin(files.vkey(origin))
        code = run_sealer("recover", ("--new-origin-because", because), data, dsn, log={"origin": origin})
        if code == 0:
            files.set_origin(origin)
            click.echo(visible_lines(f"ledger key {files.vkey(origin).format()}"), err=True)
        return exit_of(code)


def _demand_log(data: Path) -> LogFiles:
    files = LogFiles(data)
    demand_ledger(data)
    if not files.vkeys.exists():
        raise fail(f"the ledger of {data} was never sealed: start doublethink once", Exit.WRONG_USE)
    return files


def _demand_new_key(files: LogFiles) -> None:
    """Whoever has stolen the old key could sign the new log too."""
    if files.key.exists() and files.vkey(files.origin).format() not in files.vkeys.read_text().splitlines():
        return
    raise fail(
        f"put a new key into {files.key} first: umask 077; openssl genpkey -algorithm ed25519 -out {files.key}",
        Exit.WRONG_USE,
    )
