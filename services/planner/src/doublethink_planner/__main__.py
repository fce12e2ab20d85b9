"""The planner's process: `python -m doublethink_planner serve --config FILE`.

`check-model` asks a model a few questions with known answers and prints a JSON line a check.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from doublethink.planner.v1 import research_pb2 as research
from doublethink_rpc import Server, ServerConfig, StartRefused, configure_logging, failpoint, run
from doublethink_settings import SettingsError

from .config import Config, Dialect, LocalModel, load_config
from .failpoints import Point
from .model import ModelAway
from .model.canary import examine
from .modelled import open_model
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


async def _check_model(model: LocalModel) -> bool:
    """Print each finding; return whether all passed. Raises ModelAway."""
    client = open_model(model)
    passed = True
    try:
        async for finding in examine(client, float(model.seconds)):
            passed = passed and finding.passed
            sys.stdout.write(json.dumps(asdict(finding)) + "\n")
            sys.stdout.flush()
    finally:
        await client.close()
    return passed


def _check(model: LocalModel) -> int:
    try:
        return 0 if asyncio.run(_check_model(model)) else 1
    except ModelAway as error:
        sys.stderr.write(f"planner: {error}\n")
        return 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal ends it, or check the model.

    Exit codes: 0 ended, or every check passed; 1 a check failed; 2 wrong use; 4 it could not start, or there is no
    model.
    """
    parser = argparse.ArgumentParser(prog="python -m doublethink_planner", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve until a signal ends it")
    serve.add_argument("--config", type=Path, required=True, help="the configuration file (TOML)")
    check = commands.add_parser("check-model", help="ask a model questions with known answers")
    check.add_argument("--dialect", type=Dialect, choices=list(Dialect), required=True)
    check.add_argument("--name", required=True, help="the model, as its server lists it")
    check.add_argument("--socket", type=Path, required=True, help="the forwarder's")
    check.add_argument("--seconds", type=int, default=180, help="for one check")
    options = parser.parse_args(arguments)
    configure_logging("planner")
    if options.command == "check-model":
        return _check(LocalModel(options.dialect, options.name, options.socket, seconds=options.seconds))
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
