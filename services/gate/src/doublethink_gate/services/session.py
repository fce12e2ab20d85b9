"""SessionService: opens and closes sessions for the console."""

from __future__ import annotations

import re
import uuid
from typing import Final

from doublethink.gate.v1 import session_pb2
from doublethink_ledger import BodyValue, Kind
from doublethink_rpc import Call, log

from doublethink_gate.errors import Malformed
from doublethink_gate.ids import IdType, from_bytes
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise
from doublethink_gate.sessions import capabilities
from doublethink_gate.sessions.closing import close_session
from doublethink_gate.sessions.registry import read_pack
from doublethink_gate.sessions.store import SessionRecord, WrappedPack
from doublethink_gate.sessions.tenants import tenant_digest

_TENANT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}", re.ASCII)
_HANDED_OUT: Final = (capabilities.CONSOLE, capabilities.PLANNER, capabilities.VALIDATOR)


class SessionService:
    """The handler of `doublethink.gate.v1.SessionService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def OpenSession(
        self, request: session_pb2.OpenSessionRequest, call: Call
    ) -> session_pb2.OpenSessionResponse:
        """Open a session: its record, then its ledger row; only then its capabilities are worth anything.

        Raises Malformed for a pack, a tenant or a model's name that is none; Overloaded where the tenant has too
        many open sessions; LedgerUnavailable.
        """
        if _TENANT.fullmatch(request.tenant) is None:
            raise Malformed
        model = _model(request)
        await read_pack(request.fingerprint_pack)
        runtime = self._runtime
        now_us = runtime.clock()
        session = uuid.uuid4()
        record = self._record(from_bytes(IdType.SESSION, session.bytes), request, now_us)
        minted = {role: capabilities.mint() for role in _HANDED_OUT}
        wrapped = runtime.registry.wrap(record.id, request.fingerprint_pack)
        pack = WrappedPack(wrapped.kek, wrapped.iv, wrapped.ciphertext)
        # First the record, which nobody can use yet: if this gate dies before the end, it tells what to close.
        await runtime.store.insert(record, pack, minted, runtime.limits.sessions_per_tenant)
        await runtime.rows.write(
            session,
            Kind.SESSION_OPEN,
            {
                "source": record.source,
                "tenant": tenant_digest(record.tenant),
                "max_queries": record.max_queries,
                "max_pages": record.max_pages,
                "max_calls": record.max_calls,
                "max_bytes": record.max_bytes,
                "expires_us": record.expires_us,
                **model,
            },
            deadline_s=call.remaining(),
        )
        await runtime.store.opened(record.id)
        log().info("session_opened", session=record.id)
        return session_pb2.OpenSessionResponse(
            session_id=record.id,
            console_capability=minted[capabilities.CONSOLE].secret,
            planner_capability=minted[capabilities.PLANNER].secret,
            validator_capability=minted[capabilities.VALIDATOR].secret,
            policy_digest=record.policy_sha256,
        )

    async def CloseSession(
        self, request: session_pb2.CloseSessionRequest, call: Call
    ) -> session_pb2.CloseSessionResponse:
        """Close a session: its last row, then its pack and capabilities go.

        Raises CapabilityRefused, SessionClosed, LedgerUnavailable.
        """
        grant = await authorise(self._runtime.store, call, self._runtime.clock(), closed_too=True)
        rows = await close_session(self._runtime, grant.session, "closed")
        return session_pb2.CloseSessionResponse(rows=rows)

    def _record(self, id: str, request: session_pb2.OpenSessionRequest, now_us: int) -> SessionRecord:
        """Budgets only narrow what the policy grants; 0 takes the policy's own."""
        granted = self._runtime.policy.budgets
        life_s = min(granted.seconds, self._runtime.policy.retention.pack_minutes * 60)
        asked = request.budgets
        return SessionRecord(
            id=id,
            tenant=request.tenant,
            policy_sha256=self._runtime.policy.digest,
            source=self._runtime.source.name,
            state="opening",
            created_us=now_us,
            expires_us=now_us + _narrowed(asked.seconds, life_s) * 1_000_000,
            max_queries=_narrowed(asked.queries, granted.queries),
            max_pages=_narrowed(asked.pages, granted.pages),
            max_calls=_narrowed(asked.model_calls, granted.model_calls),
            max_bytes=granted.bytes,
        )


def _model(request: session_pb2.OpenSessionRequest) -> dict[str, BodyValue]:
    """What the first row says of the planner's model. Raises Malformed."""
    if not request.HasField("planner_model"):
        return {}
    named = request.planner_model
    if _MODEL.fullmatch(named.name) is None:
        raise Malformed
    digest: dict[str, BodyValue] = {"planner_digest": named.digest.hex()} if named.digest else {}
    return {"planner_model": named.name, **digest}


def _narrowed(asked: int, granted: int) -> int:
    return min(asked, granted) if asked else granted
