"""`doublethink figures`: every reading of every figure in a text."""

import io
import json
import sys
from typing import TextIO

import click
from doublethink_figures import all_readings

from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.output import say
from doublethink_sdk.terminal import json_line

_MAX_LINE_CHARS = 65_536


@click.command()
@click.argument("file", default="-")
@reporting
def figures(file: str) -> Exit:
    """Print all readings of the figures in each line of FILE (stdin by default), as JSON lines.

    These are the readings that the gate compares with a confirmed number: more than one may be
    given for the same characters.

    \b
    A line:  paid 1,234 in all
    gives:   {"readings": [{"text": "1,234", "span": [5, 10], "value": "1234", "unit": null, ...}, ...]}

    docs/formats.md has every field.

    Exit codes: 0 every line has its readings, also where there are none; 2 FILE cannot be read.
    """
    if file == "-":
        _print_readings(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"))
        return Exit.DONE
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            _print_readings(text)
    except FileNotFoundError:
        raise fail(
            f"there is no file {file}: FILE names a file; pipe a text instead, as in "
            "echo 'paid 1,234 in all' | doublethink figures",
            Exit.WRONG_USE,
        ) from None
    except OSError as error:
        raise fail(f"cannot read {file}: {error.strerror}", Exit.WRONG_USE) from error
    return Exit.DONE


def _print_readings(text: TextIO) -> None:
    for line in iter(lambda: text.readline(_MAX_LINE_CHARS + 1), ""):
        plain = line.rstrip("\n")
        if len(plain) > _MAX_LINE_CHARS:
            while line and not line.endswith("\n"):
                line = text.readline(_MAX_LINE_CHARS + 1)
            say(json.dumps({"error": f"a line may have {_MAX_LINE_CHARS} characters"}))
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
        say(json_line({"readings": found}))
