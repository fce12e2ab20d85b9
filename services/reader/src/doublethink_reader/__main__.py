"""The reader's process: `python -m doublethink_reader serve --config FILE`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from doublethink.reader.v1 import reading_pb2
from doublethink_rpc import Peer, Server, ServerConfig, StartRefused, configure_logging, failpoint, run
from doublethink_settings import SettingsError

from .config import BackEndKind, Config, load_config
from .failpoints import Point
from .service import BackEnd, Extractive, Model, ReadingService


def build_server(config: Config, back_end: BackEnd) -> Server:
    """The server of a configuration. Raises `StartRefused`."""
    return Server(
        ServerConfig(
            role="reader",
            listen=config.listen.rpc,
            tls=config.tls,
            health_listen=config.listen.health,
            metrics_listen=config.listen.metrics,
            max_concurrent=config.limits.concurrent,
            queue=config.limits.queue,
        ),
        [(reading_pb2.DESCRIPTOR.services_by_name["ReadingService"], ReadingService(back_end))],
    )


async def _serve(config: Config) -> None:
    failpoint.arm(Point, config.failpoints)
    if config.reader.back_end is BackEndKind.EXTRACTIVE:
        await run(build_server(config, Extractive()))
        return
    gate = Peer(config.peers.gate, "gate", config.tls, "reader")
    try:
        await run(build_server(config, Model(gate)))
    finally:
        await gate.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until a signal ends it. Exit codes: 0 ended, 2 wrong use, 4 it could not start."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_reader", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve until a signal ends it")
    serve.add_argument("--config", type=Path, required=True, help="the configuration file (TOML)")
    options = parser.parse_args(arguments)
    configure_logging("reader")
    try:
        config = load_config(options.config)
    except SettingsError as error:
        sys.stderr.write(f"reader: {error}\n")
        return 2
    try:
        asyncio.run(_serve(config))
    except StartRefused as error:
        sys.stderr.write(f"reader: {error}\n")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
