"""Gates, sealer and PostgreSQL killed in random order under load: one log, nothing lost, all of it provable.

The rounds share one ledger and are spread over one, three and six gates. DOUBLETHINK_ROUNDS and DOUBLETHINK_SEED choose
how many and which; the seed is printed.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import random
import secrets
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from doublethink_gate.database.migrate import migrate
from doublethink_gate.ledger import Prover
from doublethink_ledger import Bundle, BundleRow, ChainHead, TlogProof, check_chain
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE_DATABASE, MIGRATOR
from psycopg_pool import AsyncConnectionPool
from sim import verifier
from sim.database import GateDatabase, bindir_for_tests, folder
from sim.ledger import gate, whole_log
from sim.sealed import ORIGIN
from sim.sealer_process import SealerFiles, SealerProcess, run_sealer, sealer_process

pytestmark = pytest.mark.postgres

_TESTS = Path(__file__).parents[1]
_GATES = (1, 3, 6)
_SESSIONS = 2
_LONGEST_DELAY_S = 0.3
_ROWS_BETWEEN = 40
_WAIT_S = 120.0
_BUNDLES = 12

_ROUNDS = int(os.environ.get("DOUBLETHINK_ROUNDS", "3"))
_SEED = int(os.environ.get("DOUBLETHINK_SEED", str(secrets.randbelow(1_000_000))))


@dataclass
class RunningGate:
    """A gate process under load. rows: how many it acknowledged."""

    process: asyncio.subprocess.Process
    acked: dict[uuid.UUID, int]
    rows: int = 0
    _reading: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, dsn: str, acked: dict[uuid.UUID, int]) -> RunningGate:
        """Start one; the rows that it acknowledges go into `acked`, id and seq."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sim.soak_gate", dsn, str(_SESSIONS)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(_TESTS)},
        )
        started = cls(process, acked)
        started._reading = asyncio.create_task(started._read())
        return started

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            # A process that is killed may leave half a line: what it did not say is no acknowledgement.
            if line.endswith(b"\n"):
                _, id, seq = line.split()
                self.acked[uuid.UUID(id.decode())] = int(seq)
                self.rows += 1

    async def kill(self) -> None:
        """SIGKILL, and read what it had said before."""
        self.process.kill()
        await self._ended()

    async def stop(self) -> int:
        """Let it close its sessions and end; return its status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self._ended()

    async def _ended(self) -> int:
        assert self._reading is not None
        async with asyncio.timeout(_WAIT_S):
            status = await self.process.wait()
            await self._reading
        return status

    async def errors(self) -> str:
        """What it wrote to standard error, once it has ended."""
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()


@dataclass
class Soak:
    """Everything that runs. acked: the ids of the rows that a gate took for durable, with their seq."""

    server: EmbeddedPostgres
    files: SealerFiles
    acked: dict[uuid.UUID, int] = field(default_factory=dict)
    gates: list[RunningGate] = field(default_factory=list)
    sealer: SealerProcess | None = None
    _sealer_life: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)

    async def more_gates(self, count: int) -> None:
        """Start gates until there are so many, and wait until each of them writes."""
        while len(self.gates) < count:
            self.gates.append(await RunningGate.start(self.files.database.dsn(), self.acked))
        await self.until(lambda: all(one.rows for one in self.gates))

    async def start_sealer(self, *options: str) -> None:
        """Start the sealer; wait until it is healthy."""
        self.sealer = await self._sealer_life.enter_async_context(sealer_process(self.files, *options))
        await self.sealer.serving()

    async def end_sealer(self) -> None:
        """Kill the sealer if it runs."""
        await self._sealer_life.aclose()

    async def kill_gate(self, generator: random.Random) -> None:
        """Kill one gate and start another in its place."""
        await self.gates.pop(generator.randrange(len(self.gates))).kill()

    async def kill_sealer(self, _: random.Random) -> None:
        """Kill the sealer and start it again on what it left."""
        await self.end_sealer()
        await self.start_sealer()

    async def kill_postgres(self, _: random.Random) -> None:
        """Kill the server with everything connected, and start it again."""
        process = self.server.process
        assert process is not None
        process.kill()
        await asyncio.to_thread(process.wait)
        await asyncio.to_thread(self.server.stop)
        await asyncio.to_thread(self.server.start)

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait; every process that should run does."""
        async with asyncio.timeout(_WAIT_S):
            while not reached():
                for one in self.gates:
                    assert one.process.returncode is None, await one.errors()
                assert self.sealer is not None
                assert self.sealer.process.returncode is None, await self.sealer.errors()
                await asyncio.sleep(0.02)


VICTIMS: Mapping[str, Callable[[Soak, random.Random], Awaitable[None]]] = {
    "gate": Soak.kill_gate,
    "sealer": Soak.kill_sealer,
    "postgres": Soak.kill_postgres,
}


