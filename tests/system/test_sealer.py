"""Sealers in processes of their own: killed at each step, two at once under load, and a database in wrong hands."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
from doublethink_ledger import Checkpoint, VerifierKey, open_checkpoint, range_root
from doublethink_sealer.failpoints import Point
from psycopg import sql
from sim.database import GateDatabase, PostgresForTests
from sim.object_store import BUCKET, ObjectStore, object_store
from sim.sealed import ORIGIN, OTHER_ORIGIN
from sim.sealer_process import SealerFiles, run_sealer, sealer_process

pytestmark = pytest.mark.postgres

TESTS = Path(__file__).parents[1]
SECONDS = 120
# More rows than a gate appends while a test looks on: a load that a test ends, however fast the machine is.
ENDLESS = 50_000


@pytest.fixture
def files(tmp_path: Path, gate_database: GateDatabase) -> SealerFiles:
    """A folder with a pinned key, over an empty ledger."""
    made = SealerFiles(tmp_path, gate_database)
    made.make()
    return made


@contextlib.asynccontextmanager
async def load(database: GateDatabase, rows: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """A gate reduced to its ledger that appends `rows` rows, from its first row on."""
    before = len(leaves(database))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sim.appender", database.dsn(), str(rows), "20"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    try:
        async with asyncio.timeout(SECONDS):
            # Another process writes: there is nothing here to wait on but the table.
            while len(leaves(database)) == before:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def fill(database: GateDatabase, rows: int) -> None:
    """Append rows in one session."""
    async with load(database, rows) as process:
        assert await asyncio.wait_for(process.wait(), SECONDS) == 0


async def seal(files: SealerFiles, *options: str) -> None:
    """Start a sealer, wait until everything is sealed and published, stop it."""
    async with sealer_process(files, *options) as sealer:
        await sealer.serving()
        assert await sealer.stop() == 0


def leaves(database: GateDatabase) -> list[bytes]:
    """The hashes of all rows."""
    with psycopg.connect(database.admin_dsn()) as connection:
        rows = connection.execute("SELECT hash FROM ledger.entry ORDER BY seq").fetchall()
    return [bytes(row[0]) for row in rows]


def check_one_log(files: SealerFiles) -> list[int]:
    """Every checkpoint of the table and of the folder opens with the pinned key and is the root over the rows that are
    there; both end at the last row. Returns the table's sizes.
    """
    hashes = leaves(files.database)
    key = VerifierKey.parse((files.root / "log.vkey").read_text().splitlines()[-1])
    with psycopg.connect(files.database.admin_dsn()) as connection:
        table = connection.execute("SELECT size, note FROM ledger.checkpoint ORDER BY at_us").fetchall()
    folder = [path for path in files.published.rglob("*.note") if path.name != "recovery.note"]
    notes = [(int(size), bytes(note)) for size, note in table]
    notes += [(int(path.stem), path.read_bytes()) for path in folder]
    for size, note in notes:
        root = range_root(hashes[:size])
        assert open_checkpoint(note, key, files.origin) == Checkpoint(files.origin, size, root)
    sizes = [int(row[0]) for row in table]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == len(hashes) == max(int(path.stem) for path in folder)
    # Whole files only: nothing that a killed process began bears a note's name.
    assert not [path for path in folder if path.stat().st_size == 0]
    return sizes


def administrator(database: GateDatabase) -> psycopg.Connection[tuple[object, ...]]:
    """A superuser who has switched the triggers off."""
    connection = psycopg.connect(database.admin_dsn(), autocommit=True)
    for table in ("entry", "checkpoint"):
        connection.execute(sql.SQL("ALTER TABLE ledger.{} DISABLE TRIGGER ALL").format(sql.Identifier(table)))
    return connection


@pytest.mark.parametrize("point", Point)
async def test_a_sealer_killed_at_any_step_leaves_a_log_that_the_next_one_goes_on_with(
    files: SealerFiles, point: Point
) -> None:
    """SIGKILL between reading, signing, storing and publishing, under load: the next start seals the rest, and nothing
    that was published is contradicted.
    """
    await seal(files, "--first-start")
    armed = f"{point.value}=kill@3"
    async with load(files.database, ENDLESS), sealer_process(files, failpoints=armed) as sealer:
        assert await sealer.ended() == -signal.SIGKILL, await sealer.errors()
    await seal(files)
    assert len(check_one_log(files)) >= 2
    code, printed = await run_sealer(files, "verify")
    assert code == 0, printed


@pytest.mark.parametrize("point", Point)
async def test_a_first_start_that_is_killed_can_be_made_again(files: SealerFiles, point: Point) -> None:
    """At whatever step it died: with the same option the next start goes on."""
    await fill(files.database, 5)
    async with sealer_process(files, "--first-start", failpoints=f"{point.value}=kill@1") as sealer:
        assert await sealer.ended() == -signal.SIGKILL, await sealer.errors()
    await seal(files, "--first-start")
    check_one_log(files)


async def test_two_sealers_under_load_make_one_log(files: SealerFiles) -> None:
    """Both live, one is killed and started again in between: one chain of checkpoints, each of the rows that are there,
    and both ended up with the same newest note.
    """
    await seal(files, "--first-start")
    async with contextlib.AsyncExitStack() as stack:
        one = await stack.enter_async_context(sealer_process(files, number=1))
        two = await stack.enter_async_context(sealer_process(files, number=2))
        await asyncio.gather(one.serving(), two.serving())
        stored = 'sealer_checkpoints_total{outcome="stored"}'
        async with load(files.database, ENDLESS), load(files.database, ENDLESS):
            await one.measured(stored, 1)
            two.process.kill()
            await two.ended()
            three = await stack.enter_async_context(sealer_process(files, number=3))
            await three.serving()
            await three.measured(stored, 1)
        first, third = await one.scrape(), await three.scrape()
        assert [await one.stop(), await three.stop()] == [0, 0]
    sizes = check_one_log(files)
    assert 2 <= first[stored] + third[stored] <= len(sizes)


async def _tampered(files: SealerFiles, statements: tuple[str, ...]) -> tuple[str, str]:
    """Do it, and return what verify prints and what the sealer says when it is started."""
    with administrator(files.database) as connection:
        for statement in statements:
            connection.execute(statement)
    code, printed = await run_sealer(files, "verify")
    assert code == 1, printed
    async with sealer_process(files) as sealer:
        assert await sealer.ended() == 1
        return printed, await sealer.errors()


REHASH = (
    "UPDATE ledger.entry SET hash = sha256('\\x00'::bytea || 'dtl1'::bytea || uuid_send(session) || int8send(n)"
    " || int8send(at_us) || uuid_send(id) || prev || sha256(body)) WHERE seq = 12"
)
EDIT = "UPDATE ledger.entry SET body = convert_to(replace(convert_from(body, 'UTF8'), 'block', 'allow'), 'UTF8') "
ATTACKS: dict[str, tuple[tuple[str, ...], str]] = {
    "edit": ((EDIT + "WHERE seq = 12",), "row_edited: row 12"),
    "edit with its hash": ((EDIT + "WHERE seq = 12", REHASH), "chain_broken: row 13"),
    "edit of the last row with its hash": (
        (EDIT + "WHERE seq = 29", REHASH.replace("12", "29")),
        "rewritten: rows ",
    ),
    "delete": (("DELETE FROM ledger.entry WHERE seq = 12",), "row_missing: row 12 is not there"),
    "delete and re-sequence": (
        (
            "DELETE FROM ledger.entry WHERE seq = 12",
            "UPDATE ledger.entry SET seq = seq + 1000 WHERE seq > 12",
            "UPDATE ledger.entry SET seq = seq - 1001 WHERE seq > 1000",
        ),
        "row_missing: row 12 (row 13 of its session)",
    ),
    "re-sequence": (
        (
            "UPDATE ledger.entry SET seq = 1000 WHERE seq = 12",
            "UPDATE ledger.entry SET seq = 12 WHERE seq = 13",
            "UPDATE ledger.entry SET seq = 13 WHERE seq = 1000",
        ),
        "resequenced",
    ),
    "cut": (("DELETE FROM ledger.entry WHERE seq >= 25",), "tail_cut: the last 5 of 30 rows"),
    "truncate": (("TRUNCATE ledger.entry CASCADE",), "truncated: all of 30 rows"),
    "cut with its checkpoints": (
        ("DELETE FROM ledger.entry WHERE seq >= 15", "DELETE FROM ledger.checkpoint WHERE size > 15"),
        "rolled_back: the database ends at row 14",
    ),
    "checkpoints alone": (("DELETE FROM ledger.checkpoint",), "checkpoints_missing"),
    "a forged checkpoint": (
        ("UPDATE ledger.checkpoint SET root = sha256(root) WHERE size = 30",),
        "checkpoint_forged: the database's checkpoint of size 30",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_what_a_superuser_does_is_named(files: SealerFiles, attack: str) -> None:
    """Triggers off, statement done: verify names it and ends with 1, and a sealer does not start and says the same."""
    statements, words = ATTACKS[attack]
    await fill(files.database, 15)
    await seal(files, "--first-start")
    await fill(files.database, 15)
    await seal(files)
    code, printed = await run_sealer(files, "verify")
    assert (code, "the log is whole" in printed) == (0, True), printed
    assert check_one_log(files)[-1] == 30
    printed, said = await _tampered(files, statements)
    assert words in printed
    first = printed.splitlines()[0].partition(":")[0]
    assert f"sealer: {first}" in said


@pytest.fixture
def backup(postgres: PostgresForTests) -> Iterator[list[GateDatabase]]:
    """Databases that a test makes from others, dropped at its end."""
    made: list[GateDatabase] = []
    yield made
    for database in made:
        postgres.drop(database)


def copied(source: GateDatabase, name: str) -> GateDatabase:
    """A backup of a database, as a file copy."""
    with psycopg.connect(source.server.admin_dsn(), autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(source.name)
            )
        )
        connection.execute(
            sql.SQL("GRANT CONNECT ON DATABASE {} TO doublethink_gate, doublethink_sealer").format(
                sql.Identifier(name)
            )
        )
    return GateDatabase(source.server, name)


async def test_an_old_backup_is_refused_and_recovery_opens_a_new_log_that_cites_the_old(
    files: SealerFiles, backup: list[GateDatabase]
) -> None:
    """A restored backup is refused, also once it was written on; recovery opens another origin with a statement; from
    then on sealing and verify go on, and the old notes still lie there.
    """
    await fill(files.database, 10)
    await seal(files, "--first-start")
    backup.append(copied(files.database, f"{files.database.name}_old"))
    await fill(files.database, 10)
    await seal(files)
    restored = SealerFiles(files.root, backup[0])
    async with sealer_process(restored) as sealer:
        assert await sealer.ended() == 1
        assert "rolled_back: the database ends at row 9" in await sealer.errors()
    await fill(restored.database, 15)
    async with sealer_process(restored) as sealer:
        assert await sealer.ended() == 1
        assert "forked" in await sealer.errors()
    code, printed = await run_sealer(restored, "recover", "--from-published")
    assert (code, "rewritten" in printed) == (1, True), printed

    new = SealerFiles(files.root, backup[0], origin=OTHER_ORIGIN)
    key = VerifierKey.parse((files.root / "log.vkey").read_text().strip())
    with (files.root / "log.vkey").open("a") as lines:
        lines.write(VerifierKey(OTHER_ORIGIN, key.public).format() + "\n")
    code, printed = await run_sealer(new, "recover", "--new-origin-because", "rolled-back")
    assert code == 0, printed
    assert f"opened {OTHER_ORIGIN} over 25 rows; it cites {ORIGIN} at 20 rows (rolled-back)" in printed
    await fill(new.database, 5)
    await seal(new)
    code, printed = await run_sealer(new, "verify")
    assert code == 0, printed
    # Only once, and the old origin is closed.
    assert (await run_sealer(new, "recover", "--new-origin-because", "other"))[0] == 1
    async with sealer_process(restored) as sealer:
        assert await sealer.ended() == 1
        assert "other_origin" in await sealer.errors()
    assert len(list(files.published.iterdir())) == 2


async def test_lost_checkpoints_are_restored_from_the_published_ones(files: SealerFiles) -> None:
    """The rows are whole: after the recovery the same log goes on."""
    await fill(files.database, 10)
    await seal(files, "--first-start")
    with administrator(files.database) as connection:
        connection.execute("DELETE FROM ledger.checkpoint")
    async with sealer_process(files) as sealer:
        assert await sealer.ended() == 1
        assert "checkpoints_missing" in await sealer.errors()
    code, printed = await run_sealer(files, "recover", "--from-published")
    assert code == 0, printed
    await fill(files.database, 5)
    await seal(files)
    assert check_one_log(files)[-1] == 15


async def test_a_first_start_is_asked_for_by_name(files: SealerFiles) -> None:
    """Without the option a log that was never sealed is refused, with what to do."""
    await fill(files.database, 3)
    async with sealer_process(files) as sealer:
        assert await sealer.ended() == 1
        assert "nothing_published" in await sealer.errors()
    await seal(files, "--first-start")


async def test_a_place_that_was_emptied_stops_the_start_until_a_person_decides(files: SealerFiles) -> None:
    """Named, with the option that says it was meant."""
    await fill(files.database, 3)
    await seal(files, "--first-start")
    for path in files.published.rglob("*.note"):
        path.unlink()
    async with sealer_process(files) as sealer:
        assert await sealer.ended() == 1
        assert "place_empty: folder-1" in await sealer.errors()
    await seal(files, "--new-place", "folder-1")
    check_one_log(files)


async def test_a_refusal_is_measured_while_it_lingers(files: SealerFiles) -> None:
    """Probes see it not serving and the reason as a metric, before the process ends with 1."""
    files.limits["refused_linger_s"] = 30
    await fill(files.database, 3)
    async with sealer_process(files) as sealer:
        measured = await sealer.measured('sealer_refused{reason="nothing_published"}', 1)
        assert sealer.process.returncode is None
        assert sum(value for name, value in measured.items() if name.startswith("sealer_refused")) == 1
        assert await sealer.stop() == 1


async def test_an_edit_under_a_running_sealer_is_found_when_it_reads_the_log_again(
    files: SealerFiles,
) -> None:
    """An old row is changed while it runs: the next reading of the whole log names it and ends the process."""
    files.limits["audit_every_s"] = 0.3
    await fill(files.database, 30)
    async with sealer_process(files, "--first-start") as sealer:
        await sealer.serving()
        await sealer.measured("sealer_audits_total", 1)
        with administrator(files.database) as connection:
            connection.execute(EDIT + "WHERE seq = 12")
        assert await sealer.ended() == 1
        assert "row_edited: row 12" in await sealer.errors()


async def test_a_payload_that_a_superuser_deleted_is_named_and_sealing_goes_on(files: SealerFiles) -> None:
    """verify ends with 1 and names the row; a running sealer counts it when it reads the log again, and one that is
    started seals what comes.
    """
    files.limits["audit_every_s"] = 0.3
    await fill(files.database, 15)
    async with sealer_process(files, "--first-start") as sealer:
        await sealer.serving()
        with administrator(files.database) as connection:
            connection.execute(
                "DELETE FROM ledger.payload WHERE id = (SELECT id FROM ledger.entry WHERE seq = 12)"
            )
        await sealer.measured("sealer_payloads_missing", 1)
        assert await sealer.stop() == 0
    code, printed = await run_sealer(files, "verify")
    assert (code, printed.splitlines()[0].partition(" commits")[0]) == (1, "payload_missing: row 12")
    await fill(files.database, 15)
    await seal(files)
    assert check_one_log(files)[-1] == 30


async def test_an_object_store_is_a_place_and_its_being_away_delays_nothing(files: SealerFiles) -> None:
    """What is called is said at the start; the store gets what the folder gets; without it sealing goes on,
    its lag shows, and the start is the folder's word.
    """
    await fill(files.database, 5)
    with object_store(files.root) as store:
        files.stores = [store.write_settings(files.root).name]
        async with sealer_process(files, "--first-start") as sealer:
            await sealer.measured('sealer_publications_total{outcome="done",place="store-1"}', 1)
            assert await sealer.stop() == 0
            assert sealer.process.stdout is not None
            said = (await sealer.process.stdout.read()).decode()
        assert (
            f"publishes to store-1: {store.endpoint} checkpoints/doublethink, calls 127.0.0.1:{store.port}"
            in said
        )
        assert f"publishes to folder-1: {files.published}, calls nothing" in said
        (held,) = notes_in(store)
        assert held == max(files.published.rglob("*.note")).read_bytes()
    async with sealer_process(files) as sealer:
        await sealer.serving()
        await fill(files.database, 5)
        await sealer.measured("sealer_size", 10)
        measured = await sealer.measured('sealer_publications_total{outcome="away",place="store-1"}', 1)
        assert measured['sealer_publication_lag_seconds{place="store-1"}'] > 0
        await sealer.measured('sealer_publications_total{outcome="done",place="folder-1"}', 1)
        assert await sealer.stop() == 0
    assert check_one_log(files)[-1] == 10


def notes_in(store: ObjectStore) -> list[bytes]:
    """What lies in a store."""
    client = store.client()
    keys = [entry["Key"] for entry in client.list_objects_v2(Bucket=BUCKET).get("Contents", ())]
    return [client.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in keys]


async def test_what_it_measures(files: SealerFiles) -> None:
    """Size, rows, publications and lag after everything is sealed; the age begins anew each time that nothing is
    left to seal.
    """
    await fill(files.database, 30)
    async with sealer_process(files, "--first-start") as sealer:
        await sealer.serving()
        measured = await sealer.measured("sealer_size", 30)
        assert measured["sealer_rows_checked_total"] == 30
        assert measured['sealer_publication_lag_seconds{place="folder-1"}'] == 0
        assert measured['sealer_publications_total{outcome="done",place="folder-1"}'] >= 1
        older = measured["sealer_unsealed_age_seconds"]
        async with asyncio.timeout(SECONDS):
            while (age := (await sealer.measured("sealer_size", 30))["sealer_unsealed_age_seconds"]) >= older:
                older = age
        assert age >= 0
        assert await sealer.stop() == 0
        assert all(line.startswith("{") for line in (await sealer.errors()).splitlines())
