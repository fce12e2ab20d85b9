"""RecordingService: a session that has ended as a file that answers the same questions again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from doublethink.gate.v1 import recording_pb2
from doublethink_ledger import Kind, Row
from doublethink_rpc import Call, log

from doublethink_gate import ledger
from doublethink_gate.errors import LedgerUnavailable
from doublethink_gate.ids import IdType, to_uuid
from doublethink_gate.ledger.openings import MAX_OPENINGS
from doublethink_gate.runtime import Runtime
from doublethink_gate.services import recorded
from doublethink_gate.services.authority import authorise
from doublethink_gate.services.messages import body_of
from doublethink_gate.services.recorded import Sent
from doublethink_gate.sessions.registry import read_pack
from doublethink_gate.sources import RecordingError, recording

_PIECE: Final = 1024 * 1024


class RecordingService:
    """The handler of `doublethink.gate.v1.RecordingService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def RecordSession(
        self, request: recording_pb2.RecordSessionRequest, call: Call
    ) -> AsyncIterator[recording_pb2.RecordSessionResponse]:
        """Look through what a session sent and got; then stream it as a recording, or say why not.

        Raises CapabilityRefused, Malformed for a pack that is none, LedgerUnavailable.
        """
        runtime = self._runtime
        grant = await authorise(runtime.store, call, runtime.clock(), closed_too=True)
        pack = await read_pack(request.fingerprint_pack)
        id = grant.session.id
        try:
            rows = await recorded.rows_of(runtime, to_uuid(IdType.SESSION, id))
            sent = recorded.sent_of(rows)
            refused = _unfit(rows, sent) or await self._looked_through(
                id, sent, recorded.Search(runtime.policy, pack)
            )
            if refused is not None:
                log().info("recording_refused", session=id, fault=refused.fault)
                yield recording_pb2.RecordSessionResponse(refused=refused)
                return
            await self._record_openings(sent)
            log().info("session_recorded", session=id, requests=len(sent))
            async for piece in self._pieces(id, grant.session.source, sent):
                yield piece
        except ledger.LedgerError as error:
            raise LedgerUnavailable from error

    async def _looked_through(
        self, session: str, sent: list[Sent], search: recorded.Search
    ) -> recording_pb2.RecordingRefused | None:
        """The first findings, or None. One exchange is held at a time."""
        findings = []
        try:
            for each in sent:
                exchange, texts = await recorded.exchange_of(self._runtime, session, each)
                rules = await asyncio.to_thread(search.findings, exchange, texts)
                findings += [recording_pb2.RecordingFinding(n=each.row.n, rule=rule) for rule in rules]
        except recorded.Erased:
            return recording_pb2.RecordingRefused(fault=recording_pb2.RECORDING_FAULT_ERASED)
        except recorded.TooOld:
            return recording_pb2.RecordingRefused(fault=recording_pb2.RECORDING_FAULT_TOO_OLD)
        if not findings:
            return None
        return recording_pb2.RecordingRefused(
            fault=recording_pb2.RECORDING_FAULT_FINDINGS, findings=findings[: recorded.MAX_FINDINGS]
        )

    async def _record_openings(self, sent: list[Sent]) -> None:
        """Write that payloads are given out, before any is."""
        opened = [row for each in sent for row in each.opened]
        for start in range(0, len(opened), MAX_OPENINGS):
            await self._runtime.openings.record(opened[start : start + MAX_OPENINGS])

    async def _pieces(
        self, session: str, source: str, sent: list[Sent]
    ) -> AsyncIterator[recording_pb2.RecordSessionResponse]:
        """The file. What is erased while it is written leaves it without its last line, and so no recording."""
        writer = recording.Writer(session, source, self._runtime.clock())
        try:
            for piece in _cut(writer.head()):
                yield piece
            for each in sent:
                exchange, _ = await recorded.exchange_of(self._runtime, session, each)
                for piece in _cut(writer.line(exchange)):
                    yield piece
        except (RecordingError, recorded.Erased, recorded.TooOld) as error:
            # Between the look through and here, or by what base64 adds.
            log().warning("recording_cut", session=session, error=error)
            return
        for piece in _cut(writer.end()):
            yield piece


def _cut(line: bytes) -> list[recording_pb2.RecordSessionResponse]:
    return [
        recording_pb2.RecordSessionResponse(
            piece=recording_pb2.RecordingPiece(data=line[start : start + _PIECE])
        )
        for start in range(0, len(line), _PIECE)
    ]


def _unfit(rows: list[Row], sent: list[Sent]) -> recording_pb2.RecordingRefused | None:
    """Why a session cannot be recorded, as far as its rows tell."""
    fault = recording_pb2.RECORDING_FAULT_UNSPECIFIED
    if not rows or body_of(rows[-1])["kind"] != Kind.SESSION_CLOSE:
        fault = recording_pb2.RECORDING_FAULT_OPEN
    elif not sent:
        fault = recording_pb2.RECORDING_FAULT_EMPTY
    elif recorded.is_too_large(sent):
        fault = recording_pb2.RECORDING_FAULT_TOO_LARGE
    return recording_pb2.RecordingRefused(fault=fault) if fault else None