@pytest.fixture
async def soak(tmp_path: Path) -> AsyncIterator[Soak]:
    """A server and a sealer on an empty ledger; whatever still runs at the end is killed."""
    with folder() as path:
        server = EmbeddedPostgres(path / "data", path / "s", bindir=bindir_for_tests())
        server.start()
        files = SealerFiles(tmp_path, GateDatabase(server, GATE_DATABASE))
        running = Soak(server, files)
        try:
            migrate(server.dsn(MIGRATOR, GATE_DATABASE))
            files.make()
            await running.start_sealer("--first-start")
            yield running
        finally:
            for one in running.gates:
                with contextlib.suppress(ProcessLookupError):
                    await one.kill()
            await running.end_sealer()
            server.stop()


async def test_no_kill_loses_an_acknowledged_row_or_forks_the_log(soak: Soak) -> None:
    """Seeded rounds of kill -9. After each, every row that was acknowledged before it stands at its seq and seq has no
    gap. At the end every chain checks, the sealer has sealed all of it and finds nothing wrong, and sessions out of the
    whole run, closed and cut off, export to bundles that the standalone verifier takes.
    """
    print(f"DOUBLETHINK_SEED={_SEED} DOUBLETHINK_ROUNDS={_ROUNDS}")
    generator = random.Random(_SEED)  # noqa: S311 - reproducible rounds, no secret
    victims: list[str] = []
    for number in range(_ROUNDS):
        count = _GATES[number * len(_GATES) // _ROUNDS]
        await soak.more_gates(count)
        enough = len(soak.acked) + _ROWS_BETWEEN
        await soak.until(lambda enough=enough: len(soak.acked) >= enough)  # type: ignore[misc]  # mypy #4459
        # Each of them once in as many rounds, in an order of its own.
        victims = victims or generator.sample(sorted(VICTIMS), len(VICTIMS))
        victim = victims.pop()
        delay = generator.uniform(0, _LONGEST_DELAY_S)
        print(f"round {number + 1}: {count} gates, kill {victim} after {delay:.3f} s")
        await asyncio.sleep(delay)
        acked = dict(soak.acked)
        await VICTIMS[victim](soak, generator)
        check_rows(soak, acked)
    await soak.more_gates(_GATES[-1])
    for one in soak.gates:
        assert await one.stop() == 0, await one.errors()
    rows, checker = await whole_log(soak.files.database.dsn())
    check_rows(soak, soak.acked)
    assert checker.size == len(rows)
    await check_sealed(soak, len(rows))
    heads = checker.heads()
    await check_bundles(soak, generator.sample(heads, min(len(heads), _BUNDLES)))
    print(
        f"{len(rows)} rows in {len(heads)} sessions, {len(soak.acked)} acknowledged, {_BUNDLES} bundles verified"
    )


def check_rows(soak: Soak, acked: Mapping[uuid.UUID, int]) -> None:
    """What was acknowledged is there, where it was said to be, and seq runs from 0 without a gap."""
    with psycopg.connect(soak.files.database.admin_dsn()) as connection:
        present: dict[uuid.UUID, int] = dict(
            connection.execute("SELECT id, seq FROM ledger.entry").fetchall()
        )
    assert acked.items() <= present.items()
    assert sorted(present.values()) == list(range(len(present)))


async def check_sealed(soak: Soak, size: int) -> None:
    """The sealer comes to the end of the log, and its walk over everything with all checkpoints finds it whole."""
    end = time.monotonic() + _WAIT_S
    with psycopg.connect(soak.files.database.admin_dsn(), autocommit=True) as connection:
        query = "SELECT size FROM ledger.checkpoint ORDER BY at_us DESC LIMIT 1"
        while connection.execute(query).fetchone() != (size,):
            assert time.monotonic() < end, "the sealer does not come to the end of the log"
            await asyncio.sleep(0.05)
    status, said = await run_sealer(soak.files, "verify")
    assert status == 0, said


async def check_bundles(soak: Soak, heads: Sequence[ChainHead]) -> None:
    """Each session's bundle, with the gate's own proof, is accepted and is what its last row says."""
    module = verifier.load()
    pinned = [module.read_key((soak.files.root / "log.vkey").read_text().strip())]
    dsn = soak.files.database.dsn()
    async with AsyncConnectionPool(dsn, min_size=1, max_size=2, open=False) as pool, gate(dsn) as g:
        prover = Prover(pool)
        for head in heads:
            session = uuid.UUID(bytes=head.session)
            newest = await prover.head()
            assert newest is not None
            proof = await prover.prove(session, *newest, 0)
            assert proof is not None
            rows = await g.reader.session_rows(session)
            assert check_chain(rows) == head
            bundle = Bundle(
                origin=ORIGIN,
                session=head.session,
                rows=tuple(BundleRow.of(row) for row in rows),
                proof=TlogProof(proof.index, proof.path, proof.checkpoint),
                openings=(),
                since=None,
            )
            report = module.verify(io.BytesIO(bundle.encode()), pinned, None)
            assert report.verdict == ("COMPLETE" if head.closed else "OPEN"), report.why
