"""`doublethink policy`: what the gate lets pass, as a file."""

from pathlib import Path

import click

from doublethink_sdk import output, preflight
from doublethink_sdk.exits import Exit, reporting
from doublethink_sdk.terminal import visible


@click.group()
def policy() -> None:
    """Policy files: what may leave, how much, and what becomes of a finding."""


@policy.command("show")
@reporting
def show() -> Exit:
    """Print the policy that applies where none is named, with every key explained: save, change, use with --policy."""
    output.say(preflight.shipped_policy().rstrip("\n"))
    return Exit.DONE


@policy.command("check")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@reporting
def check(file: Path) -> Exit:
    """Say whether the policy FILE can be used.

    Exit codes: 0 it can, 2 it cannot: the key and the line are named.
    """
    preflight.policy(file, named="")
    output.say_aside(visible(f"{file}: a policy that can be used"))
    return Exit.DONE
