"""`doublethink check`: the gate's checks over JSON lines on stdin; nothing is sent."""

import subprocess
import sys
from pathlib import Path

import click
from doublethink_fingerprint import BuildError, build_pack, encode_pack

from doublethink_sdk import cases, preflight
from doublethink_sdk.exits import Exit, fail, reporting
from doublethink_sdk.launcher.processes import minimal_environment

_LENGTH_BYTES = 4
_PIECE_BYTES = 1024 * 1024


@click.command()
@click.option(
    "--case",
    "case_file",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The case file, confirmed by a person.",
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A policy file; the strict default, which `doublethink policy show` prints, if none.",
)
@click.option(
    "--session-field", default="session", show_default=True, help="The key that tells sessions apart."
)
@reporting
def check(case_file: Path, policy: Path | None, session_field: str) -> Exit:
    """Check payloads given as JSON lines on stdin, one verdict a line on stdout.

    The checks run in a process of the gate, which gets fingerprints of the secrets and never
    the secrets: the same code path as for a request that would really leave.

    \b
    A line:  {"id": "1", "session": "a", "kind": "query", "payload": "Halvorsen Pumps revenue 2024"}
    gives:   {"id": "1", "verdict": "allow", "rules": [], ...}

    kind is query, url or body; verdict is allow, rewrite, ask or block. A line that cannot be used
    gives {"id", "error"}, and the rest goes on. docs/formats.md has every field.

    Exit codes: 0 every line has its verdict or its error, whatever they say; 2 the case or the policy
    cannot be used.
    """
    if policy is not None:
        preflight.policy(policy)
    case = cases.load(case_file)
    try:
        pack = encode_pack(
            build_pack(case.secrets, canaries=case.canaries, memo=case.memo, public_terms=case.public_terms)
        )
    except BuildError as error:
        raise fail(str(error), Exit.WRONG_USE) from error
    preflight.say_alarms(case_file, case.secrets, every=False)
    argv = [sys.executable, "-I", "-m", "doublethink_gate", "check", "--session-field", session_field]
    if policy is not None:
        argv += ["--policy", str(policy)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, env=minimal_environment()) as gate:
        assert gate.stdin is not None  # noqa: S101 - a pipe was asked for
        try:
            gate.stdin.write(len(pack).to_bytes(_LENGTH_BYTES, "big") + pack)
            for piece in iter(lambda: sys.stdin.buffer.readline(_PIECE_BYTES), b""):
                # Line by line, so that a person or a program can wait for each verdict; a long line in pieces.
                gate.stdin.write(piece)
                gate.stdin.flush()
            gate.stdin.close()
        except BrokenPipeError:
            # The gate's own process says on stderr why it ended.
            gate.wait()
        return Exit(gate.wait())
