"""The text of an approved query, taken from what the ledger committed to."""

from __future__ import annotations

from doublethink_gate import ledger
from doublethink_gate.egress.payloads import search_text
from doublethink_gate.errors import IdRefused, LedgerUnavailable
from doublethink_gate.runtime import Runtime
from doublethink_gate.sessions.material import Query


async def approved_text(runtime: Runtime, query: Query) -> str:
    """Return a query as it was sent. Raises IdRefused if its payload was erased; LedgerUnavailable."""
    try:
        row = await runtime.reader.row(query.row_id)
        if row is None:
            raise LedgerUnavailable
        return search_text((await runtime.reader.open_payload(row)).payload)
    except ledger.PayloadErased as error:
        raise IdRefused from error
    except ledger.LedgerError as error:
        raise LedgerUnavailable from error
