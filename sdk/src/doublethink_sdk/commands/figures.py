"""`doublethink figures`: every reading of every figure in a text."""

import json
from typing import TextIO

import click
from doublethink_figures import all_readings

from doublethink_sdk.terminal import json_line

_MAX_LINE_CHARS = 65_536


@click.command()
@click.argument("text", type=click.File("r"), default="-")
def figures(text: TextIO) -> None:
    """Print all readings of the figures in each line of TEXT (stdin by default), as JSON lines.

    These are the readings that the gate compares with a confirmed number: more than one may be
    given for the same characters.
    """
    for line in iter(lambda: text.readline(_MAX_LINE_CHARS + 1), ""):
        plain = line.rstrip("\n")
        if len(plain) > _MAX_LINE_CHARS:
            while line and not line.endswith("\n"):
                line = text.readline(_MAX_LINE_CHARS + 1)
            click.echo(json.dumps({"error": f"a line may have {_MAX_LINE_CHARS} characters"}))
            continue
        found = [
            {
                "text": plain[reading.span.start : reading.span.end],
                "span": [reading.span.start, reading.span.end],
                "value": format(reading.value.normalize(), "f"),
                "unit": str(reading.unit) if reading.unit else None,
                "magnitude_stated": reading.magnitude_stated,
                "significant_digits": reading.significant_digits,
            }
            for reading in all_readings(plain)
        ]
        click.echo(json_line({"readings": found}))
