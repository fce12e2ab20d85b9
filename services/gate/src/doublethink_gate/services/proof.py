"""ProofService: the proof that a session's rows are in the signed log, for its owner's export."""

from __future__ import annotations

from doublethink.gate.v1 import proof_pb2
from doublethink_rpc import Call, log

from doublethink_gate import ledger
from doublethink_gate.errors import LedgerUnavailable
from doublethink_gate.ids import IdType, to_uuid
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.authority import authorise


class ProofService:
    """The handler of `doublethink.gate.v1.ProofService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def ProveSession(
        self, request: proof_pb2.ProveSessionRequest, call: Call
    ) -> proof_pb2.ProveSessionResponse:
        """Return the proof of the session's last sealed row, or why there is none.

        Raises CapabilityRefused, LedgerUnavailable.
        """
        runtime = self._runtime
        grant = await authorise(runtime.store, call, runtime.clock(), closed_too=True)
        session = to_uuid(IdType.SESSION, grant.session.id)
        try:
            newest = await runtime.prover.newest_n(session)
            head = await runtime.prover.head()
            if head is None:
                return _none(proof_pb2.PROOF_STATE_NOT_SEALED, newest)
            checkpoint, note = head
            if request.since_size > checkpoint.size:
                return _none(proof_pb2.PROOF_STATE_BEHIND, newest)
            proof = await runtime.prover.prove(session, checkpoint, note, request.since_size)
        except ledger.RowsMissing:
            log().error("sealed_rows_missing", session=grant.session.id)
            return _none(proof_pb2.PROOF_STATE_ROWS_MISSING, newest)
        except ledger.LedgerError as error:
            raise LedgerUnavailable from error
        if proof is None:
            return _none(proof_pb2.PROOF_STATE_NOT_SEALED, newest)
        return proof_pb2.ProveSessionResponse(
            state=proof_pb2.PROOF_STATE_PROVEN,
            newest_n=newest,
            last_n=proof.last_n,
            index=proof.index,
            checkpoint=proof.checkpoint,
            path=proof.path,
            consistency=proof.consistency,
        )


def _none(state: proof_pb2.ProofState, newest: int) -> proof_pb2.ProveSessionResponse:
    return proof_pb2.ProveSessionResponse(state=state, newest_n=newest)
