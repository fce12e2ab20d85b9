"""The console's route for recordings: whose, and what is said where there is none."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.gate.v1 import recording_pb2
from doublethink.planner.v1 import research_pb2 as research
from doublethink_fingerprint import decode_pack
from doublethink_rpc import Call, RpcError
from sim.database import PostgresForTests
from sim.desk import Desk, console_database, running_desk
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

pytestmark = pytest.mark.postgres


class SimRecordings:
    """The gate's RecordingService: gives what a test tells it to, after a look at who asks."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world
        self.given: list[recording_pb2.RecordSessionResponse] = []
        self.code = 0
        self.packs: list[bytes] = []

    async def RecordSession(  # noqa: N802 - the contract's name
        self, request: recording_pb2.RecordSessionRequest, call: Call
    ) -> AsyncIterator[recording_pb2.RecordSessionResponse]:
        """What was set."""
        self._world.of(call.capability, "console")
        self.packs.append(request.fingerprint_pack)
        if self.code:
            raise RpcError(self.code)
        for response in self.given:
            yield response


async def _silent(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
    yield research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))


def piece(data: bytes) -> recording_pb2.RecordSessionResponse:
    """A piece of the file."""
    return recording_pb2.RecordSessionResponse(piece=recording_pb2.RecordingPiece(data=data))


@pytest.fixture
async def on(postgres: PostgresForTests) -> AsyncIterator[tuple[Desk, SimRecordings, str]]:
    """A desk whose gate records, and a session on it that has ended."""
    world = SimWorld()
    recordings = SimRecordings(world)
    with short_folder() as folder:
        place = Place(folder)
        service = (recording_pb2.DESCRIPTOR.services_by_name["RecordingService"], recordings)
        async with (
            console_database(postgres) as dsn,
            serving(
                place.server("gate", [*gate_services(world), service]),
                place.server("validator", validator_services(world)),
                place.server("planner", planner_services(SimPlanner(_silent))),
            ),
            running_desk(place, dsn, world) as desk,
        ):
            run = await desk.start(await desk.case())
            await desk.events(run)
            yield desk, recordings, (await desk.run(run))["session"]


async def test_a_recording_comes_in_pieces(on: tuple[Desk, SimRecordings, str]) -> None:
    """The pieces are passed on as they are; the gate was given fingerprints of the case, and not the case."""
    desk, recordings, session = on
    recordings.given = [piece(b"one\n"), piece(b"two\n")]
    answer = await desk.client.post(f"/api/sessions/{session}/recording", json={})
    assert (answer.status_code, answer.content) == (200, b"one\ntwo\n")
    decode_pack(recordings.packs[0])
    assert b"Nordwind" not in recordings.packs[0]


@pytest.mark.parametrize("fault", [fault for fault in recording_pb2.RecordingFault.values() if fault])
async def test_a_refusal_is_told(on: tuple[Desk, SimRecordings, str], fault: int) -> None:
    """Every fault has words of its own; findings come with their rows and rules, the first eight of them."""
    desk, recordings, session = on
    findings = [recording_pb2.RecordingFinding(n=n, rule="secret.code") for n in range(10)]
    refused = recording_pb2.RecordingRefused(
        fault=fault,  # type: ignore[arg-type]  # of the enumeration's own values
        findings=findings if fault == recording_pb2.RECORDING_FAULT_FINDINGS else [],
    )
    recordings.given = [recording_pb2.RecordSessionResponse(refused=refused)]
    answer = await desk.client.post(f"/api/sessions/{session}/recording", json={})
    words = answer.json()["error"]
    assert answer.status_code == 409
    assert words != "The gate gives no recording."
    if fault == recording_pb2.RECORDING_FAULT_FINDINGS:
        assert "row 0 secret.code, row 1 secret.code" in words
        assert words.endswith("and 2 more.")


async def test_a_gate_that_fails_or_says_nothing(on: tuple[Desk, SimRecordings, str]) -> None:
    """503 with the reason, and 409: never an empty file."""
    desk, recordings, session = on
    path = f"/api/sessions/{session}/recording"
    assert (await desk.client.post(path, json={})).status_code == 409
    recordings.code = errors.ERROR_CODE_LEDGER_UNAVAILABLE
    assert (await desk.client.post(path, json={})).status_code == 503


async def test_only_a_session_of_this_console(on: tuple[Desk, SimRecordings, str]) -> None:
    """An unknown session is not there, and a body with anything in it is refused."""
    desk, _, session = on
    unknown = await desk.client.post(f"/api/sessions/ses_{'a' * 26}/recording", json={})
    assert unknown.status_code == 404
    more = await desk.client.post(f"/api/sessions/{session}/recording", json={"force": True})
    assert more.status_code == 400
