"""A console for tests: its database, its keys and stand-in peers, spoken to over its socket."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
from doublethink_console.config import Config, load_config
from doublethink_console.http.listener import HttpListener
from doublethink_console.service import Console, running_console
from doublethink_sdk.postgres.layout import CONSOLE, Database
from doublethink_sdk.postgres.provision import make_database
from psycopg import sql
from sim.database import PostgresForTests
from sim.identity import Provider, oidc_toml
from sim.minds import (
    Place,
    SimPlanner,
    SimWorld,
    gate_services,
    planner_services,
    serving,
    short_folder,
    validator_services,
)

MEMO = "Codename Nordwind. Our client Bramblewick Holdings offers $58.75 per share for the pump maker."
CASE = {
    "title": "Project Nordwind",
    "memo": MEMO,
    "secrets": [
        {"class": "code", "value": "Nordwind", "aliases": ["North Wind"]},
        {"class": "name", "value": "Bramblewick Holdings"},
        {"class": "number", "value": "$58.75"},
    ],
    "public_terms": ["Halvorsen Pumps"],
}
QUESTION = "What were Halvorsen Pumps' net sales in fiscal 2023?"


@dataclass
class Desk:
    """A running console and a client that holds its token."""

    config: Config
    console: Console
    client: httpx.AsyncClient
    token: str
    world: SimWorld
    dsn: str

    async def case(self) -> str:
        """Store the sample case and return its id."""
        response = await self.client.post("/api/cases", json=CASE)
        response.raise_for_status()
        return str(response.json()["id"])

    async def start(self, case: str, question: str = QUESTION, **fields: Any) -> str:
        """Start a run and return its id."""
        body = {"case_id": case, "question": question, **fields}
        response = await self.client.post("/api/runs", json=body)
        response.raise_for_status()
        return str(response.json()["id"])

    async def events(self, run: str, after: str = "") -> list[dict[str, Any]]:
        """All events of a run, up to its end."""
        headers = {"last-event-id": after} if after else {}
        return [event async for event in self.stream(f"/api/runs/{run}/events", headers)]

    async def stream(self, path: str, headers: dict[str, str] | None = None) -> AsyncIterator[dict[str, Any]]:
        """The data of server-sent events, each with its id and name under "id" and "event"."""
        async with self.client.stream("GET", path, headers=headers or {}) as response:
            response.raise_for_status()
            fields: dict[str, str] = {}
            async for line in response.aiter_lines():
                if not line:
                    if "data" in fields:
                        yield {
                            "sse_id": fields["id"],
                            "sse_event": fields["event"],
                            **json.loads(fields["data"]),
                        }
                    fields = {}
                elif not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    fields[name] = value

    async def run(self, run: str) -> dict[str, Any]:
        """A run as JSON."""
        response = await self.client.get(f"/api/runs/{run}")
        response.raise_for_status()
        return dict(response.json())


@asynccontextmanager
async def console_database(postgres: PostgresForTests) -> AsyncIterator[str]:
    """The connection string of an empty database of the console's own."""
    name = f"console_{secrets.token_hex(4)}"
    with psycopg.connect(postgres.server.admin_dsn(), autocommit=True) as connection:
        make_database(connection, Database(name, CONSOLE, (CONSOLE,)))
    try:
        yield postgres.server.dsn(CONSOLE, name)
    finally:
        with psycopg.connect(postgres.server.admin_dsn(), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


LAUNCH_TOKEN = '[access]\ntoken_file = "token"\n'


def write_config(place: Place, dsn: str, extra: str = "", access: str = LAUNCH_TOKEN) -> tuple[Path, str]:
    """A console's configuration with its files; its path and the token. access: the sections that say who comes in."""
    folder = place.folder
    token = secrets.token_hex(32)
    (folder / "keys").mkdir(exist_ok=True)
    for name, text in (("keys/one.key", secrets.token_hex(32)), ("token", token), ("dsn", dsn)):
        path = folder / name
        if not path.exists():
            path.write_text(text)
            path.chmod(0o600)
    file = folder / "console.toml"
    file.write_text(
        f'[listen]\nhttp = "unix:{folder}/http.sock"\nhealth = "{place.address("console", "health")}"\n'
        f'metrics = "unix:{folder}/metrics.sock"\n'
        + place.peers_toml("console", ("gate", "planner", "validator"))
        + '[database]\ndsn_file = "dsn"\n[keys]\ndirectory = "keys"\n'
        + access
        + extra
    )
    return file, (folder / "token").read_text()


@asynccontextmanager
async def running_desk(
    place: Place, dsn: str, world: SimWorld, extra: str = "", access: str = LAUNCH_TOKEN
) -> AsyncIterator[Desk]:
    """A console over the files of `place`; its peers are the caller's business."""
    file, token = write_config(place, dsn, extra, access)
    config = load_config(file)
    async with running_console(config) as console:
        listener = HttpListener(config.listen.http, console.app)
        await listener.start()
        try:
            async with httpx.AsyncClient(
                transport=httpx.AsyncHTTPTransport(uds=config.listen.http.removeprefix("unix:")),
                base_url="http://localhost",
                headers={"authorization": f"Bearer {token}"},
                timeout=30.0,
                trust_env=False,
            ) as client:
                yield Desk(config, console, client, token, world, dsn)
        finally:
            console.tools.hub.stop()
            await listener.stop()


@asynccontextmanager
async def desk(
    postgres: PostgresForTests,
    planner: SimPlanner,
    world: SimWorld | None = None,
    extra: str = "",
    provider: Provider | None = None,
) -> AsyncIterator[Desk]:
    """A console with a database of its own and all its peers. provider: whose people it lets in, instead of the launch
    token's holder.
    """
    known = world or SimWorld()
    with short_folder() as folder:
        place = Place(folder)
        if provider is not None:
            provider.write(folder / "jwks.json")
        access = LAUNCH_TOKEN if provider is None else oidc_toml()
        async with (
            console_database(postgres) as dsn,
            serving(
                place.server("gate", gate_services(known)),
                place.server("validator", validator_services(known)),
                place.server("planner", planner_services(planner)),
            ),
            running_desk(place, dsn, known, extra, access) as running,
        ):
            yield running
