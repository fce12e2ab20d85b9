"""`doublethink ledger tail` against a running console: every row at least once, whatever kills it."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import signal
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from doublethink.planner.v1 import research_pb2 as research
from sim.database import PostgresForTests
from sim.desk import Desk, desk
from sim.minds import SimPlanner, SimSession, SimWorld, minted

pytestmark = pytest.mark.postgres

SENTINEL = "Nordwind acquires Halvorsen"


def fill(world: SimWorld, rows: int) -> None:
    """A closed session with many rows, each with a payload that must not be shown."""
    known = SimSession(minted("ses"))
    world.sessions.append(known)
    world.add_row(known, {"kind": "session.open"})
    body = {"kind": "attempt", "method": "search", "host": "search.example", "rules": [], "verdict": "allow"}
    for _ in range(rows - 2):
        world.add_row(known, body, SENTINEL.encode())
    world.add_row(known, {"kind": "session.close", "reason": "closed"})
    known.closed = True


async def _quiet(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
    if request.question == "never":
        yield research.ResearchEvent()


def command(on: Desk, *options: str) -> list[str]:
    """The command line, spoken to the desk's console."""
    folder = Path(on.config.listen.http.removeprefix("unix:")).parent
    console = ("--console", on.config.listen.http, "--token-file", str(folder / "token"))
    return [
        sys.executable,
        "-c",
        "from doublethink_sdk.cli import main; main()",
        "ledger",
        "tail",
        *console,
        *options,
    ]


async def run(on: Desk, *options: str) -> tuple[int, bytes, str]:
    """Run it to its end; its code and what it printed."""
    process = await asyncio.create_subprocess_exec(
        *command(on, *options), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    stdout, stderr = await asyncio.wait_for(process.communicate(), 120)
    return process.returncode or 0, stdout, stderr.decode()


def seqs(output: bytes) -> list[int]:
    """The seqs of whole OCSF lines."""
    lines = output.splitlines(keepends=True)
    return [json.loads(line)["metadata"]["sequence"] for line in lines if line.endswith(b"\n")]


async def test_every_row_comes_at_least_once_whatever_kills_it(
    postgres: PostgresForTests, tmp_path: Path
) -> None:
    """kill -9 at random moments: the cursor is never ahead of what lies in the file, and at the end no row is missing;
    each run goes on in order from where the cursor stood.
    """
    world, total = SimWorld(), 600
    fill(world, total)
    out, cursor = tmp_path / "events.jsonl", tmp_path / "cursor"
    seed = secrets.randbits(32)
    chance = random.Random(seed)  # noqa: S311 - picks moments
    killed = 0
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        options = ("--format", "ocsf", "--cursor", str(cursor), "--batch", "7", "--once")
        while killed < 4:
            at = int(cursor.read_text()) if cursor.exists() else 0
            before = out.stat().st_size if out.exists() else 0
            with out.open("ab") as file:
                process = await asyncio.create_subprocess_exec(*command(on, *options), stdout=file)
                wanted = before + chance.randrange(1, 40_000)
                # What is waited for is another process and its file.
                while out.stat().st_size < wanted and process.returncode is None:  # noqa: ASYNC110
                    await asyncio.sleep(chance.random() / 100)
                if process.returncode is None:
                    process.kill()
                    killed += 1
                await process.wait()
            new = seqs(out.read_bytes()[before:].partition(b"\n")[2]) if before else seqs(out.read_bytes())
            assert new == sorted(set(new)), f"seed {seed}"
            assert not new or new[0] in (at, at + 1), f"seed {seed}"
            reached = int(cursor.read_text()) if cursor.exists() else 0
            assert reached <= max(seqs(out.read_bytes()), default=-1) + 1, f"seed {seed}"
            assert at < total, f"seed {seed}: it ended before it was killed often enough"
        with out.open("ab") as file:
            # A run that was killed within a line left it unfinished: a collector begins a line of its own.
            file.write(b"\n")
            process = await asyncio.create_subprocess_exec(*command(on, *options), stdout=file)
            assert await asyncio.wait_for(process.wait(), 120) == 0
    whole = []
    for line in out.read_bytes().splitlines():
        try:
            whole.append(json.loads(line)["metadata"]["sequence"])
        except ValueError:
            continue
    assert set(whole) == set(range(total)), f"seed {seed}"
    assert cursor.read_text() == f"{total}\n"
    assert cursor.stat().st_mode & 0o777 == 0o600
    assert SENTINEL.encode() not in out.read_bytes()


async def test_formats_and_filters(postgres: PostgresForTests, tmp_path: Path) -> None:
    """Text, JSON, OCSF and CEF have one line a row; a filter picks rows; the cursor passes what it left out."""
    world = SimWorld()
    fill(world, 5)
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        for form in ("text", "json", "ocsf", "cef"):
            code, stdout, stderr = await run(on, "--format", form, "--from", "0", "--once")
            assert (code, stderr) == (0, "")
            assert len(stdout.splitlines()) == 5
            assert SENTINEL.encode() not in stdout
        cursor = tmp_path / "cursor"
        options = ("--json", "--once", "--cursor", str(cursor), "--kind", "session.close")
        code, stdout, _ = await run(on, *options)
        assert [json.loads(line)["seq"] for line in stdout.splitlines()] == [4]
        assert cursor.read_text() == "5\n"
        assert await run(on, *options) == (0, b"", "")


async def test_without_once_it_goes_on_and_stops_on_ctrl_c(postgres: PostgresForTests) -> None:
    """Rows that are written later come; SIGINT ends it cleanly."""
    world = SimWorld()
    fill(world, 3)
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        process = await asyncio.create_subprocess_exec(
            *command(on, "--format", "cef", "--from", "2"), stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        assert b"session.close" in await asyncio.wait_for(process.stdout.readline(), 60)
        world.add_row(world.sessions[0], {"kind": "fact", "of": str(uuid.uuid4())})
        assert b"CEF:0" in await asyncio.wait_for(process.stdout.readline(), 60)
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 60) in (0, 130)


@pytest.mark.parametrize("content", ["x", "-1", "1\n2", "99999999999999999999", ""])
async def test_a_file_that_is_no_cursor_is_refused(
    postgres: PostgresForTests, tmp_path: Path, content: str
) -> None:
    """Nothing is collected, and the file stays as it was."""
    cursor = tmp_path / "cursor"
    cursor.write_text(content)
    world = SimWorld()
    fill(world, 3)
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        code, stdout, stderr = await run(on, "--once", "--format", "ocsf", "--cursor", str(cursor))
    assert (code, stdout) == (4, b"")
    assert "no cursor" in stderr
    assert cursor.read_text() == content
