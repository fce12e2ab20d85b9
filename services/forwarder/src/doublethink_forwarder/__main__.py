"""The forwarder's process: `python -m doublethink_forwarder serve --config FILE`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from doublethink_rpc import StartRefused, configure_logging
from doublethink_settings import SettingsError

from .config import load_config
from .process import serve


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal ends it. Exit codes: 0 ended, 2 wrong use, 4 it could not start."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_forwarder", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="serve until a signal ends it")
    serving.add_argument("--config", type=Path, required=True, help="the configuration file (TOML)")
    options = parser.parse_args(arguments)
    configure_logging("forwarder")
    try:
        asyncio.run(serve(load_config(options.config)))
    except SettingsError as error:
        sys.stderr.write(f"forwarder: {error}\n")
        return 2
    except StartRefused as error:
        sys.stderr.write(f"forwarder: {error}\n")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
