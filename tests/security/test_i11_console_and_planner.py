"""I11: nothing that a console or a planner writes, shows to a scraper, or hands to the system holds a secret.

Both run as the processes they are in use, through a run that answers, one that the gate stops, one that
fails, and requests that are refused. Everything they put out is kept and searched, and so are addresses,
argument lists and environments. A planted control shows that the search finds what it looks for.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import httpx
import psutil
import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from sim.database import PostgresForTests
from sim.desk import console_database, write_config
from sim.minds import Place, SimWorld, gate_services, serving, short_folder, validator_services

pytestmark = pytest.mark.postgres

CASE = {
    "title": "Quartzfinch dossier",
    "memo": (
        "Codename Quartzfinch. Our client Bramblewick Holdings offers $58.75 per share; Zephyra Quillfeather "
        "signs on 14 February 2027. The sentence that must not leave is: the founders want out by summer."
    ),
    "secrets": [
        {"class": "code", "value": "Quartzfinch"},
        {"class": "name", "value": "Bramblewick Holdings"},
        {"class": "name", "value": "Zephyra Quillfeather"},
        {"class": "number", "value": "$58.75"},
        {"class": "date", "value": "14 February 2027"},
        {"class": "phrase", "value": "the founders want out by summer"},
    ],
    "public_terms": ["Halvorsen Pumps"],
    "canaries": ["vqz7mkt2whd9xrp4sgbn"],
}
QUESTION = "For Project Quartzfinch, what were Halvorsen Pumps' net sales in fiscal 2023?"
SECRETS = (
    "Quartzfinch", "Bramblewick", "Quillfeather", "58.75", "14 February 2027", "founders want out",
    "vqz7mkt2whd9xrp4sgbn", "Halvorsen", "net sales", "dossier",
)  # fmt: skip


@dataclass
class Seen:
    """What was put out, by where."""

    text: dict[str, str] = field(default_factory=dict)

    def add(self, where: str, text: str) -> None:
        """Keep something that was put out."""
        self.text[where] = self.text.get(where, "") + text

    def leaks(self, words: tuple[str, ...]) -> list[tuple[str, str]]:
        """Where one of the words stands, in plain, URL-encoded or reversed, whatever its case."""
        found = []
        for where, text in self.text.items():
            lowered = text.lower()
            for word in words:
                plain = word.lower()
                if any(form in lowered for form in (plain, quote(plain).lower(), plain[::-1])):
                    found.append((where, word))
        return found


def _wait_until_serving(log: Path) -> None:
    """Return when the log says that the process serves."""
    for _ in range(600):
        if "server_started" in log.read_text():
            return
        time.sleep(0.05)
    pytest.fail(f"the process does not serve: {log.read_text()}")


@asynccontextmanager
async def process(service: str, config: Path, log: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """A service's process, its output in a file, once it has said that it serves."""
    with log.open("wb") as output:
        running = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-m", f"doublethink_{service}", "serve", "--config", str(config),
            stdout=output, stderr=output, env={},
        )  # fmt: skip
    try:
        await asyncio.to_thread(_wait_until_serving, log)
        yield running
    finally:
        running.terminate()
        await running.wait()


@dataclass
class Stage:
    """The two processes and a client of the console."""

    client: httpx.AsyncClient
    world: SimWorld
    seen: Seen
    pids: tuple[int, int]

    async def ask(self, case: str, question: str, planner: str = "rules") -> dict[str, object]:
        """Ask, follow the run to its end, and keep its steps: they are ids and words of our own."""
        body = {"case_id": case, "question": question, "planner": planner}
        started = await self.client.post("/api/runs", json=body)
        run = started.json()["id"]
        async with self.client.stream("GET", f"/api/runs/{run}/events") as response:
            async for line in response.aiter_lines():
                self.seen.add("events", line)
                self.look_at_processes()
        return dict((await self.client.get(f"/api/runs/{run}")).json())

    def look_at_processes(self) -> None:
        """Keep the argument lists and environments of both processes and of their workers."""
        for pid in self.pids:
            parent = psutil.Process(pid)
            for one in (parent, *parent.children(recursive=True)):
                try:
                    self.seen.add("argv", " ".join(one.cmdline()))
                    self.seen.add("environ", json.dumps(one.environ()))
                except psutil.NoSuchProcess:
                    continue


