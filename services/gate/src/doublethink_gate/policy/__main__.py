"""`python -m doublethink_gate.policy show` prints the shipped policy; `check FILE` says what is wrong with another.

Exit codes: 0 it can be used, 2 it cannot: one line on stderr says why.
"""

from __future__ import annotations

import argparse
import sys
from importlib import resources
from pathlib import Path

from doublethink_gate.policy.errors import PolicyError
from doublethink_gate.policy.loader import load_policy


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_gate.policy", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("show", help="print the shipped policy")
    check = commands.add_parser("check", help="say whether a policy can be used")
    check.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    if options.command == "show":
        shipped = resources.files("doublethink_gate.policy").joinpath("default.yaml")
        sys.stdout.write(shipped.read_text("utf-8"))
        return 0
    try:
        load_policy(options.file)
    except PolicyError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"the file cannot be read ({error.strerror})\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
