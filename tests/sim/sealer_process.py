"""A sealer's real process on a test's database, with a folder and, where asked, object stores as its places."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from doublethink_rpc.failpoint import VARIABLE
from doublethink_rpc.probe import is_serving
from doublethink_sealer.keys import write_key
from sim.database import GateDatabase
from sim.sealed import ORIGIN

SEALER = "doublethink_sealer"
_SECONDS = 60.0


@dataclass
class SealerFiles:
    """What a sealer is given, in a folder. `stores` are files of object stores."""

    root: Path
    database: GateDatabase
    origin: str = ORIGIN
    sign: Sequence[str] = ("log.pem",)
    stores: Sequence[str] = ()
    limits: dict[str, float] = field(default_factory=dict)

    @property
    def published(self) -> Path:
        """The folder of copies."""
        return self.root / "published"

    def make(self) -> None:
        """Make the folder of copies, and a key that is pinned."""
        self.published.mkdir(exist_ok=True)
        write_key(self.origin, self.root / "log.pem", self.root / "log.vkey")

    def config(self, number: int = 1, *, failpoints: bool = False) -> Path:
        """Write the configuration of one process of several."""
        dsn = self.root / "dsn"
        dsn.touch(mode=0o600)
        dsn.write_text(self.database.dsn(SEALER))
        limits = {"seal_every_s": 0.02, "publish_every_s": 0.02, **self.limits}
        lines = [
            f"failpoints = {str(failpoints).lower()}",
            "[listen]",
            f'health = "unix:{self.health(number)}"',
            f'metrics = "unix:{self.metrics(number)}"',
            "[database]",
            'dsn_file = "dsn"',
            "[log]",
            f'origin = "{self.origin}"',
            "[keys]",
            f"sign = {list(self.sign)}",
            'trusted = ["log.vkey"]',
            "[places]",
            'folders = ["published"]',
            f"object_stores = {list(self.stores)}",
            "[limits]",
            *(f"{name} = {value}" for name, value in limits.items()),
        ]
        path = self.root / f"config-{number}.toml"
        path.write_text("\n".join(lines) + "\n")
        return path

    def health(self, number: int) -> Path:
        """The health socket of one process."""
        return self.root / f"h{number}"

    def metrics(self, number: int) -> Path:
        """The metrics socket of one process."""
        return self.root / f"m{number}"


@dataclass
class SealerProcess:
    """One process that was started."""

    files: SealerFiles
    number: int
    process: asyncio.subprocess.Process

    async def serving(self) -> None:
        """Wait until it is healthy. Fails the test if it ends instead."""
        target = f"unix:{self.files.health(self.number)}"
        async with asyncio.timeout(_SECONDS):
            while not await asyncio.to_thread(is_serving, target):
                assert self.process.returncode is None, await self.errors()
                await asyncio.sleep(0.02)

    async def ended(self) -> int:
        """Wait until it ends; return its status."""
        async with asyncio.timeout(_SECONDS):
            return await self.process.wait()

    async def stop(self) -> int:
        """End it cleanly; return its status."""
        self.process.terminate()
        return await self.ended()

    async def errors(self) -> str:
        """What it wrote to standard error, once it has ended."""
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()

    async def scrape(self) -> dict[str, float]:
        """Its metrics by name with labels."""
        reader, writer = await asyncio.open_unix_connection(self.files.metrics(self.number))
        writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
        text = (await reader.read()).decode()
        writer.close()
        lines = [line for line in text.split("\r\n\r\n", 1)[1].splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}

    async def measured(self, name: str, least: float) -> dict[str, float]:
        """Its metrics as soon as one of them is at least so much."""
        async with asyncio.timeout(_SECONDS):
            while True:
                # It does not listen before it has read its keys.
                with contextlib.suppress(OSError):
                    found = await self.scrape()
                    if found[name] >= least:
                        return found
                await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def sealer_process(
    files: SealerFiles, *options: str, number: int = 1, failpoints: str = "", command: str = "serve"
) -> AsyncIterator[SealerProcess]:
    """A process of the sealer, killed at the end if it still runs."""
    config = files.config(number, failpoints=bool(failpoints))
    environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
    if failpoints:
        environment[VARIABLE] = failpoints
    for place in (files.health(number), files.metrics(number)):
        place.unlink(missing_ok=True)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-m", "doublethink_sealer", command, "--config", str(config), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
    )
    try:
        yield SealerProcess(files, number, process)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def run_sealer(files: SealerFiles, command: str, *options: str) -> tuple[int, str]:
    """Run a command of the sealer to its end; return its status, and what it printed on both streams."""
    async with sealer_process(files, *options, number=9, command=command) as run:
        async with asyncio.timeout(_SECONDS):
            out, err = await run.process.communicate()
        assert run.process.returncode is not None
        return run.process.returncode, out.decode() + err.decode()
