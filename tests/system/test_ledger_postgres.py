"""The embedded server for real: started each way, stopped, killed, started again, refused."""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from doublethink_gate.database.migrate import migrate
from doublethink_gate.ledger import LedgerUnavailable
from doublethink_sdk.postgres import AlreadyRunningError, EmbeddedPostgres, StartError
from doublethink_sdk.postgres.identity import Way
from doublethink_sdk.postgres.layout import GATE, GATE_DATABASE, MIGRATOR
from sim.database import bindir_for_tests, folder
from sim.ledger import gate

pytestmark = pytest.mark.postgres

WAYS = [Way.USER, Way.NAMESPACE] if os.geteuid() == 0 else [Way.CALLER]
DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that any user may pass through."""
    with folder() as path:
        yield path


def server(
    place: Path, way: Way | None = None, bindir: Path | None = None, **settings: str
) -> EmbeddedPostgres:
    """A server in the folder, not started."""
    return EmbeddedPostgres(
        place / "data", place / "s", bindir=bindir or bindir_for_tests(), way=way, settings=settings
    )


def ended(pid: int) -> bool:
    """Whether a process is gone, or is only waiting to be reaped."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def marker(running: EmbeddedPostgres) -> None:
    """Leave something to be found after a restart."""
    with psycopg.connect(running.admin_dsn(GATE_DATABASE)) as connection:
        connection.execute("CREATE TABLE public.marker (x int)")


def marked(running: EmbeddedPostgres) -> bool:
    """Whether it is there."""
    with psycopg.connect(running.admin_dsn(GATE_DATABASE)) as connection:
        row = connection.execute("SELECT to_regclass('public.marker') IS NOT NULL").fetchone()
        return row == (True,)


@pytest.mark.parametrize("way", WAYS)
def test_it_starts_each_way_stops_and_starts_again(place: Path, way: Way) -> None:
    """Not as root in its own eyes, on a private socket alone; a second start finds the data and goes the
    same way.
    """
    with server(place, way) as running:
        assert running.process is not None
        pid = running.process.pid
        status = Path(f"/proc/{pid}/status").read_text()
        assert "CapEff:\t0000000000000000" in status
        uid = running.cluster.stat().st_uid
        assert (uid == 0) is (way is Way.NAMESPACE)
        assert f"Uid:\t{uid}\t{uid}" in status
        assert stat.S_IMODE(running.socket_dir.stat().st_mode) == 0o700
        assert stat.S_IMODE(running.cluster.stat().st_mode) == 0o700
        assert stat.S_IMODE(running.log_file.stat().st_mode) == 0o600
        assert sockets_of(pid) == {"unix"}
        marker(running)
    assert ended(pid)
    with server(place) as again:
        assert marked(again)
        assert again.cluster.stat().st_uid == uid


def sockets_of(pid: int) -> set[str]:
    """The families of the sockets on which a process listens."""
    inodes = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        target = os.readlink(descriptor)
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    families = set()
    for table in ("tcp", "tcp6"):
        rows = [line.split() for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]]
        families |= {table for row in rows if row[9] in inodes and row[3] == "0A"}
    rows = [line.split() for line in Path(f"/proc/{pid}/net/unix").read_text().splitlines()[1:]]
    families |= {"unix" for row in rows if row[6] in inodes and row[3] == "00010000"}
    return families


@pytest.mark.skipif(not DEBIAN_15.is_dir(), reason="NOT RUN: PostgreSQL 15 is not on this machine")
async def test_the_schema_and_the_append_work_on_15(place: Path) -> None:
    """On PostgreSQL 15 the migrations apply and a row is appended."""
    with server(place, bindir=DEBIAN_15) as running:
        migrate(running.dsn(MIGRATOR, GATE_DATABASE))
        async with gate(running.dsn(GATE, GATE_DATABASE)) as g:
            session = await g.open()
            assert (await g.reader.session_rows(session))[0].n == 0


