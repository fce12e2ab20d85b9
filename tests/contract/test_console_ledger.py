"""The console's ledger routes: the gate's log in bounded pieces, for people, scripts and collectors."""

from __future__ import annotations

import asyncio
import json
import secrets
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console.identity.people import EVERY_TEAM
from doublethink_settings import SettingsError
from sim.database import PostgresForTests
from sim.desk import Desk, console_database, desk, running_desk
from sim.minds import Place, SimPlanner, SimSession, SimWorld, gate_services, minted, serving, short_folder

pytestmark = pytest.mark.postgres

SECRET = "Nordwind"


def fill(world: SimWorld, sessions: int = 3) -> list[SimSession]:
    """Some closed sessions at the gate, each with a sent and a stopped attempt."""
    made = []
    for _ in range(sessions):
        known = SimSession(minted("ses"))
        world.sessions.append(known)
        world.add_row(known, {"kind": "session.open"})
        body = {"kind": "attempt", "method": "search", "host": "search.example", "rules": []}
        sent = world.add_row(known, body | {"verdict": "allow"}, b"POST\n\n{}")
        outcome = {"kind": "outcome", "of": str(uuid.UUID(bytes=sent.id)), "status": "sent", "http": 200}
        world.add_row(known, outcome)
        world.add_row(known, body | {"verdict": "block", "rules": ["secret.code"]})
        world.add_row(known, body | {"verdict": "allow"}, b"POST\n\n{}")
        world.add_row(known, {"kind": "session.close", "reason": "closed"})
        known.closed = True
        made.append(known)
    return made