@asynccontextmanager
async def stage(postgres: PostgresForTests) -> AsyncIterator[Stage]:
    """Console and planner as processes, gate and validator as stand-ins."""
    seen, world = Seen(), SimWorld(numbers={"net sales": 125})

    async def note(request: httpx.Request) -> None:
        seen.add("urls", str(request.url))

    with short_folder() as folder:
        place = Place(folder)
        planner = folder / "planner.toml"
        planner.write_text(
            f'[listen]\nrpc = "{place.address("planner")}"\nhealth = "{place.address("planner", "health")}"\n'
            f'metrics = "unix:{folder}/planner-metrics.sock"\n'
            + place.peers_toml("planner", ("gate", "validator"))
            + "[planner]\nallow_careless = true\n"
        )
        async with console_database(postgres) as dsn:
            console, token = write_config(place, dsn)
            logs = {name: folder / f"{name}.log" for name in ("planner", "console")}
            async with (
                serving(
                    place.server("gate", gate_services(world)),
                    place.server("validator", validator_services(world)),
                ),
                process("planner", planner, logs["planner"]) as first,
                process("console", console, logs["console"]) as second,
                httpx.AsyncClient(
                    transport=httpx.AsyncHTTPTransport(uds=str(folder / "http.sock")),
                    base_url="http://localhost",
                    headers={"authorization": f"Bearer {token}"},
                    event_hooks={"request": [note]},
                    timeout=60.0,
                    trust_env=False,
                ) as client,
            ):
                yield Stage(client, world, seen, (first.pid, second.pid))
                for name in logs:
                    sock = folder / ("metrics.sock" if name == "console" else f"{name}-metrics.sock")
                    transport = httpx.AsyncHTTPTransport(uds=str(sock))
                    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as scraper:
                        seen.add(f"{name} metrics", (await scraper.get("/metrics")).text)
            for name, log in logs.items():
                seen.add(f"{name} log", log.read_text())


async def test_nothing_put_out_holds_a_secret(postgres: PostgresForTests) -> None:
    """Logs, metrics, errors, events, addresses, arguments and environments of whole runs."""
    async with stage(postgres) as on:
        case = (await on.client.post("/api/cases", json=CASE)).json()["id"]
        answered = await on.ask(case, QUESTION)
        assert answered["status"] == "answered"
        on.world.judge = lambda query: errors.ERROR_CODE_BLOCKED if "Quartzfinch" in query else 0
        stopped = await on.ask(case, QUESTION, planner="careless")
        assert stopped["status"] == "answered"
        assert any("Quartzfinch" in query for query in on.world.searched), "the double must have tried"
        on.world.judge = lambda query: errors.ERROR_CODE_SOURCE_UNAVAILABLE
        assert (await on.ask(case, QUESTION))["status"] == "failed"
        assert (await on.ask(case, "What was Quartzfinch's revenue in 2023?"))["status"] == "refused"
        for body in (
            {**CASE, "Quartzfinch": 1},
            {"yaml": "title: Quartzfinch\n  memo: [Bramblewick"},
            {"yaml": "title: x\nQuillfeather: 58.75\n"},
            {**CASE, "secrets": [{"class": "Quartzfinch", "value": "58.75"}]},
            {**CASE, "secrets": [{"class": "date", "value": "Quartzfinch"}]},
        ):
            response = await on.client.post("/api/cases", json=body)
            assert response.status_code in (400, 422)
            on.seen.add("errors", response.text)
        for path in ("/api/runs/Quartzfinch", "/api/cases/Bramblewick", "/api/Quillfeather"):
            # The address is the asker's own; what matters is what comes back and what is logged.
            response = await on.client.get(path)
            on.seen.add("errors", response.text + str(response.headers))
        refused = await on.client.get("/api/status", headers={"authorization": "Bearer Quartzfinch"})
        on.seen.add("errors", refused.text)
        on.seen.text["urls"] = re.sub(
            r"/api/\S*?(?:Quartzfinch|Bramblewick|Quillfeather)", "", on.seen.text["urls"]
        )
    assert {"planner log", "console log", "planner metrics", "console metrics", "argv", "environ"} <= set(
        on.seen.text
    )
    assert "research_started" in on.seen.text["planner log"]
    assert "careless_back_end_used" in on.seen.text["planner log"]
    assert "run_ended" in on.seen.text["console log"]
    assert "doublethink_planner.worker" in on.seen.text["argv"]
    assert on.seen.leaks(SECRETS) == []
    on.seen.add("control", "bare%20bramblewick and hcnifztrauQ")
    assert on.seen.leaks(SECRETS) == [("control", "Quartzfinch"), ("control", "Bramblewick")]


async def test_the_log_holds_no_refused_value(postgres: PostgresForTests) -> None:
    """Every record was made of names, numbers and ids to begin with: nothing had to be taken out of one."""
    async with stage(postgres) as on:
        case = (await on.client.post("/api/cases", json=CASE)).json()["id"]
        await on.ask(case, QUESTION)
    for name in ("planner log", "console log"):
        records = [json.loads(line) for line in on.seen.text[name].splitlines()]
        assert records
        assert not [record for record in records if "[refused]" in record.values()]
