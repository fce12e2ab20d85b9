"""The planner's process: `python -m doublethink_planner serve --config FILE`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from doublethink.planner.v1 import research_pb2 as research
from doublethink_rpc import Server, ServerConfig, StartRefused, configure_logging, failpoint, run
from doublethink_settings import SettingsError

from .config import Config, load_config
from .failpoints import Point
from .service import ResearchService
from .workers import Workers, worker_command


def build_server(config: Config, workers: Workers) -> Server:
    """The server of a configuration over some workers. Raises StartRefused."""
    service = ResearchService(
        workers,
        model=config.model.dialect if config.model else None,
        allow_careless=config.planner.allow_careless,
    )
    return Server(
        ServerConfig(
            role="planner",
            listen=config.listen.rpc,
            tls=config.tls,
            health_listen=config.listen.health,
            metrics_listen=config.listen.metrics,
            max_concurrent=config.limits.workers,
            queue=config.limits.queue,
        ),
        [(research.DESCRIPTOR.services_by_name["ResearchService"], service)],
    )


async def _serve(config: Config, config_file: Path) -> None:
    failpoint.arm(Point, config.failpoints)
    workers = Workers(worker_command(config_file), config.limits.workers)
    server = build_server(config, workers)
    try:
        await workers.prepare()
        await run(server)
    finally:
        await workers.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal ends it. Exit codes: 0 ended, 2 wrong use, 4 it could not start."""
    parser = argparse.ArgumentParser(prog="python -m doublethink_planner", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve until a signal ends it")
    serve.add_argument("--config", type=Path, required=True, help="the configuration file (TOML)")
    options = parser.parse_args(arguments)
    configure_logging("planner")
    try:
        config = load_config(options.config)
    except SettingsError as error:
        sys.stderr.write(f"planner: {error}\n")
        return 2
    try:
        asyncio.run(_serve(config, options.config))
    except StartRefused as error:
        sys.stderr.write(f"planner: {error}\n")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
