"""The console's API over a real database: cases, what is refused and how, status, and the process itself."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from doublethink.planner.v1 import research_pb2 as research
from doublethink_console.errors import MigrationError
from doublethink_console.store.migrate import migrate, shipped
from sim.database import PostgresForTests
from sim.desk import CASE, Desk, console_database, desk, write_config
from sim.minds import Place, SimPlanner, short_folder

pytestmark = pytest.mark.postgres

_NO_RUN = uuid.UUID(int=1)


async def _silent(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
    yield research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))


@pytest.fixture
async def on(postgres: PostgresForTests) -> AsyncIterator[Desk]:
    """A desk whose planner finds nothing."""
    async with desk(postgres, SimPlanner(_silent)) as running:
        yield running


async def test_a_case_comes_back_as_it_went(on: Desk) -> None:
    """As JSON or as YAML; the list shows neither memo nor secrets; deleted, it is gone."""
    first = await on.case()
    yaml = (
        "title: Second\nmemo: |\n  Line one.\n  Codename Zephyrine.\n"
        "secrets:\n  - {class: code, value: Zephyrine}\n"
    )
    response = await on.client.post("/api/cases", json={"yaml": yaml})
    assert response.status_code == 201
    second = response.json()["id"]
    whole = (await on.client.get(f"/api/cases/{first}")).json()
    assert whole["title"] == CASE["title"]
    assert whole["secrets"][0] == {"class": "code", "value": "Nordwind", "aliases": ["North Wind"]}
    assert whole["canaries"][0] in whole["memo"]
    listed = (await on.client.get("/api/cases")).json()["cases"]
    assert {case["id"] for case in listed} == {first, second}
    assert all("memo" not in case and "secrets" not in case for case in listed)
    assert (await on.client.delete(f"/api/cases/{second}")).status_code == 204
    assert (await on.client.get(f"/api/cases/{second}")).status_code == 404
    assert (await on.client.delete(f"/api/cases/{second}")).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"yaml": "title: x"}, 422),
        ({"yaml": "title: [", "memo": "x"}, 400),
        ({**CASE, "owner": "Nordwind"}, 400),
        ({**CASE, "secrets": [{"class": "code", "value": "Nordwind", "kind": 1}]}, 422),
        ({**CASE, "secrets": [{"class": "secret", "value": "Nordwind"}]}, 422),
        ({**CASE, "secrets": [{"class": "code", "value": "no"}]}, 422),
        ({**CASE, "public_terms": ["term"] * 201}, 422),
        ({**CASE, "memo_file": "/etc/passwd"}, 400),
        ({"yaml": "title: x\nmemo_file: /etc/passwd\nsecrets: []\n"}, 422),
        ([CASE], 400),
    ],
)
async def test_a_bad_case_is_refused_without_its_values(on: Desk, body: Any, status: int) -> None:
    """One clear error that names the key and repeats no value."""
    response = await on.client.post("/api/cases", json=body)
    assert response.status_code == status
    assert set(response.json()) == {"error"}
    assert "Nordwind" not in response.text
    assert (await on.client.get("/api/cases")).json() == {"cases": []}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"question": ""}, 400),
        ({"question": "x" * 4001}, 400),
        ({"question": 7}, 400),
        ({"planner": "guess"}, 400),
        ({"budgets": {"queries": -1}}, 400),
        ({"budgets": {"euros": 1}}, 400),
        ({"budgets": []}, 400),
        ({"max_queries": 65}, 400),
        ({"max_queries": True}, 400),
        ({"case_id": "x"}, 404),
        ({"case_id": str(uuid.uuid4())}, 404),
        ({"model": "x"}, 400),
    ],
)
async def test_a_bad_run_is_refused(on: Desk, change: dict[str, Any], status: int) -> None:
    """Unknown keys, values out of range, a case that is not there."""
    body = {"case_id": await on.case(), "question": "What were Acme's net sales in 2023?", **change}
    response = await on.client.post("/api/runs", json=body)
    assert response.status_code == status
    assert set(response.json()) == {"error"}


@pytest.mark.parametrize(
    "path",
    [
        "/api/runs/x",
        f"/api/runs/{_NO_RUN}",
        f"/api/runs/{_NO_RUN}/events",
        "/api/sessions/ses_x/ledger",
        f"/api/sessions/ses_{'a' * 26}/ledger?follow=1",
        "/api/cases/../../etc",
        "/api/elsewhere",
        "/elsewhere",
    ],
)
async def test_what_is_not_there_is_not_found(on: Desk, path: str) -> None:
    """An id that is none and an id that nobody has look the same."""
    response = await on.client.get(path)
    assert response.status_code == 404
    assert set(response.json()) == {"error"}


async def test_budgets_and_bounds_reach_the_gate_and_the_planner(postgres: PostgresForTests) -> None:
    """What a person narrows is what the peers are told."""
    planner = SimPlanner(_silent)
    async with desk(postgres, planner, extra='[runs]\ntenant = "team-a"\n') as on:
        run = await on.start(await on.case(), budgets={"queries": 3, "seconds": 600}, max_queries=5)
        await on.events(run)
        (opened,) = on.world.opened
        assert (opened.budgets.queries, opened.budgets.pages, opened.budgets.seconds) == (3, 0, 600)
        assert opened.tenant == "team-a"
        assert planner.requests[0].max_queries == 5


async def test_logging_in_gives_a_cookie_that_works(on: Desk) -> None:
    """The token is exchanged once; a wrong one is refused."""
    async with httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(uds=on.config.listen.http.removeprefix("unix:")),
        base_url="http://localhost",
        trust_env=False,
    ) as browser:
        assert (await browser.get("/api/status")).status_code == 401
        assert (await browser.post("/api/login", json={"token": "0" * 64})).status_code == 401
        assert (await browser.post("/api/login", json={"token": on.token, "user": "x"})).status_code == 400
        assert (await browser.post("/api/login", json={"token": on.token})).status_code == 200
        assert (await browser.get("/api/status")).status_code == 200
        ours = {"origin": "http://localhost"}
        assert (await browser.post("/api/cases", json=CASE)).status_code == 403
        assert (await browser.post("/api/cases", json=CASE, headers=ours)).status_code == 201
        await browser.post("/api/logout", json={}, headers=ours)
        assert (await browser.get("/api/status")).status_code == 401


async def test_status_names_back_ends_peers_and_isolation(postgres: PostgresForTests) -> None:
    """What answers, whether it can be reached, and what the launcher proved."""
    async with desk(postgres, SimPlanner(_silent), extra='[isolation]\nreport_file = "report.json"\n') as on:
        status = (await on.client.get("/api/status")).json()
        assert status["back_ends"] == {"planner": "rules", "reader": "extractive", "source": "corpus"}
        assert status["peers"] == {"gate": "reachable", "planner": "reachable", "validator": "reachable"}
        assert status["isolation"]["enforced"] is False
        isolation = on.config.isolation
        assert isolation is not None
        isolation.report_file.write_text(json.dumps({"enforced": True, "minds": {}}))
        assert (await on.client.get("/api/status")).json()["isolation"] == {"enforced": True, "minds": {}}


async def test_migrations_are_applied_once_and_must_not_change(postgres: PostgresForTests) -> None:
    """A second start changes nothing; a changed or an unknown record stops the start."""
    async with console_database(postgres) as dsn:
        assert migrate(dsn) == len(shipped())
        assert migrate(dsn) == 0
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("UPDATE console.migration SET sha256 = ''")
            with pytest.raises(MigrationError, match="changed"):
                migrate(dsn)
            connection.execute("UPDATE console.migration SET number = number + 998")
            with pytest.raises(MigrationError, match="newer"):
                migrate(dsn)


async def _process(config: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", "doublethink_console", "serve", "--config", str(config),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env={},
    )  # fmt: skip


async def test_the_process_serves_and_ends_on_a_signal(postgres: PostgresForTests) -> None:
    """It starts without its peers, shows metrics, and leaves with code 0, also while streams are open."""
    with short_folder() as folder:
        async with console_database(postgres) as dsn:
            file, token = write_config(Place(folder), dsn)
            process = await _process(file)
            assert process.stderr is not None
            async for line in process.stderr:
                if json.loads(line)["event"] == "server_started":
                    break
            async with httpx.AsyncClient(
                transport=httpx.AsyncHTTPTransport(uds=str(folder / "http.sock")),
                base_url="http://localhost",
                headers={"authorization": f"Bearer {token}"},
                trust_env=False,
            ) as client:
                status = (await client.get("/api/status")).json()
                assert status["peers"]["gate"] == "unreachable"
                metrics = httpx.AsyncHTTPTransport(uds=str(folder / "metrics.sock"))
                async with httpx.AsyncClient(transport=metrics, base_url="http://localhost") as scraper:
                    assert "console_requests_total" in (await scraper.get("/metrics")).text
                async with client.stream("GET", "/api/ledger/tail") as response:
                    assert await anext(response.aiter_lines()) == ": open"
                    process.send_signal(signal.SIGTERM)
                    assert await process.wait() == 0


@pytest.mark.parametrize("missing", ["token", "dsn", "keys/one.key"])
async def test_a_start_without_its_files_is_one_clear_error(postgres: PostgresForTests, missing: str) -> None:
    """Exit code 2, one line that names the file, no traceback."""
    with short_folder() as folder:
        file, _ = write_config(Place(folder), "postgresql://nobody@localhost:1/none")
        (folder / missing).unlink()
        process = await _process(file)
        _, stderr = await process.communicate()
        assert process.returncode == 2
        (line,) = stderr.decode().strip().splitlines()
        assert line.startswith("console: ")
        assert missing.partition("/")[0] in line


async def test_a_start_without_its_database_says_so(postgres: PostgresForTests) -> None:
    """Exit code 4, and nothing of the connection string."""
    with short_folder() as folder:
        file, _ = write_config(Place(folder), "postgresql://somebody:hunter2@127.0.0.1:1/none")
        process = await _process(file)
        _, stderr = await process.communicate()
        assert process.returncode == 4
        assert b"database does not answer" in stderr
        assert b"hunter2" not in stderr
