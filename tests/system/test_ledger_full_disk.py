"""The ledger's tablespace without space: what was acknowledged stays, and what was not is not there by half."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from doublethink_gate.database.migrate import migrate
from doublethink_gate.ledger import CommitUnknown, PreparedRow
from doublethink_ledger import Kind
from doublethink_sdk.postgres import EmbeddedPostgres
from doublethink_sdk.postgres.layout import GATE, GATE_DATABASE, MIGRATOR
from sim.database import bindir_for_tests, folder
from sim.ledger import DEADLINE_S, attempt, gate, whole_log
from sim.machine import small_disk

pytestmark = pytest.mark.postgres

_MEGABYTES = 4
_PAYLOAD = b"p" * 20_000
_MOST_ROWS = 400
_MOVED = (
    "ALTER TABLE ledger.entry SET TABLESPACE small",
    "ALTER INDEX ledger.entry_pkey SET TABLESPACE small",
    "ALTER TABLE ledger.payload SET TABLESPACE small",
    "ALTER INDEX ledger.payload_pkey SET TABLESPACE small",
)


@pytest.fixture
def server() -> Iterator[tuple[EmbeddedPostgres, Path]]:
    """A server whose ledger lies on a disk of its own, which is the second of the pair."""
    with folder() as path, small_disk(path / "small", _MEGABYTES) as disk:
        running = EmbeddedPostgres(path / "data", path / "s", bindir=bindir_for_tests())
        running.start()
        try:
            migrate(running.dsn(MIGRATOR, GATE_DATABASE))
            place = disk / "tablespace"
            place.mkdir(mode=0o700)
            owner = running.cluster.stat()
            os.chown(place, owner.st_uid, owner.st_gid)
            with psycopg.connect(running.admin_dsn(GATE_DATABASE), autocommit=True) as connection:
                connection.execute(f"CREATE TABLESPACE small LOCATION '{place}'".encode())
                for statement in _MOVED:
                    connection.execute(statement)
            yield running, disk
        finally:
            running.stop()


async def test_a_full_tablespace_acknowledges_nothing_and_keeps_everything(
    server: tuple[EmbeddedPostgres, Path],
) -> None:
    """Rows are acknowledged until the disk is full. Then none is, however often it is tried, and neither the row nor
    its payload is there. With space again the same row is written once, and the log is whole.
    """
    running, disk = server
    dsn = running.dsn(GATE, GATE_DATABASE)
    filler = disk / "filler"
    async with gate(dsn) as g:
        session = await g.open()
        acked, refused = [], None
        filler.write_bytes(os.urandom(1024 * 1024))
        for _ in range(_MOST_ROWS):
            row: PreparedRow = await g.writer.prepare(session, Kind.ATTEMPT, attempt("block"), _PAYLOAD)
            try:
                acked.append(await g.writer.append_prepared(row, deadline_s=DEADLINE_S))
            except CommitUnknown as error:
                refused = error.prepared
                break
        assert refused is not None, "the disk did not fill up"
        assert acked
        for _ in range(3):
            with pytest.raises(CommitUnknown):
                await g.writer.append_prepared(refused, deadline_s=DEADLINE_S)
        rows, _ = await whole_log(dsn)
        assert [row.hash for row in rows[1:]] == [row.hash for row in acked]
        assert await g.reader.row(refused.id) is None
        with psycopg.connect(dsn) as connection:
            payloads = connection.execute("SELECT id FROM ledger.payload").fetchall()
        assert {id for (id,) in payloads} == {row.id for row in acked}

        filler.unlink()
        written = await g.writer.append_prepared(refused, deadline_s=DEADLINE_S)
        assert written == await g.writer.append_prepared(refused, deadline_s=DEADLINE_S)
        assert (await g.reader.open_payload(written.row)).payload == _PAYLOAD
    rows, checker = await whole_log(dsn)
    assert checker.size == 1 + len(acked) + 1
    assert rows[-1].hash == written.hash
