"""What the console asks of the gate, the planner and the validator."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from doublethink.gate.v1 import approval_pb2 as approval
from doublethink.gate.v1 import ledger_pb2 as ledger
from doublethink.gate.v1 import log_pb2 as log
from doublethink.gate.v1 import opening_pb2 as opening
from doublethink.gate.v1 import proof_pb2 as proof
from doublethink.gate.v1 import recording_pb2 as recording
from doublethink.gate.v1 import session_pb2 as session
from doublethink.planner.v1 import research_pb2 as research
from doublethink.validator.v1 import composition_pb2 as composition
from doublethink_rpc import Peer

from .config import Config


class Peers:
    """Three channels. Every method raises RpcError."""

    def __init__(self, config: Config) -> None:
        self._gate = Peer(config.peers.gate, "gate", config.tls, "console")
        self._planner = Peer(config.peers.planner, "planner", config.tls, "console")
        self._validator = Peer(config.peers.validator, "validator", config.tls, "console")

    async def open_session(self, request: session.OpenSessionRequest) -> session.OpenSessionResponse:
        """A new session and its three capabilities."""
        return await self._gate.call(
            "doublethink.gate.v1.SessionService/OpenSession", request, session.OpenSessionResponse
        )

    async def close_session(self, capability: bytes) -> session.CloseSessionResponse:
        """End a session."""
        return await self._gate.call(
            "doublethink.gate.v1.SessionService/CloseSession",
            session.CloseSessionRequest(),
            session.CloseSessionResponse,
            capability=capability,
        )

    def rows(
        self, capability: bytes, after_n: int, *, follow: bool
    ) -> AsyncIterator[ledger.ListRowsResponse]:
        """The rows of a session; with `follow` until it closes."""
        return self._gate.stream(
            "doublethink.gate.v1.LedgerService/ListRows",
            ledger.ListRowsRequest(after_n=after_n, follow=follow),
            ledger.ListRowsResponse,
            capability=capability,
        )

    def log(self, request: log.ListLogRequest) -> AsyncIterator[log.ListLogResponse]:
        """Rows of all sessions, in the order of the log."""
        return self._gate.stream("doublethink.gate.v1.LogService/ListLog", request, log.ListLogResponse)

    def openings(self, capability: bytes, after_n: int) -> AsyncIterator[opening.OpenPayloadsResponse]:
        """Payloads of a session with their nonces; each is a row in the ledger before it comes."""
        return self._gate.stream(
            "doublethink.gate.v1.OpeningService/OpenPayloads",
            opening.OpenPayloadsRequest(after_n=after_n),
            opening.OpenPayloadsResponse,
            capability=capability,
        )

    def recording(self, capability: bytes, pack: bytes) -> AsyncIterator[recording.RecordSessionResponse]:
        """A session's recording in pieces, or why there is none."""
        return self._gate.stream(
            "doublethink.gate.v1.RecordingService/RecordSession",
            recording.RecordSessionRequest(fingerprint_pack=pack),
            recording.RecordSessionResponse,
            capability=capability,
        )

    async def prove(self, capability: bytes, since_size: int) -> proof.ProveSessionResponse:
        """The proof that a session's rows are in the signed log."""
        return await self._gate.call(
            "doublethink.gate.v1.ProofService/ProveSession",
            proof.ProveSessionRequest(since_size=since_size),
            proof.ProveSessionResponse,
            capability=capability,
        )

    async def payload(self, capability: bytes, row_id: bytes) -> bytes:
        """The bytes of an attempt that was allowed to leave."""
        opened = await self._gate.call(
            "doublethink.gate.v1.LedgerService/OpenPayload",
            ledger.OpenPayloadRequest(row_id=row_id),
            ledger.OpenPayloadResponse,
            capability=capability,
        )
        return opened.payload

    async def explain(self, capability: bytes, row_id: bytes) -> ledger.ExplainAttemptResponse:
        """Why an attempt did not go as it was."""
        return await self._gate.call(
            "doublethink.gate.v1.LedgerService/ExplainAttempt",
            ledger.ExplainAttemptRequest(row_id=row_id),
            ledger.ExplainAttemptResponse,
            capability=capability,
        )

    async def holds(self, capability: bytes) -> list[approval.Hold]:
        """The searches of a session that wait for a person."""
        listed = await self._gate.call(
            "doublethink.gate.v1.ApprovalService/ListHolds",
            approval.ListHoldsRequest(),
            approval.ListHoldsResponse,
            capability=capability,
        )
        return list(listed.holds)

    async def decide(self, capability: bytes, decision: approval.DecideRequest) -> None:
        """Let a held search go, or refuse it."""
        await self._gate.call(
            "doublethink.gate.v1.ApprovalService/Decide",
            decision,
            approval.DecideResponse,
            capability=capability,
        )

    def research(
        self, capability: bytes, request: research.ResearchRequest
    ) -> AsyncIterator[research.ResearchResponse]:
        """The planner's events."""
        return self._planner.stream(
            "doublethink.planner.v1.ResearchService/Research",
            request,
            research.ResearchResponse,
            capability=capability,
        )

    async def compose(
        self, capability: bytes, request: composition.ComposeRequest
    ) -> composition.ComposeResponse:
        """The answer of a plan."""
        return await self._validator.call(
            "doublethink.validator.v1.CompositionService/Compose",
            request,
            composition.ComposeResponse,
            capability=capability,
        )

    async def close(self) -> None:
        """Close the channels."""
        await asyncio.gather(self._gate.close(), self._planner.close(), self._validator.close())
