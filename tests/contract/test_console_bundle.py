"""The console's route for bundles: who gets one, of what, and what a request may hold."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from doublethink.gate.v1 import proof_pb2
from doublethink.planner.v1 import research_pb2 as research
from doublethink_ledger import Checkpoint, TlogProof, inclusion_proof, over, parse_bundle, range_root
from doublethink_ledger.bundle import session_bytes
from doublethink_rpc import Call
from sim import bundles
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


class SimProofs:
    """The gate's ProofService over the stand-in's rows, which form a log of one session."""

    def __init__(self, world: SimWorld) -> None:
        self._world = world
        self.state = proof_pb2.PROOF_STATE_PROVEN

    async def ProveSession(  # noqa: N802 - the contract's name
        self, request: proof_pb2.ProveSessionRequest, call: Call
    ) -> proof_pb2.ProveSessionResponse:
        """The proof of the newest row."""
        rows = self._world.of(call.capability, "console").rows
        last = len(rows) - 1
        if self.state != proof_pb2.PROOF_STATE_PROVEN:
            return proof_pb2.ProveSessionResponse(state=self.state, newest_n=last)
        leaves = [row.hash for row in rows]
        signed = Checkpoint(bundles.ORIGIN, len(rows), range_root(leaves)).sign(bundles.key())
        return proof_pb2.ProveSessionResponse(
            state=self.state,
            newest_n=last,
            last_n=last,
            index=last,
            checkpoint=signed,
            path=inclusion_proof(over(leaves), last, len(rows)),
        )


async def _silent(request: research.ResearchRequest) -> AsyncIterator[research.ResearchEvent]:
    yield research.ResearchEvent(index=0, plan=research.Plan(status=research.PLAN_STATUS_NOT_FOUND))


class Proving:
    """A desk whose gate proves, and a session on it that has ended."""

    def __init__(self, desk: Desk, proofs: SimProofs, session: str) -> None:
        self.desk, self.proofs, self.session = desk, proofs, session

    async def export(self, body: Any = None, session: str | None = None) -> Any:
        """The answer to a request for a bundle."""
        path = f"/api/sessions/{session or self.session}/bundle"
        return await self.desk.client.post(path, json={} if body is None else body)


@pytest.fixture
async def on(postgres: PostgresForTests) -> AsyncIterator[Proving]:
    """One finished run."""
    world = SimWorld()
    proofs = SimProofs(world)
    with short_folder() as folder:
        place = Place(folder)
        proving = (proof_pb2.DESCRIPTOR.services_by_name["ProofService"], proofs)
        async with (
            console_database(postgres) as dsn,
            serving(
                place.server("gate", [*gate_services(world), proving]),
                place.server("validator", validator_services(world)),
                place.server("planner", planner_services(SimPlanner(_silent))),
            ),
            running_desk(place, dsn, world) as running,
        ):
            await running.events(await running.start(await running.case()))
            assert world.sessions[0].closed
            yield Proving(running, proofs, world.sessions[0].id)


async def test_a_finished_session_is_exported(on: Proving) -> None:
    """Its owner's capability is kept beyond its end: every row is in the bundle, and the proof as the gate gave it."""
    response = await on.export()
    assert (response.status_code, response.headers["content-type"]) == (200, "application/octet-stream")
    assert response.headers["cache-control"] == "no-store"
    bundle = parse_bundle(response.content)
    rows = on.desk.world.sessions[0].rows
    assert bundle.session == session_bytes(on.session)
    assert [(row.n, row.hash, row.body) for row in bundle.rows] == [
        (row.n, row.hash, row.body) for row in rows
    ]
    assert isinstance(bundle.proof, TlogProof)
    assert bundle.proof.index == len(rows) - 1


@pytest.mark.parametrize(
    "body",
    [
        [],
        {"key": "x"},
        {"opened": "yes"},
        {"opened": 1},
        {"wait_s": 61},
        {"wait_s": -1},
        {"wait_s": True},
        {"since": ""},
        {"since": 1},
        {"since": "x"},
        {"since": "x" * 70_000},
    ],
    ids=lambda body: str(body)[:30],
)
async def test_a_bad_request_is_refused(on: Proving, body: Any) -> None:
    """Unknown keys, other types, a checkpoint that is none: 400, in words, and no value of it."""
    response = await on.export(body)
    assert response.status_code == 400
    assert set(response.json()) == {"error"}


@pytest.mark.parametrize("session", ["x", "ses_x", f"ses_{'a' * 26}", f"SES_{'a' * 26}"])
async def test_another_session_is_not_there(on: Proving, session: str) -> None:
    """An id that is none and one that this console does not own look the same."""
    assert (await on.export(session=session)).status_code == 404


@pytest.mark.parametrize(
    "state",
    [proof_pb2.PROOF_STATE_NOT_SEALED, proof_pb2.PROOF_STATE_ROWS_MISSING, proof_pb2.PROOF_STATE_BEHIND],
)
async def test_what_cannot_be_proven_is_an_answer_in_words(on: Proving, state: proof_pb2.ProofState) -> None:
    """409 with the reason, and no bundle is begun."""
    on.proofs.state = state
    response = await on.export({"wait_s": 0})
    assert response.status_code == 409
    assert len(response.json()["error"]) > 40


async def test_openings_that_the_gate_does_not_offer_are_an_answer_too(on: Proving) -> None:
    """What fails before the first line is no bundle that is cut: 503, in words."""
    response = await on.export({"opened": True})
    assert response.status_code == 503
    assert set(response.json()) == {"error"}


async def test_only_who_holds_the_token_gets_a_bundle(on: Proving) -> None:
    """Without the token 401; by GET there is nothing."""
    client = on.desk.client
    path = f"/api/sessions/{on.session}/bundle"
    assert (await client.post(path, json={}, headers={"authorization": "Bearer x"})).status_code == 401
    assert (await client.get(path)).status_code == 405
