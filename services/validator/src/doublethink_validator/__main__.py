"""The validator's process: `python -m doublethink_validator serve --config FILE`, or `prove` over JSON
lines.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from doublethink.validator.v1 import composition_pb2, examination_pb2
from doublethink_rpc import Peer, Server, ServerConfig, StartRefused, configure_logging, failpoint, run
from doublethink_settings import SettingsError

from .config import Config, load_config
from .failpoints import Point
from .gate import Gate, GatePeer
from .prove import lines_of, prove_lines
from .reader import Reader, ReaderPeer
from .service import CompositionService, ExaminationService


def build_server(config: Config, gate: Gate, reader: Reader) -> Server:
    """The server of a configuration. Raises `StartRefused`."""
    return Server(
        ServerConfig(
            role="validator",
            listen=config.listen.rpc,
            tls=config.tls,
            health_listen=config.listen.health,
            metrics_listen=config.listen.metrics,
            max_concurrent=config.limits.concurrent,
            queue=config.limits.queue,
        ),
        [
            (
                examination_pb2.DESCRIPTOR.services_by_name["ExaminationService"],
                ExaminationService(gate, reader, config.examination.result_titles),
            ),
            (composition_pb2.DESCRIPTOR.services_by_name["CompositionService"], CompositionService(gate)),
        ],
    )


async def _serve(config: Config) -> None:
    failpoint.arm(Point, config.failpoints)
    gate = Peer(config.peers.gate, "gate", config.tls, "validator")
    reader = Peer(config.peers.reader, "reader", config.tls, "validator")
    try:
        await run(build_server(config, GatePeer(gate), ReaderPeer(reader)))
    finally:
        await gate.close()
        await reader.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until a signal ends it, or proves the claims on stdin.

    Exit codes: 0 done, 2 wrong use, 4 no start.
    """
    parser = argparse.ArgumentParser(prog="python -m doublethink_validator", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve until a signal ends it")
    serve.add_argument("--config", type=Path, required=True, help="the configuration file (TOML)")
    commands.add_parser("prove", help="prove claims: JSON lines from stdin to stdout")
    options = parser.parse_args(arguments)
    configure_logging("validator")
    if options.command == "prove":
        for answer in prove_lines(lines_of(sys.stdin.buffer)):
            sys.stdout.write(answer + "\n")
            sys.stdout.flush()
        return 0
    try:
        config = load_config(options.config)
    except SettingsError as error:
        sys.stderr.write(f"validator: {error}\n")
        return 2
    try:
        asyncio.run(_serve(config))
    except StartRefused as error:
        sys.stderr.write(f"validator: {error}\n")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
