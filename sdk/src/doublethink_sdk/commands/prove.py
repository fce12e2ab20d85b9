"""`doublethink prove`: the validator's proof over JSON lines on stdin."""

import os
import sys

import click

from doublethink_sdk.launcher.processes import minimal_environment


@click.command()
def prove() -> None:
    """Prove claims given as JSON lines on stdin, one verdict a line: found, not_found, cannot_check.

    The proof runs in a process of the validator, as it does for an answer.

    \b
    A line:  {"id": "1", "page_text": "Example Pumps results\\n\\nRevenue was EUR 4.2 million in fiscal 2024.",
              "quote": "Revenue was EUR 4.2 million in fiscal 2024.", "heading_quotes": [],
              "claim": {"value": "4.2", "scale": "million", "unit": "EUR", "period": "fiscal 2024"}}
             (on one line)
    gives:   {"id": "1", "verdict": "found", "why": "..."}

    A line that cannot be used gives {"id", "error"}, and the rest goes on. docs/formats.md has every
    field.

    Exit code: 0 every line has its verdict or its error, whatever they say.
    """
    sys.stdout.flush()
    os.execve(  # noqa: S606 - no shell is wanted
        sys.executable,
        (sys.executable, "-I", "-m", "doublethink_validator", "prove"),
        minimal_environment(),
    )
