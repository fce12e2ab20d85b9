"""`doublethink check-url`: the gate's URL guard over a table of cases; nothing is resolved, dialled or sent."""

import subprocess
import sys
from pathlib import Path

import click

from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.launcher.processes import minimal_environment


@click.command("check-url")
@click.option(
    "--allow",
    "hosts",
    multiple=True,
    required=True,
    metavar="HOST",
    help="A host that may be asked; *.HOST is each name of one more label, .HOST every one below it, * every "
    "public one. Can be repeated.",
)
@click.option("--http", "plain", is_flag=True, help="Allow http beside https.")
@click.option(
    "--nat64", is_flag=True, help="Judge an address of the NAT64 prefix by the one that it carries."
)
@click.option(
    "--cases",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="A table, tab-separated, with the columns url, expected (allow or deny) and why.",
)
@reporting
def check_url(hosts: tuple[str, ...], plain: bool, nat64: bool, cases: Path) -> Exit:
    """Judge URLs as the gate does before it fetches a page, and print url, verdict and rule.

    What a name stands for, and what its server answers, is taken from the third column: "dns: A 10.0.0.1",
    "dns: time-out", "http: 302 Location https://host/". A name without a note stands for a public address.

    Exit codes: 0 every verdict is the expected one; 1 not; 2 the table cannot be read.
    """
    argv = [sys.executable, "-I", "-m", "doublethink_gate", "check-url", "--cases", str(cases)]
    for host in hosts:
        argv += ["--allow", host]
    for scheme in ("https", "http") if plain else ("https",):
        argv += ["--scheme", scheme]
    if nat64:
        argv.append("--nat64")
    return Exit(subprocess.run(argv, env=minimal_environment(), check=False).returncode)
