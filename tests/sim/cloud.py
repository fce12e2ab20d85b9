"""A real gate, reader and validator over a stand-in for the cloud model, ready for a test to look into."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.reader.v1 import reading_pb2
from doublethink.validator.v1 import examination_pb2
from doublethink_reader.service import Extractive, Model, ReadingService
from doublethink_rpc import Peer, Server, ServerConfig
from doublethink_validator.gate import GatePeer
from doublethink_validator.reader import ReaderPeer
from doublethink_validator.service import ExaminationService
from sim.claude_server import ClaudeServer, claude_server
from sim.gate import NORDWIND, GateClient, GateFiles, Opened, gate_running, pack_of, short_folder
from sim.source import SimPage, SimSource
from sim.web import SimWeb, serving

QUERY = "Halvorsen Pumps revenue fiscal 2024"
REPORT = SimPage(
    "https://www.sec.gov/halvorsen-10k.html",
    "Halvorsen Pumps, Inc.",
    "<html><head><title>Halvorsen Pumps, Inc.</title></head><body><h1>HALVORSEN PUMPS, INC.</h1>"
    "<p>Revenue was $42,916 million in fiscal 2024.</p></body></html>",
)
QUICK = {"retry_wait_s": 0.01, "longest_wait_s": 2}


@dataclass
class Cloud:
    """The services and the stand-in, with one session that has made one search."""

    files: GateFiles
    client: GateClient
    claude: ClaudeServer
    validator: Peer
    session: Opened
    query_id: str
    web: SimWeb

    async def examine(self) -> examination_pb2.ExamineResponse:
        """Have the query's pages examined, as the planner does."""
        return await self.validator.call(
            "doublethink.validator.v1.ExaminationService/Examine",
            examination_pb2.ExamineRequest(
                query_id=self.query_id,
                unit_class=figures.UNIT_CLASS_CURRENCY,
                period=figures.Period(
                    kind=figures.PERIOD_KIND_FISCAL, year=2024, part=figures.PERIOD_PART_YEAR
                ),
                pages=4,
            ),
            examination_pb2.ExamineResponse,
            capability=self.session.validator,
        )

    async def outcomes(self) -> list[dict[str, Any]]:
        """What the ledger says of each completion: its attempt and its outcome together."""
        bodies = await self.client.bodies(self.session)
        rows = await self.client.rows(self.session)
        told = {body["of"]: body for body in bodies if body["kind"] == "outcome"}
        return [
            {"verdict": body["verdict"], "rules": body["rules"], **told.get(str(uuid.UUID(bytes=row.id)), {})}
            for row, body in zip(rows, bodies, strict=True)
            if body["kind"] == "attempt" and body["method"] == "complete"
        ]

    async def facts(self) -> int:
        """How many facts were let in."""
        return sum(body["kind"] == "fact" for body in await self.client.bodies(self.session))


@asynccontextmanager
async def cloud_of(
    dsn: str, *modes: str, pages: tuple[SimPage, ...] = (REPORT,), extractive: bool = False, **files: Any
) -> AsyncIterator[Cloud]:
    """Everything that stands between a query and a fact, with a stand-in in these modes, one after the other.

    extractive: the reader asks no model, and the stand-in is not called.
    """
    files.setdefault("limits", QUICK)
    with ExitStack() as plain:
        folder = plain.enter_context(short_folder())
        claude = plain.enter_context(claude_server(*modes, key="sk-model-key-of-the-simulator"))
        async with serving(SimSource(list(pages))) as web:
            made = GateFiles(folder, dsn, web.url, claude.address, **files)
            async with gate_running(made) as client:
                reader = _server(
                    made,
                    "reader",
                    reading_pb2,
                    "ReadingService",
                    ReadingService(Extractive() if extractive else Model(client.peer("reader"))),
                )
                to_reader = Peer(_socket(made, "reader"), "reader", made.tls["validator"], "validator")
                examination = ExaminationService(GatePeer(client.peer("validator")), ReaderPeer(to_reader))
                validator = _server(made, "validator", examination_pb2, "ExaminationService", examination)
                to_validator = Peer(_socket(made, "validator"), "validator", made.tls["planner"], "planner")
                await reader.start()
                await validator.start()
                try:
                    session = await client.open(pack_of(NORDWIND))
                    found = await client.search(session, QUERY)
                    yield Cloud(made, client, claude, to_validator, session, found.query_id, web)
                finally:
                    await to_validator.close()
                    await validator.stop(0)
                    await to_reader.close()
                    await reader.stop(0)


def _socket(files: GateFiles, role: str) -> str:
    return f"unix:{files.folder}/{role}.sock"


def _server(files: GateFiles, role: str, contract: Any, service: str, handler: object) -> Server:
    config = ServerConfig(
        role,
        _socket(files, role),
        files.tls[role],
        f"unix:{files.folder}/{role}-h.sock",
        f"unix:{files.folder}/{role}-m.sock",
    )
    return Server(config, [(contract.DESCRIPTOR.services_by_name[service], handler)])