async def _quiet(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
    """A planner that does nothing."""
    if request.question == "never":
        yield research.ResearchEvent()


@asynccontextmanager
async def collecting(
    postgres: PostgresForTests, folder: Path, world: SimWorld, extra: str
) -> AsyncIterator[Desk]:
    """A console over a gate alone, with more in its section [access]."""
    place = Place(folder)
    async with (
        console_database(postgres) as dsn,
        serving(place.server("gate", gate_services(world))),
        running_desk(place, dsn, world, extra) as running,
    ):
        yield running


async def get(
    on: Desk, path: str, status: int = 200, headers: dict[str, str] | None = None
) -> dict[str, Any]:
    """A route's answer."""
    response = await on.client.get(path, headers=headers or {})
    assert response.status_code == status, response.text
    return dict(response.json())


async def everything(on: Desk, query: str = "", limit: int = 4) -> list[dict[str, Any]]:
    """All rows from seq 0 on, in pieces."""
    rows: list[dict[str, Any]] = []
    first, end = 0, False
    while not end:
        piece = await get(on, f"/api/ledger?from={first}&limit={limit}{query}")
        assert len(piece["rows"]) <= limit
        rows += piece["rows"]
        first, end = piece["next"], piece["end"]
    return rows


async def test_the_log_comes_in_pieces_without_a_gap(postgres: PostgresForTests) -> None:
    """Whatever the size of a piece, following `next` gives every row once, in order; filters leave rows out and
    nothing else; each format has as many rows.
    """
    world = SimWorld()
    fill(world)
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        for limit in (1, 4, 7, 1000):
            assert [row["seq"] for row in await everything(on, limit=limit)] == list(range(18))
        assert [row["seq"] for row in await everything(on, "&verdict=block", limit=1)] == [3, 9, 15]
        assert [row["seq"] for row in await everything(on, "&rule=secret&until=1700000000000009")] == [3]
        assert len(await everything(on, "&format=ocsf")) == 18
        lines = await everything(on, "&format=cef&kind=outcome")
        assert [str(line).startswith("CEF:0|") for line in lines] == [True] * 3
        row = (await everything(on))[3]
        assert row["body"] == json.loads(world.sessions[0].rows[3].body)
        last = await get(on, "/api/ledger")
        assert (last["rows"], last["next"], last["end"]) == ([], 18, True)


async def test_waiting_returns_as_soon_as_there_is_a_row(postgres: PostgresForTests) -> None:
    """An answer is held back while there is nothing, and comes with the row; without one it comes when time is up."""
    world = SimWorld()
    (known,) = fill(world, 1)
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        assert (await get(on, "/api/ledger?from=6&wait=1"))["rows"] == []
        waiting = asyncio.create_task(get(on, "/api/ledger?from=6&wait=60"))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        world.add_row(known, {"kind": "fact", "of": str(uuid.uuid4())})
        assert [row["seq"] for row in (await asyncio.wait_for(waiting, 10))["rows"]] == [6]


@pytest.mark.parametrize(
    "query",
    [
        "from=x", "from=-1", "limit=0", "limit=1001", "format=leef", "wait=61", "what=1", "kind=nothing",
        "from=1&from=2", "until=soon", "session=ses_x",
    ],
)  # fmt: skip
async def test_what_is_asked_wrongly_is_refused(postgres: PostgresForTests, query: str) -> None:
    """An unknown parameter or value, or one that stands twice, is 400 and names the key."""
    async with desk(postgres, SimPlanner(_quiet)) as on:
        answer = await get(on, f"/api/ledger?{query}", 400)
        assert answer["error"]


async def test_a_session_is_shown_from_the_ledger(postgres: PostgresForTests) -> None:
    """Also one of which this console has no copy: each attempt with its fate, rows that name it beside it."""
    world = SimWorld()
    known, other = fill(world, 2)
    erased = known.rows[1]
    known.erased.add(erased.id)
    world.add_row(
        other,
        {
            "kind": "redaction",
            "of": str(uuid.UUID(bytes=erased.id)),
            "of_session": known.id,
            "of_n": 1,
            "reason": "court",
        },
    )
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        view = await get(on, f"/api/sessions/{known.id}/ledger?payloads=1")
        assert [row.get("fate") for row in view["rows"]] == [
            None, "sent", None, "stopped", "sent_or_crashed", None,
        ]  # fmt: skip
        assert view["rows"][1]["redaction"]["reason"] == "court"
        assert view["closed"]
        assert not view["cut"]
        assert [row["kind"] for row in view["about"]] == ["redaction"]
        stopped = (await get(on, f"/api/sessions/{known.id}/ledger?verdict=block"))["rows"]
        assert [row["n"] for row in stopped] == [3]
        await get(on, f"/api/sessions/{minted('ses')}/ledger", 404)


async def test_a_gate_that_does_not_give_its_log_is_said(postgres: PostgresForTests) -> None:
    """What the policy does not grant, or a gate that is away, is 503 in words, and never an empty log."""
    world = SimWorld(log_code=errors.ERROR_CODE_CALLER_REFUSED)
    (known,) = fill(world, 1)
    async with desk(postgres, SimPlanner(_quiet), world) as on:
        for path in ("/api/ledger?from=0", "/api/ledger", f"/api/sessions/{known.id}/ledger"):
            assert "does not give its log" in (await get(on, path, 503))["error"]


async def test_a_collectors_token_reads_the_log_and_nothing_else(postgres: PostgresForTests) -> None:
    """It opens one path for reading; every other route, and the same one for writing, is refused; no cookie comes of
    it.
    """
    world = SimWorld()
    fill(world, 1)
    collector = secrets.token_hex(32)
    with short_folder() as folder:
        file = folder / "collector.token"
        file.write_text(collector)
        file.chmod(0o600)
        async with collecting(postgres, folder, world, 'collector_token_file = "collector.token"\n') as on:
            held = {"authorization": f"Bearer {collector}"}
            assert len((await get(on, "/api/ledger?from=0&format=ocsf", headers=held))["rows"]) == 6
            for path in (
                "/api/cases",
                f"/api/cases/{uuid.uuid4()}",
                f"/api/runs/{uuid.uuid4()}",
                f"/api/sessions/{world.sessions[0].id}/ledger",
                "/api/ledger/tail",
                "/api/ledger/",
                "/api/status",
            ):
                assert (await on.client.get(path, headers=held)).status_code == 403, path
            for method in ("POST", "DELETE"):
                answer = await on.client.request(method, "/api/ledger", headers=held, json={})
                assert answer.status_code == 403
            login = await on.client.post("/api/login", json={"token": collector}, headers=held)
            assert login.status_code == 401
            assert "set-cookie" not in login.headers


@pytest.mark.parametrize("collector", ["short", ""])
async def test_a_collectors_token_that_is_none_stops_the_start(
    postgres: PostgresForTests, collector: str
) -> None:
    """A token of another form, or none in the file, is refused; and so is the launch token under another name."""
    with short_folder() as folder:
        file = folder / "collector.token"
        file.write_text(collector)
        file.chmod(0o600)
        with pytest.raises(SettingsError):
            async with collecting(postgres, folder, SimWorld(), 'collector_token_file = "collector.token"\n'):
                pass
        with pytest.raises(SettingsError, match="another token"):
            async with collecting(postgres, folder, SimWorld(), 'collector_token_file = "token"\n'):
                pass


async def test_texts_go_once_their_payloads_were_erased(postgres: PostgresForTests) -> None:
    """What was copied of an erased payload is deleted, of that row alone, and however many rows lie between; a second
    reading begins where the first ended.
    """

    async def script(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
        known = world.sessions[-1]
        body = {"kind": "attempt", "method": "search", "verdict": "allow", "rules": []}
        # A planner that gives no plan is asked again.
        for word in ("first", "second") if len(known.rows) == 1 else ():
            world.add_row(known, body, b'POST /search\n\n{"query": "%s"}' % word.encode())
        if request.question == "never":
            yield research.ResearchEvent()

    world = SimWorld()
    async with desk(postgres, SimPlanner(script), world) as on:
        run = await on.start(await on.case())
        await on.events(run)
        known = world.sessions[0]
        rows = await texts(on, known.id, 2)
        assert rows == ["first", "second"]
        erased = next(row for row in known.rows if b"attempt" in row.body)
        known.erased.add(erased.id)
        (other,) = fill(world, 1)
        of = str(uuid.UUID(bytes=erased.id))
        redaction = {
            "kind": "redaction",
            "of": of,
            "of_session": known.id,
            "of_n": erased.n,
            "reason": "court",
        }
        world.add_row(other, redaction)
        assert await on.console.tools.forgetting.catch_up() == 1
        assert await texts(on, known.id, 1) == ["second"]
        with psycopg.connect(on.dsn) as connection:
            counted = connection.execute(
                "SELECT count(*), (SELECT next_seq FROM console.log_read) FROM console.ledger_row"
                " WHERE sealed_payload IS NOT NULL"
            ).fetchone()
        assert counted == (1, sum(len(each.rows) for each in world.sessions))
        assert await on.console.tools.forgetting.catch_up() == 0
        # The gate's database is set back to before the redaction, and another payload is erased under its number.
        other.rows.pop()
        with psycopg.connect(on.dsn) as connection:
            connection.execute("UPDATE console.log_read SET next_seq = next_seq + 100")
        kept = next(row for row in reversed(known.rows) if b"attempt" in row.body)
        known.erased.add(kept.id)
        world.add_row(other, redaction | {"of": str(uuid.UUID(bytes=kept.id)), "of_n": kept.n})
        assert await on.console.tools.forgetting.catch_up() == 1
        assert await texts(on, known.id, 0) == []


async def texts(on: Desk, session: str, least: int) -> list[str]:
    """The texts that the console shows of a session, once there are enough."""
    for _ in range(200):
        rows = (await get(on, f"/api/sessions/{session}/ledger?payloads=1"))["rows"]
        found = [row["payload"] for row in rows if "payload" in row]
        if len(found) >= least:
            return found
        await asyncio.sleep(0.05)
    raise AssertionError("the texts never came")


async def test_the_owners_capability_outlives_the_session_sealed(postgres: PostgresForTests) -> None:
    """After the session is closed the owner's capability, and no other, is still there, for rows and openings."""
    async with desk(postgres, SimPlanner(_quiet)) as on:
        run = await on.start(await on.case())
        await on.events(run)
        known = on.world.sessions[0]
        assert await on.console.tools.runs.owner(known.id, EVERY_TEAM) == known.console
        assert await on.console.tools.runs.owner(minted("ses"), EVERY_TEAM) is None
        loaded = await on.console.tools.runs.get(uuid.UUID(run), EVERY_TEAM)
        assert loaded is not None
        assert loaded.capabilities is None
        with psycopg.connect(on.dsn) as connection:
            (sealed,) = connection.execute("SELECT sealed_owner FROM console.run").fetchone() or (b"",)
        assert known.console not in sealed
