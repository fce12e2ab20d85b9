"""`python -m doublethink_gate.policy show` prints the shipped policy; `check FILE` says what is wrong with another,
and which hosts one that can be used has placed; `price MODEL [--policy FILE]` prints what a model may cost by it.

Exit codes: 0 it can be used, 2 it cannot: one line on stderr says why.
"""

from __future__ import annotations

import argparse
import sys
from importlib import resources
from pathlib import Path

from doublethink_gate.policy.errors import PolicyError
from doublethink_gate.policy.loader import load_policy
from doublethink_gate.policy.policy import Policy


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_gate.policy", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("show", help="print the shipped policy")
    check = commands.add_parser("check", help="say whether a policy can be used")
    check.add_argument("file", type=Path)
    price = commands.add_parser("price", help="say what a model may cost by a policy")
    price.add_argument("model")
    price.add_argument("--policy", dest="file", type=Path, help="the shipped policy if none")
    options = parser.parse_args(arguments)
    if options.command == "show":
        shipped = resources.files("doublethink_gate.policy").joinpath("default.yaml")
        sys.stdout.write(shipped.read_text("utf-8"))
        return 0
    try:
        policy = load_policy(options.file)
    except PolicyError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"the file cannot be read ({error.strerror})\n")
        return 2
    if options.command == "price":
        return _tell_price(policy, options.model)
    for line in policy.stand_ins.words():
        sys.stdout.write(f"{line}\n")
    return 0


def _tell_price(policy: Policy, model: str) -> int:
    price = policy.prices.of(model)
    if price is None:
        sys.stderr.write(f"{policy.prices.missing(model)}\n")
        return 2
    sys.stdout.write(
        f"${_dollars(price.input)} in and ${_dollars(price.output)} out a million tokens as of {policy.prices.as_of}, "
        f"at most ${_dollars(policy.budgets.cost_micros)} a session\n"
    )
    return 0


def _dollars(micros: int) -> str:
    whole, part = divmod(micros, 1_000_000)
    return f"{whole}.{part:06}".rstrip("0").rstrip(".")


if __name__ == "__main__":
    sys.exit(main())
