"""I9: API keys exist in the gate alone, and never leave it but in the header that they are for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sim.database import GateDatabase
from sim.gate import NORDWIND, gate_process, pack_of
from sim.scan import everything_stored
from sim.web import SimAnswer
from sim.world import World, outside, refused

KEYS = ("sk-model-key-of-the-simulator", "tvly-source-key-of-the-simulator")
SERVICES = Path(__file__).parents[2] / "services"


@pytest.mark.postgres
async def test_keys_stay_in_the_gate(gate_database: GateDatabase) -> None:
    """No key is in arguments, environment, log, metrics, payloads or database, in good times and bad."""
    async with outside(gate_database.dsn()) as world, gate_process(world.files) as gate:
        client = world.client
        session = await client.open(pack_of(NORDWIND))
        found = await client.search(session, "Halvorsen Pumps revenue")
        query, first, _ = await client.fetch(session, found.query_id)
        reader = query.query.reader_capability
        await client.complete(reader, found.query_id, [first.page.page_id])
        world.source.hook = lambda request: SimAnswer(401)
        world.model.status = 401
        assert await refused(client.search(session, "pumps")) == "ERROR_CODE_PROVIDER_REFUSED"
        call = client.complete(reader, found.query_id, [first.page.page_id])
        assert await refused(call) == "ERROR_CODE_PROVIDER_REFUSED"
        payloads = [
            await client.payload(session, row.id)
            for row, body in zip(await client.rows(session), await client.bodies(session), strict=True)
            if body["kind"] == "attempt"
        ]
        process = Path("/proc") / str(gate.pid)
        texts = {
            "arguments": (process / "cmdline").read_bytes(),
            "environment": (process / "environ").read_bytes(),
            "log": "".join(gate.log).encode(),
            "metrics": await metrics_of(world),
            "payloads": b"".join(payloads),
            "rows": b"".join(row.body for row in await client.rows(session)),
            "database": everything_stored(gate_database),
        }
        await client.close()
        # The positive control: both keys did go out, each in its own header.
        assert world.web.seen[0].header("authorization") == f"Bearer {KEYS[1]}"
        assert world.model_web.seen[0].header("authorization") == f"Bearer {KEYS[0]}"
        assert b'gate_attempts_total{method="search",verdict="allow"} 2.0' in texts["metrics"]
        for name, text in texts.items():
            for key in KEYS:
                assert key.encode() not in text, name
        for key, other in ((KEYS[0], world.web), (KEYS[1], world.model_web)):
            assert key.encode() not in other.everything_seen()


async def metrics_of(world: World) -> bytes:
    """The gate's metrics page."""
    reader, writer = await asyncio.open_unix_connection(world.files.folder / "metrics0.sock")
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n")
    page = await reader.read()
    writer.close()
    await writer.wait_closed()
    return page


def test_no_other_service_has_a_place_for_a_key() -> None:
    """The words for a provider's key stand in the gate's source, and in no other service's.

    The planner's client of local servers must be given a key: it gets the word "none", and no other.
    """
    words = ("api_key", "x-api-key", "anthropic", "tavily.com")
    no_key = 'api_key="none"'
    holders = {
        path.relative_to(SERVICES).parts[0]
        for path in SERVICES.glob("*/src/**/*.py")
        if any(word in path.read_text(encoding="utf-8").lower().replace(no_key, "") for word in words)
    }
    assert holders == {"gate"}