async def test_a_server_without_fsync_gets_no_row(place: Path) -> None:
    """Where fsync is off the append is refused and nothing is written."""
    with server(place, fsync="off") as running:
        migrate(running.dsn(MIGRATOR, GATE_DATABASE))
        async with gate(running.dsn(GATE, GATE_DATABASE)) as g:
            with pytest.raises(LedgerUnavailable, match="durably"):
                await g.open()
            assert await g.reader.rows_after() == ()


def test_a_second_start_on_the_same_data_is_refused(place: Path) -> None:
    """Another runner on the same data, from this process or another, is told that it is in use."""
    with server(place) as running:
        with pytest.raises(AlreadyRunningError, match="in use"):
            server(place).start()
        program = (
            "import sys; from pathlib import Path; from doublethink_sdk.postgres import *\n"
            "try: EmbeddedPostgres(Path(sys.argv[1]), Path(sys.argv[2])).prepare()\n"
            "except AlreadyRunningError: print('refused')"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, running.data_dir, running.socket_dir],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout == "refused\n"
        marker(running)


def test_a_killed_server_recovers(place: Path) -> None:
    """After SIGKILL the next start recovers what was committed, with the pid file of the dead in place."""
    first = server(place)
    first.start()
    assert first.process is not None
    marker(first)
    first.process.kill()
    first.process.wait()
    assert (first.cluster / "postmaster.pid").exists()
    first.stop()
    with server(place) as again:
        assert marked(again)


def test_a_server_that_outlived_its_runner_is_named(place: Path) -> None:
    """When a runner died without its server, the next start says which process to stop and how."""
    first = server(place)
    first.start()
    assert first.process is not None
    pid = first.process.pid
    first.release()
    try:
        with pytest.raises(AlreadyRunningError, match=f"kill -INT {pid}"):
            server(place).start()
        marker(first)
    finally:
        first.stop()


def test_a_supervisor_can_run_it(place: Path) -> None:
    """Prepared, started from its argument list, waited for, provisioned, and ended by SIGINT with status
    0.
    """
    running = server(place)
    running.prepare()
    running.prepare()
    process = subprocess.Popen(
        running.command(),
        cwd="/",
        env=running.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        running.wait_ready(alive=lambda: process.poll() is None)
        running.provision()
        marker(running)
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    running.release()


@pytest.mark.parametrize("way", WAYS)
def test_it_ends_with_its_parent_when_told_to(place: Path, way: Way) -> None:
    """With die_with_parent the server stops cleanly when the process that started it is killed."""
    running = server(place, way)
    running.prepare()
    program = (
        "import json, subprocess, sys; p = subprocess.Popen(json.loads(sys.argv[1]), cwd='/', env={},"
        " stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(sys.argv[2], 'wb'));"
        " print(p.pid, flush=True); p.wait()"
    )
    log = place / "log"
    parent = subprocess.Popen(
        [sys.executable, "-c", program, json.dumps(running.command(die_with_parent=True)), log],
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        running.wait_ready(alive=lambda: not ended(pid))
        parent.kill()
    descriptor = os.pidfd_open(pid) if not ended(pid) else None
    if descriptor is not None:
        assert select.select([descriptor], [], [], 60)[0], "the server goes on without its parent"
        os.close(descriptor)
    assert "database system is shut down" in log.read_text()
    running.release()


def test_a_server_that_cannot_start_says_why(place: Path) -> None:
    """The error has the server's own words, and the lock is free again."""
    with pytest.raises(StartError, match="shared_buffers"):
        server(place, shared_buffers="many").start()
    with server(place) as running:
        marker(running)


def test_reaching_the_socket_is_not_enough(place: Path) -> None:
    """Without the password of the role nobody is let in, the administrator included."""
    with server(place) as running:
        for role in ("postgres", GATE):
            for password in ("wrong", ""):
                with pytest.raises(psycopg.OperationalError, match="password"):
                    psycopg.connect(
                        host=str(running.socket_dir),
                        user=role,
                        dbname=GATE_DATABASE,
                        password=password,
                        passfile="/dev/null",
                    )
        passwords = [running.passwords.read(role).text for role in ("postgres", GATE)]
        log = running.log_file.read_text()
        command = " ".join(running.command())
    for password in passwords:
        assert password not in log
        assert password not in command
