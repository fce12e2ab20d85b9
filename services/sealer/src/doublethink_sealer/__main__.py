"""The sealer's command line.

    python -m doublethink_sealer serve --config FILE     seal until SIGTERM
    python -m doublethink_sealer verify --config FILE    read the whole log and name everything that is wrong with it
    python -m doublethink_sealer recover --config FILE   go on after a disaster, see the README
    python -m doublethink_sealer make-key --origin NAME --key FILE --vkey FILE

Exit codes: 0 done, 1 refused or something is wrong with the log, 2 wrong use, 4 a service does not answer.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from doublethink_rpc import StartRefused, configure_logging
from doublethink_settings import SettingsError

from doublethink_sealer.checking import recover, verify
from doublethink_sealer.config import Config, load_config
from doublethink_sealer.errors import DatabaseAway, PlaceAway, SealingRefused
from doublethink_sealer.keys import write_key
from doublethink_sealer.recovery import Why
from doublethink_sealer.resume import Allowed
from doublethink_sealer.service import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code."""
    options = _parser().parse_args(arguments)
    configure_logging("sealer")
    try:
        return _run(options)
    except SettingsError as error:
        return _fail(2, str(error))
    except SealingRefused as refused:
        # `serve` has said it, before it lingered.
        return 1 if options.command == "serve" else _fail(1, str(refused))
    except (StartRefused, DatabaseAway, PlaceAway) as error:
        return _fail(4, str(error))


def _run(options: argparse.Namespace) -> int:
    if options.command == "make-key":
        write_key(options.origin, options.key, options.vkey)
        return 0
    config: Config = load_config(options.config)
    if options.command == "verify":
        return asyncio.run(verify(config, as_json=options.json))
    if options.command == "recover":
        why = None if options.from_published else Why(options.why)
        return asyncio.run(recover(config, why))
    unknown = set(options.new_place) - _place_names(config)
    if unknown:
        raise SettingsError(f"--new-place {sorted(unknown)[0]}: there is no such place")
    mark: Path | None = options.first_start_mark
    first = options.first_start or (mark is not None and mark.exists())
    asyncio.run(serve(config, Allowed(first, frozenset(options.new_place)), mark))
    return 0


def _place_names(config: Config) -> set[str]:
    folders = {f"folder-{n}" for n in range(1, len(config.places.folders) + 1)}
    return folders | {f"store-{n}" for n in range(1, len(config.places.object_stores) + 1)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m doublethink_sealer",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="seal until SIGTERM")
    serving.add_argument("--first-start", action="store_true", help="this log was never sealed before")
    serving.add_argument(
        "--first-start-mark",
        type=Path,
        metavar="FILE",
        help="as --first-start while FILE is there; it is removed once the log is published",
    )
    serving.add_argument(
        "--new-place",
        action="append",
        default=[],
        metavar="NAME",
        help="this place was set up anew and may be empty (folder-1, store-1, ...)",
    )
    verifying = commands.add_parser("verify", help="read the whole log and name what is wrong with it")
    verifying.add_argument("--json", action="store_true", help="one JSON object")
    recovering = commands.add_parser("recover", help="go on after a disaster; no sealer may run")
    how = recovering.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--from-published",
        action="store_true",
        help="store the published checkpoints again: the rows are whole, the database lost its checkpoints",
    )
    how.add_argument(
        "--new-origin-because",
        dest="why",
        choices=[why.value for why in Why],
        help="open the log that log.origin names over the rows that are there, and cite the old one",
    )
    for command in (serving, verifying, recovering):
        command.add_argument("--config", type=Path, required=True, help="the TOML file")
    making = commands.add_parser("make-key", help="make a private key, and the vkey that goes with it")
    making.add_argument("--origin", required=True, help="the log's name")
    making.add_argument("--key", type=Path, required=True, help="a file that is not there yet")
    making.add_argument("--vkey", type=Path, required=True, help="a file that the vkey is added to")
    return parser


def _fail(code: int, message: str) -> int:
    sys.stderr.write(f"sealer: {message}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
