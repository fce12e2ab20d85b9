"""`doublethink prove`: the validator's proof over JSON lines on stdin."""

import os
import sys

import click

from doublethink_sdk.launcher.processes import minimal_environment


@click.command()
def prove() -> None:
    """Prove claims given as JSON lines on stdin, one verdict a line: found, not_found, cannot_check.

    A line holds page_text, quote, heading_quotes and the claim. The proof runs in a process of the
    validator, as it does for an answer.
    """
    sys.stdout.flush()
    os.execve(  # noqa: S606 - no shell is wanted
        sys.executable,
        (sys.executable, "-I", "-m", "doublethink_validator", "prove"),
        minimal_environment(),
    )
