"""LogService: the rows of all sessions in the order of the log, for who watches over them."""

from __future__ import annotations

from collections.abc import AsyncIterator

from doublethink.gate.v1 import log_pb2
from doublethink_rpc import Call

from doublethink_gate import ledger
from doublethink_gate.errors import LedgerUnavailable, NotGranted
from doublethink_gate.ids import IdType, from_bytes, to_uuid
from doublethink_gate.ledger.reader import MAX_ROWS
from doublethink_gate.runtime import Runtime
from doublethink_gate.services.messages import row_message


class LogService:
    """The handler of `doublethink.gate.v1.LogService`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def ListLog(
        self, request: log_pb2.ListLogRequest, call: Call
    ) -> AsyncIterator[log_pb2.ListLogResponse]:
        """Stream up to `limit` rows, then end.

        Raises NotGranted where the policy does not let the console read the log; LedgerUnavailable.
        """
        if not self._runtime.policy.grants.read_log:
            raise NotGranted
        log = self._runtime.log
        limit = request.limit or MAX_ROWS
        try:
            after = request.after_seq
            if request.newest:
                after, limit = await log.last_seq() - 1, 1
            elif request.since_us:
                after = max(after, await log.before(request.since_us))
            if request.session_id and not request.newest:
                rows = await log.rows_of(to_uuid(IdType.SESSION, request.session_id), after, limit)
            else:
                rows = await log.rows(max(after, -1), limit)
        except ledger.LedgerError as error:
            raise LedgerUnavailable from error
        for found in rows:
            yield log_pb2.ListLogResponse(
                row=log_pb2.LogRow(
                    session_id=from_bytes(IdType.SESSION, found.row.session),
                    row=row_message(found.row),
                    erased=found.erased,
                )
            )
