"""The gate's command line.

    python -m doublethink_gate serve --config FILE      serve until SIGTERM
    python -m doublethink_gate migrate --dsn-file FILE  bring the database up to date
    python -m doublethink_gate check ...                the checks alone over JSON lines; nothing is sent
    python -m doublethink_gate recording FILE           whether a recording can be used
    python -m doublethink_gate check-url ...            the URL guard alone over a table; nothing is resolved or sent
    python -m doublethink_gate retention ...            erase what the policy keeps no longer
    python -m doublethink_gate erase ...                erase a session's payloads, or one row's
    python -m doublethink_gate rewrap ...               wrap the sessions' keys anew, after a rotation

Exit codes: 0 done, 1 refused, 2 wrong use, 4 the database does not answer.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from doublethink_rpc import StartRefused, configure_logging, run
from doublethink_settings import SettingsError

from doublethink_gate import check_command, check_url_command, recording_command, rotation_command
from doublethink_gate.config import Config, load_config
from doublethink_gate.database.__main__ import main as migrate_main
from doublethink_gate.errors import DatabaseAway
from doublethink_gate.pages import PageError, PageExtractor
from doublethink_gate.process import running
from doublethink_gate.retention.command import main as retention_main


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    # These have parsers of their own.
    if given[:1] == ["check"]:
        return check_command.main(given[1:])
    if given[:1] == ["recording"]:
        return recording_command.main(given[1:])
    if given[:1] == ["check-url"]:
        return check_url_command.main(given[1:])
    if given[:1] == ["migrate"]:
        return migrate_main(given[1:])
    if given[:1] in (["retention"], ["erase"]):
        return retention_main(given[0], given[1:])
    if given[:1] == ["rewrap"]:
        return rotation_command.main(given[1:])
    parser = argparse.ArgumentParser(prog="python -m doublethink_gate", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve until SIGTERM")
    serve.add_argument("--config", type=Path, required=True, help="the TOML file")
    commands.add_parser("migrate", help="bring the database up to date")
    commands.add_parser("check", help="the checks over JSON lines on stdin")
    commands.add_parser("recording", help="whether a recording can be used")
    commands.add_parser("check-url", help="the URL guard over a table of cases")
    commands.add_parser("retention", help="erase what the policy keeps no longer")
    commands.add_parser("erase", help="erase a session's payloads, or one row's")
    commands.add_parser("rewrap", help="wrap the sessions' keys anew, after a rotation")
    options = parser.parse_args(given)
    try:
        config = load_config(options.config)
    except SettingsError as error:
        return _fail(2, str(error))
    configure_logging("gate")
    try:
        asyncio.run(_serve(config))
    except SettingsError as error:
        return _fail(2, str(error))
    except DatabaseAway as error:
        return _fail(4, str(error))
    except StartRefused as error:
        return _fail(1, str(error))
    return 0


async def _serve(config: Config) -> None:
    await _prove_pages_are_read()
    async with running(config) as server:
        await run(server)


async def _prove_pages_are_read() -> None:
    """Read one page. Raises StartRefused where the process that reads pages cannot be confined on this machine."""
    try:
        async with PageExtractor(processes=1) as extractor:
            await extractor.extract(b"<p>a page", "text/html; charset=utf-8")
    except PageError as error:
        raise StartRefused(
            "pages cannot be read here: the kernel must take limits and a filter of system calls (seccomp) from an "
            "unprivileged process, on x86_64 or aarch64"
        ) from error


def _fail(code: int, message: str) -> int:
    sys.stderr.write(f"doublethink_gate: {message}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
